// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/timeline.h"

#include "remote/base/quantities.h"
#include "ui/parts/announce.h"
#include "ui/parts/words.h"

#include <QPainter>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int barHeight = 4;
constexpr int gap = 4;

QFont strong(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}

/// A bar is no text: it may have the set's own colour.
QColor barColour(const Colours& colours, StageState state)
{
    return state == StageState::Done  ? colours.done
        : state == StageState::Failed ? colours.error
                                      : colours.running;
}

} // namespace

std::vector<TimelinePart> timelineParts(const std::vector<RunStage>& stages, const QDateTime& now)
{
    std::vector<TimelinePart> parts;
    for (const RunStage& stage : stages) {
        TimelinePart part{stage.title, {}, stage.state, {}};
        if (stage.begin && stage.state != StageState::Pending) {
            const bool running = stage.state == StageState::Running;
            const std::optional<QDateTime> end = running ? std::optional(now) : stage.end;
            if (end) {
                const qint64 seconds = std::max<qint64>(0, stage.begin->secsTo(*end));
                part.note = durationText(std::chrono::seconds(seconds));
            }
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

Timeline::Timeline(QWidget* parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void Timeline::setParts(std::vector<TimelinePart> parts)
{
    if (parts == m_parts) {
        return;
    }
    const bool otherHeight = parts.size() != m_parts.size();
    m_parts = std::move(parts);
    QStringList texts;
    QString current;
    for (const TimelinePart& part : m_parts) {
        texts << part.title % u": "_s % stateWord(part.state).word;
        if (part.state == StageState::Running || part.state == StageState::Failed) {
            current = texts.last();
        }
    }
    setAccessibleDescription(texts.join(u", "_s));
    announce(this, current.isEmpty() ? tr("Timeline") : current);
    if (otherHeight) {
        updateGeometry();
    }
    update();
}

int Timeline::rowsFor(int width) const
{
    const int least = fontMetrics().averageCharWidth() * 15;
    const int columns = std::max(1, width / std::max(1, least));
    return std::max<int>(1, (int(m_parts.size()) + columns - 1) / columns);
}

int Timeline::rowHeight() const
{
    return barHeight + 8 + fontMetrics().height();
}

int Timeline::heightForWidth(int width) const
{
    const int rows = rowsFor(width);
    return rows * rowHeight() + (rows - 1) * 10;
}

QSize Timeline::sizeHint() const
{
    return {480, heightForWidth(std::max(width(), 480))};
}

QSize Timeline::minimumSizeHint() const
{
    return {160, rowHeight()};
}

void Timeline::paintEvent(QPaintEvent*)
{
    if (m_parts.empty()) {
        return;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int rows = rowsFor(width());
    const int columns = (int(m_parts.size()) + rows - 1) / rows;
    const double step = (width() + gap) / double(columns);
    for (int i = 0; i < int(m_parts.size()); ++i) {
        const QRectF area(
            i % columns * step, i / columns * (rowHeight() + 10.0), step - gap, rowHeight());
        paintPart(painter, area, m_parts[size_t(i)]);
    }
}

void Timeline::paintPart(QPainter& painter, const QRectF& area, const TimelinePart& part) const
{
    const Colours& colours = Colours::now();
    const StateWord state = stateWord(part.state);
    const QColor colour = tintColour(colours, state.tint);
    const bool ahead = part.state == StageState::Pending || part.state == StageState::Skipped;
    QRectF bar(area.left(), area.top(), area.width(), barHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours.line);
    painter.drawRoundedRect(bar, 2, 2);
    if (!ahead) {
        bar.setWidth(bar.width() * std::clamp(part.share.value_or(1.0), 0.02, 1.0));
        painter.setBrush(barColour(colours, part.state));
        painter.drawRoundedRect(bar, 2, 2);
    }
    QRectF text(area.left(), area.top() + barHeight + 8, area.width(), fontMetrics().height());
    if (state.sign != Sign::None) {
        const double side = fontMetrics().ascent();
        paintSign(painter, QRectF(text.left(), text.center().y() - side / 2, side, side),
            state.sign, colour);
        text.setLeft(text.left() + side + 5);
    }
    const bool told = part.state == StageState::Running || part.state == StageState::Failed;
    painter.setFont(told ? strong(font()) : font());
    painter.setPen(ahead ? colours.secondText : told ? colour : colours.text);
    const QFontMetricsF metrics(painter.font());
    const QString title = metrics.elidedText(part.title, Qt::ElideRight, text.width());
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, title);
    text.setLeft(text.left() + metrics.horizontalAdvance(title) + 6);
    painter.setFont(font());
    painter.setPen(colours.secondText);
    if (fontMetrics().horizontalAdvance(part.note) <= text.width()) {
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, part.note);
    }
}

} // namespace slipway
