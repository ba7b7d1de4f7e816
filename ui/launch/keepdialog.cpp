// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/keepdialog.h"

#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "remote/cluster/worker.h"
#include "ui/parts/announce.h"
#include "ui/parts/boundedscroll.h"
#include "ui/parts/text.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QPointer>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostTitleLetters = 80;
constexpr int mostSummaryLetters = 160;
constexpr int leftOutHeight = 8; ///< lines, beyond which it scrolls

QString draftText(const RecipeDraft& draft)
{
    if (draft.files.empty()) {
        return KeepDialog::tr("The recipe has the values of this launch.");
    }
    return KeepDialog::tr("The recipe has the values of this launch and %1, %2.")
        .arg(counted(
                 qint64(draft.files.size()), KeepDialog::tr("1 file"), KeepDialog::tr("%1 files")),
            ByteCount(draft.bytes).text());
}

} // namespace

KeepDialog::KeepDialog(Engine* engine, KeepRequest request, QWidget* parent)
    : QDialog(parent)
    , m_catalogue(engine->catalogue())
    , m_request(std::move(request))
    , m_content(TextLabel::paragraph(tr("Reading what belongs to it…"), "second"))
    , m_leftOut(TextLabel::paragraph({}, "second"))
    , m_replace(new QCheckBox(tr("Replace my recipe that has this id")))
    , m_problem(TextLabel::paragraph({}))
    , m_leave(makeButton(tr("Cancel")))
    , m_keep(makeButton(tr("Keep"), ButtonKind::Primary))
{
    setWindowTitle(tr("Keep as a recipe"));
    setObjectName(u"keepDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    layOut();
    connect(m_leave, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_keep, &QPushButton::clicked, this, [this] { save(); });
    connect(m_title, &QLineEdit::textEdited, this, [this](const QString& title) {
        if (!m_idEntered) {
            m_id->setText(proposedRecipeId(title));
        }
        showId();
    });
    connect(m_id, &QLineEdit::textEdited, this, [this] {
        m_idEntered = true;
        showId();
    });
    showId();
    m_title->setFocus();
    m_title->selectAll();
    look();
}

void KeepDialog::layOut()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(6);
    layout->addWidget(new TextLabel(windowTitle(), "title"));
    m_title = addLabelledLine(layout, tr("Title"), u"keepTitle"_s, m_request.title);
    m_title->setMaxLength(mostTitleLetters);
    m_id = addLabelledLine(layout, tr("Id, as the terminal names it"), u"keepId"_s, m_request.id);
    m_summary = addLabelledLine(layout, tr("Summary"), u"keepSummary"_s, m_request.summary);
    m_summary->setMaxLength(mostSummaryLetters);
    m_summary->setPlaceholderText(m_request.recipe.summary);
    m_content->setObjectName(u"keepContent"_s);
    m_leftOut->setObjectName(u"keepLeftOut"_s);
    auto* words = new QWidget;
    auto* list = new QVBoxLayout(words);
    list->setContentsMargins(0, 0, 0, 0);
    list->addWidget(m_leftOut);
    auto* leftOut = new BoundedScroll(words, tr("What is not kept"));
    leftOut->setMostHeight(leftOutHeight * fontMetrics().lineSpacing());
    m_replace->setObjectName(u"keepReplace"_s);
    m_problem->setObjectName(u"keepProblem"_s);
    m_problem->setTint(Tint::Error);
    m_problem->hide();
    m_leftOut->hide();
    for (QWidget* part :
        std::initializer_list<QWidget*>{m_content, leftOut, m_replace, m_problem}) {
        layout->addWidget(part);
    }
    layout->addStretch();
    m_keep->setObjectName(u"keepSave"_s);
    m_keep->setDefault(true);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(m_leave);
    buttons->addWidget(m_keep);
    layout->addSpacing(8);
    layout->addLayout(buttons);
    resize(560, sizeHint().height());
}

KeepRequest KeepDialog::request() const
{
    KeepRequest request = m_request;
    request.title = m_title->text();
    request.id = m_id->text().trimmed();
    request.summary = m_summary->text();
    return request;
}

/// The person's own recipe of this id may be replaced; that is asked for, never assumed.
void KeepDialog::showId()
{
    const Recipe* const known = m_catalogue->recipe(m_id->text().trimmed());
    m_replace->setVisible(known && known->own);
    m_replace->setChecked(false);
    m_problem->hide();
}

void KeepDialog::showProblem(const QString& text)
{
    m_problem->setText(text);
    m_problem->show();
    announce(m_problem, text);
}

QCoro::Task<void> KeepDialog::look()
{
    const QPointer<KeepDialog> self(this);
    KeepRequest asked = m_request;
    asked.id = proposedRecipeId(asked.id); // what is being typed says nothing of the content
    const auto work = [asked] { return prepareRecipe(asked); };
    const Result<RecipeDraft> draft = co_await onWorker(work);
    if (!self) {
        co_return;
    }
    if (!draft.ok()) {
        m_content->hide();
        m_keep->setEnabled(false);
        showProblem(QString(draft.error().summary % u' ' % draft.error().remedy).trimmed());
        co_return;
    }
    m_content->setText(draftText(*draft));
    if (!draft->recipe.leftOut.isEmpty()) {
        m_leftOut->setText(tr("Not kept:") % u'\n' % draft->recipe.leftOut.join(u'\n'));
        m_leftOut->show();
    }
}

QCoro::Task<void> KeepDialog::save()
{
    const QPointer<KeepDialog> self(this);
    const KeepRequest asked = request();
    const bool replaces = m_replace->isVisible() && m_replace->isChecked();
    m_keep->setEnabled(false);
    const Result<WrittenRecipe> written = co_await keepRecipe(m_catalogue, asked, replaces);
    if (!self) {
        co_return;
    }
    m_keep->setEnabled(true);
    if (!written.ok()) {
        showProblem(QString(written.error().summary % u' ' % written.error().remedy).trimmed());
        co_return;
    }
    for (QLineEdit* line : {m_title, m_id, m_summary}) {
        line->setEnabled(false);
    }
    m_replace->hide();
    m_problem->hide();
    m_keep->hide();
    m_leave->setText(tr("Close"));
    m_leave->setFocus();
    m_content->setText(
        tr("Kept: it is in the gallery under “Your own”. To share it, copy this folder: %1")
            .arg(written->folder));
    announce(m_content, m_content->text());
    emit kept(asked.id);
}

} // namespace slipway

#include "moc_keepdialog.cpp"
