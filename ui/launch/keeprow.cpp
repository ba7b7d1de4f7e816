// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/keeprow.h"

#include "ui/launch/keepdialog.h"
#include "ui/launch/launchdraft.h"
#include "ui/parts/confirm.h"
#include "ui/parts/flowlayout.h"

namespace slipway {

using namespace Qt::StringLiterals;

KeepRow::KeepRow(Engine* engine, LaunchDraft* draft, QWidget* parent)
    : QWidget(parent)
    , m_engine(engine)
    , m_draft(draft)
    , m_keep(makeButton(tr("Keep as a recipe…"), ButtonKind::Link))
    , m_remove(makeButton(tr("Delete this recipe…"), ButtonKind::Link))
{
    m_keep->setObjectName(u"keepDraft"_s);
    m_remove->setObjectName(u"removeRecipe"_s);
    auto* row = new FlowLayout(12, this);
    row->addWidget(m_keep);
    row->addWidget(m_remove);
    connect(draft, &LaunchDraft::planned, this, &KeepRow::showPlan);
    connect(m_keep, &QPushButton::clicked, this, &KeepRow::askKeep);
    connect(m_remove, &QPushButton::clicked, this, &KeepRow::askRemove);
}

void KeepRow::showPlan()
{
    const Recipe& recipe = m_draft->plan().recipe;
    m_remove->setVisible(recipe.own);
    m_remove->setAccessibleName(tr("Delete the recipe %1").arg(recipe.title));
    m_keep->setEnabled(!recipe.folder.isEmpty());
}

void KeepRow::askKeep()
{
    m_draft->planNow();
    (new KeepDialog(m_engine, keepRequest(m_draft->plan()), window()))->open();
}

void KeepRow::askRemove()
{
    const Recipe recipe = m_draft->plan().recipe;
    auto* ask = new Confirm(tr("Delete “%1”?").arg(recipe.title),
        tr("The folder %1 is deleted, with everything in it. Runs that were launched with it stay.")
            .arg(recipe.folder),
        tr("Delete the recipe"), ButtonKind::Danger, window());
    connect(ask, &QDialog::accepted, this, [this, id = recipe.id] {
        const Result<void> removed = m_engine->catalogue()->removeRecipe(id);
        if (!removed.ok()) {
            emit failed(removed.error());
        }
    });
    ask->open();
}

} // namespace slipway

#include "moc_keeprow.cpp"
