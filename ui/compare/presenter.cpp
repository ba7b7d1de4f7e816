// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/presenter.h"

#include "ui/compare/comparepaint.h"
#include "ui/look/fonts.h"
#include "ui/parts/announce.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <QScreen>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int idleMilliseconds = 2000;
constexpr double linesOnScreen = 32; ///< of body text: large enough for the back of a room
constexpr double textsAcross = 54;

/// The text size, at most that of the style, at which what `part` paints fits the height.
template <typename Part> double fitted(const QRectF& area, PaperStyle style, Part part)
{
    QImage nothing(1, 1, QImage::Format_RGB32);
    QPainter measure(&nothing);
    while (style.text > 8 && part(measure, style) > area.height()) {
        style.text *= 0.92;
    }
    return style.text;
}

} // namespace

PresenterView::PresenterView(CompareModel* model, QWidget* parent)
    : QWidget(parent, Qt::Window | Qt::FramelessWindowHint)
    , m_model(model)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setObjectName(u"presenter"_s);
    setWindowTitle(tr("Slipway, presentation"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    m_idle.setSingleShot(true);
    m_idle.setInterval(idleMilliseconds);
    connect(&m_idle, &QTimer::timeout, this, [this] { setCursor(Qt::BlankCursor); });
    connect(model, &CompareModel::changed, this, [this] {
        QWidget::update();
        announceStep();
    });
    m_idle.start();
    announceStep();
}

void PresenterView::showOn(QScreen* screen)
{
    if (screen) {
        setScreen(screen);
        setGeometry(screen->geometry());
    }
    showFullScreen();
    activateWindow();
    setFocus();
}

void PresenterView::setStep(int step)
{
    step = std::clamp(step, 0, int(StepCount) - 1);
    if (step != m_step) {
        m_step = Step(step);
        update();
        announceStep();
    }
}

QString PresenterView::words() const
{
    const RaceVerdict verdict = verdictOf(*m_model);
    switch (m_step) {
    case Number:
        return QStringList{verdict.headline, verdict.where, verdict.detail}.join(u". "_s);
    case Fairness: {
        QStringList rules{tr("Was it fair?")};
        if (const auto& pair = m_model->comparison()) {
            for (const FairnessRule& rule : pair->rules) {
                rules << rule.sign() % u' ' % rule.text;
            }
        }
        return rules.join(u"; "_s);
    }
    case Table: {
        QStringList rows;
        for (const QStringList& row : compareTable(*m_model).rows) {
            rows << row.join(u", "_s);
        }
        return rows.join(u"; "_s);
    }
    default:
        return compareTitle(*m_model) % u". "_s % verdict.headline;
    }
}

void PresenterView::announceStep()
{
    announce(this, tr("%1 of %2: %3").arg(int(m_step) + 1).arg(int(StepCount)).arg(words()));
}

void PresenterView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Escape:
    case Qt::Key_F11:
    case Qt::Key_Q:
        close();
        break;
    case Qt::Key_Right:
    case Qt::Key_Down:
    case Qt::Key_PageDown:
    case Qt::Key_Space:
    case Qt::Key_Return:
        setStep(m_step + 1);
        break;
    case Qt::Key_Left:
    case Qt::Key_Up:
    case Qt::Key_PageUp:
    case Qt::Key_Backspace:
        setStep(m_step - 1);
        break;
    case Qt::Key_Home:
        setStep(0);
        break;
    case Qt::Key_End:
        setStep(StepCount);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void PresenterView::mousePressEvent(QMouseEvent* event)
{
    setStep(m_step + (event->button() == Qt::RightButton ? -1 : 1));
}

void PresenterView::mouseMoveEvent(QMouseEvent*)
{
    unsetCursor();
    m_idle.start();
}

void PresenterView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const PaperStyle style{Colours::now(), fontFor(TextRole::Body),
        std::min(height() / linesOnScreen, width() / textsAcross)};
    painter.fillRect(rect(), style.colours.surface);
    QRectF area =
        QRectF(rect()).adjusted(2 * style.text, 1.5 * style.text, -2 * style.text, -style.text);
    area = paintTitle(painter, area, style);
    const QRectF foot(
        area.left(), area.bottom() - style.text * 1.2, area.width(), style.text * 1.2);
    paintFoot(painter, foot, style);
    area.setBottom(foot.top() - style.text * 0.5);
    switch (m_step) {
    case Curves:
        paintCurves(painter, area, style);
        break;
    case Number:
        paintNumber(painter, area, style);
        break;
    case Fairness: {
        area.setTop(area.top()
            + paintWords(
                painter, area, tr("Was it fair?"), style.face(1.4, true), style.colours.text)
            + style.text);
        PaperStyle own = style;
        own.text = fitted(area, {style.colours, style.font, style.text * 1.35},
            [&](QPainter& on, const PaperStyle& as) { return paintRules(on, area, *m_model, as); });
        paintRules(painter, area, *m_model, own);
        break;
    }
    default: {
        PaperStyle own = style;
        const ComparisonTable table = compareTable(*m_model);
        const double lines = double(table.rows.size()) + 1;
        own.text = std::clamp(area.height() / lines / 2.2, style.text, style.text * 1.35);
        paintTable(painter, area, table, own);
    }
    }
}

