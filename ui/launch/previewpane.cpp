// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/previewpane.h"

#include "ui/parts/differenceview.h"
#include "ui/parts/text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

PreviewPane::PreviewPane(QWidget* parent)
    : QWidget(parent)
    , m_view(new ScriptView)
    , m_difference(new DifferenceView)
    , m_views(new QStackedWidget)
    , m_heading(TextLabel::paragraph({}, "heading"))
    , m_note(TextLabel::paragraph({}, "caption"))
    , m_edit(makeButton(tr("edit"), ButtonKind::Quiet))
    , m_revert(makeButton(tr("revert"), ButtonKind::Quiet))
    , m_changes(makeButton(tr("changes"), ButtonKind::Quiet))
{
    m_changes->setCheckable(true);
    m_changes->setAccessibleName(tr("Show only the changes"));
    m_changes->setObjectName(u"showChanges"_s);
    m_views->addWidget(m_view);
    m_views->addWidget(m_difference);
    auto* copy = makeButton(tr("copy"), ButtonKind::Quiet);
    m_edit->setCheckable(true);
    m_edit->setAccessibleName(tr("Edit the script by hand"));
    m_edit->setObjectName(u"editScript"_s);
    m_revert->setAccessibleName(tr("Revert to the form's script"));
    m_revert->setObjectName(u"revertScript"_s);
    copy->setAccessibleName(tr("Copy the script"));
    m_view->setAccessibleName(tr("Script that will be submitted"));
    m_view->setObjectName(u"preview"_s);
    m_note->setTint(Tint::Warning);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_heading, 1);
    for (QPushButton* button : {m_changes, m_edit, m_revert, copy}) {
        head->addWidget(button);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(head);
    layout->addWidget(m_note);
    layout->addWidget(m_views, 1);
    connect(copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(
            m_changes->isChecked() ? m_difference->toPlainText() : m_view->toPlainText());
    });
    connect(m_changes, &QPushButton::toggled, this, &PreviewPane::showState);
    connect(m_edit, &QPushButton::toggled, this, [this](bool on) {
        m_view->setReadOnly(!on);
        if (on) {
            m_view->setFocus();
        }
    });
    connect(m_revert, &QPushButton::clicked, this, &PreviewPane::revert);
    connect(m_view, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_view->isReadOnly()) {
            m_edited = m_view->script() != m_script;
            showState();
            emit editedChanged();
        }
    });
    showState();
}

QByteArray PreviewPane::editedScript() const
{
    return m_edited ? m_view->script() : QByteArray();
}

void PreviewPane::setScript(const QByteArray& script)
{
    m_script = script;
    if (!m_edited) {
        const bool readOnly = m_view->isReadOnly();
        m_view->setReadOnly(true); // not a change by the person
        m_view->setScript(script);
        m_view->setReadOnly(readOnly);
    }
    showState();
}

void PreviewPane::revert()
{
    m_edit->setChecked(false);
    m_view->setReadOnly(true);
    m_view->setScript(m_script);
    m_edited = false;
    showState();
    emit editedChanged();
}

void PreviewPane::setDifference(const QString& run, const std::vector<DifferenceLine>& lines)
{
    m_before = run;
    m_difference->setDifference(lines);
    if (run.isEmpty()) {
        m_changes->setChecked(false);
    }
    showState();
}

void PreviewPane::showDifference(bool show)
{
    m_changes->setChecked(show);
}

void PreviewPane::focusDifference()
{
    m_difference->setFocus();
}

void PreviewPane::showState()
{
    const bool changes = m_changes->isChecked();
    m_changes->setVisible(!m_before.isEmpty());
    m_edit->setVisible(!changes);
    m_views->setCurrentIndex(changes ? 1 : 0);
    m_heading->setText(
        changes ? tr("Changes from run %1").arg(m_before) : tr("This is what will be submitted"));
    m_revert->setVisible(m_edited);
    m_note->setText(tr("Edited by hand: the form no longer changes the script."));
    m_note->setVisible(m_edited);
}

} // namespace slipway

#include "moc_previewpane.cpp"
