// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/glogline.h"
#include "plots/metrics/scan.h"

namespace slipway {

namespace {

struct Key {
    std::string_view text;
    const char* value;
};

/// A key that Caffe prints for a GPU, and its name in the event.
constexpr Key keys[] = {{"Device id", "index"}, {"Major revision number", "major"},
    {"Minor revision number", "minor"}, {"Name", "name"},
    {"Total global memory", "memory_total_bytes"},
    {"Total shared memory per block", "shared_memory_per_block_bytes"},
    {"Total registers per block", "registers_per_block"}, {"Warp size", "warp_size"},
    {"Maximum threads per block", "threads_per_block"}, {"Clock rate", "clock_khz"},
    {"Number of multiprocessors", "multiprocessors"}, {"Maximum memory pitch", nullptr},
    {"Maximum dimension of block", nullptr}, {"Maximum dimension of grid", nullptr},
    {"Total constant memory", nullptr}, {"Texture alignment", nullptr},
    {"Concurrent copy and execution", nullptr}, {"Kernel execution timeout", nullptr}};

/// Reads "caffe device_query": lines with a key and a value after a log prefix. All lines of one
/// GPU become one event "device", emitted when the next GPU begins or after the last key.
class DeviceQueryRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {"I"}; }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (line.progress || line.text.size() < 30 || line.text[0] != 'I' || !isDigit(line.text[1]))
            return false;
        const auto log = readGlog(line.text);
        if (!log || log->early || !log->source.starts_with("common.cpp:"))
            return false;
        const size_t colon = log->text.find(':');
        if (colon == std::string_view::npos)
            return false;
        for (const Key& key : keys) {
            if (log->text.substr(0, colon) == key.text) {
                add(key, trimmed(log->text.substr(colon + 1)), line, sink);
                return true;
            }
        }
        return false;
    }

    void finish(MetricSink& sink) override { flush(sink); }

private:
    void add(const Key& key, std::string_view value, const LogLine& line, MetricSink& sink)
    {
        if (key.text == "Device id")
            flush(sink);
        if (key.value && !value.empty())
            m_values.insert(QLatin1String(key.value), labelText(value, 120));
        if (m_line == 0)
            m_line = line.number;
        if (key.text == "Kernel execution timeout")
            flush(sink);
    }

    void flush(MetricSink& sink)
    {
        const QString name = m_values.value(QStringLiteral("name"));
        const QString major = m_values.take(QStringLiteral("major"));
        const QString minor = m_values.take(QStringLiteral("minor"));
        if (!major.isEmpty() && !minor.isEmpty())
            m_values.insert(QStringLiteral("compute_capability"), major + u'.' + minor);
        if (!name.isEmpty())
            sink.add(MetricEvent{QStringLiteral("device"), name, m_values, m_line});
        m_values.clear();
        m_line = 0;
    }

    QMap<QString, QString> m_values;
    qint64 m_line = 0;
};

} // namespace

std::unique_ptr<Recogniser> makeDeviceQueryRecogniser()
{
    return std::make_unique<DeviceQueryRecogniser>();
}

} // namespace slipway
