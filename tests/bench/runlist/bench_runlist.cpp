// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "../charts/report.h"

#include "app/engine/engine.h"
#include "app/runs/runstore.h"
#include "ui/look/theme.h"
#include "ui/runs/runlist.h"

#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QListView>
#include <QScrollBar>
#include <QTemporaryDir>

#include <cmath>
#include <memory>

using namespace slipway;
using namespace slipway::bench;

namespace {

constexpr int runCount = 10'000;

/// Nothing is connected here.
class NoConnector : public Connector {
public:
    QCoro::Task<Result<std::shared_ptr<Shell>>> connectTo(ConnectTarget, Prompter*) override
    {
        co_return Error{ErrorKind::Network, QStringLiteral("There is no network."), {}, {}};
    }
};

Run training(int number)
{
    Run run;
    run.id = QStringLiteral("r%1").arg(number);
    run.tag = run.id;
    run.title = QStringLiteral("PyTorch on two nodes");
    run.spec.siteId = QStringLiteral("kestrel");
    run.spec.recipeId = QStringLiteral("pytorch-ddp");
    run.spec.values = {{QStringLiteral("batch_size"), QString::number(32 << (number % 4))},
        {QStringLiteral("lr"), QString::number(1e-4 * (1 + number % 9))}};
    run.phase = number % 5 == 0 ? RunPhase::Failed : RunPhase::Done;
    run.sentence = run.phase == RunPhase::Failed
        ? QStringLiteral("Failed: step “Train” ended with exit code 1 after 0:52.")
        : QStringLiteral("Done.");
    run.job.text = QString::number(6'000'000 + number);
    for (const char* stage : {"Queued", "Node", "Image", "Check", "Train", "Results"}) {
        const QString name = QLatin1String(stage);
        run.stages.push_back({name.toLower(), name, StageState::Done, {}, {}, {}});
    }
    run.created = QDateTime::currentDateTimeUtc().addSecs(-1800 * number);
    run.started = run.created.addSecs(10);
    run.ended = run.created.addSecs(900);
    for (int i = 0; i < int(RunDigest::mostPoints); ++i)
        run.digest.points.push_back(3 * std::exp(-0.1 * i) + 0.01 * ((i * number) % 7));
    run.digest.last = {{QStringLiteral("train_loss"), {}, {}, run.digest.points.back()}};
    return run;
}

bool fillStore(const QString& file)
{
    RunStore store(file);
    bool good = store.open().ok();
    for (int i = 0; good && i < runCount; ++i)
        good = store.insert(training(i)).ok();
    return good;
}

/// From nothing to the first painted page.
std::unique_ptr<RunList> openList(Engine* engine, QImage* image)
{
    auto list = std::make_unique<RunList>(engine);
    list->resize(image->size());
    list->show();
    list->render(image);
    return list;
}

void measure(Report& report, Engine* engine)
{
    QImage image(1200, 840, QImage::Format_ARGB32_Premultiplied);
    report.add("list of 1e4 runs, open and paint",
        1e3 * medianSeconds(11, [&] { openList(engine, &image); }), "ms", 100, false);
    const auto list = openList(engine, &image);
    auto* view = list->findChild<QListView*>(QStringLiteral("runList"));
    QScrollBar* const bar = view->verticalScrollBar();
    int page = 0;
    report.add("a page of rows, first time",
        1e3
            * medianSeconds(101,
                [&] {
                    bar->setValue(bar->maximum() / 103 * ++page);
                    view->viewport()->render(&image);
                }),
        "ms", 16, false);
    report.add("a page of rows, scrolled by 40 pixels",
        1e3
            * medianSeconds(101,
                [&] {
                    bar->setValue(bar->value() - 40);
                    view->viewport()->render(&image);
                }),
        "ms", 16, false);
    int change = 0;
    report.add("one run changes, and a page",
        1e3
            * medianSeconds(101,
                [&] {
                    emit engine->runs()->runChanged(QStringLiteral("r%1").arg(90 * ++change));
                    view->viewport()->render(&image);
                }),
        "ms", 16, false);
    auto* search = list->findChild<QLineEdit*>();
    int letter = 0;
    report.add("a search in all of them, and a page",
        1e3
            * medianSeconds(21,
                [&] {
                    search->setText(QStringLiteral("is:failed loss<0.%1").arg(1 + ++letter % 9));
                    view->viewport()->render(&image);
                }),
        "ms", 100, false);
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("slipway-bench"));
    Theme theme;
    theme.setChoice(Theme::Choice::Light);
    const QTemporaryDir folder;
    const QString data = folder.filePath(QStringLiteral("data"));
    QDir().mkpath(data);
    if (!fillStore(data + QStringLiteral("/runs.sqlite"))) {
        std::fputs("The runs could not be stored.\n", stderr);
        return 2;
    }
    NoConnector connector;
    Engine engine(&connector,
        {QStringLiteral(SLIPWAY_SOURCE_DIR "/resources"), folder.filePath(QStringLiteral("config")),
            data});
    Report report("runlist", argc, argv);
    measure(report, &engine);
    return report.finish();
}
