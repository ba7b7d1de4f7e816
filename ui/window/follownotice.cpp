// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/follownotice.h"

#include "ui/parts/flowlayout.h"
#include "ui/parts/foldlayout.h"
#include "ui/parts/text.h"

#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

std::vector<RunsToFollow> runsToFollow(const std::vector<Run>& runs, const QSet<QString>& siteIds)
{
    std::vector<RunsToFollow> rows;
    for (const Run& run : runs) {
        if (isTerminal(run.phase) || !siteIds.contains(run.spec.siteId)) {
            continue;
        }
        const auto row = std::find_if(rows.begin(), rows.end(),
            [&](const RunsToFollow& one) { return one.siteId == run.spec.siteId; });
        if (row == rows.end()) {
            rows.push_back({run.spec.siteId, 1});
        } else {
            ++row->count;
        }
    }
    return rows;
}

FollowNotice::FollowNotice(QWidget* parent)
    : QFrame(parent)
    , m_rows(new QVBoxLayout(this))
{
    setObjectName(u"followNotice"_s);
    m_rows->setContentsMargins(28, 12, 28, 0);
    m_rows->setSpacing(8);
    hide();
}

void FollowNotice::setEngine(Engine* engine)
{
    m_engine = engine;
    for (const Site& site : engine->catalogue()->sites()) {
        if (site.launchable()) {
            m_sites.insert(site.id);
        }
    }
    connect(engine->sessions(), &Sessions::connected, this, &FollowNotice::drop);
    connect(engine->runs(), &Runs::runChanged, this, [this] {
        if (!m_shown.empty()) { // another program may follow them
            refill();
        }
    });
    refill();
}

void FollowNotice::drop(const QString& siteId)
{
    if (m_sites.remove(siteId)) {
        refill();
    }
}

void FollowNotice::refill()
{
    std::vector<RunsToFollow> rows = runsToFollow(m_engine->runs()->all(), m_sites);
    if (rows == m_shown) {
        return;
    }
    m_shown = std::move(rows);
    clearLayout(m_rows);
    for (const RunsToFollow& row : m_shown) {
        if (const Site* site = m_engine->catalogue()->site(row.siteId)) {
            addRow(*site, row.count);
        }
    }
    setVisible(!m_shown.empty());
}

void FollowNotice::addRow(const Site& site, int count)
{
    auto* card = makeCard("accent");
    auto* said = new QHBoxLayout;
    said->setSpacing(8);
    auto* tools = new QWidget;
    auto* buttons = new FlowLayout(8, tools);
    auto* words = TextLabel::paragraph(count == 1
            ? tr("1 run was going on %1. Connect to follow it.").arg(site.name)
            : tr("%1 runs were going on %2. Connect to follow them.").arg(count).arg(site.name));
    words->setObjectName(u"follow-"_s % site.id);
    auto* go = makeButton(tr("Connect"));
    go->setObjectName(u"followConnect-"_s % site.id);
    go->setAccessibleName(tr("Connect to %1 and follow its runs").arg(site.name));
    auto* dismiss = makeButton(tr("Dismiss"), ButtonKind::Quiet);
    dismiss->setObjectName(u"followDismiss-"_s % site.id);
    dismiss->setAccessibleName(tr("Dismiss the note about %1").arg(site.name));
    said->addWidget(new SignMark(Sign::Clock, Tint::Running));
    said->addWidget(words, 1);
    buttons->addWidget(go);
    buttons->addWidget(dismiss);
    constexpr int charactersForWords = 24;
    auto* row = new FoldLayout(8, charactersForWords, card);
    row->setContentsMargins(14, 8, 14, 8);
    row->addPart(said);
    row->addWidget(tools);
    m_rows->addWidget(card);
    connect(go, &QPushButton::clicked, this, [this, id = site.id] { emit connectRequested(id); });
    connect(dismiss, &QPushButton::clicked, this, [this, id = site.id] { drop(id); });
}

} // namespace slipway

#include "moc_follownotice.cpp"
