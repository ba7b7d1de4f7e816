// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/sites/aboutsite.h"

#include "remote/base/counted.h"
#include "ui/parts/text.h"
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

QString gpuRequestText(const Site& site)
{
    if (!site.gpuRequestKnown) {
        return AboutSite::tr("unknown; --gres=gpu:N will be tried");
    }
    switch (site.gpuRequest) {
    case GpuRequestStyle::Gres:
        return u"--gres=gpu:N"_s;
    case GpuRequestStyle::Gpus:
        return u"--gpus=N"_s;
    case GpuRequestStyle::GpusPerNode:
        return u"--gpus-per-node=N"_s;
    case GpuRequestStyle::WholeNode:
        return AboutSite::tr("come with the node; a request for GPUs is rejected");
    }
    return {};
}

QString interactiveText(const Site& site)
{
    static const QString words[] = {u"salloc"_s, u"srun --pty"_s, u"idev"_s};
    return words[int(site.interactive)];
}

/// "driver 550.54.15, CUDA up to 12.4, x86_64"
QString driverText(const Site& site)
{
    QStringList words;
    if (!site.driver.isEmpty()) {
        words << AboutSite::tr("driver %1").arg(site.driver);
    }
    if (!site.cuda.isEmpty()) {
        words << AboutSite::tr("CUDA up to %1").arg(site.cuda);
    }
    if (!site.architecture.isEmpty()) {
        words << site.architecture;
    }
    return words.join(u", "_s);
}

QString yesOrNo(const std::optional<bool>& said, const QString& yes, const QString& no)
{
    return !said ? QString() : *said ? yes : no;
}

QString environmentText(const Site& site)
{
    QStringList words;
    for (auto it = site.environment.begin(); it != site.environment.end(); ++it) {
        words << it.key() % u'=' % it.value();
    }
    return words.join(u", "_s);
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
    if (!site.unsupported.isEmpty()) {
        words->addSpacing(4);
        words->addWidget(TextLabel::paragraph(tr("Not supported. %1").arg(site.unsupported)));
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
                ? tr("%1, port %2").arg(login.name()).arg(login.port)
                : login.name(),
            login.purpose, login.methods.join(u" + "_s), login.note};
        words.removeAll(QString());
        addRow(grid, tr("Login"), words.join(u" · "_s));
    }
    addRow(grid, tr("GPUs"), gpuLine(site));
    if (!site.unsupported.isEmpty()) {
        addRow(grid, tr("Read from"), site.file);
        return;
    }
    addRow(grid, tr("Requested with"), gpuRequestText(site));
    addRow(grid, tr("Driver"), driverText(site));
    addRow(grid, tr("Runtime and launcher"), toolLine(site));
    addRow(grid, tr("MPI"), site.mpi.isEmpty() ? QString() : u"srun --mpi="_s % site.mpi);
    addRow(grid, tr("Interactive jobs"), interactiveText(site));
    addRow(grid, tr("Modules"), site.modules.join(u", "_s));
    addRow(grid, tr("Containers"),
        yesOrNo(site.runtimeOnLogin, tr("on login nodes and in jobs"), tr("in jobs only")));
    addRow(grid, tr("Definition files"),
        site.builds == BuildRule::Fakeroot   ? tr("built in a job, with --fakeroot")
            : site.builds == BuildRule::None ? tr("not built on the cluster")
                                             : QString());
    addRow(grid, tr("Internet in a job"),
        yesOrNo(site.outboundNetwork, tr("reachable"), tr("not reachable")));
    addRow(grid, tr("Bound in every container"), site.binds.join(u", "_s));
    addRow(grid, tr("Environment"), environmentText(site));
    addRow(grid, tr("Reservation"), site.reservation);
    addRow(grid, tr("Scratch"), site.scratch);
    addRow(grid, tr("Image cache"), site.cache);
    addRow(grid, tr("Images"), site.imageFolder);
    addRow(grid, tr("Purged after"),
        site.purgeDays > 0 ? tr("%1 days").arg(site.purgeDays) : QString());
    addRow(grid, tr("Account"),
        site.account == AccountRule::Required   ? tr("always required")
            : site.account == AccountRule::None ? tr("not used")
                                                : tr("required if you have several"));
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
            facts << (partition.gpusAtLeast ? tr("at least %1 × %2 per node")
                                            : tr("%1 × %2 per node"))
                         .arg(partition.gpusPerNode)
                         .arg(partition.gpuName.isEmpty() ? partition.gpuType : partition.gpuName);
        }
        if (partition.cpusPerNode > 0) {
            facts << tr("%1 CPUs per node").arg(partition.cpusPerNode);
        }
        if (!partition.timeLimit.isUnlimited()) {
            facts << tr("at most %1").arg(partition.timeLimit.slurmText());
        }
        if (partition.mostNodes > 0) {
            facts << counted(
                partition.mostNodes, tr("1 node per job"), tr("up to %1 nodes per job"));
        }
        if (partition.cpusPerGpu > 0) {
            facts << tr("up to %1 CPUs per GPU").arg(partition.cpusPerGpu);
        }
        if (!partition.architecture.isEmpty() && partition.architecture != site.architecture) {
            facts << partition.architecture;
        }
        if (!partition.note.isEmpty()) {
            facts << partition.note;
        }
        addRow(grid, partition.isDefault ? tr("%1 (default)").arg(partition.name) : partition.name,
            facts.isEmpty() ? tr("nothing is known") : facts.join(u" · "_s));
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
    addHeading(layout, tr("Sources"));
    for (const SiteSource& source : site.sources) {
        QStringList parts{source.source, source.date};
        parts.removeAll(QString());
        layout->addWidget(TextLabel::paragraph(source.fact));
        layout->addWidget(TextLabel::paragraph(parts.join(u" · "_s), "caption"));
    }
}

} // namespace slipway

#include "moc_aboutsite.cpp"
