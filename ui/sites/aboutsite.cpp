// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/sites/aboutsite.h"

#include "ui/parts/text.h"
#include "ui/parts/words.h"
#include "ui/sites/sitewords.h"

#include <QGridLayout>
#include <QScrollArea>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

void addRow(QGridLayout* grid, const QString& name, const QString& value)
{
    if (value.isEmpty()) {
        return;
    }
    const int row = grid->rowCount();
    auto* label = new TextLabel(name, "second");
    grid->addWidget(label, row, 0, Qt::AlignTop);
    grid->addWidget(TextLabel::paragraph(value), row, 1);
}

QGridLayout* makeGrid(QVBoxLayout* layout)
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    layout->addLayout(grid);
    return grid;
}

void addHeading(QVBoxLayout* layout, const QString& text)
{
    layout->addSpacing(12);
    layout->addWidget(new TextLabel(text, "heading"));
}

} // namespace

AboutSite::AboutSite(const Site& site, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("About %1").arg(site.name));
    resize(680, 620);
    auto* page = new QWidget;
    page->setProperty("page", true);
    auto* words = new QVBoxLayout(page);
    words->setContentsMargins(24, 24, 24, 16);
    words->setSpacing(6);
    words->addWidget(new TextLabel(site.name, "title"));
    words->addWidget(TextLabel::paragraph(placeLine(site), "second"));
    if (!site.summary.isEmpty()) {
        words->addSpacing(4);
        words->addWidget(TextLabel::paragraph(site.summary));
    }
    addFacts(words, site);
    addPartitions(words, site);
    addQuirks(words, site);
    addSources(words, site);
    words->addStretch();
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    scroll->setAccessibleName(windowTitle());
    auto* close = makeButton(tr("Close"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 16);
    layout->addWidget(scroll, 1);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(24, 0, 24, 0);
    buttons->addStretch();
    buttons->addWidget(close);
    layout->addLayout(buttons);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
}

void AboutSite::addFacts(QVBoxLayout* layout, const Site& site)
{
    layout->addSpacing(8);
    QGridLayout* grid = makeGrid(layout);
    for (const SiteLogin& login : site.logins) {
        QStringList words{login.port > 0 && login.port != 22
                ? tr("%1, port %2").arg(login.host).arg(login.port)
                : login.host,
            login.purpose, login.methods.join(u" + "_s), login.note};
        words.removeAll(QString());
        addRow(grid, tr("Login"), words.join(u" · "_s));
    }
    addRow(grid, tr("GPUs"), gpuLine(site));
    addRow(grid, tr("Runtime and launcher"), toolLine(site));
    addRow(grid, tr("Modules"), site.modules.join(u", "_s));
    addRow(grid, tr("Scratch"), site.scratch);
    addRow(grid, tr("Image cache"), site.cache);
    addRow(grid, tr("Purged after"),
        site.purgeDays > 0 ? tr("%1 days").arg(site.purgeDays) : QString());
    addRow(grid, tr("Account"),
        site.account == AccountRule::Required   ? tr("always asked for")
            : site.account == AccountRule::None ? tr("not used")
                                                : tr("asked for when there are several"));
    addRow(grid, tr("Read from"), site.file);
}

void AboutSite::addPartitions(QVBoxLayout* layout, const Site& site)
{
    if (site.partitions.empty()) {
        return;
    }
    addHeading(layout, tr("Partitions"));
    QGridLayout* grid = makeGrid(layout);
    for (const SitePartition& partition : site.partitions) {
        QStringList facts;
        if (partition.nodes > 0) {
            facts << counted(partition.nodes, tr("1 node"), tr("%1 nodes"));
        }
        if (partition.gpusPerNode > 0) {
            facts << tr("%1 × %2 a node")
                         .arg(partition.gpusPerNode)
                         .arg(partition.gpuName.isEmpty() ? partition.gpuType : partition.gpuName);
        }
        if (partition.cpusPerNode > 0) {
            facts << tr("%1 CPUs a node").arg(partition.cpusPerNode);
        }
        if (!partition.timeLimit.isUnlimited()) {
            facts << tr("at most %1").arg(partition.timeLimit.slurmText());
        }
        if (!partition.note.isEmpty()) {
            facts << partition.note;
        }
        addRow(grid, partition.isDefault ? tr("%1 (default)").arg(partition.name) : partition.name,
            facts.isEmpty() ? tr("nothing known") : facts.join(u" · "_s));
    }
}

void AboutSite::addQuirks(QVBoxLayout* layout, const Site& site)
{
    if (site.quirks.isEmpty()) {
        return;
    }
    addHeading(layout, tr("Good to know"));
    for (const QString& quirk : site.quirks) {
        layout->addWidget(TextLabel::paragraph(u"• "_s % quirk));
    }
}

void AboutSite::addSources(QVBoxLayout* layout, const Site& site)
{
    if (site.sources.empty()) {
        return;
    }
    addHeading(layout, tr("Where this comes from"));
    for (const SiteSource& source : site.sources) {
        QStringList parts{source.source, source.date};
        parts.removeAll(QString());
        layout->addWidget(TextLabel::paragraph(source.fact));
        layout->addWidget(TextLabel::paragraph(parts.join(u" · "_s), "caption"));
    }
}

} // namespace slipway
