// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/scan.h"
#include "plots/metrics/tablerow.h"

#include <map>
#include <utility>

namespace slipway {

namespace {

using Values = QMap<QString, QString>;

/// "35W /  350W", "1MiB /  46068MiB": used and capacity. Values that are not measured ("N/A") are
/// left out.
void addPair(Values& values, std::string_view text, std::string_view unit, double factor,
    const char* used, const char* most)
{
    const size_t slash = text.find('/', text.find("N/A") == 0 ? 3 : 0);
    if (slash == std::string_view::npos)
        return;
    const auto add = [&](std::string_view part, const char* key) {
        part = trimmed(part);
        const auto value = takeNumber(part);
        if (value && part == unit)
            values.insert(QLatin1String(key), QString::number(*value * factor, 'g', 15));
    };
    add(text.substr(0, slash), used);
    add(text.substr(slash + 1), most);
}

/// Reads the table of nvidia-smi, in the widths of all drivers: one event "driver" and for
/// each GPU one "device" with name, temperature, power, memory and load. One table or two are the
/// state at a moment and are not plotted; of more, as "nvidia-smi -l" prints them, each is a point
/// of curves with the names of the CSV format, x is the number of the table. Its failures are
/// events too.
class NvidiaSmiRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.first = "|+NF", .last = "d", .fits = mayBe}; }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (line.progress)
            return false;
        const std::string_view text = trimmed(line.text);
        if (text.empty())
            return false;
        if (text[0] == '|')
            return readHeader(text, line, sink) || readRow(text, line, sink);
        if (text[0] == '+')
            return m_tables.contains(line.rank);
        return readFailure(text, line, sink);
    }

