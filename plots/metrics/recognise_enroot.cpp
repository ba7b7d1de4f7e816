// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/imagestages.h"
#include "plots/metrics/scan.h"

#include <optional>

namespace slipway {

namespace {

constexpr StageWords enrootStages[] = {{"Querying registry for permission grant", "ask"},
    {"Authenticating with user: ", "ask"}, {"Authentication succeeded", "ask"},
    {"Fetching image manifest", "manifest"}, {"Fetching image", "fetch"},
    {"Extracting image layers", "extract"}, {"Converting whiteouts", "convert"},
    {"Creating squashfs filesystem", "squash"}, {"Extracting squashfs filesystem", "unpack"}};

/// Reads how enroot imports and unpacks an image, and the messages of pyxis: stages
/// ("image-stage"), "image-cached", the size of the result ("image-size"), "image-unpacked",
/// "image-ready", and "failed" when pyxis could not import. Percentages are progress; nothing is
/// plotted. The log of enroot that pyxis prints after a failure is in the past: it begins no stage.
class EnrootRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = "[psCFc0123456789",
            .words = {"[info] ", "pyxis: ", "filesystem ", "created ", "=", "]"},
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
        case '[':
            return readEnroot(text, line, sink) || readPyxis(text, line, sink)
                || readSquashBar(text, sink);
        case 'p':
        case 's':
            return readPyxis(text, line, sink);
        case 'C':
            return readFilesystem(text);
        case 'F':
            return readSize(text, line, sink);
        case 'c':
            return readCreated(text, line, sink);
        default:
            return isDigit(text[0]) && m_stages.any() && readParallelBar(text, sink);
        }
    }

