// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/imagestages.h"
#include "plots/metrics/scan.h"

#include <cmath>
#include <set>

namespace slipway {

namespace {

constexpr StageWords infoStages[] = {{"Converting OCI blobs to SIF", "convert"},
    {"Starting build", "build"}, {"Fetching OCI image", "fetch"},
    {"Downloading library image", "fetch"}, {"Downloading shub image", "fetch"},
    {"Downloading oras image", "fetch"}, {"Downloading network image", "fetch"},
    {"Verifying bootstrap image", "base"}, {"Extracting OCI image", "extract"},
    {"Inserting Apptainer configuration", "configure"},
    {"Inserting Singularity configuration", "configure"}, {"Creating SIF file", "squash"},
    {"Creating sandbox directory", "sandbox"}, {"Running pre scriptlet", "pre"},
    {"Running setup scriptlet", "setup"}, {"Running post scriptlet", "post"},
    {"Running testscript", "test"}, {"Adding labels", "metadata"}, {"Adding help", "metadata"},
    {"Adding environment to container", "metadata"}, {"Adding runscript", "metadata"},
    {"Adding startscript", "metadata"}, {"Adding testscript", "metadata"},
    {"Converting SIF file to temporary sandbox", "sandbox"}};

/// Lines without a level prefix.
constexpr StageWords bareStages[] = {{"Getting image source signatures", "fetch"},
    {"Docker image path: ", "fetch"}, {"Exploding layer: ", "extract"},
    {"Building Singularity image...", "squash"}};

/// "100 %", "45.5%"
std::optional<double> takePercent(std::string_view rest)
{
    skipSpaces(rest);
    const auto percent = takeNumber(rest);
    skipSpaces(rest);
    if (!percent || !(*percent >= 0 && *percent <= 100) || !rest.starts_with('%'))
        return {};
    return percent;
}

/// Reads how Apptainer and Singularity pull and build an image: stages ("image-stage"), layers,
/// images from the cache ("image-cached") and built images ("image-built"). Downloads and
/// percentages are progress. None of it is plotted; no line reports the end of a pull.
class ApptainerRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = "ICWSPGDEB0123456789",
            .words = {"info:", "copying ", "writing manifest", "storing signatures",
                "build complete: ", "container built: ", "progress |", "info unpack layer: ", "[",
                "getting image ", "image path: ", "exploding layer: ", "building singularity "},
            .fits = mayBe};
    }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (line.text.size() > 2000)
            return false;
        const std::string_view text = trimmed(line.text);
        if (text.size() < 8)
            return false;
        switch (text[0]) {
        case 'I':
            return text.starts_with("INFO:") && readInfo(text, line, sink);
        case 'C':
            return text.starts_with("Copying ") && readCopying(text, line, sink);
        case 'W':
            return readWritten(text, line, sink);
        case 'S':
            return text == "Storing signatures" || readBuilt(text, line, sink);
        case 'P':
            return readProgress(text, sink);
        case 'G':
        case 'D':
        case 'E':
        case 'B':
            return !line.progress && m_stages.read(bareStages, text, text, line, sink);
        default:
            return isDigit(text[0]) && (readUnpack(text, line, sink) || readBar(text, line, sink));
        }
    }

