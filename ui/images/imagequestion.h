// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

#include <utility>
#include <vector>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace slipway {

/// ImageQuestion is the head of the Images page: which image, for which site, and the button that
/// asks. GUI thread; ImagesPage owns it.
class ImageQuestion : public QWidget {
    Q_OBJECT

public:
    explicit ImageQuestion(QWidget* parent = nullptr);
    /// Ids and names; the chosen one stays chosen while it is there.
    void setSites(const std::vector<std::pair<QString, QString>>& sites);
    void setSite(const QString& siteId);
    QString siteId() const;
    void setImage(const QString& text);
    QString image() const;

signals:
    void lookRequested();
    void siteChosen(const QString& siteId);

private:
    void showReady();

    QLineEdit* m_image;
    QComboBox* m_site;
    QPushButton* m_look;
};

} // namespace slipway
