// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/teachdialog.h"

#include "plots/charts/metricchart.h"
#include "remote/base/counted.h"
#include "remote/base/shellquoting.h"
#include "remote/cluster/worker.h"
#include "ui/parts/announce.h"
#include "ui/parts/pagecontent.h"
#include "ui/parts/text.h"

#include <QLineEdit>
#include <QPointer>
#include <QRegularExpression>
#include <QScrollArea>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int chartHeight = 12; ///< lines of text
constexpr int longestName = 32; ///< characters, of a capture

QString quotedForShell(const QString& word)
{
    return QString::fromUtf8(shellQuoted(word));
}

} // namespace

TeachDialog::TeachDialog(TeachSubject subject, TaughtNumber taught, QWidget* parent)
    : QDialog(parent)
    , m_subject(std::move(subject))
    , m_taught(std::move(taught))
    , m_found(TextLabel::paragraph({}, "second"))
    , m_problem(TextLabel::paragraph({}))
    , m_chart(new MetricChart)
    , m_command(new ElidedParagraph(2, "code"))
    , m_keep(makeButton(tr("Keep with the recipe…"), ButtonKind::Primary))
{
    setWindowTitle(tr("Draw this number"));
    setObjectName(u"teachDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    layOut();
    m_pause.setSingleShot(true);
    m_pause.setInterval(200); // ms
    connect(&m_pause, &QTimer::timeout, this, &TeachDialog::ask);
    connect(m_name, &QLineEdit::textEdited, this, &TeachDialog::rename);
    for (QLineEdit* line : {m_unit, m_expression, m_x}) {
        connect(line, &QLineEdit::textEdited, this, [this] { m_pause.start(); });
    }
    connect(m_keep, &QPushButton::clicked, this, &TeachDialog::keep);
    m_name->setFocus();
    m_name->selectAll();
    ask();
}

TeachDialog::~TeachDialog()
{
    if (m_stopped) {
        *m_stopped = true;
    }
    m_chart->setStore(nullptr);
}

void TeachDialog::layOut()
{
    auto* page = new PageContent;
    auto* parts = new QVBoxLayout(page);
    parts->setContentsMargins(0, 0, 0, 0);
    parts->setSpacing(6);
    parts->addWidget(new TextLabel(windowTitle(), "title"));
    auto* line = new ElidedText(m_subject.line.simplified(), "code");
    line->setObjectName(u"teachLine"_s);
    parts->addWidget(line);
    addFields(parts);
    m_problem->setObjectName(u"teachProblem"_s);
    m_problem->setTint(Tint::Error);
    m_problem->hide();
    parts->addWidget(m_problem);
    m_found->setObjectName(u"teachFound"_s);
    parts->addSpacing(6);
    parts->addWidget(m_found);
    m_chart->setFixedHeight(chartHeight * fontMetrics().lineSpacing());
    m_chart->setAccessibleName(tr("What it draws"));
    QSizePolicy policy = m_chart->sizePolicy();
    policy.setRetainSizeWhenHidden(true); // nothing moves where nothing is found
    m_chart->setSizePolicy(policy);
    parts->addWidget(m_chart);
    m_command->setObjectName(u"teachCommand"_s);
    parts->addWidget(m_command);
    parts->addStretch();
    auto* leave = makeButton(tr("Cancel"));
    m_keep->setObjectName(u"teachKeep"_s);
    m_keep->setDefault(true);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(leave);
    buttons->addWidget(m_keep);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(14);
    layout->addWidget(page->inScrollArea(), 1);
    layout->addLayout(buttons);
    connect(leave, &QPushButton::clicked, this, &QDialog::reject);
    const int spare = 6 * fontMetrics().lineSpacing(); // for a problem, and the margins
    resize(640, page->sizeHint().height() + buttons->sizeHint().height() + spare);
    if (QWidget* const owner = parentWidget()) {
        resize(size().boundedTo(owner->window()->size() - QSize(64, 64)));
    }
}

void TeachDialog::addFields(QVBoxLayout* parts)
{
    m_name = addLabelledLine(parts, tr("Name of the curve"), u"teachName"_s, m_taught.series);
    m_name->setMaxLength(longestName);
    m_unit = addLabelledLine(parts, tr("Unit"), u"teachUnit"_s, m_taught.unit);
    m_unit->setPlaceholderText(tr("For example: W, ms, img/s"));
    m_expression = addLabelledLine(
        parts, tr("Expression that finds it"), u"teachExpression"_s, m_taught.pattern.match);
    m_expression->setCursorPosition(0);
    m_x =
        addLabelledLine(parts, tr("Counted by, a name in the expression"), u"teachX"_s, m_taught.x);
    m_x->setPlaceholderText(tr("Nothing: drawn by time"));
}

PatternSpec TeachDialog::pattern() const
{
    PatternSpec pattern;
    pattern.match = m_expression->text();
    pattern.x = m_x->text().trimmed();
    const QString unit = m_unit->text().trimmed();
    if (!unit.isEmpty()) {
        pattern.units.insert(m_name->text(), unit);
    }
    return pattern;
}

/// "" when the pattern draws a curve of this name.
QString TeachDialog::problem(const PatternSpec& pattern) const
{
    const QString other = patternProblem(pattern);
    const QString name = m_name->text();
    const QStringList names = QRegularExpression(pattern.match).namedCaptureGroups();
    if (!other.isEmpty() || (name != pattern.x && names.contains(name))) {
        return other;
    }
    return name == pattern.x ? tr("what it is counted by has the same name")
                             : tr("the expression has no number named “%1”").arg(name);
}

/// The curve has the name of its capture.
void TeachDialog::rename()
{
    QString expression = m_expression->text();
    const QString before = u"(?<" % m_taught.series % u'>';
    const QString after = u"(?<" % m_name->text() % u'>';
    // Two captures of one name could not be told apart again, with the next letter.
    if (expression.contains(before) && !expression.contains(after)) {
        expression.replace(before, after);
        m_taught.series = m_name->text();
        m_expression->setText(expression);
        m_expression->setCursorPosition(0);
    }
    m_pause.start();
}

/// Reads the whole log with what is entered now.
void TeachDialog::ask()
{
    if (m_stopped) {
        *m_stopped = true;
    }
    const PatternSpec wanted = pattern();
    const QString why = problem(wanted);
    m_problem->setVisible(!why.isEmpty());
    m_keep->setEnabled(why.isEmpty());
    if (!why.isEmpty()) {
        m_problem->setText(tr("It cannot be used: %1.").arg(why));
        announce(m_problem, m_problem->text());
        m_found->setText(tr("Correct the expression to see what it draws."));
        m_command->setText({});
        show({}, wanted);
        return;
    }
    if (!wanted.match.contains(u"(?<"_s % m_taught.series % u'>')) {
        m_taught.series = m_name->text(); // the expression was changed by hand
    }
    QString command = u"slipway-cli metrics "_s % m_subject.runId % u" --pattern "_s
        % quotedForShell(wanted.match);
    if (!wanted.x.isEmpty()) {
        command += u" --x "_s % wanted.x;
    }
    for (auto it = wanted.units.begin(); it != wanted.units.end(); ++it) {
        command += u" --unit "_s % quotedForShell(it.key() % u'=' % it.value());
    }
    m_command->setText(command);
    m_found->setText(tr("Reading the log…"));
    read(wanted);
}

QCoro::Task<void> TeachDialog::read(PatternSpec pattern)
{
    const QPointer<TeachDialog> self(this);
    const auto stopped = std::make_shared<std::atomic_bool>(false);
    m_stopped = stopped;
    const LogSource log = m_subject.log;
    const auto work = [log, pattern, stopped] { return readTaught(log, pattern, *stopped); };
    const TaughtReading reading = co_await onWorker(work);
    if (!self || *stopped) {
        co_return;
    }
    const QString values = counted(reading.values, tr("1 value"), tr("%1 values"));
    const QString lines = counted(reading.lines, tr("1 line"), tr("%1 lines"));
    m_found->setText(!reading.trouble.isEmpty() ? reading.trouble
            : reading.values == 0 ? tr("No line of the log matches (%1 were read).").arg(lines)
                                  : tr("%1 in %2 of the log").arg(values, lines));
    announce(m_found, m_found->text());
    show(reading, pattern);
}

void TeachDialog::show(const TaughtReading& reading, const PatternSpec& pattern)
{
    m_chart->setStore(nullptr);
    m_store = std::make_unique<SeriesStore>();
    m_store->add(reading.samples);
    ChartSpec spec;
    spec.id = u"taught"_s;
    spec.series = u"*"_s;
    spec.x.name = pattern.x;
    spec.y.name = m_name->text();
    m_chart->setSpec(spec);
    m_chart->setStore(m_store.get());
    m_chart->setVisible(!reading.samples.empty());
    m_chart->refresh();
}

void TeachDialog::keep()
{
    const PatternSpec wanted = pattern();
    if (problem(wanted).isEmpty()) {
        accept();
        emit keepRequested(wanted);
    }
}

} // namespace slipway

#include "moc_teachdialog.cpp"
