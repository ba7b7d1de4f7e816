// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/sitechoice.h"

#include "app/engine/engine.h"
#include "remote/base/tr.h"
#include "ui/launch/fieldinput.h"
#include "ui/parts/words.h"

#include <QComboBox>

namespace slipway {

using namespace Qt::StringLiterals;

QComboBox* makeSiteChoice()
{
    auto* choice = new QComboBox;
    choice->setAccessibleName(tr("Site"));
    choice->setObjectName(u"siteChoice"_s);
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    preparePopup(choice);
    return choice;
}

QString fillSiteChoice(QComboBox* choice, Engine* engine)
{
    const QSignalBlocker quiet(choice);
    choice->clear();
    QString firstConnected;
    for (const bool launchable : {true, false}) {
        for (const Site& site : engine->catalogue()->sites()) {
            if (site.launchable() != launchable) {
                continue;
            }
            const auto phase = engine->sessions()->connection(site.id).phase;
            const bool up = phase == ConnectionState::Phase::Connected;
            choice->addItem(site.archived ? tr("%1 · archived").arg(site.name)
                    : !launchable         ? tr("%1 · not supported").arg(site.name)
                                          : site.name % u" · "_s % stateWord(phase).word,
                site.id);
            if (up && firstConnected.isEmpty()) {
                firstConnected = site.id;
            }
        }
    }
    return firstConnected;
}

} // namespace slipway