private:
    static bool mayBe(std::string_view text)
    {
        const bool isBar = text.find('/') != std::string_view::npos
            && text.find('[') != std::string_view::npos && text.find('%') != std::string_view::npos;
        return startsWithOneOf(text,
                   {"INFO:", "Copying ", "Writing manifest", "Storing signatures",
                       "Singularity container", "Progress |", "Getting image", "Docker image",
                       "Exploding layer", "Building Singularity"})
            || (isDigit(text[0])
                && (isBar || text.find("info unpack layer: ") != std::string_view::npos));
    }
    bool readInfo(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readCopying(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readWritten(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readUnpack(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readBar(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readBuilt(std::string_view text, const LogLine& line, MetricSink& sink);
    static bool readProgress(std::string_view text, MetricSink& sink);

    ImageStages m_stages;
    int m_layers = 0; ///< copied
    int m_unpacked = 0;
    std::set<double> m_sizes; ///< of layers that were reported; a redrawn bar is not reported again
};

bool ApptainerRecogniser::readInfo(std::string_view text, const LogLine& line, MetricSink& sink)
{
    std::string_view rest = text.substr(5);
    skipSpaces(rest);
    if (rest.starts_with("Creating SIF file")) {
        std::string_view percent = rest.substr(17);
        percent.remove_prefix(std::min(percent.find_first_of("0123456789"), percent.size()));
        if (const auto done = takePercent(percent))
            sink.setProgress(QStringLiteral("percent"), *done, 100);
    }
    if (line.progress)
        return true;
    if (rest.starts_with("Fetching OCI image"))
        m_sizes.clear();
    if (rest.starts_with("Using cached SIF image") || rest == "Using cached image") {
        sink.add(MetricEvent{QStringLiteral("image-cached"), labelText(text), {}, line.number});
        return true;
    }
    if (rest.starts_with("Copying ") && rest.find(" to ") != std::string_view::npos) {
        m_stages.begin("files", text, line, sink);
        return true;
    }
    return readBuilt(rest, line, sink) || m_stages.read(infoStages, rest, text, line, sink);
}

/// "Build complete: nbody.sif"; Singularity 2: "Singularity container built: ./nbody.simg".
bool ApptainerRecogniser::readBuilt(std::string_view text, const LogLine& line, MetricSink& sink)
{
    std::string_view path = text;
    if (line.progress
        || (!skip(path, "Build complete: ") && !skip(path, "Singularity container built: ")))
        return false;
    path = trimmed(path);
    if (path.empty())
        return false;
    m_stages.begin({}, {}, line, sink);
    sink.add(MetricEvent{QStringLiteral("image-built"), labelText(text, 1000),
        {{QStringLiteral("path"), labelText(path, 1000)}}, line.number});
    return true;
}

/// "Copying blob 33847f680f63 done", or with a bar and "25.3MiB / 120.4MiB" while in progress.
bool ApptainerRecogniser::readCopying(std::string_view text, const LogLine& line, MetricSink& sink)
{
    std::string_view rest = text;
    const bool config = skip(rest, "Copying config ");
    if (!config && !skip(rest, "Copying blob "))
        return false;
    if (const size_t slash = rest.find(" / "); slash != std::string_view::npos) {
        std::string_view before = rest.substr(0, slash);
        before = before.substr(std::min(before.find_last_of(" ]") + 1, before.size()));
        std::string_view behind = rest.substr(slash + 3);
        const auto done = takeBytes(before);
        const auto total = takeBytes(behind);
        if (done && total)
            sink.setProgress(QStringLiteral("download"), *done, *total);
        return true;
    }
    if (!line.progress && !config)
        ++m_layers;
    return true;
}

bool ApptainerRecogniser::readWritten(std::string_view text, const LogLine& line, MetricSink& sink)
{
    if (line.progress || text != "Writing manifest to image destination")
        return false;
    QMap<QString, QString> values;
    if (m_layers > 0)
        values.insert(QStringLiteral("layers"), QString::number(m_layers));
    m_stages.begin("manifest", text, line, sink, values);
    m_unpacked = 0;
    return true;
}

/// "2021/07/27 17:23:38  info unpack layer: sha256:…"
bool ApptainerRecogniser::readUnpack(std::string_view text, const LogLine& line, MetricSink& sink)
{
    if (text[4] != '/' || text.substr(0, 48).find("info unpack layer: ") == std::string_view::npos)
        return false;
    if (line.progress)
        return true;
    m_stages.begin("extract", text, line, sink);
    // Their number is known from the lines that copied them.
    sink.setProgress(QStringLiteral("layers"), ++m_unpacked, m_layers);
    return true;
}

/// "1.8GiB / 1.8GiB [====] 100 % 126.1 MiB/s 0s": a bar for each layer.
bool ApptainerRecogniser::readBar(std::string_view text, const LogLine& line, MetricSink& sink)
{
    std::string_view rest = text;
    const auto done = takeBytes(rest);
    skipSpaces(rest);
    if (!done || !skip(rest, "/"))
        return false;
    skipSpaces(rest);
    const auto total = takeBytes(rest);
    skipSpaces(rest);
    if (!total || !(*done <= *total) || !skip(rest, "["))
        return false;
    const size_t close = rest.find(']');
    if (close == std::string_view::npos || !takePercent(rest.substr(close + 1)))
        return false;
    sink.setProgress(QStringLiteral("download"), *done, *total);
    constexpr size_t manyLayers = 256;
    if (line.progress || *done < *total || m_sizes.size() >= manyLayers
        || !m_sizes.insert(*total).second)
        return true;
    std::string_view size = text;
    size = trimmed(size.substr(0, size.find('/')));
    sink.add(MetricEvent{QStringLiteral("image-layer"), labelText(size),
        {{QStringLiteral("bytes"), QString::number(*total, 'f', 0)}}, line.number});
    return true;
}

/// "Progress |====| 100.0%"
bool ApptainerRecogniser::readProgress(std::string_view text, MetricSink& sink)
{
    std::string_view rest = text;
    if (!skip(rest, "Progress |"))
        return false;
    const size_t bar = rest.rfind('|');
    const auto percent =
        bar == std::string_view::npos ? std::nullopt : takePercent(rest.substr(bar + 1));
    if (percent)
        sink.setProgress(QStringLiteral("percent"), *percent, 100);
    return percent.has_value();
}

} // namespace

std::unique_ptr<Recogniser> makeApptainerRecogniser()
{
    return std::make_unique<ApptainerRecogniser>();
}

} // namespace slipway
