// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/glogline.h"
#include "plots/metrics/scan.h"
#include "remote/base/tr.h"

#include <optional>

namespace slipway {

namespace {

QString number(double value)
{
    return QString::number(value, 'f', 0);
}

/// Reads the messages of TensorFlow: its version, the GPUs that it sees, and its log, of which each
/// source of warnings is reported once ("log", with the level) and none is plotted. A plain "[]" is
/// attributed to TensorFlow only if other output of TensorFlow precedes it.
class TensorflowRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = "[TGNp0123456789IWEF",
            .words = {"[]", "physicaldevice(", "tensorflow version: ", "gpu available: ",
                "gpus available:", "physical_device", "-> device: ", "] "},
            .fits = mayBe};
    }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        std::string_view text = line.text;
        skipSpaces(text);
        if (text.empty() || line.progress)
            return false;
        switch (text[0]) {
        case '[':
            return readList(trimmed(text), line, sink);
        case 'T':
            return readVersion(text, line, sink);
        case 'G':
        case 'N':
            return readDevice(trimmed(text), line, sink);
        case 'p':
            return readDescription(text, line, sink);
        default:
            return readLog(text, line, sink);
        }
    }

private:
    static bool mayBe(std::string_view text)
    {
        const bool isLog = isDigit(text[0]) || (text.size() > 4 && isDigit(text[4]));
        return isLog || text == "[]"
            || startsWithOneOf(text, {"[PhysicalDevice(", "T", "t", "GPU", "N", "p"});
    }
    static constexpr size_t mostPlaces = 64; ///< warnings from further sources are not reported

    bool readList(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readVersion(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readDevice(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readDescription(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readLog(std::string_view text, const LogLine& line, MetricSink& sink);
    void seen(MetricSink& sink);
    static void giveCount(double gpus, qint64 line, MetricSink& sink);

    bool m_seen = false;
    qint64 m_emptyList = 0; ///< line of a "[]" before any other output of TensorFlow
    double m_named = 0; ///< devices that were listed one per line
    QSet<QString> m_places;
    QSet<QString> m_names;
};

void TensorflowRecogniser::seen(MetricSink& sink)
{
    m_seen = true;
    if (m_emptyList > 0)
        giveCount(0, m_emptyList, sink);
    m_emptyList = 0;
}

void TensorflowRecogniser::giveCount(double gpus, qint64 line, MetricSink& sink)
{
    const QString count = number(gpus);
    const QString text = gpus == 0 ? tr("No GPU")
        : gpus == 1                ? tr("1 GPU")
                                   : count + QStringLiteral(" GPUs");
    sink.add(MetricEvent{gpus == 0 ? QStringLiteral("no_device") : QStringLiteral("device"), text,
        {{QStringLiteral("count"), count}}, line});
}

/// "[PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')]" or "[]". A truncated list
/// is ignored.
bool TensorflowRecogniser::readList(std::string_view text, const LogLine& line, MetricSink& sink)
{
    if (text == "[]") {
        if (m_seen)
            giveCount(0, line.number, sink);
        else if (m_emptyList == 0)
            m_emptyList = line.number;
        return m_seen;
    }
    if (!skip(text, "[PhysicalDevice(") || text.back() != ']' || text.size() > 65536)
        return false;
    double gpus = 0;
    constexpr std::string_view type = "device_type='GPU'";
    for (size_t at = text.find(type); at != std::string_view::npos; at = text.find(type, at + 1))
        ++gpus;
    seen(sink);
    giveCount(gpus, line.number, sink);
    return true;
}

/// "Tensorflow version: 2.17.0"
bool TensorflowRecogniser::readVersion(std::string_view text, const LogLine& line, MetricSink& sink)
{
    if (!startsWithIgnoringCase(text, "tensorflow version: "))
        return false;
    const QString version = labelText(trimmed(text.substr(20)), 64);
    if (version.isEmpty())
        return false;
    seen(sink);
    sink.add(MetricEvent{QStringLiteral("library"), QStringLiteral("TensorFlow ") + version,
        {{QStringLiteral("version"), version}}, line.number});
    return true;
}

/// "GPU available: True", "Num GPUs Available:  1" and "Name: /physical_device:GPU:0   Type: GPU".
bool TensorflowRecogniser::readDevice(std::string_view text, const LogLine& line, MetricSink& sink)
{
    if (skip(text, "GPU available: ")) {
        const bool available = text == "True";
        if (!m_seen || (!available && text != "False"))
            return false; // other libraries print a similar line
        sink.add(MetricEvent{available ? QStringLiteral("device") : QStringLiteral("no_device"),
            tr("GPU available: %1").arg(labelText(text)),
            {{QStringLiteral("available"),
                available ? QStringLiteral("true") : QStringLiteral("false")}},
            line.number});
        return true;
    }
    if (skip(text, "Num GPUs Available:")) {
        const auto count = wholeCount(trimmed(text));
        if (!count)
            return false;
        seen(sink);
        giveCount(*count, line.number, sink);
        return true;
    }
    if (!skip(text, "Name: /physical_device:"))
        return false;
    const std::string_view name = takeWord(text);
    skipSpaces(text);
    if (!skip(text, "Type: ") || name.empty() || name.size() > 64)
        return false;
    seen(sink);
    if (m_named >= 64)
        return true;
    if (text == "GPU")
        ++m_named;
    sink.add(MetricEvent{QStringLiteral("device"), labelText(name),
        {{QStringLiteral("device"), labelText(text)}, {QStringLiteral("count"), number(m_named)}},
        line.number});
    return true;
}

/// `physical_device_desc: "device: 0, name: Tesla K40m, pci bus id: …"`, and the same words in the
/// log line about a created device.
bool TensorflowRecogniser::readDescription(
    std::string_view text, const LogLine& line, MetricSink& sink)
{
    const bool listed = skip(text, "physical_device_desc: \"device: ");
    if (!listed) {
        const size_t at = text.find("-> device: ");
        if (at == std::string_view::npos)
            return false;
        text.remove_prefix(at + 11);
    }
    const std::string_view index = text.substr(0, text.find(','));
    text.remove_prefix(index.size());
    if (!wholeCount(index) || !skip(text, ", name: "))
        return false;
    const QString name = labelText(text.substr(0, text.find(", ")), 120);
    const QString key = labelText(index) + u' ' + name;
    if (listed)
        seen(sink);
    if (name.isEmpty() || m_names.contains(key) || m_names.size() >= 64)
        return true;
    m_names.insert(key);
    sink.add(MetricEvent{QStringLiteral("device"), name,
        {{QStringLiteral("index"), labelText(index)}, {QStringLiteral("name"), name}},
        line.number});
    return true;
}

bool TensorflowRecogniser::readLog(std::string_view text, const LogLine& line, MetricSink& sink)
{
    if (!isDigit(text[0]) && text.substr(1, 4) != "0000")
        return false;
    const auto log = readGlog(text);
    if (!log || (!log->dated && !log->early))
        return false;
    seen(sink);
    if (log->level == 'I') {
        readDescription(log->text, line, sink);
        return true;
    }
    const QString place = labelText(log->source);
    if (m_places.contains(place) || size_t(m_places.size()) >= mostPlaces)
        return true;
    m_places.insert(place);
    sink.add(MetricEvent{log->level == 'F' ? QStringLiteral("failed") : QStringLiteral("log"),
        labelText(log->text, 1000),
        {{QStringLiteral("level"), QString(QLatin1Char(log->level))},
            {QStringLiteral("source"), place}},
        line.number});
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makeTensorflowRecogniser()
{
    return std::make_unique<TensorflowRecogniser>();
}

} // namespace slipway