private:
    static bool mayBe(std::string_view text)
    {
        return startsWithOneOf(text,
                   {"|", "+", "No devices were found", "NVIDIA-SMI ", "Failed to initialize NVML"})
            || text.ends_with(" not found");
    }
    static constexpr int mostDevices = 64; ///< the same table may be printed again every second
    static constexpr int fewTables = 2; ///< that are no curve

    bool readHeader(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readRow(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readFailure(std::string_view text, const LogLine& line, MetricSink& sink);

    struct Gpu {
        QString name;
        Values values;
        qint64 line = 0;
    };
    void plot(const Gpu& gpu, const LogLine& line, MetricSink& sink);

    std::map<int, std::optional<Gpu>> m_tables; ///< tables being read, by the label before the line
    std::map<QString, int> m_counts; ///< of tables, by lane
    std::vector<Sample> m_held; ///< of the first tables
    int m_devices = 0;
    int m_drivers = 0;
    int m_failures = 0;
};

/// "| NVIDIA-SMI 565.57.01   Driver Version: 565.57.01   CUDA Version: 12.7 |"
bool NvidiaSmiRecogniser::readHeader(std::string_view text, const LogLine& line, MetricSink& sink)
{
    std::string_view rest = trimmed(text.substr(1));
    if (!rest.starts_with("NVIDIA-SMI "))
        return false;
    const auto after = [&](std::string_view words) {
        const size_t at = rest.find(words);
        std::string_view value =
            at == std::string_view::npos ? std::string_view() : rest.substr(at + words.size());
        const std::string_view word = takeWord(value);
        return !word.empty() && isDigit(word[0]) ? labelText(word, 32) : QString();
    };
    const QString driver = after("Driver Version: ");
    const QString cuda = after("CUDA Version: ");
    if (driver.isEmpty() || (m_tables.size() >= manyRanks && !m_tables.contains(line.rank)))
        return false;
    m_tables[line.rank].reset();
    if (++m_drivers > mostDevices)
        return true;
    MetricEvent event{QStringLiteral("driver"), QStringLiteral("NVIDIA driver ") + driver,
        {{QStringLiteral("driver"), driver}}, line.number};
    if (!cuda.isEmpty()) {
        event.text += QStringLiteral(", CUDA up to ") + cuda;
        event.values.insert(QStringLiteral("cuda"), cuda);
    }
    sink.add(std::move(event));
    return true;
}

/// A GPU is two rows: "| 0  NVIDIA L40S  Off | 00000000:41:00.0 Off | 0 |" and
/// "| N/A  36C  P8  35W / 350W | 1MiB / 46068MiB | 0%  Default |".
bool NvidiaSmiRecogniser::readRow(std::string_view text, const LogLine& line, MetricSink& sink)
{
    const auto found = m_tables.find(line.rank);
    if (found == m_tables.end())
        return false;
    if (text.starts_with("| Processes:")) {
        m_tables.erase(found);
        return true;
    }
    const auto cells = tableCells(text);
    if (cells.size() != 3)
        return true;
    std::optional<Gpu>& gpu = found->second;
    std::string_view rest = cells[0];
    std::string_view first = takeWord(rest);
    if (!gpu) {
        const size_t mode = rest.rfind("  ");
        std::string_view bus = cells[1];
        const std::string_view busId = takeWord(bus);
        if (!wholeCount(first) || mode == std::string_view::npos
            || busId.find(':') == std::string_view::npos)
            return true;
        std::string_view name = trimmed(rest.substr(0, mode));
        gpu = Gpu{{}, {}, line.number};
        if (name.ends_with("...")) { // an old driver has no space for more
            name.remove_suffix(3);
            gpu->values.insert(QStringLiteral("cut"), QStringLiteral("true"));
        }
        gpu->name = labelText(name, 120);
        gpu->values.insert(QStringLiteral("name"), gpu->name);
        gpu->values.insert(QStringLiteral("index"), labelText(first, 16));
        gpu->values.insert(QStringLiteral("bus_id"), labelText(busId, 32));
        return true;
    }
    std::string_view temperature = takeWord(rest);
    const auto degrees = takeNumber(temperature);
    if (degrees && temperature == "C")
        gpu->values.insert(QStringLiteral("temperature_celsius"), QString::number(*degrees));
    const std::string_view state = takeWord(rest);
    if (state.size() >= 2 && state[0] == 'P' && wholeCount(state.substr(1)))
        gpu->values.insert(QStringLiteral("performance_state"), labelText(state));
    addPair(gpu->values, trimmed(rest), "W", 1, "power_watts", "power_limit_watts");
    addPair(gpu->values, cells[1], "MiB", 1024.0 * 1024, "memory_used_bytes", "memory_total_bytes");
    std::string_view load = cells[2];
    const auto percent = takeNumber(load);
    if (percent && load.starts_with('%'))
        gpu->values.insert(QStringLiteral("utilization_percent"), QString::number(*percent));
    if (++m_devices <= mostDevices)
        sink.add(MetricEvent{QStringLiteral("device"), gpu->name, gpu->values, gpu->line});
    plot(*gpu, line, sink);
    gpu.reset();
    return true;
}

void NvidiaSmiRecogniser::plot(const Gpu& gpu, const LogLine& line, MetricSink& sink)
{
    static const struct {
        QString series, unit, key;
    } curves[] = {
        {QStringLiteral("utilization_gpu"), QStringLiteral("%"),
            QStringLiteral("utilization_percent")},
        {QStringLiteral("memory_used"), QStringLiteral("B"), QStringLiteral("memory_used_bytes")},
        {QStringLiteral("power_draw"), QStringLiteral("W"), QStringLiteral("power_watts")},
        {QStringLiteral("temperature_gpu"), QStringLiteral("°C"),
            QStringLiteral("temperature_celsius")},
    };
    QString lane = rankLane(line.rank);
    addToLane(lane, QStringLiteral("GPU ") + gpu.values.value(QStringLiteral("index")));
    if (m_counts.size() >= mostDevices && !m_counts.contains(lane))
        return;
    const int table = ++m_counts[lane];
    if (table > fewTables) {
        for (Sample& held : std::exchange(m_held, {}))
            sink.add(std::move(held));
    }
    for (const auto& curve : curves) {
        const auto value = gpu.values.find(curve.key);
        if (value == gpu.values.end())
            continue;
        Sample sample;
        sample.series = curve.series;
        sample.lane = lane;
        sample.x = table;
        sample.xName = QStringLiteral("table");
        sample.y = value->toDouble();
        sample.unit = curve.unit;
        sample.line = line.number;
        if (table > fewTables)
            sink.add(std::move(sample));
        else
            m_held.push_back(std::move(sample));
    }
}

bool NvidiaSmiRecogniser::readFailure(std::string_view text, const LogLine& line, MetricSink& sink)
{
    bool none = false;
    switch (text[0]) {
    case 'N':
        none = text == "No devices were found";
        if (!none && !text.starts_with("NVIDIA-SMI has failed because"))
            return false;
        break;
    case 'F':
        if (!text.starts_with("Failed to initialize NVML"))
            return false;
        break;
    default:
        if (!text.ends_with("nvidia-smi: command not found")
            && !text.ends_with("nvidia-smi: not found"))
            return false;
    }
    if (++m_failures <= mostDevices)
        sink.add(MetricEvent{none ? QStringLiteral("no_device") : QStringLiteral("failed"),
            labelText(text, 1000), {}, line.number});
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makeNvidiaSmiRecogniser()
{
    return std::make_unique<NvidiaSmiRecogniser>();
}

} // namespace slipway
