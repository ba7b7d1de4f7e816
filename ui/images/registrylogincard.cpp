// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/registrylogincard.h"

#include "remote/registry/registryerrors.h"
#include "ui/images/imagelabels.h"
#include "ui/images/imagewords.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostSecret = 4096; ///< characters: some tokens are long
constexpr int charactersOfField = 40;

} // namespace

RegistryLoginCard::RegistryLoginCard(QWidget* parent)
    : QFrame(parent)
    , m_title(namedLabel("registryLoginTitle", "heading"))
    , m_advice(namedLabel("registryLoginAdvice", "second"))
    , m_user(new QLineEdit)
    , m_password(new QLineEdit)
    , m_keep(new QCheckBox(tr("Keep in the keychain")))
    , m_logIn(makeButton(tr("Log in and ask again"), ButtonKind::Primary))
{
    setCardKind(this, "true");
    setObjectName(u"registryLoginCard"_s);
    setFocusProxy(m_password); // the field that is empty after a refusal
    m_keep->setObjectName(u"registryKeep"_s);
    m_keep->setChecked(true);
    m_keep->setToolTip(tr("For later questions, and for the pulls of your jobs"));
    m_logIn->setObjectName(u"registryLogIn"_s);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(8);
    layout->addWidget(m_title);
    layout->addWidget(m_advice);
    layout->addLayout(makeFields());
    layout->addWidget(m_keep);
    layout->addWidget(m_logIn, 0, Qt::AlignLeft);
    connect(m_user, &QLineEdit::textChanged, this, &RegistryLoginCard::showReady);
    connect(m_password, &QLineEdit::textChanged, this, &RegistryLoginCard::showReady);
    connect(m_user, &QLineEdit::returnPressed, m_password, qOverload<>(&QWidget::setFocus));
    connect(m_password, &QLineEdit::returnPressed, m_logIn, &QPushButton::click);
    connect(m_logIn, &QPushButton::clicked, this, &RegistryLoginCard::submit);
    showReady();
}

QLayout* RegistryLoginCard::makeFields()
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(2, 1);
    int row = 0;
    const auto add = [&](const QString& name, QLineEdit* field) {
        auto* label = new TextLabel(name, "second");
        label->setBuddy(field);
        field->setAccessibleName(name);
        field->setMaxLength(mostSecret);
        field->setMinimumWidth(field->fontMetrics().averageCharWidth() * charactersOfField);
        grid->addWidget(label, row, 0);
        grid->addWidget(field, row++, 1);
    };
    m_user->setObjectName(u"registryUser"_s);
    m_password->setObjectName(u"registryPassword"_s);
    m_password->setEchoMode(QLineEdit::Password);
    add(tr("User"), m_user);
    add(tr("Password or token"), m_password);
    return grid;
}

void RegistryLoginCard::setQuestion(const QString& siteId, const ImageReference& image)
{
    if (image.registry != m_image.registry || siteId != m_siteId) {
        m_user->clear();
    }
    m_password->clear();
    m_siteId = siteId;
    m_image = image;
    m_title->setText(tr("Log in to %1").arg(shownText(registryName(image), 80)));
    const auto address = RegistryAddress::of(image.registry, {});
    m_advice->setText(address.ok() ? loginAdvice(*address) : QString());
    m_advice->setTint(Tint::Plain);
}

void RegistryLoginCard::showNotKept(const Error& error)
{
    m_advice->setText(tr("The login was accepted, but it could not be kept: %1").arg(error.text()));
    m_advice->setTint(Tint::Warning);
}

void RegistryLoginCard::showReady()
{
    m_logIn->setEnabled(!m_user->text().trimmed().isEmpty() && !m_password->text().isEmpty());
}

void RegistryLoginCard::submit()
{
    const RegistryLogin login{m_user->text().trimmed(), m_password->text()};
    m_password->clear(); // a secret does not stay in a field
    emit loginEntered(login, m_keep->isChecked());
}

} // namespace slipway

#include "moc_registrylogincard.cpp"
