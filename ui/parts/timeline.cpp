// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/timeline.h"

#include "remote/base/quantities.h"
#include "ui/parts/announce.h"
#include "ui/parts/text.h"
#include "ui/parts/words.h"

#include <QKeyEvent>
#include <QMouseEvent>
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

/// A bar is not text, so it may have the colour itself.
QColor barColour(const Colours& colours, StageState state)
{
    return state == StageState::Done     ? colours.done
        : state == StageState::Failed    ? colours.error
        : state == StageState::Cancelled ? colours.secondText
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
            if (end && end->isValid()) {
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
        texts << part.title % u": "_s % stateWord(part.state).word
                % (part.link.isEmpty() ? QString() : u" ("_s % part.link % u')');
        if (part.state == StageState::Running || part.state == StageState::Failed) {
            current = texts.last();
        }
    }
    setAccessibleDescription(texts.join(u", "_s));
    announce(this, current.isEmpty() ? tr("Timeline") : current);
    if (m_chosen >= int(m_parts.size()) || m_chosen < 0
        || m_parts[size_t(m_chosen)].link.isEmpty()) {
        m_chosen = -1;
        chooseLink(1);
    }
    setFocusPolicy(m_chosen >= 0 ? Qt::StrongFocus : Qt::NoFocus);
    setMouseTracking(m_chosen >= 0);
    if (otherHeight) {
        updateGeometry();
    }
    update();
}

int Timeline::rowsFor(int width) const
{
    const int least = fontMetrics().averageCharWidth() * 18;
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
    for (int i = 0; i < int(m_parts.size()); ++i) {
        paintPart(painter, areaOf(i), m_parts[size_t(i)], hasFocus() && i == m_chosen);
    }
}

QRectF Timeline::areaOf(int index) const
{
    const int rows = rowsFor(width());
    const int columns = (int(m_parts.size()) + rows - 1) / rows;
    const double step = (width() + gap) / double(columns);
    return {index % columns * step, index / columns * (rowHeight() + 10.0), step - gap,
        double(rowHeight())};
}

int Timeline::linkAt(const QPointF& point) const
{
    for (int i = 0; i < int(m_parts.size()); ++i) {
        if (!m_parts[size_t(i)].link.isEmpty() && areaOf(i).contains(point)) {
            return i;
        }
    }
    return -1;
}

void Timeline::chooseLink(int step)
{
    for (int i = m_chosen + step; i >= 0 && i < int(m_parts.size()); i += step) {
        if (!m_parts[size_t(i)].link.isEmpty()) {
            m_chosen = i;
            update();
            return;
        }
    }
}

void Timeline::mouseMoveEvent(QMouseEvent* event)
{
    const int link = linkAt(event->position());
    setCursor(link >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setToolTip(link >= 0 ? plainToolTip(m_parts[size_t(link)].link) : QString());
}

void Timeline::mouseReleaseEvent(QMouseEvent* event)
{
    const int link = linkAt(event->position());
    if (event->button() == Qt::LeftButton && link >= 0) {
        m_chosen = link;
        emit partActivated(link);
    }
}

void Timeline::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        chooseLink(key == Qt::Key_Right ? 1 : -1);
    } else if (m_chosen >= 0
        && (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space)) {
        emit partActivated(m_chosen);
    } else {
        QWidget::keyPressEvent(event);
    }
}

void Timeline::paintPart(
    QPainter& painter, const QRectF& area, const TimelinePart& part, bool ring) const
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
    QFont face = told ? strong(font()) : font();
    face.setUnderline(!part.link.isEmpty());
    painter.setFont(face);
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
    if (ring) {
        painter.setPen(QPen(colours.accent, 1));
        painter.setBrush(Qt::NoBrush);
        const double top = area.top() + barHeight + 4;
        painter.drawRoundedRect(
            QRectF(area.left() + 0.5, top + 0.5, area.width() - 1, area.bottom() - top - 1), 4, 4);
    }
}

} // namespace slipway

#include "moc_timeline.cpp"
