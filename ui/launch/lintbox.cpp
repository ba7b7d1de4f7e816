// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/lintbox.h"

#include "remote/base/counted.h"
#include "ui/parts/announce.h"

#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

LintBox::LintBox(QWidget* parent)
    : QFrame(parent)
    , m_count(new TextLabel({}, "strong"))
    , m_rows(new QVBoxLayout)
{
    setObjectName(u"lintBox"_s);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 10, 14, 10);
    layout->setSpacing(6);
    layout->addWidget(m_count);
    layout->addLayout(m_rows);
    m_rows->setSpacing(6);
    hide();
}

void LintBox::setProblems(
    const std::vector<Problem>& problems, const QMap<QString, QString>& labelOf)
{
    QStringList now;
    for (const Problem& problem : problems) {
        now << problem.field % u'\n' % problem.text % problem.fixValue.value_or(QString());
    }
    if (now == m_shown) {
        return; // nothing has changed: keep the links and the focus on them
    }
    m_shown = now;
    clearLayout(m_rows);
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
    for (const Problem& problem : problems) {
        m_rows->addWidget(makeRow(problem, labelOf.value(problem.field)));
    }
    setVisible(!problems.empty());
    announce(this, problems.empty() ? tr("No problems") : m_count->text());
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
    } else if (field.isEmpty() && !problem.fix.isEmpty()) {
        words->addWidget(TextLabel::paragraph(problem.fix, "second"));
    } else if (!field.isEmpty()) {
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
