// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/sweepdialog.h"

#include "app/catalogue/fields.h"
#include "app/plan/arrayscript.h"
#include "remote/base/counted.h"
#include "ui/launch/fieldinput.h"
#include "ui/parts/announce.h"
#include "ui/parts/scriptview.h"
#include "ui/parts/stepper.h"

#include <QComboBox>
#include <QLineEdit>
#include <QScrollArea>
#include <QUuid>
#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr auto checkPause = std::chrono::milliseconds(150);
constexpr int linesOfScript = 8;

/// One problem of several runs.
struct SweepProblem {
    Problem problem;
    QString first; ///< the label of the first run that has it
    int runs = 0;
};

std::vector<SweepProblem> problemsOf(const LaunchDraft& draft, const std::vector<LaunchSpec>& specs)
{
    std::vector<SweepProblem> found;
    for (const LaunchSpec& spec : specs) {
        for (const Problem& problem : draft.planOf(spec).problems) {
            const auto same = std::find_if(found.begin(), found.end(),
                [&](const SweepProblem& one) { return one.problem.text == problem.text; });
            if (same == found.end()) {
                found.push_back({problem, spec.sweepLabel, 1});
            } else {
                ++same->runs;
            }
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const SweepProblem& a, const SweepProblem& b) {
        return a.problem.severity < b.problem.severity; // errors first
    });
    return found;
}

} // namespace

