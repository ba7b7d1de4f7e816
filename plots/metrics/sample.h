// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QMap>
#include <QMetaType>
#include <QString>

#include <optional>

namespace slipway {

/// Where a number comes from.
enum class SampleSource {
    Output, ///< the program's output for people
    Recipe, ///< a pattern of the recipe: its names are intended
    Program, ///< lines that the program prints for Slipway
    Node, ///< the agent on the node, beside the program
    LoggerFile ///< a file that a metrics logger writes beside the log
};

/// Whether two names of samples are equal. Most are copies of each other, which shows at once.
inline bool isSameText(const QString& a, const QString& b)
{
    return a.size() == b.size()
        && (a.constData() == b.constData() || a.isEmpty() || (a.front() == b.front() && a == b));
}

/// Copies a text that is mostly the same already.
inline void assignText(QString& text, const QString& to)
{
    if (!isSameText(text, to))
        text = to;
}

/// "line": x is none that the program printed.
inline bool isLineName(const QString& xName)
{
    static const QString line = QStringLiteral("line");
    return !xName.isEmpty() && xName.front() == u'l' && isSameText(xName, line);
}

/// One number that a program printed, with its meaning. A value; passed between threads.
struct Sample {
    QString series; ///< what is measured: "flops", "seconds", "train_loss"
    QString lane = {}; ///< the lane, when there are several: "cuda", "cpu, 2 threads"; else empty
    double x = 0;
    QString xName; ///< "n", "step", "epoch", "line" when the text has no x
    double y = 0;
    QString unit = {}; ///< "FLOP/s", "s", "%"; empty when the text has none
    std::optional<double> low =
        {}; ///< spread around y (smallest repeat), if the program measured it
    std::optional<double> high = {};
    qint64 line = 0; ///< 1-based line of the text that it was read from
    SampleSource source = SampleSource::Output;
    QString group = {}; ///< the title above a group of results, if there is one: "fs=3"
    bool isGroupCounted = false; ///< the title may count what is below it: "Img No. 100"
    bool isOwnName = false; ///< nobody knows what the name means: it is drawn once it varies
    bool isSwept = false; ///< x is a value that was tried out, and not how far the program is
    bool isOfEpoch = false; ///< of an epoch as a whole, and x is the last of its steps
    qint64 place = -1; ///< of the byte of the log that ended that line; -1: it is of no log
    std::optional<double> seconds =
        {}; ///< when it was printed, since the start of the run; none: not known

    bool operator==(const Sample&) const = default;
};

/// An event reported in the text: a device, the start of a stage, a saved file, a failure. Never
/// plotted; shown as text.
struct MetricEvent {
    QString event; ///< stable id: "device", "library", "running", "artifact", "failed", …
    QString text; ///< for a person
    QMap<QString, QString> values = {};
    qint64 line = 0;

    bool operator==(const MetricEvent&) const = default;
};

} // namespace slipway

Q_DECLARE_METATYPE(slipway::Sample)
Q_DECLARE_METATYPE(slipway::MetricEvent)
