// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/fieldeditor.h"

#include <QLineEdit>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

FieldEditor::FieldEditor(
    const Parameter& field, const QMap<QString, QString>& labels, QWidget* parent)
    : QWidget(parent)
    , m_key(field.key)
    , m_input(makeFieldInput(
          field, labels, [this](const QString& value) { emit edited(m_key, value); }))
    , m_note(TextLabel::paragraph({}, "caption"))
    , m_fix(makeButton({}, ButtonKind::Link))
{
    setObjectName(u"field-"_s % field.key);
    m_note->setObjectName(u"note-"_s % field.key);
    m_fix->setObjectName(u"fix-"_s % field.key);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    if (field.type != Parameter::Type::Flag) {
        auto* label = new TextLabel(field.label, "second");
        label->setBuddy(m_input.focus);
        layout->addWidget(label);
    }
    layout->addWidget(m_input.widget);
    layout->addWidget(m_note);
    layout->addWidget(m_fix, 0, Qt::AlignLeft);
    layout->addStretch();
    m_fix->hide();
    connect(m_fix, &QPushButton::clicked, this, [this] {
        if (m_problem && m_problem->fixValue) {
            emit fixRequested(m_key, *m_problem->fixValue);
        }
    });
    setField(field, true);
}

void FieldEditor::setField(const Parameter& field, bool force)
{
    m_help = field.help;
    m_input.show(field, force);
    showNote();
}

void FieldEditor::setProblems(const std::vector<Problem>& problems)
{
    m_problem.reset();
    for (const Problem& problem : problems) {
        if (problem.field == m_key
            && (!m_problem || problem.severity == Problem::Severity::Error)) {
            m_problem = problem;
            if (problem.severity == Problem::Severity::Error) {
                break;
            }
        }
    }
    const bool error = m_problem && m_problem->severity == Problem::Severity::Error;
    setLook(m_input.widget, "problem", error ? u"error"_s : m_problem ? u"warning"_s : QString());
    showNote();
}

bool FieldEditor::shows(const Problem& problem) const
{
    return m_problem && m_problem->field == problem.field && m_problem->text == problem.text;
}

void FieldEditor::setFact(const QString& text, const QString& source)
{
    m_fact = text;
    m_note->setToolTip(text.isEmpty() ? QString() : source);
    m_note->setAccessibleDescription(m_note->toolTip());
    showNote();
}

void FieldEditor::setAction(const QString& verb)
{
    auto* action = makeButton(verb, ButtonKind::Link);
    action->setObjectName(u"action-"_s % m_key);
    auto* box = static_cast<QVBoxLayout*>(layout());
    box->insertWidget(box->indexOf(m_fix), action, 0, Qt::AlignLeft);
    connect(action, &QPushButton::clicked, this, [this] { emit actionRequested(m_key); });
}

void FieldEditor::showNote()
{
    QString text = m_fact.isEmpty() ? m_help : m_fact;
    Tint tint = Tint::Second;
    if (m_problem) {
        const bool error = m_problem->severity == Problem::Severity::Error;
        text = (error ? u"✕ "_s : u"! "_s) % m_problem->text;
        tint = error ? Tint::Error : Tint::Warning;
    }
    m_note->setText(text);
    m_note->setTint(tint);
    // Room for one line is kept, so that a short message moves nothing.
    m_note->setMinimumHeight(m_note->fontMetrics().lineSpacing());
    const bool fixable = m_problem && m_problem->fixValue;
    m_fix->setVisible(fixable);
    if (fixable) {
        const QString verb =
            m_problem->fix.isEmpty() ? tr("Use %1").arg(*m_problem->fixValue) : m_problem->fix;
        m_fix->setText(QString(verb).replace(u'&', u"&&"_s));
        m_fix->setAccessibleName(verb);
    }
}

QLineEdit* FieldEditor::line() const
{
    return qobject_cast<QLineEdit*>(m_input.focus);
}

void FieldEditor::focusInput()
{
    m_input.focus->setFocus();
}

} // namespace slipway

#include "moc_fieldeditor.cpp"