/// Returns the area below the title.
QRectF PresenterView::paintTitle(QPainter& painter, QRectF area, const PaperStyle& style)
{
    QFont title = style.face(1.7, true);
    while (title.pixelSize() > style.text
        && QFontMetricsF(title).horizontalAdvance(compareTitle(*m_model)) > area.width()) {
        title.setPixelSize(title.pixelSize() - 1);
    }
    area.setTop(area.top()
        + paintWords(painter, area, compareTitle(*m_model), title, style.colours.text)
        + style.text * 0.6);
    return area;
}

void PresenterView::paintCurves(QPainter& painter, const QRectF& area, const PaperStyle& style)
{
    const RaceVerdict verdict = verdictOf(*m_model);
    const double strip = style.text * 3.2;
    PaperStyle own = style;
    own.text *= 0.82; // the labels of many curves need room
    paintCurvesPart(painter, area.adjusted(-own.text * 1.6, 0, own.text * 1.6, -strip + own.text),
        *m_model, own);
    QRectF line(area.left(), area.bottom() - strip + style.text * 0.3, area.width(), strip);
    const QFont face = style.face(verdict.fair ? 2.3 : 1.4, true);
    const QString headline = verdict.fair ? verdict.headline : u"! "_s % verdict.headline;
    const double width = QFontMetricsF(face).horizontalAdvance(headline) + style.text;
    const QColor ink = verdict.fair ? style.colours.ink(style.colours.accent) : style.colours.text;
    painter.setFont(face);
    painter.setPen(ink);
    painter.drawText(
        QRectF(line.left(), line.top(), width, strip), Qt::AlignLeft | Qt::AlignVCenter, headline);
    line.setLeft(line.left() + width);
    painter.setFont(style.face(1));
    painter.setPen(verdict.fair ? style.colours.secondText : style.colours.text);
    const QString beside = verdict.fair ? verdict.where % u'\n' % verdict.detail : verdict.detail;
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, beside);
}

void PresenterView::paintNumber(QPainter& painter, const QRectF& area, const PaperStyle& style)
{
    const RaceVerdict verdict = verdictOf(*m_model);
    PaperStyle own = style;
    own.text *= 1.3;
    const double headline = 7;
    QImage nothing(1, 1, QImage::Format_RGB32);
    QPainter measure(&nothing);
    const double height = paintVerdict(measure, area, verdict, own, headline, Qt::AlignHCenter);
    QRectF middle = area;
    middle.setTop(area.top() + std::max(0.0, (area.height() - height) / 2));
    paintVerdict(painter, middle, verdict, own, headline, Qt::AlignHCenter);
}

void PresenterView::paintFoot(QPainter& painter, const QRectF& area, const PaperStyle& style)
{
    const QFont face = style.face(0.7);
    painter.setFont(face);
    painter.setPen(style.colours.secondText);
    QString place = tr("%1 of %2").arg(int(m_step) + 1).arg(int(StepCount));
    if (m_model->isLive()) {
        place = tr("● running · %1").arg(place);
    }
    const double width = QFontMetricsF(face).horizontalAdvance(place) + style.text;
    painter.drawText(area, Qt::AlignRight | Qt::AlignVCenter, place);
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(face).elidedText(
            compareSubtitle(*m_model), Qt::ElideRight, area.width() - width));
}

} // namespace slipway

#include "moc_presenter.cpp"
