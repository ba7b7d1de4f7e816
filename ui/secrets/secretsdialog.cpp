// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/secrets/secretsdialog.h"

#include "app/secrets/loginpasswords.h"
#include "ui/parts/announce.h"

#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int leastNames = 3; ///< lines of the list

} // namespace

SecretsDialog::SecretsDialog(SecretStore* store, QWidget* parent)
    : QDialog(parent)
    , m_store(store)
    , m_list(new QListWidget)
    , m_keep(makeButton(tr("Keep"), ButtonKind::Primary))
    , m_remove(makeButton(tr("Remove"), ButtonKind::Danger))
    , m_said(TextLabel::paragraph({}))
{
    setWindowTitle(tr("Secrets"));
    setObjectName(u"secretsDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(6);
    layout->addWidget(new TextLabel(windowTitle(), "title"));
    layout->addWidget(TextLabel::paragraph(
        tr("Tokens that your programs read from environment variables. The values are in this "
           "desktop’s keychain and are never shown; Slipway keeps a list of their names. A launch "
           "names them in its field “Secrets”. Passwords that you chose to keep when you connected "
           "are "
           "listed as login:USER@HOST."),
        "second"));
    addList();
    m_name = addLabelledLine(layout, tr("Environment variable"), u"secretName"_s);
    m_name->setPlaceholderText(u"HF_TOKEN"_s);
    m_value = addLabelledLine(layout, tr("Value"), u"secretValue"_s);
    m_value->setEchoMode(QLineEdit::Password);
    for (QLineEdit* line : {m_name, m_value}) {
        connect(line, &QLineEdit::textChanged, this, &SecretsDialog::showButtons);
    }
    m_said->setObjectName(u"secretsSaid"_s);
    m_said->hide();
    layout->addWidget(m_said);
    addButtons();
    connect(m_store, &SecretStore::changed, this, &SecretsDialog::showNames);
    showNames();
    if (const QString trouble = m_store->trouble(); !trouble.isEmpty()) {
        say(trouble, Tint::Error);
    }
    m_name->setFocus();
    resize(520, sizeHint().height());
    if (parent) {
        resize(size().boundedTo(parent->window()->size() - QSize(64, 64)));
    }
}

void SecretsDialog::addList()
{
    m_list->setObjectName(u"secretNames"_s);
    m_list->setAccessibleName(tr("Names of the secrets"));
    m_list->setMinimumHeight(leastNames * fontMetrics().lineSpacing() + 2 * m_list->frameWidth());
    m_remove->setObjectName(u"secretRemove"_s);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_list, 1);
    row->addWidget(m_remove, 0, Qt::AlignTop);
    static_cast<QVBoxLayout*>(layout())->addLayout(row, 1);
    connect(m_list, &QListWidget::currentRowChanged, this, &SecretsDialog::showButtons);
    connect(m_remove, &QPushButton::clicked, this, &SecretsDialog::remove);
}

void SecretsDialog::addButtons()
{
    m_keep->setObjectName(u"secretKeep"_s);
    m_keep->setDefault(true);
    auto* leave = makeButton(tr("Close"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(leave);
    buttons->addWidget(m_keep);
    static_cast<QVBoxLayout*>(layout())->addSpacing(8);
    static_cast<QVBoxLayout*>(layout())->addLayout(buttons);
    connect(leave, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_keep, &QPushButton::clicked, this, &SecretsDialog::keep);
}

void SecretsDialog::showNames()
{
    const QString chosen = m_list->currentItem() ? m_list->currentItem()->text() : QString();
    const QStringList names = m_store->names() + LoginPasswords(m_store).names();
    m_list->clear();
    m_list->addItems(names);
    m_list->setCurrentRow(int(names.indexOf(chosen)));
    showButtons();
}

void SecretsDialog::showButtons()
{
    if (!m_name || !m_value) {
        return;
    }
    const bool known = m_store->names().contains(m_name->text().trimmed());
    m_keep->setText(known ? tr("Replace") : tr("Keep"));
    m_keep->setEnabled(
        !m_busy && !m_name->text().trimmed().isEmpty() && !m_value->text().isEmpty());
    m_remove->setEnabled(!m_busy && m_list->currentItem());
}

void SecretsDialog::say(const QString& text, Tint tint)
{
    m_said->setTint(tint);
    m_said->setText(text);
    m_said->show();
    announce(m_said, text);
}

void SecretsDialog::sayError(const Error& error)
{
    say(QString(error.summary % u' ' % error.remedy).trimmed(), Tint::Error);
}

QCoro::Task<void> SecretsDialog::keep()
{
    const QPointer<SecretsDialog> self(this);
    if (m_busy) {
        co_return;
    }
    const QString name = m_name->text().trimmed();
    const QByteArray value = m_value->text().toUtf8();
    m_busy = true;
    showButtons();
    const auto kept = co_await m_store->keep(name, value);
    if (!self) {
        co_return;
    }
    m_busy = false;
    if (kept.ok()) {
        m_value->clear();
        m_name->clear();
        m_name->setFocus();
        say(tr("%1 is in the keychain.").arg(name), Tint::Second);
    } else {
        sayError(kept.error());
    }
    showButtons();
}

QCoro::Task<void> SecretsDialog::remove()
{
    const QPointer<SecretsDialog> self(this);
    if (m_busy || !m_list->currentItem()) {
        co_return;
    }
    const QString name = m_list->currentItem()->text();
    m_busy = true;
    showButtons();
    auto forgetting =
        LoginPasswords::isName(name) ? LoginPasswords(m_store).forget(name) : m_store->forget(name);
    const auto gone = co_await forgetting;
    if (!self) {
        co_return;
    }
    m_busy = false;
    if (gone.ok()) {
        say(tr("%1 is no longer in the keychain.").arg(name), Tint::Second);
    } else {
        sayError(gone.error());
    }
    showButtons();
}

} // namespace slipway

#include "moc_secretsdialog.cpp"
