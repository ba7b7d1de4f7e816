// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"

#include <string>

namespace slipway {

namespace {

/// Reads the summary of a detector's evaluation as the COCO tools print it: "Average Precision
/// (AP) @[ IoU=0.50:0.95 | area= small | maxDets=100 ] = 0.359". "ap", "ap50" and "ap_small" are
/// precisions, "ar_10" is the recall of ten detections; the lane is what was compared ("bbox",
/// "segm"). x is where the training is, or the number of the evaluation.
class CocoRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = "AIE",
            .words = {"average precision", "average recall", "iou metric: ", "annotation type "}};
    }
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    bool readKind(std::string_view text);

    QString m_kind; ///< "bbox", "segm", "keypoints"
    QString m_firstKind, m_firstSeries; ///< an evaluation begins with these
    int m_evaluations = 0;
};

/// "IoU metric: bbox", "Evaluate annotation type *segm*"
bool CocoRecogniser::readKind(std::string_view text)
{
    constexpr std::string_view older = "Evaluate annotation type *";
    if (!skip(text, "IoU metric: ") && !skip(text, older))
        return false;
    size_t end = 0;
    while (end < text.size() && isWordCharacter(text[end]))
        ++end;
    m_kind = labelText(text.substr(0, end), 40);
    return end > 0;
}

/// "IoU=0.50      | area=   all | maxDets=100 ] = 0.987": the value behind `key`, without spaces.
std::string_view settingOf(std::string_view text, std::string_view key)
{
    const size_t at = text.find(key);
    if (at == std::string_view::npos)
        return {};
    text.remove_prefix(at + key.size());
    skipSpaces(text);
    return text.substr(0, text.find_first_of(" |]"));
}

/// "ap", "ap50", "ap_small", "ar_100"; empty: the line is something else.
std::string nameOf(bool isRecall, std::string_view settings)
{
    const std::string_view overlap = settingOf(settings, "IoU=");
    const std::string_view area = settingOf(settings, "area=");
    const std::string_view most = settingOf(settings, "maxDets=");
    if (overlap.empty() || area.empty() || most.empty())
        return {};
    std::string name = isRecall ? "ar" : "ap";
    const bool isOne = overlap.find(':') == std::string_view::npos;
    if (isOne && overlap.size() == 4 && overlap.starts_with("0."))
        name += overlap.substr(2); // "0.75"
    if (area != "all")
        name.append("_").append(area);
    else if (isRecall && !isOne)
        name.append("_").append(most);
    return name;
}

bool CocoRecogniser::read(const LogLine& line, MetricSink& sink)
{
    const std::string_view text = trimmed(line.text);
    std::string_view rest = text;
    if (readKind(rest))
        return true;
    const bool isRecall = rest.starts_with("Average Recall");
    if (!isRecall && !rest.starts_with("Average Precision"))
        return false;
    const size_t open = rest.find("@["), close = rest.rfind("] = ");
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
        return false;
    const std::string name = nameOf(isRecall, rest.substr(open, close + 1 - open));
    rest.remove_prefix(close + 4);
    const auto value = takeNumber(rest);
    const bool isWhole = rest.empty() && isDigit(text.back()); // "0." was cut off
    if (name.empty() || !value || !isWhole)
        return false;
    if (*value < 0)
        return true; // nothing of this size was there
    Sample sample;
    sample.series = labelText(name, 40);
    if (m_firstSeries.isEmpty() || (m_firstSeries == sample.series && m_firstKind == m_kind)) {
        m_firstSeries = sample.series;
        m_firstKind = m_kind;
        ++m_evaluations;
    }
    const bool placed = !sink.placeName().isEmpty() && sink.placeName() != u"evaluation";
    sample.lane = rankLane(line.rank);
    addToLane(sample.lane, m_kind);
    sample.x = placed ? sink.placeX() : m_evaluations;
    sample.xName = placed ? sink.placeName() : QStringLiteral("evaluation");
    sample.y = *value;
    sample.line = line.number;
    sink.add(std::move(sample));
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makeCocoRecogniser()
{
    return std::make_unique<CocoRecogniser>();
}

} // namespace slipway
