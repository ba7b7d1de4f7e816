// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/fields.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/stepclock.h"

namespace slipway {

namespace {

/// In these lines a bare loss is that of the training set, as the loss of the others is named.
QString trainName(const QString& series)
{
    static const QString loss = QStringLiteral("loss");
    static const QString trainLoss = QStringLiteral("train_loss");
    static const QString accuracy = QStringLiteral("accuracy");
    static const QString trainAccuracy = QStringLiteral("train_accuracy");
    if (series == loss)
        return trainLoss;
    return series == accuracy ? trainAccuracy : series;
}

/// Reads the lines that tutorials print once an epoch or every few steps:
/// "Epoch 1, Loss: 0.134, Accuracy: 95.98, Test Loss: 0.063, Test Accuracy: 98.03" and
/// "Epoch [1/5], Step [16/160], Train Loss: 0.7057, Valid Loss: 0.6338".
/// x is the step when the line has one, else the epoch. Files that were saved become events.
class EpochsRecogniser : public Recogniser {
public:
    bool read(const LogLine& line, MetricSink& sink) override
    {
        std::string_view text = line.text;
        skipSpaces(text);
        if (!startsWithIgnoringCase(text, "epoch")) {
            const auto artifact = line.progress ? std::nullopt : readArtifact(line);
            if (artifact)
                sink.add(*artifact);
            return artifact.has_value();
        }
        if (!readFields(text, m_fields) || !m_fields.epoch)
            return false;
        const StepClock::Reading reading = m_clock.read(m_fields, line.rank);
        for (size_t i = 0; i < m_fields.pairCount; ++i) {
            const NamedNumber& pair = m_fields.pairs[i];
            Sample sample;
            sample.series = trainName(seriesName(pair.name));
            sample.lane = rankLane(line.rank);
            sample.x = reading.x;
            sample.xName = reading.name;
            sample.y = pair.value;
            sample.unit = seriesUnit(sample.series, pair);
            sample.line = line.number;
            sink.add(std::move(sample));
        }
        sink.setProgress(reading.name, reading.x, reading.total);
        return true;
    }

private:
    LineFields m_fields;
    StepClock m_clock;
};

} // namespace

std::unique_ptr<Recogniser> makeEpochsRecogniser()
{
    return std::make_unique<EpochsRecogniser>();
}

} // namespace slipway
