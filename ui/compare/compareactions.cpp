// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/compareactions.h"

#include "ui/compare/comparesheet.h"
#include "ui/compare/presenter.h"
#include "ui/compare/runpicker.h"
#include "ui/parts/savedialog.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QMimeData>
#include <QScreen>

namespace slipway {

using namespace Qt::StringLiterals;

CompareActions::CompareActions(Engine* engine, CompareModel* model, QWidget* page)
    : QObject(page)
    , m_engine(engine)
    , m_model(model)
    , m_page(page)
{
}

CompareActions::~CompareActions()
{
    delete m_presenter;
}

void CompareActions::pickRuns()
{
    if (m_engine) {
        auto* picker = new RunPicker(m_engine, m_page);
        connect(picker, &RunPicker::chosen, this, &CompareActions::runsPicked);
        picker->open();
    }
}

void CompareActions::copy()
{
    auto* mime = new QMimeData;
    mime->setImageData(compareImage(*m_model));
    mime->setText(QString::fromUtf8(compareMarkdown(*m_model)));
    QGuiApplication::clipboard()->setMimeData(mime);
    emit noted(tr("Copied as an image and as text."));
}

void CompareActions::save()
{
    askWhereToSave(m_page, tr("Save the comparison"),
        {tr("PNG image (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF document (*.pdf)"),
            tr("HTML report to hand on (*.html)"), tr("CSV table with all repeats (*.csv)"),
            tr("Markdown text (*.md)")},
        u"comparison.png"_s, [this](const QString& path) {
            const Result<void> saved = saveComparison(path, *m_model);
            emit noted(saved.ok() ? tr("Saved as %1.").arg(path) : saved.error().text());
        });
}

void CompareActions::askPresent(const QPoint& menuAt)
{
    const QList<QScreen*> screens = QGuiApplication::screens();
    if (screens.size() < 2) {
        present(nullptr);
        return;
    }
    auto* menu = new QMenu(m_page);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (QScreen* screen : screens) {
        const QSize size = screen->size() * screen->devicePixelRatio();
        const QString name =
            tr("On %1, %2 × %3").arg(screen->name()).arg(size.width()).arg(size.height());
        QAction* action =
            menu->addAction(screen == m_page->screen() ? tr("%1 (this screen)").arg(name) : name);
        connect(action, &QAction::triggered, this,
            [this, one = QPointer<QScreen>(screen)] { present(one); });
    }
    menu->popup(menuAt);
}

PresenterView* CompareActions::present(QScreen* screen)
{
    if (!m_presenter) {
        m_presenter = new PresenterView(m_model, m_page->window());
    }
    m_presenter->showOn(screen ? screen : m_page->screen());
    return m_presenter;
}

} // namespace slipway

#include "moc_compareactions.cpp"
