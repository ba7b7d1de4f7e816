// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/foldercard.h"

#include "remote/base/counted.h"
#include "ui/parts/announce.h"
#include "ui/parts/flowlayout.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

FolderCard::FolderCard(QWidget* parent)
    : QFrame(parent)
    , m_title(new TextLabel(tr("Read from your folder"), "heading"))
    , m_folder(new ElidedText({}, "code"))
    , m_words(TextLabel::paragraph({}, "second"))
    , m_error(TextLabel::paragraph({}))
    , m_rows(new QVBoxLayout)
    , m_changes(TextLabel::paragraph({}, "second"))
    , m_choose(makeButton(tr("Choose a folder…")))
    , m_again(makeButton(tr("Read again")))
    , m_files(makeButton(tr("Files…")))
{
    setCardKind(this, "true");
    setObjectName(u"folderCard"_s);
    m_folder->setObjectName(u"folderPath"_s);
    m_words->setObjectName(u"folderWords"_s);
    m_error->setObjectName(u"folderError"_s);
    m_error->setTint(Tint::Error);
    m_changes->setObjectName(u"folderChanges"_s);
    m_choose->setObjectName(u"chooseFolder"_s);
    m_again->setObjectName(u"readFolderAgain"_s);
    m_again->setToolTip(tr("After you have changed files; what you entered stays"));
    m_files->setObjectName(u"folderFilesButton"_s);
    m_files->setToolTip(tr("What has changed, what stays here, and large files that can be sent"));
    m_rows->setSpacing(8);
    auto* buttons = new QWidget;
    auto* flow = new FlowLayout(8, buttons);
    flow->addWidget(m_choose);
    flow->addWidget(m_again);
    flow->addWidget(m_files);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 12, 14, 12);
    layout->setSpacing(6);
    layout->addWidget(m_title);
    layout->addWidget(m_folder);
    layout->addWidget(m_words);
    layout->addWidget(m_error);
    layout->addLayout(m_rows);
    layout->addWidget(m_changes);
    layout->addWidget(buttons);
    connect(m_choose, &QPushButton::clicked, this, &FolderCard::chooseRequested);
    connect(m_again, &QPushButton::clicked, this, &FolderCard::readAgainRequested);
    connect(m_files, &QPushButton::clicked, this, &FolderCard::filesRequested);
    m_view.isReading = true; // so that the first view is another one
    setView({});
}

void FolderCard::setView(const FolderView& view)
{
    if (view == m_view) {
        return;
    }
    const bool otherRows = view.rows != m_view.rows || view.questions != m_view.questions;
    m_view = view;
    const bool chosen = !view.folder.isEmpty();
    m_title->setText(chosen ? tr("Read from your folder") : tr("Your folder"));
    m_folder->setText(view.folder);
    m_folder->setVisible(chosen);
    m_words->setText(view.isReading ? tr("Reading it…")
                                    : tr("Choose the folder of your program, or drop it on this "
                                         "window. What the program needs is read from it. Nothing "
                                         "is sent before you launch."));
    m_words->setVisible(view.isReading || !chosen);
    m_error->setText(view.error);
    m_error->setVisible(!view.error.isEmpty());
    if (otherRows) {
        fillRows();
    }
    m_changes->setText(view.changes);
    m_changes->setVisible(!view.changes.isEmpty());
    m_choose->setText(chosen ? tr("Choose another folder…") : tr("Choose a folder…"));
    m_choose->setAccessibleName(m_choose->text());
    m_again->setVisible(chosen);
    m_again->setEnabled(!view.isReading);
    m_files->setVisible(view.hasFiles);
    announce(this, heard());
}

/// What a screen reader says of it.
QString FolderCard::heard() const
{
    if (m_view.isReading) {
        return tr("Reading the folder");
    }
    if (!m_view.error.isEmpty()) {
        return m_view.error;
    }
    if (m_view.folder.isEmpty()) {
        return tr("No folder was chosen");
    }
    return tr("Read from your folder: %1, %2")
        .arg(counted(m_view.rows.size(), tr("1 value"), tr("%1 values")),
            counted(m_view.questions.size(), tr("1 question"), tr("%1 questions")));
}

void FolderCard::fillRows()
{
    clearLayout(m_rows);
    for (const FolderView::Row& row : std::as_const(m_view.rows)) {
        addRow(row);
    }
    for (const QString& question : std::as_const(m_view.questions)) {
        addQuestion(question);
    }
}

void FolderCard::addRow(const FolderView::Row& row)
{
    auto* value = new ElidedText({}, "code");
    value->setObjectName(u"folderValue"_s);
    value->setText(row.value);
    auto* first = new QHBoxLayout;
    first->setSpacing(10);
    first->addWidget(new TextLabel(row.label, "strong"));
    first->addWidget(value, 1);
    auto* both = new QVBoxLayout;
    both->setSpacing(0);
    both->addLayout(first);
    both->addWidget(TextLabel::paragraph(row.reason, "second"));
    m_rows->addLayout(both);
}

void FolderCard::addQuestion(const QString& question)
{
    auto* words = TextLabel::paragraph(question);
    words->setObjectName(u"folderQuestion"_s);
    words->setTint(Tint::Warning);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(new SignMark(Sign::Bang, Tint::Warning), 0, Qt::AlignTop);
    line->addWidget(words, 1);
    m_rows->addLayout(line);
}

void FolderCard::showEvent(QShowEvent* event)
{
    QFrame::showEvent(event);
    emit shown();
}

} // namespace slipway

#include "moc_foldercard.cpp"
