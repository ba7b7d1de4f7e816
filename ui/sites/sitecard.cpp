// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/sites/sitecard.h"

#include "ui/parts/flowlayout.h"
#include "ui/parts/words.h"
#include "ui/sites/sitewords.h"

#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

SiteCard::SiteCard(const Site& site, QWidget* parent)
    : QFrame(parent)
    , m_siteId(site.id)
    , m_name(site.name)
    , m_launchable(site.launchable())
    , m_login(TextLabel::paragraph({}, "caption"))
    , m_loginLine(site.archived ? tr("archived: reading only")
              : m_launchable    ? loginLine(site)
                                : tr("not supported: reading only"))
    , m_main(makeButton({}))
    , m_leave(makeButton(tr("Disconnect")))
    , m_cleanup(makeButton(tr("Files on the cluster…"), ButtonKind::Link))
{
    setCardKind(this, m_launchable ? "true" : "muted");
    setObjectName(u"site-"_s % site.id);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(3);
    auto* name = TextLabel::paragraph(site.name, "heading"); // a person may choose a long one
    name->setEnabled(m_launchable);
    layout->addWidget(name);
    layout->addWidget(TextLabel::paragraph(placeLine(site), "second"));
    layout->addSpacing(8);
    layout->addWidget(TextLabel::paragraph(gpuLine(site), m_launchable ? nullptr : "second"));
    layout->addWidget(TextLabel::paragraph(toolLine(site), "second"));
    layout->addSpacing(4);
    layout->addWidget(m_login);
    layout->addStretch();
    layout->addSpacing(8);
    auto* about = makeButton(tr("About"));
    about->setAccessibleName(tr("About %1").arg(site.name));
    auto* buttons = new FlowLayout(8);
    for (QPushButton* button : {m_main, m_leave, about}) {
        buttons->addWidget(button);
    }
    layout->addLayout(buttons);
    layout->addWidget(m_cleanup, 0, Qt::AlignLeft);
    if (site.own) {
        layout->addWidget(makeOwnActions());
    }
    m_leave->setAccessibleName(tr("Disconnect from %1").arg(site.name));
    m_cleanup->setObjectName(u"siteCleanup"_s);
    m_cleanup->setAccessibleName(tr("Files of Slipway on %1").arg(site.name));
    connect(m_cleanup, &QPushButton::clicked, this, [this] { emit cleanupRequested(m_siteId); });
    connect(about, &QPushButton::clicked, this, [this] { emit aboutRequested(m_siteId); });
    m_leave->setToolTip(tr("Disconnects this window. Jobs go on, and other Slipway programs that "
                           "use the connection keep it."));
    connect(m_leave, &QPushButton::clicked, this, [this] { emit disconnectRequested(m_siteId); });
    connect(m_main, &QPushButton::clicked, this, [this] {
        if (!m_launchable || m_connected) {
            emit launchRequested(m_siteId);
        } else {
            emit connectRequested(m_siteId);
        }
    });
    setConnection({});
}

QWidget* SiteCard::makeOwnActions()
{
    auto* row = new QWidget;
    auto* flow = new FlowLayout(12, row);
    const auto add = [&](const QString& verb, const QString& name, const char* id, auto signal) {
        auto* button = makeButton(verb, ButtonKind::Link);
        button->setAccessibleName(name);
        button->setObjectName(QLatin1StringView(id));
        flow->addWidget(button);
        connect(
            button, &QPushButton::clicked, this, [this, signal] { emit(this->*signal)(m_siteId); });
    };
    add(tr("Edit…"), tr("Edit the site file of %1").arg(m_name), "siteEdit",
        &SiteCard::editRequested);
    add(tr("Connect and look again…"), tr("Connect to %1 and look again").arg(m_name),
        "siteLookAgain", &SiteCard::lookAgainRequested);
    add(tr("Remove…"), tr("Remove %1 from Slipway").arg(m_name), "siteRemove",
        &SiteCard::removeRequested);
    return row;
}

void SiteCard::setAccent(bool accent)
{
    setButtonKind(m_main, accent ? ButtonKind::Primary : ButtonKind::Ordinary);
}

void SiteCard::setConnection(const ConnectionState& state)
{
    using Phase = ConnectionState::Phase;
    m_connected = state.phase == Phase::Connected || state.phase == Phase::Stalled;
    const QString verb = !m_launchable ? tr("View recipes")
        : m_connected                  ? tr("Launch here")
                                       : tr("Connect");
    m_main->setText(verb);
    m_main->setAccessibleName(!m_launchable ? tr("View recipes for %1").arg(m_name)
            : m_connected                   ? tr("Launch on %1").arg(m_name)
                                            : tr("Connect to %1").arg(m_name));
    m_main->setEnabled(state.phase != Phase::Connecting);
    m_leave->setVisible(m_connected);
    m_cleanup->setVisible(m_connected);
    const StateWord word = stateWord(state.phase);
    const bool quiet = state.phase == Phase::Disconnected;
    m_login->setText(quiet ? m_loginLine : state.sentence.isEmpty() ? word.word : state.sentence);
    m_login->setTint(quiet ? Tint::Second : word.tint);
    if (m_launchable) {
        setCardKind(this, m_connected ? "accent" : "true");
    }
}

} // namespace slipway

#include "moc_sitecard.cpp"
