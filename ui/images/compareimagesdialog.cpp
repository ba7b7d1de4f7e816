// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/compareimagesdialog.h"

#include "ui/images/imagelabels.h"
#include "ui/images/imagewords.h"
#include "ui/parts/announce.h"
#include "ui/parts/errorview.h"
#include "ui/parts/text.h"

#include <QFormLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPointer>
#include <QTableWidget>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostComparedText = 300;

} // namespace

CompareImagesDialog::CompareImagesDialog(
    Engine* engine, const QString& siteId, const QString& first, QWidget* parent)
    : QDialog(parent)
    , m_engine(engine)
    , m_siteId(siteId)
    , m_first(new QLineEdit(first))
    , m_second(new QLineEdit)
    , m_start(makeButton(tr("Compare"), ButtonKind::Primary))
    , m_sentence(namedLabel("comparedSentence", "strong"))
    , m_table(new QTableWidget(0, 4))
    , m_error(new ErrorView)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Two images side by side"));
    setObjectName(u"compareImagesDialog"_s);
    m_first->setObjectName(u"comparedFirst"_s);
    m_first->setAccessibleName(tr("The first image"));
    m_second->setObjectName(u"comparedSecond"_s);
    m_second->setAccessibleName(tr("The second image"));
    m_start->setObjectName(u"comparedStart"_s);
    m_start->setDefault(true);
    m_table->setObjectName(u"comparedTable"_s);
    m_table->setAccessibleName(tr("Properties of both images"));
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QTableWidget::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(true);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(3, QHeaderView::ResizeToContents);
    auto* form = new QFormLayout;
    form->addRow(tr("First"), m_first);
    form->addRow(tr("Second"), m_second);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_start, 0, Qt::AlignLeft);
    layout->addWidget(m_error);
    layout->addWidget(m_sentence);
    layout->addWidget(m_table, 1);
    m_error->hide();
    connect(m_start, &QPushButton::clicked, this, &CompareImagesDialog::compare);
    resize(fontMetrics().averageCharWidth() * 110, fontMetrics().height() * 32);
    m_second->setFocus();
}

void CompareImagesDialog::showDifference(const ComparedImage& first, const ComparedImage& second)
{
    using State = ImageDifferenceRow::State;
    const ImageDifference difference = compareImages(first, second);
    m_sentence->setText(sharedLayersSentence(difference));
    m_table->setHorizontalHeaderLabels({{}, shownText(first.name, mostComparedText),
        shownText(second.name, mostComparedText), tr("Compared")});
    m_table->setRowCount(int(difference.rows.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const ImageDifferenceRow& one = difference.rows[size_t(row)];
        const QString state = one.state == State::Differs ? tr("≠ differs")
            : one.state == State::Same                    ? tr("= same")
                                                          : tr("? unknown");
        const QStringList texts{shownText(one.title, mostComparedText),
            shownText(one.first, mostComparedText), shownText(one.second, mostComparedText), state};
        for (int column = 0; column < texts.size(); ++column) {
            m_table->setItem(row, column, new QTableWidgetItem(texts[column]));
        }
    }
    m_table->resizeRowsToContents();
    announce(m_table, m_sentence->text());
}

QCoro::Task<void> CompareImagesDialog::compare()
{
    const QPointer<CompareImagesDialog> self(this);
    m_error->hide();
    m_sentence->setText(tr("Asking the registries…"));
    m_start->setEnabled(false);
    const QStringList names{m_first->text().trimmed(), m_second->text().trimmed()};
    std::vector<ComparedImage> images;
    std::optional<Error> failed;
    for (const QString& name : names) {
        const Result<ImageReference> reference = ImageReference::parse(name);
        if (!reference.ok()) {
            failed = reference.error();
            break;
        }
        const ImageReference wanted = *reference;
        const auto task = m_engine->imageInspector()->inspect(m_siteId, wanted);
        const Result<ImageInspection> found = co_await task;
        if (!self) {
            co_return;
        }
        if (!found.ok()) {
            failed = lookError(found.error(), wanted, m_siteId);
            break;
        }
        ComparedImage image;
        image.name = name;
        image.described = found->image;
        images.push_back(image);
    }
    m_start->setEnabled(true);
    if (failed) {
        m_sentence->setText({});
        m_error->setError(*failed);
        m_error->show();
        co_return;
    }
    showDifference(images[0], images[1]);
}

} // namespace slipway

#include "moc_compareimagesdialog.cpp"
