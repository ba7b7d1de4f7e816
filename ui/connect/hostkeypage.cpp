// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/connect/hostkeypage.h"

#include "ui/parts/text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

/// In groups that are easy to compare: "SHA256:" and then eight characters per group, two lines.
QString groupedFingerprint(const QString& sha256)
{
    const qsizetype colon = sha256.indexOf(u':') + 1;
    QString text = sha256.first(colon);
    const QString digest = sha256.sliced(colon);
    for (qsizetype i = 0; i < digest.size(); i += 8) {
        text += (i % 24 == 0 ? u"\n"_s : u"  "_s) % digest.mid(i, 8);
    }
    return text;
}

} // namespace

HostKeyPage::HostKeyPage(QWidget* parent)
    : QWidget(parent)
    , m_where(TextLabel::paragraph({}))
    , m_type(new TextLabel({}, "second"))
    , m_fingerprint(new TextLabel({}, "fingerprint"))
{
    m_fingerprint->setObjectName(u"fingerprint"_s);
    m_fingerprint->setTextInteractionFlags(
        Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* card = makeCard();
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(16, 12, 16, 12);
    inside->addWidget(m_type);
    inside->addWidget(m_fingerprint);
    auto* accept = makeButton(tr("Accept this key"));
    accept->setObjectName(u"acceptKey"_s);
    auto* stop = makeButton(tr("Stop"));
    stop->setObjectName(u"stopKey"_s);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(accept);
    buttons->addWidget(stop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(new TextLabel(tr("Is this the right server?"), "title"));
    layout->addWidget(m_where);
    layout->addWidget(card);
    layout->addWidget(TextLabel::paragraph(
        tr("Compare it with the fingerprint on the site's web page, or ask its staff. If it "
           "differs, stop: someone may be intercepting the connection."),
        "second"));
    layout->addStretch();
    layout->addLayout(buttons);
    setFocusProxy(stop);
    connect(accept, &QPushButton::clicked, this, [this] { emit decided(true); });
    connect(stop, &QPushButton::clicked, this, [this] { emit decided(false); });
}

void HostKeyPage::setQuestion(const HostKeyQuestion& question)
{
    const QString where = question.port == 22
        ? question.host
        : tr("%1, port %2").arg(question.host).arg(question.port);
    m_where->setText(
        tr("This computer has not connected to %1 before. Its host key has this fingerprint:")
            .arg(where));
    m_type->setText(question.keyType);
    m_fingerprint->setText(groupedFingerprint(question.sha256));
    m_fingerprint->setAccessibleName(tr("Fingerprint %1").arg(question.sha256));
}

QString forgetCommand(const Error& error)
{
    static const QRegularExpression command(
        u"ssh-keygen\\s[^\\n]*-R\\s+(\"[^\"\\n]*\"|'[^'\\n]*'|[^\\s\\n]+)"_s);
    for (const QString& text : {error.remedy, QString::fromUtf8(error.detail)}) {
        const auto match = command.match(text);
        if (match.hasMatch()) {
            return match.captured(0);
        }
    }
    return {};
}

ChangedKeyPage::ChangedKeyPage(QWidget* parent)
    : QWidget(parent)
    , m_summary(TextLabel::paragraph({}, "strong"))
    , m_remedy(TextLabel::paragraph({}))
    , m_command(new TextLabel({}, "code"))
    , m_commandRow(new QWidget)
    , m_detail(TextLabel::paragraph({}, "code"))
{
    m_command->setObjectName(u"forgetCommand"_s);
    m_command->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* copy = makeButton(tr("Copy"), ButtonKind::Quiet);
    copy->setAccessibleName(tr("Copy the command"));
    auto* row = new QHBoxLayout(m_commandRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_command, 1);
    row->addWidget(copy);
    auto* card = makeCard("error");
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(16, 12, 16, 12);
    inside->setSpacing(8);
    inside->addWidget(m_summary);
    inside->addWidget(m_detail);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(new TextLabel(tr("Stopped: the server's host key has changed"), "title"));
    layout->addWidget(card);
    layout->addWidget(TextLabel::paragraph(
        tr("Either the server was reinstalled, or someone is intercepting the connection. Nothing "
           "secret was sent. Ask the site's staff whether the key was changed.")));
    layout->addWidget(m_remedy);
    layout->addWidget(m_commandRow);
    layout->addStretch();
    connect(copy, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_command->text()); });
}

void ChangedKeyPage::setError(const Error& error)
{
    m_summary->setText(error.summary);
    m_detail->setText(QString::fromUtf8(error.detail).trimmed());
    m_detail->setVisible(!m_detail->text().isEmpty());
    m_command->setText(forgetCommand(error));
    const QString words = QString(error.remedy).remove(m_command->text()).trimmed();
    m_remedy->setText(words);
    m_remedy->setVisible(!words.isEmpty());
    m_commandRow->setVisible(!m_command->text().isEmpty());
}

} // namespace slipway

#include "moc_hostkeypage.cpp"