private:
    static bool mayBe(std::string_view text)
    {
        const auto has = [text](std::string_view words) { return text.find(words) != text.npos; };
        if (text.starts_with('['))
            return text.starts_with("[INFO] ") || has("pyxis: ")
                || std::string_view("=|/-\\ ").find(text.substr(1, 1)) != std::string_view::npos;
        return startsWithOneOf(text, {"Creating ", "Filesystem size ", "created "})
            || has("pyxis: ") || (isDigit(text[0]) && has("% ") && has("="));
    }
    bool readEnroot(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readPyxis(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readFilesystem(std::string_view text);
    bool readSize(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readCreated(std::string_view text, const LogLine& line, MetricSink& sink);
    static bool readParallelBar(std::string_view text, MetricSink& sink);
    static bool readSquashBar(std::string_view text, MetricSink& sink);

    ImageStages m_stages;
    QString m_path; ///< of the file system that is being written
    QString m_code; ///< exit code of the child of pyxis
};

bool EnrootRecogniser::readEnroot(std::string_view text, const LogLine& line, MetricSink& sink)
{
    std::string_view rest = text;
    if (line.progress || !skip(rest, "[INFO] "))
        return false;
    if (rest == "Found all layers in cache") {
        sink.add(MetricEvent{QStringLiteral("image-cached"), labelText(text), {}, line.number});
        return true;
    }
    std::string_view layers = rest;
    if (skip(layers, "Downloading ")) {
        const auto count = takeNumber(layers);
        if (!count || !layers.starts_with(" missing layers"))
            return false;
        m_stages.begin("fetch", text, line, sink,
            {{QStringLiteral("layers"), QString::number(*count, 'g', 6)}});
        return true;
    }
    return m_stages.read(enrootStages, rest, text, line, sink);
}

/// The prefixes of messages of pyxis, depending on Slurm's version and the distribution: none,
/// "srun:
/// ", "slurmstepd: error: ", "slurmstepd-gpu02: error: ", "[2026-11-22T08:25:57.007] error: ".
bool skipSpeaker(std::string_view& rest)
{
    if (rest.starts_with("pyxis: "))
        return true;
    if (skip(rest, "[")) {
        const size_t close = rest.find("] ");
        if (close == std::string_view::npos || close < 10 || !isDigit(rest[0])
            || rest.find_first_not_of("0123456789T:.-") != close)
            return false;
        rest.remove_prefix(close + 2);
    } else if (skip(rest, "slurmstepd-")) {
        const size_t colon = rest.find(": ");
        if (colon == 0 || colon > 255 || rest.find(' ') != colon + 1)
            return false;
        rest.remove_prefix(colon + 2);
    } else if (!skip(rest, "slurmstepd: ") && !skip(rest, "srun: ")) {
        return false;
    }
    skip(rest, "error: ");
    return rest.starts_with("pyxis: ");
}

/// The image in a message of pyxis about a failed import, empty if it names none; none: another
/// message. Up to 0.23 there is no name, and a site's own importer may be named.
std::optional<QString> failedImport(std::string_view rest)
{
    if (!skip(rest, "failed to import docker image"))
        return std::nullopt;
    if (rest.empty() || rest.starts_with(" with importer: "))
        return QString();
    if (!skip(rest, ": "))
        return std::nullopt;
    return labelText(rest.substr(0, rest.find(" (importer: ")));
}

bool EnrootRecogniser::readPyxis(std::string_view text, const LogLine& line, MetricSink& sink)
{
    std::string_view rest = text;
    if (line.progress || !skipSpeaker(rest) || !skip(rest, "pyxis: "))
        return false;
    std::string_view image = rest;
    if (skip(image, "importing docker image: ")) {
        m_stages.begin({}, {}, line, sink); // another image may come after this one
        m_stages.begin("import", text, line, sink, {{QStringLiteral("image"), labelText(image)}});
    } else if (skip(image, "imported docker image: ")) {
        m_stages.begin({}, {}, line, sink);
        sink.add(MetricEvent{QStringLiteral("image-ready"), labelText(text, 1000),
            {{QStringLiteral("image"), labelText(image)}}, line.number});
    } else if (const size_t at = rest.find("failed with error code: ");
               at != std::string_view::npos) {
        m_code = labelText(trimmed(rest.substr(at + 24)), 20);
    } else if (const auto failed = failedImport(rest)) {
        m_stages.begin({}, {}, line, sink);
        QMap<QString, QString> values;
        if (!m_code.isEmpty())
            values.insert(QStringLiteral("code"), m_code);
        if (!failed->isEmpty())
            values.insert(QStringLiteral("image"), *failed);
        sink.add(MetricEvent{
            QStringLiteral("failed"), labelText(text, 1000), std::move(values), line.number});
    } else {
        return rest.starts_with("    [INFO] ") || rest.starts_with("printing ");
    }
    return true;
}

/// "Creating 4.0 filesystem on /scratch/image.sqsh, block size 131072."
bool EnrootRecogniser::readFilesystem(std::string_view text)
{
    std::string_view rest = text;
    if (!skip(rest, "Creating ") || !takeNumber(rest) || !skip(rest, " filesystem on "))
        return false;
    const size_t end = rest.rfind(", block size ");
    if (end == std::string_view::npos)
        return false;
    m_path = labelText(rest.substr(0, end), 1000);
    return true;
}

/// "Filesystem size 17852956.71 Kbytes (17434.53 Mbytes)": its Kbytes are 1024 bytes.
bool EnrootRecogniser::readSize(std::string_view text, const LogLine& line, MetricSink& sink)
{
    std::string_view rest = text;
    if (line.progress || !skip(rest, "Filesystem size "))
        return false;
    const auto size = takeNumber(rest);
    if (!size || !(*size >= 0) || *size > 1e15 || !rest.starts_with(" Kbytes"))
        return false;
    QMap<QString, QString> values{{QStringLiteral("bytes"), QString::number(*size * 1024, 'f', 0)}};
    if (!m_path.isEmpty())
        values.insert(QStringLiteral("path"), m_path);
    sink.add(
        MetricEvent{QStringLiteral("image-size"), labelText(text), std::move(values), line.number});
    return true;
}

/// "created 2587 files", after "Extracting squashfs filesystem...".
bool EnrootRecogniser::readCreated(std::string_view text, const LogLine& line, MetricSink& sink)
{
    std::string_view rest = text;
    if (line.progress || !m_stages.is("unpack") || !skip(rest, "created "))
        return false;
    const auto files = takeNumber(rest);
    if (!files || rest != " files")
        return false;
    sink.add(MetricEvent{QStringLiteral("image-unpacked"), labelText(text),
        {{QStringLiteral("files"), QString::number(*files, 'f', 0)}}, line.number});
    return true;
}

/// "45% 5:6=12s": progress of GNU parallel, done:left=time.
bool EnrootRecogniser::readParallelBar(std::string_view text, MetricSink& sink)
{
    const auto percent = takeNumber(text);
    if (!percent || !skip(text, "% ") || text.find('=') == std::string_view::npos
        || text.find_first_not_of("0123456789:=hms ") != std::string_view::npos)
        return false;
    sink.setProgress(QStringLiteral("percent"), *percent, 100);
    return true;
}

/// "[=====|    ] 12345/345079  45%" of mksquashfs and unsquashfs.
bool EnrootRecogniser::readSquashBar(std::string_view text, MetricSink& sink)
{
    const size_t close = text.find_first_not_of("=|/-\\ ", 1);
    if (close == std::string_view::npos || close < 3 || text[close] != ']')
        return false;
    text.remove_prefix(close + 1);
    skipSpaces(text);
    const auto done = takeNumber(text);
    if (!done || !skip(text, "/"))
        return false;
    const auto total = takeNumber(text);
    skipSpaces(text);
    if (!total || !takeNumber(text) || trimmed(text) != "%")
        return false;
    sink.setProgress(QStringLiteral("blocks"), *done, *total);
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makeEnrootRecogniser()
{
    return std::make_unique<EnrootRecogniser>();
}

} // namespace slipway
