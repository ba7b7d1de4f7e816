// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/connect/promptpage.h"

#include "ui/parts/announce.h"
#include "ui/parts/text.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

PromptPage::PromptPage(QWidget* parent)
    : QWidget(parent)
    , m_title(new TextLabel({}, "title"))
    , m_who(TextLabel::paragraph({}, "second"))
    , m_refused(TextLabel::paragraph({}))
    , m_instruction(TextLabel::paragraph({}))
    , m_fields(new QVBoxLayout)
    , m_keep(new QCheckBox(tr("Keep it in this desktop’s keychain")))
    , m_action(makeButton(tr("Log in"), ButtonKind::Primary, this))
{
    m_refused->setObjectName(u"refused"_s);
    m_refused->setTint(Tint::Warning);
    m_instruction->setObjectName(u"instruction"_s);
    m_fields->setSpacing(6);
    m_keep->setObjectName(u"keepAnswer"_s);
    m_keep->setToolTip(tr(
        "The next login uses it without asking. Codes are never kept. Remove it under Secrets."));
    m_action->setObjectName(u"sendAnswers"_s);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(m_title);
    layout->addWidget(m_who);
    layout->addWidget(m_refused);
    layout->addWidget(m_instruction);
    layout->addLayout(m_fields);
    layout->addWidget(m_keep);
    layout->addStretch();
    connect(m_action, &QPushButton::clicked, this, &PromptPage::submit);
}

void PromptPage::setRound(const PromptRound& round)
{
    const bool passphrase = round.kind == PromptRound::Kind::Passphrase;
    m_title->setText(!round.title.isEmpty() ? round.title
            : passphrase                    ? tr("Unlock your key")
                                            : tr("Authentication"));
    m_who->setText(passphrase && !round.keyFile.isEmpty()
            ? tr("%1, for %2").arg(round.keyFile, round.host)
            : round.user.isEmpty() ? tr("Log in to %1").arg(round.host)
                                   : tr("Log in to %1 as %2").arg(round.host, round.user));
    m_refused->setText(
        tr("The server rejected the last answer. This is attempt %1.").arg(round.attempt));
    m_refused->setVisible(round.attempt > 1);
    m_instruction->setText(round.instruction);
    m_instruction->setVisible(!round.instruction.trimmed().isEmpty());
    m_keep->setChecked(false);
    m_keep->setVisible(round.mayBeKept);
    clearLayout(m_fields);
    m_edits.clear();
    for (const Prompt& prompt : round.prompts) {
        auto* edit = new QLineEdit;
        edit->setEchoMode(prompt.echo ? QLineEdit::Normal : QLineEdit::Password);
        edit->setAccessibleName(prompt.text.isEmpty() ? tr("Answer") : prompt.text);
        edit->setObjectName(u"answer%1"_s.arg(m_edits.size()));
        auto* label = TextLabel::paragraph(prompt.text);
        label->setBuddy(edit);
        m_fields->addWidget(label);
        m_fields->addWidget(edit);
        connect(edit, &QLineEdit::returnPressed, this, [this, index = m_edits.size()] {
            if (index + 1 < m_edits.size()) {
                m_edits[index + 1]->setFocus();
            } else {
                submit();
            }
        });
        m_edits << edit;
    }
    if (!m_edits.isEmpty()) {
        setFocusProxy(m_edits.first());
        m_edits.first()->setFocus();
    }
    announce(this, m_refused->isHidden() ? m_who->text() : m_refused->text());
}

void PromptPage::submit()
{
    QStringList answers;
    for (QLineEdit* edit : std::as_const(m_edits)) {
        answers << edit->text();
        edit->clear(); // do not keep a secret in a field
    }
    emit answered(answers, m_keep->isVisibleTo(this) && m_keep->isChecked());
}

} // namespace slipway

#include "moc_promptpage.cpp"
