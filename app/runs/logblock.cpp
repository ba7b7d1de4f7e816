// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/logblock.h"

#include "plots/metrics/lineassembler.h"
#include "remote/base/tr.h"

#include <QFile>

#include <algorithm>
#include <deque>

namespace slipway {

namespace {

constexpr qint64 readingSlice = 256 * 1024;

/// Collects the wanted lines; the first ones make room for the line that has to be among them.
class BlockReader {
public:
    BlockReader(qint64 firstNumber, const LogBlockRequest& request)
        : m_before(firstNumber - 1)
        , m_request(request)
        , m_lead(request.to > request.keep ? LogBlock::mostBytes / 2 : LogBlock::mostBytes)
    {
    }

    void feed(const QByteArray& bytes)
    {
        m_assembler.feed(bytes, [this](const LogLine& line) { take(line); });
    }
    void finish()
    {
        m_assembler.finish([this](const LogLine& line) { take(line); });
    }
    void divide(size_t attempt)
    {
        finish();
        const qint64 last = m_before + m_assembler.linesSeen();
        if (last + 1 >= m_request.from && last <= m_request.to && !m_full)
            append(last, restartDivider(attempt), 0);
    }
    bool isDone() const { return m_full || m_before + m_assembler.linesSeen() >= m_request.to; }
    LogBlock block() const
    {
        LogBlock out;
        for (const Line& line : m_lines) {
            out.lines << line.text;
            out.numbers.push_back(line.number);
        }
        return out;
    }

private:
    struct Line {
        qint64 number;
        QString text;
        qint64 bytes;
    };

    void take(const LogLine& line)
    {
        const qint64 number = m_before + line.number;
        if (line.progress || number < m_request.from || number > m_request.to || m_full)
            return;
        append(number, QString::fromUtf8(line.text.data(), qsizetype(line.text.size())),
            qint64(line.text.size()));
    }
    void append(qint64 number, const QString& text, qint64 bytes)
    {
        if (number > m_request.keep && m_bytes + bytes > LogBlock::mostBytes) {
            m_full = true;
            return;
        }
        m_lines.push_back({number, text, bytes});
        m_bytes += bytes;
        while (number <= m_request.keep && m_bytes > m_lead && m_lines.size() > 1) {
            m_bytes -= m_lines.front().bytes;
            m_lines.pop_front();
        }
    }

    LineAssembler m_assembler;
    qint64 m_before; ///< number of the line before the first one read
    LogBlockRequest m_request;
    qint64 m_lead; ///< bytes up to the line that has to be there
    std::deque<Line> m_lines;
    qint64 m_bytes = 0;
    bool m_full = false;
};

} // namespace

QString restartDivider(size_t attempt)
{
    return tr("— the log was restarted (attempt %1) —").arg(attempt);
}

LogBlock readLogBlock(const LogSource& source, LogPlace start, const LogBlockRequest& request)
{
    QFile file(source.file);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered) || !file.seek(start.offset)) {
        LogBlock none;
        none.trouble = tr("The log could not be read: %1").arg(file.errorString());
        return none;
    }
    BlockReader reader(start.line, request);
    auto restart = std::lower_bound(source.restarts.begin(), source.restarts.end(), start.offset);
    qint64 at = start.offset;
    bool atEnd = false;
    while (!atEnd && !reader.isDone()) {
        const qint64 border = restart != source.restarts.end() ? *restart - at : readingSlice;
        if (border <= 0) {
            ++restart;
            reader.divide(size_t(restart - source.restarts.begin()) + 1);
            continue;
        }
        const QByteArray bytes = file.read(std::min(readingSlice, border));
        atEnd = bytes.isEmpty();
        at += bytes.size();
        reader.feed(bytes);
    }
    if (atEnd && source.ended)
        reader.finish();
    return reader.block();
}

} // namespace slipway
