// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QWidget>

#include <optional>

class QBoxLayout;

namespace slipway {

class ErrorView;
class ImageQuestion;
class ImageTools;
class ImagesBusy;
class ImagesIntro;
class InspectionCard;
class NewestLine;
class PageContent;
class PartitionsCard;
class RegistryLoginCard;
class StoredImagesCard;
class StoredImagesKeeper;

/// What ImagesPage has asked and still waits for. A value.
struct ImagesAsking {
    bool isSiteChosen = false; ///< by a person
    bool isAsked = false; ///< an image was asked for
    int number = 0; ///< of the newest question
    int open = 0; ///< the number of the question whose answer is to come; 0: none
    bool isWantedAgain = false; ///< the site connected in between
};

/// ImagesPage looks at an image before it is pulled, says whether it will run on a site, and shows
/// what is kept there. It asks one question at a time: an older answer never replaces a newer one.
/// GUI thread; PageStack owns it.
class ImagesPage : public QWidget {
    Q_OBJECT

public:
    /// Without an engine it shows values only.
    explicit ImagesPage(Engine* engine, QWidget* parent = nullptr);

    /// Puts the reference into the field and asks its registry.
    void lookAt(const QString& reference);
    void selectSite(const QString& siteId);
    QString siteId() const;
    StoredImagesCard* stored() const { return m_stored; }

    /// Opens the editor for definition files, whose build is launched on a site.
    void openBuildEditor();

    void showInspection(const ImageInspection& inspection);
    void showError(const Error& error);
    void showBusy(const QString& stage);

signals:
    void connectRequested(const QString& siteId);
    /// The launch form is wanted with this image.
    void useRequested(const slipway::LaunchSpec& spec);
    /// A pull was confirmed.
    void launchRequested(const slipway::LaunchSpec& spec);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeContent();
    void connectParts();
    void connectEngine();
    void fillSites();
    void ask();
    /// `login`: as which user; nothing: with the kept one, if there is one. It is kept on success.
    QCoro::Task<void> inspect(QString siteId, ImageReference image,
        std::optional<RegistryLogin> login = {}, bool keep = false);
    void askAs(const RegistryLogin& login, bool keep);
    void cancel();
    void showOnly(const QWidget* part);
    void use(const QString& image);
    void askPull();
    void place();

    Engine* m_engine;
    PageContent* m_content;
    ImageQuestion* m_question;
    ImageTools* m_tools;
    ImagesIntro* m_intro;
    ImagesBusy* m_busy;
    ErrorView* m_error;
    RegistryLoginCard* m_login;
    QWidget* m_cards;
    QBoxLayout* m_beside;
    InspectionCard* m_inspection;
    PartitionsCard* m_partitions;
    NewestLine* m_newest = nullptr; ///< null without an engine
    StoredImagesCard* m_stored;
    StoredImagesKeeper* m_keeper = nullptr;
    std::optional<ImageInspection> m_shown; ///< the newest answer
    ImagesAsking m_asking;
};

} // namespace slipway
