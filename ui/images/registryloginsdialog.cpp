// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/registryloginsdialog.h"

#include "app/runs/runlogin.h"
#include "app/secrets/registrylogins.h"
#include "ui/images/imagewords.h"

#include <QGridLayout>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

/// "login:5000 (demo)": a registry that only one cluster knows.
QString shownRegistry(const QString& name)
{
    const RegistryLoginPlace place = registryLoginPlace(name);
    const QString registry = shownText(place.registry, 80);
    return place.siteId.isEmpty() ? registry : registry % u" ("_s % place.siteId % u')';
}

} // namespace

RegistryLoginsDialog::RegistryLoginsDialog(SecretStore* secrets, QWidget* parent)
    : QDialog(parent)
    , m_secrets(secrets)
    , m_what(TextLabel::paragraph({}))
    , m_rows(new QGridLayout)
{
    setWindowTitle(tr("Registry logins"));
    setObjectName(u"registryLogins"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    m_what->setObjectName(u"registryLoginsText"_s);
    m_rows->setHorizontalSpacing(24);
    m_rows->setVerticalSpacing(8);
    m_rows->setColumnStretch(0, 1);
    auto* close = makeButton(tr("Close"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(12);
    layout->addWidget(new TextLabel(tr("Registry logins"), "title"));
    layout->addWidget(m_what);
    layout->addLayout(m_rows);
    layout->addStretch();
    layout->addWidget(close, 0, Qt::AlignRight);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(secrets, &SecretStore::changed, this, &RegistryLoginsDialog::fill);
    fill();
    close->setFocus();
}

void RegistryLoginsDialog::fill()
{
    clearLayout(m_rows);
    const QStringList names = m_secrets ? RegistryLogins(m_secrets).registries() : QStringList();
    m_what->setText(names.isEmpty()
            ? tr("No login is kept. When a registry wants one, the Images page asks for it; in a "
                 "terminal: slipway-cli image login nvcr.io")
            : tr("These logins are in the keychain. They are used to look at images, and by jobs "
                 "that pull from these registries."));
    int row = 0;
    for (const QString& name : names) {
        const QString registry = shownRegistry(name);
        auto* button = makeButton(tr("Remove"));
        button->setObjectName(u"registryLoginRemove"_s);
        button->setAccessibleName(tr("Remove the login for %1").arg(registry));
        connect(button, &QPushButton::clicked, this, [this, name] { remove(name); });
        m_rows->addWidget(new TextLabel(registry), row, 0);
        m_rows->addWidget(button, row++, 1);
    }
}

QCoro::Task<void> RegistryLoginsDialog::remove(QString name)
{
    if (!m_secrets) {
        co_return;
    }
    const QPointer<RegistryLoginsDialog> self(this);
    RegistryLogins logins(m_secrets);
    const auto gone = co_await logins.forget(name);
    if (!self) {
        co_return;
    }
    fill();
    if (!gone.ok()) {
        m_what->setText(gone.error().text());
    }
}

} // namespace slipway

#include "moc_registryloginsdialog.cpp"
