// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/pipeline.h"
#include "plots/records/linesplitter.h"
#include "plots/records/recordreader.h"
#include "plots/records/recordrow.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype largestDocument = 16 * 1024 * 1024;
constexpr int deepest = 3;

std::optional<double> valueOf(const QJsonValue& value)
{
    if (value.isDouble())
        return value.toDouble();
    return value.isString() ? recordNumber(value.toString().toUtf8()) : std::nullopt;
}

/// The numbers of an object; those of an object in it have its name in front.
void collect(const QJsonObject& object, const QByteArray& prefix, int depth, RecordRow& row)
{
    for (auto it = object.begin(); it != object.end(); ++it) {
        const QByteArray name = prefix + it.key().toUtf8().left(200);
        if (it.value().isObject() && depth < deepest)
            collect(it.value().toObject(), name + '/', depth + 1, row);
        else if (const auto value = valueOf(it.value());
                 value && row.cells.size() < RecordRow::mostCells)
            row.cells.push_back({name, *value});
    }
}

/// Python writes NaN and Infinity, which are no JSON; outside of strings they become null.
QByteArray withoutWords(QByteArrayView text)
{
    QByteArray json = text.toByteArray();
    if (!json.contains("NaN") && !json.contains("Infinity"))
        return json;
    for (const char* word : {"-Infinity", "Infinity", "NaN"}) {
        for (const char* before : {": ", ":", ", ", ",", "["}) {
            const QByteArray bare = QByteArray(before) + word;
            const QByteArray quoted = QByteArray(before) + '"' + word + '"';
            json.replace(bare, quoted);
        }
    }
    return json;
}

/// Reads what loggers write as JSON: one object per line (detectron2's metrics.json, MMEngine,
/// fairseq, metrics.jsonl, DLLogger), or one document that holds a list of them (the log_history of
/// the Hugging Face Trainer) or a list of numbers for each name (the history of Keras).
class JsonReader : public RecordReader {
public:
    explicit JsonReader(QString lane)
        : m_lane(std::move(lane))
        , m_dll({QStringLiteral("dllogger")})
    {
    }

    void feed(QByteArrayView bytes) override
    {
        if (m_isDocument) {
            extend(bytes);
        } else {
            m_lines.feed(bytes, [this](QByteArrayView line) { takeLine(line); });
            if (m_isDocument) // its first line was among these
                extend(m_lines.takeRest());
        }
        takeDocument();
    }

    void finish() override
    {
        m_lines.finish([this](QByteArrayView line) { takeLine(line); });
        takeDocument();
        if (m_isDocument && !m_done)
            noteBroken();
        m_dll.finish();
        takeDll();
    }

private:
    void takeLine(QByteArrayView line)
    {
        const QByteArrayView text = line.trimmed();
        if (text.isEmpty())
            return;
        if (m_isDocument)
            return extend(QByteArray(line.toByteArray() + '\n'));
        if (text.startsWith("DLLL ")) {
            m_dll.feed(QByteArray(text.toByteArray() + '\n'));
            return takeDll();
        }
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(withoutWords(text), &error);
        const bool isWhole = error.error == QJsonParseError::NoError;
        if (m_count == 0 && (!isWhole || document.isArray() || isHistory(document.object()))
            && (text.startsWith('{') || text.startsWith('['))) {
            m_isDocument = true;
            return extend(QByteArray(line.toByteArray() + '\n'));
        }
        ++m_count;
        if (isWhole && document.isObject())
            takeObject(document.object());
        else
            noteBroken();
    }

    void extend(QByteArrayView bytes)
    {
        if (m_tooLarge)
            return;
        for (const char c : bytes) {
            if (m_isClosed)
                return; // what follows is no part of it
            m_document.append(c);
            count(c);
        }
        if (m_document.size() > largestDocument) {
            m_tooLarge = true;
            m_document.clear();
            noteBroken();
        }
    }

    /// How deep in brackets the end of the document is: only a whole one is parsed, and once.
    void count(char c)
    {
        if (m_escaped)
            m_escaped = false;
        else if (m_inString) {
            m_escaped = c == '\\';
            m_inString = c != '"';
        } else if (c == '"')
            m_inString = true;
        else if (c == '{' || c == '[')
            ++m_depth;
        else if (c == '}' || c == ']')
            m_isClosed = --m_depth <= 0 || m_isClosed;
    }

    void takeDocument()
    {
        if (!m_isDocument || m_done || m_tooLarge || !m_isClosed)
            return;
        m_done = true;
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(withoutWords(m_document), &error);
        m_document.clear();
        if (error.error != QJsonParseError::NoError)
            return noteBroken();
        if (document.isArray())
            return takeList(document.array());
        const QJsonObject object = document.object();
        const QJsonValue history = object.value(u"log_history");
        if (history.isArray())
            takeList(history.toArray());
        else if (isHistory(object))
            takeColumns(object);
    }

    /// Lists of numbers of one length, which is how Keras keeps the history of a training.
    static bool isHistory(const QJsonObject& object)
    {
        if (object.isEmpty())
            return false;
        const auto isLosses = [](const QString& key) { return key.contains(u"loss"); };
        const QStringList keys = object.keys();
        if (std::none_of(keys.begin(), keys.end(), isLosses))
            return false;
        return std::all_of(object.begin(), object.end(), [&object](const QJsonValue& value) {
            return value.isArray() && value.toArray().size() == object.begin()->toArray().size()
                && valueOf(value.toArray().first());
        });
    }

    void takeColumns(const QJsonObject& columns)
    {
        for (auto it = columns.begin(); it != columns.end(); ++it) {
            const QJsonArray values = it.value().toArray();
            for (qsizetype i = 0; i < values.size(); ++i) {
                if (const auto value = valueOf(values[i]); value && !counterRank(it.key().toUtf8()))
                    add(recordSample(
                        it.key().toUtf8(), *value, double(i + 1), QStringLiteral("epoch"), m_lane));
            }
        }
    }

    void takeList(const QJsonArray& list)
    {
        for (const QJsonValue& value : list) {
            if (value.isObject())
                takeObject(value.toObject());
        }
    }

    void takeObject(const QJsonObject& object)
    {
        RecordRow row;
        collect(object, {}, 0, row);
        for (Sample& sample : samplesOf(row, m_lane, TimeAxis::No))
            add(std::move(sample));
    }

    void takeDll()
    {
        m_dll.takeEvents();
        for (Sample& sample : m_dll.takeSamples()) {
            sample.lane =
                sample.lane.isEmpty() ? m_lane : m_lane + QStringLiteral(", ") + sample.lane;
            sample.line = 0;
            sample.place = -1;
            add(std::move(sample));
        }
    }

    QString m_lane;
    LineSplitter m_lines;
    MetricsPipeline m_dll; ///< for DLLogger's lines, whose steps are its own
    QByteArray m_document;
    int m_depth = 0;
    bool m_inString = false;
    bool m_escaped = false;
    bool m_isClosed = false;
    qint64 m_count = 0; ///< lines that were objects
    bool m_isDocument = false;
    bool m_tooLarge = false;
    bool m_done = false;
};

} // namespace

std::unique_ptr<RecordReader> makeJsonReader(const QString& lane)
{
    return std::make_unique<JsonReader>(lane);
}

} // namespace slipway
