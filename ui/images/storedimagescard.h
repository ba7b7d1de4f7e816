// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/imagestore.h"
#include "ui/parts/text.h"

class QProgressBar;

namespace slipway {

class ErrorView;
class StoredImagesTable;
class StoredPackages;

/// StoredImagesCard shows the images and caches that are kept on one site, and asks before it lets
/// any be removed. It knows no engine: what it needs, it requests by signals. GUI thread;
/// ImagesPage owns it.
class StoredImagesCard : public QFrame {
    Q_OBJECT

public:
    explicit StoredImagesCard(QWidget* parent = nullptr);
    void setSite(const QString& name);
    void setBusy(const QString& what);
    void setNotConnected();
    void setError(const Error& error);
    void setList(const ImageList& list);
    /// What the last removal did; empty: nothing to say.
    void setResult(const QString& words, bool complete = true);

signals:
    void reloadRequested();
    void connectRequested();
    void useRequested(const QString& path);
    void removeRequested(const QStringList& paths);
    void emptyRequested();
    /// Its height has changed.
    void resized();

private:
    QLayout* makeHead();
    void makeCaches();
    void makeState();
    void connectParts();
    void showState(const QString& text, bool busy, const QString& action);
    void showSelection();
    void askRemove();
    void askEmpty();
    std::vector<StoredImage> removable() const;

    QString m_site;
    ImageList m_list;
    bool m_connects = false; ///< what the button of the state does
    TextLabel* m_title;
    TextLabel* m_summary;
    TextLabel* m_result;
    QWidget* m_tools;
    QPushButton* m_reload;
    QPushButton* m_use;
    QPushButton* m_remove;
    StoredImagesTable* m_table;
    StoredPackages* m_packages;
    QWidget* m_caches;
    TextLabel* m_cachesText;
    QPushButton* m_empty;
    QWidget* m_state;
    TextLabel* m_stateText;
    QProgressBar* m_progress;
    QPushButton* m_action;
    ErrorView* m_error;
};

} // namespace slipway
