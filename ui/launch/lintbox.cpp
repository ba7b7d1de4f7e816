// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/lintbox.h"

#include "remote/base/counted.h"
#include "ui/parts/announce.h"
#include "ui/parts/flowlayout.h"

#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

LintBox::LintBox(QWidget* parent)
    : QFrame(parent)
    , m_count(new TextLabel({}, "strong"))
    , m_fields(new QWidget)
    , m_rows(new QVBoxLayout)
{
    setObjectName(u"lintBox"_s);
    m_fields->setLayout(new FlowLayout(12));
    auto* head = new QHBoxLayout;
    head->setSpacing(12);
    head->addWidget(m_count, 0, Qt::AlignTop);
    head->addWidget(m_fields, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 10, 14, 10);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addLayout(m_rows);
    m_rows->setSpacing(6);
    hide();
}

void LintBox::setProblems(const std::vector<Problem>& problems,
    const std::vector<Problem>& elsewhere, const QMap<QString, QString>& labelOf)
{
    const auto idOf = [](const Problem& problem) -> QString {
        return problem.field % u'\n' % problem.text % problem.fixValue.value_or(QString());
    };
    QStringList listed, now;
    for (const Problem& problem : elsewhere) {
        listed << idOf(problem);
    }
    for (const Problem& problem : problems) {
        const QString id = idOf(problem);
        now << (listed.contains(id) ? u"listed "_s : u"field "_s) % id;
    }
    if (now == m_shown) {
        return; // nothing has changed: keep the links and the focus on them
    }
    m_shown = now;
    clearLayout(m_rows);
    clearLayout(m_fields->layout());
    QStringList linked;
    for (const Problem& problem : problems) {
        if (!listed.contains(idOf(problem)) && !linked.contains(problem.field)) {
            linked << problem.field;
            addLink(problem.field, labelOf.value(problem.field, problem.field));
        }
    }
    m_fields->setVisible(!linked.isEmpty());
    for (const Problem& problem : elsewhere) {
        m_rows->addWidget(makeRow(problem, labelOf.value(problem.field)));
    }
    showCount(problems);
    setVisible(!problems.empty());
    announce(this, problems.empty() ? tr("No problems") : m_count->text());
}

void LintBox::showCount(const std::vector<Problem>& problems)
{
    const auto errors = std::count_if(problems.begin(), problems.end(),
        [](const Problem& problem) { return problem.severity == Problem::Severity::Error; });
    const int warnings = int(problems.size()) - int(errors);
    QStringList counts;
    if (errors > 0) {
        counts << counted(errors, tr("1 error"), tr("%1 errors"));
    }
    if (warnings > 0) {
        counts << counted(warnings, tr("1 warning"), tr("%1 warnings"));
    }
    m_count->setText(counts.join(u", "_s));
    m_count->setTint(errors > 0 ? Tint::Error : Tint::Warning);
    setCardKind(this, errors > 0 ? "error" : "warning");
}

/// The field shows its problem itself; here is only the way to it.
void LintBox::addLink(const QString& field, const QString& label)
{
    auto* go = makeButton(label, ButtonKind::Link);
    go->setAccessibleName(tr("Go to the field %1").arg(label));
    go->setProperty("go", field);
    connect(go, &QPushButton::clicked, this, [this, field] { emit fieldRequested(field); });
    m_fields->layout()->addWidget(go);
    go->show(); // added to a layout that is shown already
}

QWidget* LintBox::makeRow(const Problem& problem, const QString& label)
{
    const bool error = problem.severity == Problem::Severity::Error;
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(
        new SignMark(error ? Sign::Cross : Sign::Bang, error ? Tint::Error : Tint::Warning), 0,
        Qt::AlignTop);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(TextLabel::paragraph(
        label.isEmpty() ? problem.text : tr("%1: %2").arg(label, problem.text)));
    const QString field = problem.field;
    if (problem.fixValue) {
        const QString value = *problem.fixValue;
        auto* fix = makeButton(
            problem.fix.isEmpty() ? tr("Use %1").arg(value) : problem.fix, ButtonKind::Link);
        fix->setProperty("fix", field);
        connect(fix, &QPushButton::clicked, this,
            [this, field, value] { emit fixRequested(field, value); });
        words->addWidget(fix, 0, Qt::AlignLeft);
    } else if (label.isEmpty() && !problem.fix.isEmpty()) {
        words->addWidget(TextLabel::paragraph(problem.fix, "second"));
    } else if (!label.isEmpty()) {
        auto* go = makeButton(
            problem.fix.isEmpty() ? tr("Go to the field") : problem.fix, ButtonKind::Link);
        go->setAccessibleDescription(tr("Moves the focus to the field %1").arg(label));
        connect(go, &QPushButton::clicked, this, [this, field] { emit fieldRequested(field); });
        words->addWidget(go, 0, Qt::AlignLeft);
    }
    layout->addLayout(words, 1);
    return row;
}

} // namespace slipway

#include "moc_lintbox.cpp"
