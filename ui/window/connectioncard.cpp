// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/connectioncard.h"

#include "ui/parts/announce.h"
#include "ui/parts/text.h"
#include "ui/parts/words.h"

#include <QApplication>
#include <QEvent>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

ConnectionCard::ConnectionCard(QWidget* parent)
    : QFrame(parent)
    , m_mark(new SignMark(Sign::Ring, Tint::Second))
    , m_name(new ElidedLabel)
    , m_state(TextLabel::paragraph({}, "caption"))
    , m_asked(TextLabel::paragraph({}, "caption"))
    , m_cleanup(makeButton(tr("Files on the cluster…"), ButtonKind::Quiet))
    , m_again(makeButton(tr("Connect now")))
{
    setCardKind(this, "true");
    setObjectName(u"connectionCard"_s);
    setFixedWidth(fontMetrics().averageCharWidth() * 21);
    QFont strong = m_name->font();
    strong.setWeight(QFont::DemiBold);
    m_name->setFont(strong);
    auto* top = new QHBoxLayout;
    top->setSpacing(6);
    top->addWidget(m_mark);
    top->addWidget(m_name, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 10, 10, 10);
    layout->setSpacing(2);
    layout->addLayout(top);
    layout->addWidget(m_state);
    layout->addWidget(m_asked);
    layout->addWidget(m_cleanup, 0, Qt::AlignLeft);
    layout->addWidget(m_again, 0, Qt::AlignLeft);
    m_again->setObjectName(u"connectAgain"_s);
    connect(m_again, &QPushButton::clicked, this, [this] {
        if (m_engine->sessions()->connection(m_siteId).phase
            == ConnectionState::Phase::Reconnecting)
            m_engine->sessions()->tryNow(m_siteId);
        else
            emit connectRequested(m_siteId);
    });
    m_cleanup->setObjectName(u"connectionCleanup"_s);
    connect(m_cleanup, &QPushButton::clicked, this, [this] { emit cleanupRequested(m_siteId); });
    connect(&m_tick, &QTimer::timeout, this, &ConnectionCard::showState);
    m_tick.start(1000);
    showState();
}

void ConnectionCard::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        setFixedWidth(QFontMetrics(QApplication::font()).averageCharWidth() * 21);
        QFont strong = QApplication::font();
        strong.setWeight(QFont::DemiBold);
        m_name->setFont(strong);
    }
}

void ConnectionCard::setEngine(Engine* engine)
{
    m_engine = engine;
    connect(engine->sessions(), &Sessions::connectionChanged, this, [this](const QString& siteId) {
        using Phase = ConnectionState::Phase;
        const bool fresh = m_engine->sessions()->connection(siteId).phase == Phase::Connecting
            || m_engine->sessions()->connection(siteId).phase == Phase::Connected;
        const bool idle = m_siteId.isEmpty()
            || m_engine->sessions()->connection(m_siteId).phase == Phase::Disconnected;
        if (fresh && idle) {
            m_siteId = siteId;
        }
        showState();
    });
}

void ConnectionCard::setSite(const QString& siteId)
{
    m_siteId = siteId;
    showState();
}

void ConnectionCard::showState()
{
    const Site* site = m_engine ? m_engine->catalogue()->site(m_siteId) : nullptr;
    const ConnectionState state =
        site ? m_engine->sessions()->connection(m_siteId) : ConnectionState();
    const StateWord word = stateWord(state.phase);
    m_mark->set(word.sign, word.tint);
    m_name->setText(site ? site->name : tr("Not connected"));
    const QString sentence = state.sentence.isEmpty() ? word.word : state.sentence;
    m_state->setText(site ? sentence : tr("Choose a site to connect to."));
    const bool up = state.phase == ConnectionState::Phase::Connected
        || state.phase == ConnectionState::Phase::Stalled;
    m_asked->setVisible(up);
    m_cleanup->setVisible(up);
    const bool waits = state.phase == ConnectionState::Phase::Reconnecting;
    m_again->setVisible(waits || state.phase == ConnectionState::Phase::NeedsUser);
    m_again->setText(waits ? tr("Connect now") : tr("Connect…"));
    m_state->setToolTip(state.notices.join(u'\n'));
    m_again->setAccessibleName(tr("Connect to %1 again").arg(site ? site->name : QString()));
    m_cleanup->setAccessibleName(tr("Files of Slipway on %1").arg(site ? site->name : QString()));
    QString calls; // to the scheduler
    if (up) {
        const QString ago = state.lastAsked.isValid()
            ? tr("updated %1").arg(agoText(state.lastAsked, QDateTime::currentDateTimeUtc()))
            : tr("not updated yet");
        calls = tr("Calls to the scheduler in the last minute: %1 of at most %2")
                    .arg(state.callsLastMinute)
                    .arg(state.callsAllowed);
        m_asked->setText(ago);
        m_asked->setToolTip(calls);
    }
    setAccessibleDescription(calls); // a tool tip alone is out of reach for the keyboard
    // The seconds that pass are not read aloud.
    announce(this,
        site ? tr("%1: %2").arg(site->name, waits ? word.word : sentence) : tr("Not connected"));
}

} // namespace slipway

#include "moc_connectioncard.cpp"
