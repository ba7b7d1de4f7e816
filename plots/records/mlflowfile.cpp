// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/records/linesplitter.h"
#include "plots/records/recordreader.h"
#include "plots/records/recordrow.h"

#include <QList>

namespace slipway {

namespace {

/// Reads one metric of MLflow's file store: lines of `timestamp value step`. Many programs give no
/// step, which MLflow records as 0: from the second such line on x is the number of the line.
class MlflowReader : public RecordReader {
public:
    MlflowReader(QString lane, const QString& metric)
        : m_lane(std::move(lane))
        , m_metric(metric.toUtf8())
    {
    }

    void feed(QByteArrayView bytes) override
    {
        m_lines.feed(bytes, [this](QByteArrayView line) { takeLine(line); });
    }

    void finish() override
    {
        m_lines.finish([this](QByteArrayView line) { takeLine(line); });
    }

private:
    void takeLine(QByteArrayView line)
    {
        const QList<QByteArray> words = line.toByteArray().simplified().split(' ');
        const auto time = recordNumber(words[0]);
        const auto value = recordNumber(words.value(1));
        const auto step = words.size() > 2 ? recordNumber(words[2]) : std::optional(0.0);
        if (!time || !value || !step) {
            if (!line.trimmed().isEmpty())
                noteBroken();
            return;
        }
        m_stepless = m_stepless || (m_count > 0 && m_lastStep == 0 && *step == 0);
        m_lastStep = *step;
        const double x = m_stepless ? double(m_count) : *step;
        ++m_count;
        add(recordSample(m_metric, *value, x, QStringLiteral("step"), m_lane));
    }

    QString m_lane;
    QByteArray m_metric;
    LineSplitter m_lines;
    qint64 m_count = 0;
    double m_lastStep = -1;
    bool m_stepless = false;
};

} // namespace

std::unique_ptr<RecordReader> makeMlflowReader(const QString& lane, const QString& metric)
{
    return std::make_unique<MlflowReader>(lane, metric);
}

} // namespace slipway