SweepDialog::SweepDialog(LaunchDraft* draft, QWidget* parent)
    : QDialog(parent)
    , m_draft(draft)
    , m_spec(draft->spec())
    , m_id(QUuid::createUuid().toString(QUuid::Id128).left(8))
    , m_lines(new QVBoxLayout)
    , m_atOnce(new Stepper)
    , m_submission(new QComboBox)
    , m_array(TextLabel::paragraph({}, "caption"))
    , m_script(new ScriptView)
    , m_count(TextLabel::paragraph({}, "strong"))
    , m_problems(new QVBoxLayout)
    , m_add(makeButton(tr("Add a field"), ButtonKind::Link))
    , m_launch(makeButton(tr("Launch"), ButtonKind::Primary))
{
    setObjectName(u"sweepDialog"_s);
    setWindowTitle(tr("Sweep"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(QSize(60, 24) * fontMetrics().averageCharWidth() + QSize(120, 200));
    m_count->setObjectName(u"sweepCount"_s);
    m_add->setObjectName(u"addSweepField"_s);
    m_launch->setObjectName(u"launchSweep"_s);
    m_atOnce->setName(tr("Runs at once, at most"));
    m_atOnce->edit()->setObjectName(u"sweepAtOnce"_s);
    m_atOnce->edit()->setPlaceholderText(tr("no limit"));
    m_atOnce->setRange(1, mostRuns);
    m_submission->setObjectName(u"sweepSubmission"_s);
    m_submission->setAccessibleName(tr("Submitted as"));
    m_submission->addItem(tr("one job array"));
    m_submission->addItem(tr("one job each"));
    preparePopup(m_submission);
    m_array->setObjectName(u"sweepArray"_s);
    m_script->setObjectName(u"sweepScript"_s);
    m_script->setAccessibleName(tr("Script of the job array"));
    m_script->setMinimumHeight(linesOfScript * m_script->fontMetrics().lineSpacing());
    layOut();
    m_soon.setSingleShot(true);
    m_soon.setInterval(checkPause);
    connect(&m_soon, &QTimer::timeout, this, &SweepDialog::check);
    connect(m_atOnce, &Stepper::textEdited, this, [this] { m_soon.start(); });
    connect(m_submission, &QComboBox::activated, this, [this] {
        m_chosen = true;
        check();
    });
    connect(m_add, &QPushButton::clicked, this, &SweepDialog::addNextRow);
    connect(m_launch, &QPushButton::clicked, this, &SweepDialog::launch);
    addSuggestion();
    check();
}

void SweepDialog::layOut()
{
    auto* page = new QWidget;
    page->setProperty("page", true);
    auto* words = new QVBoxLayout(page);
    words->setContentsMargins(0, 0, 8, 0);
    words->setSpacing(8);
    words->addWidget(TextLabel::paragraph(tr("Sweep"), "title"));
    words->addWidget(TextLabel::paragraph(
        tr("One run for every combination of these values, which are separated by commas. All "
           "other fields are as in the form."),
        "second"));
    words->addLayout(m_lines);
    words->addWidget(m_add, 0, Qt::AlignLeft);
    auto* label = new TextLabel(tr("Runs at once, at most"), "second");
    label->setBuddy(m_atOnce->edit());
    words->addWidget(label);
    words->addWidget(m_atOnce);
    auto* submission = new TextLabel(tr("Submitted as"), "second");
    submission->setBuddy(m_submission);
    words->addWidget(submission);
    words->addWidget(m_submission, 0, Qt::AlignLeft);
    words->addWidget(m_array);
    words->addWidget(m_count);
    words->addLayout(m_problems);
    words->addWidget(m_script);
    words->addStretch();
    m_lines->setSpacing(8);
    m_problems->setSpacing(6);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(page);
    auto* back = makeButton(tr("Go back"));
    connect(back, &QPushButton::clicked, this, &QDialog::reject);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(back);
    buttons->addWidget(m_launch);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(12);
    layout->addWidget(scroll, 1);
    layout->addLayout(buttons);
}

/// What the recipe sweeps by itself, else its first number.
void SweepDialog::addSuggestion()
{
    const Recipe& recipe = m_draft->plan().recipe;
    if (recipe.sweep.as == RecipeSweep::As::Jobs && !recipe.sweep.parameter.isEmpty()) {
        addRow(recipe.sweep.parameter, recipe.sweep.values);
        return;
    }
    using Type = Parameter::Type;
    for (const Parameter& parameter : recipe.parameters) {
        if (parameter.type == Type::Integer || parameter.type == Type::Number) {
            addRow(parameter.key, m_draft->plan().values.value(parameter.key));
            return;
        }
    }
    addRow(u"cpus"_s, m_draft->plan().values.value(u"cpus"_s));
}

void SweepDialog::addNextRow()
{
    const std::vector<Parameter>& all = m_draft->plan().fields;
    const auto isFree = [this](const Parameter& field) {
        return std::none_of(m_rows.begin(), m_rows.end(),
            [&](const Row& row) { return row.field->currentData() == field.key; });
    };
    const auto next = std::find_if(all.begin(), all.end(), isFree);
    if (next == all.end()) {
        return;
    }
    addRow(next->key, {});
    m_rows.back().field->setFocus();
}

void SweepDialog::addRow(const QString& key, const QString& values)
{
    Row row;
    row.widget = new QWidget;
    row.field = new QComboBox;
    row.values = new QLineEdit(values);
    row.field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    row.field->setMinimumContentsLength(14);
    preparePopup(row.field);
    for (const Parameter& field : m_draft->plan().fields) {
        row.field->addItem(field.label, field.key);
    }
    row.field->setCurrentIndex(std::max(0, row.field->findData(key)));
    row.field->setAccessibleName(tr("Field"));
    row.values->setAccessibleName(tr("Values, separated by commas"));
    row.values->setPlaceholderText(tr("1, 2, 4"));
    row.field->setObjectName(u"sweepField%1"_s.arg(m_rows.size()));
    row.values->setObjectName(u"sweepValues%1"_s.arg(m_rows.size()));
    auto* remove = makeButton(tr("Remove"), ButtonKind::Link);
    remove->setAccessibleName(tr("Remove this field from the sweep"));
    auto* line = new QHBoxLayout(row.widget);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    line->addWidget(row.field);
    line->addWidget(row.values, 1);
    line->addWidget(remove);
    m_lines->addWidget(row.widget);
    connect(row.values, &QLineEdit::textEdited, this, [this] { m_soon.start(); });
    connect(row.field, &QComboBox::activated, this, [this] { m_soon.start(); });
    connect(
        remove, &QPushButton::clicked, this, [this, widget = row.widget] { removeRow(widget); });
    m_rows.push_back(row);
    m_soon.start();
}

void SweepDialog::removeRow(QWidget* widget)
{
    std::erase_if(m_rows, [widget](const Row& row) { return row.widget == widget; });
    m_add->setFocus(); // not where Qt would move it
    widget->hide();
    widget->deleteLater();
    m_soon.start();
}

std::vector<SweepField> SweepDialog::fields() const
{
    std::vector<SweepField> fields;
    for (const Row& row : m_rows) {
        const QStringList values = listItems(row.values->text());
        if (!values.isEmpty()) {
            fields.push_back({row.field->currentData().toString(), values});
        }
    }
    return fields;
}

int SweepDialog::atOnce() const
{
    return std::max(0, m_atOnce->text().trimmed().toInt());
}

/// Why the values are no sweep, in a sentence; empty: they are one.
QString SweepDialog::mistake() const
{
    const std::vector<SweepField> swept = fields();
    if (swept.empty()) {
        return tr("Enter the values of at least one field, for example 1, 2, 4.");
    }
    qsizetype runs = 1;
    QStringList keys;
    for (const SweepField& field : swept) {
        if (keys.contains(field.key)) {
            return tr("A field can be named only once.");
        }
        keys << field.key;
        runs = std::min(runs * field.values.size(), mostRuns + 1);
    }
    if (runs > mostRuns) {
        return tr("A sweep has at most %1 runs.").arg(mostRuns);
    }
    bool number = false;
    const QString limit = m_atOnce->text().trimmed();
    if (!limit.isEmpty() && (limit.toInt(&number) < 1 || !number)) {
        return tr("The number of runs at once must be 1 or more; leave it empty for no limit.");
    }
    return {};
}

/// How the runs are submitted. Unless the user chose, an array is made of several runs only.
void SweepDialog::showArray()
{
    std::vector<Plan> plans;
    for (const LaunchSpec& spec : arraySpecs(m_specs, atOnce())) {
        plans.push_back(m_draft->planOf(spec));
    }
    const QString obstacle =
        plans.empty() ? QString() : arrayObstacle(plans, m_draft->clusterInfo());
    const bool possible = !plans.empty() && obstacle.isEmpty();
    if (!m_chosen) {
        m_submission->setCurrentIndex(plans.size() >= fewestTasks ? 0 : 1);
    }
    m_isArray = possible && m_submission->currentIndex() == 0;
    m_submission->setEnabled(possible);
    const QString single = atOnce() == 0
        ? tr("One sbatch for each run.")
        : tr("One sbatch for each run. With a limit, a run starts only after the one in whose "
             "place it comes has ended (--dependency=singleton).");
    m_array->setText(m_isArray
            ? tr("One sbatch for all runs, which need this computer no more afterwards. Each is a "
                 "run of its own in the list.")
            : possible || obstacle.isEmpty() ? single
                                             : tr("One job each. %1").arg(obstacle));
    m_script->setVisible(m_isArray);
    if (m_isArray) {
        m_script->setScript(renderArrayScript(plans, atOnce()));
        m_specs = arraySpecs(m_specs, atOnce());
    }
}

void SweepDialog::check()
{
    m_soon.stop();
    const QString wrong = mistake();
    m_specs =
        wrong.isEmpty() ? sweepSpecs(m_spec, fields(), m_id, atOnce()) : std::vector<LaunchSpec>();
    showArray();
    const qsizetype runs = qsizetype(m_specs.size());
    const QString count = counted(runs, tr("1 run"), tr("%1 runs"));
    m_count->setText(!wrong.isEmpty() ? wrong
            : atOnce() > 0 && atOnce() < runs
            ? tr("%1, at most %2 at once.").arg(count).arg(atOnce())
            : tr("%1, as many at once as Slurm allows.").arg(count));
    m_count->setTint(wrong.isEmpty() ? Tint::Plain : Tint::Error);
    m_launch->setText(counted(runs, tr("Launch 1 run"), tr("Launch %1 runs")));
    m_launch->setAccessibleName(m_launch->text());
    showProblems();
    announce(m_count, m_count->text());
}

void SweepDialog::showProblems()
{
    clearLayout(m_problems);
    bool error = m_specs.empty();
    const auto add = [this](Sign sign, Tint tint, const QString& text) {
        auto* line = new QWidget;
        auto* row = new QHBoxLayout(line);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(8);
        row->addWidget(new SignMark(sign, tint), 0, Qt::AlignTop);
        row->addWidget(TextLabel::paragraph(text), 1);
        m_problems->addWidget(line);
        line->show();
    };
    for (const SweepProblem& one : problemsOf(*m_draft, m_specs)) {
        const bool isError = one.problem.severity == Problem::Severity::Error;
        error = error || isError;
        const bool all = size_t(one.runs) == m_specs.size();
        const QString text = all ? one.problem.text
            : one.runs == 1      ? tr("%1: %2").arg(one.first, one.problem.text)
                                 : tr("%1, and %2 more: %3")
                                  .arg(one.first, QString::number(one.runs - 1), one.problem.text);
        add(isError ? Sign::Cross : Sign::Bang, isError ? Tint::Error : Tint::Warning, text);
    }
    const bool up = m_draft->connectionPhase() == ConnectionState::Phase::Connected;
    if (!up) {
        add(Sign::Bang, Tint::Warning,
            tr("Not connected to %1: connect before the launch.").arg(m_draft->plan().site.name));
    }
    m_launch->setEnabled(!error && up);
}

void SweepDialog::launch()
{
    check(); // the last keystroke may be newer
    if (m_launch->isEnabled()) {
        emit sweepRequested(m_specs);
        accept();
    }
}

} // namespace slipway

#include "moc_sweepdialog.cpp"
