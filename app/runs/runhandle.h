// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"
#include "app/runs/digestreader.h"
#include "app/runs/runbegin.h"
#include "app/runs/rundriver.h"
#include "app/runs/runrecord.h"
#include "remote/shell/gate.h"

#include <QCoroTask>
#include <QObject>

#include <memory>

namespace slipway {

/// RunHandle represents one run to the rest of the engine: its record, and while connected the
/// RunDriver that drives it. It may lose its connection and get a new one at any time; of several
/// programs on this computer only the one that holds the run's lock drives it. Lives on the GUI (or
/// main) thread; RunRegistry owns one per run.
class RunHandle : public QObject {
    Q_OBJECT

public:
    RunHandle(Run run, QString localFolder, RunStore* store, QStringList resultPatterns,
        QObject* parent = nullptr);
    ~RunHandle() override;

    /// The hints that explain its end; the context contains what is known of the job and the site.
    void explainWith(std::shared_ptr<HintSource> hints, ExplainContext context);
    /// How its log is read; without it by all recognisers.
    void setReading(RunReading reading) { m_record->reading = std::move(reading); }
    const RunReading& reading() const { return m_record->reading; }
    /// From now on its log is read otherwise: the numbers that are kept of it are renewed.
    void readAgain(RunReading reading);
    /// Whose values a launch may name; outlives the handle.
    void useSecrets(SecretStore* secrets) { m_secrets = secrets; }
    void useImageBytes(std::shared_ptr<const QMap<QString, qint64>> bytes)
    {
        m_imageBytes = std::move(bytes);
    }
    /// For tests: of the connections to come.
    void setTimeouts(const RunTimeouts& timeouts) { m_timeouts = timeouts; }

    const Run& run() const { return m_record->run; }
    LocalRun& local() { return m_record->local; }
    QDateTime logBegan() const { return m_record->logBegan(); }

    /// Prepares and submits. Ok once the scheduler has accepted the job; the run continues from
    /// there.
    /// `array`: it is one of the tasks of this job array.
    QCoro::Task<Result<void>> begin(Plan plan, std::shared_ptr<Cluster> cluster, QString scratch,
        std::shared_ptr<ArrayLaunch> array = {});

    /// There is a connection: finds the job again, catches up, continues. Nothing when another
    /// program drives the run, or when it has ended.
    void attach(const std::shared_ptr<Cluster>& cluster);
    /// The lock of a run that was just created; without it another program could drive the run.
    void takeLock(LocalRun& created) { m_record->local.takeLock(created); }
    void detach();
    /// A run that was considered ended has a live job: it continues with the next attach().
    void reopen(const JobId& job);
    bool isAttached() const { return m_driver != nullptr; }
    /// Whether the displayed state is as new as the last answer of the cluster.
    bool isSettled() const;
    /// A job change reported by the scheduler of this run's site; changes of other jobs are
    /// ignored.
    void onJobEvent(const JobEvent& event);
    /// The store has a newer version, written by the program that drives the run.
    void onStored(const Run& run);
    void setFetchedTo(const QString& folder);
    void setLabels(const RunLabels& labels);

    /// Ok once the job has been confirmed to have ended.
    QCoro::Task<Result<void>> cancel(std::shared_ptr<Cluster> cluster);
    /// Releases the nodes of an interactive run. Ok once the release is confirmed.
    QCoro::Task<Result<void>> release(std::shared_ptr<Cluster> cluster);

signals:
    void changed();
    /// The user wants its log to be read as another recipe says.
    void readingChosen();
    /// More of the log has arrived, or all of it.
    void logGrew();
    /// More rows of the probe have arrived.
    void reportGrew();

private:
    std::shared_ptr<RunDriver> drive(
        const std::shared_ptr<Cluster>& cluster, const std::shared_ptr<ArrayLaunch>& array = {});
    void noteAnswer();
    void reportAccepted(const Result<void>& result);
    QCoro::Task<void> renewKeptNumbers();
    void stopRenewing();
    QCoro::Task<Result<void>> endJob(std::shared_ptr<Cluster> cluster);

    std::shared_ptr<RunRecord> m_record;
    std::shared_ptr<RunDriver> m_driver; ///< while connected, if this program drives the run
    std::unique_ptr<DigestReader> m_digest; ///< as long as the driver
    std::shared_ptr<Pauses> m_renewing; ///< the numbers of a run that has ended; null: nothing is
    RunTimeouts m_timeouts;
    SecretStore* m_secrets = nullptr;
    std::shared_ptr<const QMap<QString, qint64>> m_imageBytes;
    bool m_acceptedReported = false;
    Result<void> m_acceptance;
    Gate m_accepted; ///< the scheduler accepted the job, or there is none
};

} // namespace slipway
