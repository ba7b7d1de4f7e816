// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/error.h"
#include "remote/container/runtime.h"
#include "remote/registry/registrylogin.h"
#include "ui/parts/text.h"

class QCheckBox;
class QLineEdit;

namespace slipway {

/// RegistryLoginCard asks for a login at the registry of one image, which that registry did not
/// show without one. GUI thread; ImagesPage owns it.
class RegistryLoginCard : public QFrame {
    Q_OBJECT

public:
    explicit RegistryLoginCard(QWidget* parent = nullptr);

    /// The question that was not answered. What was typed for another registry is forgotten.
    void setQuestion(const QString& siteId, const ImageReference& image);
    const QString& siteId() const { return m_siteId; }
    const ImageReference& image() const { return m_image; }
    /// The login was accepted, but the keychain refused it.
    void showNotKept(const Error& error);

signals:
    void loginEntered(const slipway::RegistryLogin& login, bool keep);

private:
    QLayout* makeFields();
    void showReady();
    void submit();

    QString m_siteId;
    ImageReference m_image;
    TextLabel* m_title;
    TextLabel* m_advice;
    QLineEdit* m_user;
    QLineEdit* m_password;
    QCheckBox* m_keep;
    QPushButton* m_logIn;
};

} // namespace slipway
