// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runnumbers.h"

#include "app/runs/capsule.h"
#include "app/runs/logreading.h"
#include "remote/cluster/worker.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>

namespace slipway {

using namespace std::chrono_literals;

RunNumbers::RunNumbers(std::shared_ptr<RunRecord> record)
    : m_record(std::move(record))
    , m_series(std::make_shared<SeriesStore>())
    , m_times(m_record->local.logFile())
    , m_records(m_record->local.folder())
{
    m_times.setSpan({m_record->logBegan(), m_record->job.ended.value_or(m_record->run.ended)});
}

void RunNumbers::addPrinted(std::vector<Sample> samples, bool lastAttempt)
{
    m_digest.add(samples);
    if (lastAttempt)
        samples = m_times.timed(std::move(samples), false);
    m_series->add(samples);
    m_fresh = m_fresh || !samples.empty();
}

void RunNumbers::restart(qint64 offset)
{
    m_times.restart(offset);
    m_series->clear();
    m_digest.clear();
    m_records.again();
}

bool RunNumbers::readRecords()
{
    const RecordFeed::Given given = m_records.read(m_digest.printed());
    if (given.renewed) {
        m_series->clearRecorded();
        m_digest.clearRecorded();
    }
    m_series->add(given.samples);
    m_digest.add(given.samples);
    m_fresh = m_fresh || given.renewed || !given.samples.empty();
    return given.atEnd;
}

void RunNumbers::finishRecords()
{
    const std::vector<Sample> samples = m_records.finish();
    m_series->add(samples);
    m_digest.add(samples);
    m_fresh = m_fresh || !samples.empty();
}

namespace {

/// All that is here of the files, without blocking the window.
QCoro::Task<void> readAllRecords(RunFlow flow, std::shared_ptr<RunNumbers> numbers)
{
    QElapsedTimer clock;
    clock.start();
    while (!flow.over() && !numbers->readRecords()) {
        if (clock.elapsed() < readingBudget)
            continue;
        co_await flow.pauses->pause(1ms);
        clock.restart();
    }
}

} // namespace

QCoro::Task<void> readPrinted(
    RunFlow flow, std::shared_ptr<LogPass> pass, std::shared_ptr<RunNumbers> numbers)
{
    QFile log(flow.record->local.logFile());
    log.open(QIODevice::ReadOnly); // a job without output has none
    std::vector<qint64> restarts = flow.record->local.logRestarts();
    qint64 at = 0;
    QElapsedTimer clock;
    clock.start();
    for (bool atEnd = !log.isOpen(); !atEnd;) {
        if (!restarts.empty() && restarts.front() <= at) {
            numbers->restart(restarts.front());
            restarts.erase(restarts.begin());
            pass->restart();
            continue;
        }
        const qint64 most = restarts.empty() ? logSlice : std::min(logSlice, restarts.front() - at);
        const QByteArray bytes = log.read(most);
        atEnd = bytes.isEmpty();
        at += bytes.size();
        pass->feed(bytes);
        numbers->addPrinted(pass->takeSamples(), restarts.empty());
        pass->takeEvents(); // the pass has explained them
        if (clock.elapsed() < readingBudget)
            continue;
        co_await flow.pauses->pause(1ms);
        if (flow.over())
            co_return;
        clock.restart();
    }
    pass->finish();
    numbers->addPrinted(pass->takeSamples(), restarts.empty());
    numbers->setLogBytes(at);
}

QCoro::Task<void> keepNumbers(RunFlow flow, std::shared_ptr<RunNumbers> numbers)
{
    co_await readAllRecords(flow, numbers);
    if (flow.over())
        co_return;
    const auto summarise = [series = numbers->m_series] { return metricsSummary(*series); };
    const QJsonArray summary = co_await onWorker(summarise);
    if (flow.over())
        co_return;
    numbers->m_fresh = false;
    numbers->m_record->local.keepMetrics(summary, numbers->m_logBytes, numbers->m_records.bytes());
    numbers->m_record->run.digest = numbers->m_digest.digest(numbers->m_record->reading.charts);
}

QCoro::Task<void> keepLastNumbers(
    RunFlow flow, std::shared_ptr<RunReader> reader, std::shared_ptr<RunNumbers> numbers)
{
    co_await reader->readRecordsToEnd();
    co_await readAllRecords(flow, numbers);
    if (flow.over() || !numbers->isLogRead())
        co_return;
    numbers->finishRecords();
    if (!numbers->isFresh())
        co_return;
    co_await keepNumbers(flow, numbers);
    if (!flow.over())
        flow.record->save();
}

QCoro::Task<void> renewNumbers(RunFlow flow)
{
    const RunReading& reading = flow.record->reading;
    const auto numbers = std::make_shared<RunNumbers>(flow.record);
    const auto pass = std::make_shared<LogPass>(nullptr, reading.recognisers, reading.patterns);
    co_await readPrinted(flow, pass, numbers);
    co_await readAllRecords(flow, numbers);
    if (flow.over())
        co_return;
    numbers->finishRecords();
    co_await keepNumbers(flow, numbers);
    if (!flow.over())
        flow.record->save();
}

} // namespace slipway
