// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/labeldialog.h"

#include "ui/parts/announce.h"
#include "ui/parts/text.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

LabelDialog::LabelDialog(const Run& run, Save save, QWidget* parent)
    : QDialog(parent)
    , m_labels(run.labels)
    , m_save(std::move(save))
    , m_problem(TextLabel::paragraph({}))
{
    setWindowTitle(tr("Name, tags and note"));
    setObjectName(u"labelDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(6);
    layout->addWidget(new TextLabel(windowTitle(), "title"));
    m_name = addLabelledLine(layout, tr("Name"), u"labelName"_s, run.labels.name);
    m_name->setPlaceholderText(run.title);
    m_tags = addLabelledLine(layout, tr("Tags"), u"labelTags"_s, run.labels.tags.join(u' '));
    m_tags->setPlaceholderText(tr("For example: paper baseline"));
    m_note = new QPlainTextEdit(run.labels.note);
    m_note->setObjectName(u"labelNote"_s);
    m_note->setAccessibleName(tr("Note"));
    m_note->setTabChangesFocus(true);
    m_note->setMinimumHeight(6 * fontMetrics().lineSpacing());
    layout->addWidget(new TextLabel(tr("Note")));
    layout->addWidget(m_note, 1);
    m_problem->setTint(Tint::Error);
    m_problem->setObjectName(u"labelProblem"_s);
    m_problem->hide();
    layout->addWidget(m_problem);
    auto* leave = makeButton(tr("Cancel"));
    auto* keep = makeButton(tr("Save"), ButtonKind::Primary);
    keep->setObjectName(u"labelSave"_s);
    keep->setDefault(true);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(leave);
    buttons->addWidget(keep);
    layout->addSpacing(8);
    layout->addLayout(buttons);
    connect(leave, &QPushButton::clicked, this, &QDialog::reject);
    connect(keep, &QPushButton::clicked, this, &LabelDialog::store);
    m_name->setFocus();
    m_name->selectAll();
    resize(520, sizeHint().height());
}

void LabelDialog::store()
{
    RunLabels labels = m_labels;
    labels.name = m_name->text();
    labels.tags = tagsIn(m_tags->text());
    labels.note = m_note->toPlainText();
    const Result<void> saved = m_save(labels);
    if (saved.ok()) {
        accept();
        return;
    }
    const QString problem = QString(saved.error().summary % u' ' % saved.error().remedy).trimmed();
    m_problem->setText(problem);
    m_problem->show();
    announce(m_problem, problem);
}

} // namespace slipway

#include "moc_labeldialog.cpp"
