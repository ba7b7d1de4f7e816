// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runlist.h"

#include "ui/parts/announce.h"
#include "ui/parts/flowlayout.h"
#include "ui/parts/foldlayout.h"
#include "ui/parts/text.h"
#include "ui/runs/labeldialog.h"
#include "ui/runs/rundelegate.h"
#include "ui/runs/rungroups.h"
#include "ui/runs/runlistmodel.h"
#include "ui/runs/runlistview.h"

#include <QComboBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <array>
#include <utility>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int clockInterval = 1000; ///< ms; while something runs
constexpr int ageInterval = 10'000; ///< ms

const QString groupingKey = u"runs/grouping"_s;

/// As they are stored in the settings.
constexpr std::array<const char*, 3> groupingNames{"day", "sweep", "none"};

} // namespace

RunList::RunList(Engine* engine, QWidget* parent)
    : QWidget(parent)
    , m_engine(engine)
    , m_model(new RunListModel(engine, this))
    , m_groups(new RunGroups(m_model, this))
    , m_search(new QLineEdit)
    , m_grouping(new QComboBox)
    , m_list(new RunListView)
    , m_stack(new QStackedWidget)
    , m_count(new TextLabel({}, "second"))
    , m_keys(TextLabel::paragraph(
          tr("Space ticks · Enter opens · C compares · F2 names and tags"), "second"))
    , m_none(TextLabel::paragraph({}, "second"))
    , m_compare(makeButton(tr("Compare")))
{
    setUpGroups();
    m_list->setModel(m_groups);
    m_list->setItemDelegate(new RunDelegate(m_list));
    m_list->setAccessibleName(tr("Runs"));
    m_list->setObjectName(u"runList"_s);
    m_none->setObjectName(u"runListNote"_s);
    m_stack->addWidget(m_list);
    m_stack->addWidget(makeEmpty());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(28, 24, 28, 24);
    layout->setSpacing(12);
    layout->addLayout(makeHead());
    layout->addWidget(m_none);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_keys);
    connectParts();
    connectList();
    m_tick.start(clockInterval);
    showTicks();
    showState();
}

void RunList::setUpGroups()
{
    m_grouping->addItem(tr("By day"));
    m_grouping->addItem(tr("By sweep"));
    m_grouping->addItem(tr("Not grouped"));
    m_grouping->setAccessibleName(tr("Group the runs"));
    m_grouping->setObjectName(u"runGrouping"_s);
    const QString stored = QSettings().value(groupingKey).toString();
    for (size_t i = 0; i < groupingNames.size(); ++i) {
        if (stored == QLatin1StringView(groupingNames[i])) {
            m_grouping->setCurrentIndex(int(i));
            m_groups->setGrouping(RunGroups::Grouping(i));
        }
    }
}

QLayout* RunList::makeHead()
{
    m_search->setPlaceholderText(tr("Search: words, is:failed, site:kestrel, loss<0.3"));
    m_search->setAccessibleName(tr("Search the runs"));
    m_search->setToolTip(plainToolTip(runQueryHelp()));
    m_search->setClearButtonEnabled(true);
    m_search->setMinimumWidth(180);
    m_count->setObjectName(u"runCount"_s);
    m_compare->setObjectName(u"compareRuns"_s);
    auto* first = new QHBoxLayout;
    first->setSpacing(12);
    first->addWidget(new TextLabel(tr("Runs"), "title"));
    first->addWidget(m_count);
    first->addStretch(1);
    first->addWidget(m_search, 2);
    auto* tools = new QWidget;
    auto* flow = new FlowLayout(12, tools);
    flow->addWidget(m_grouping);
    flow->addWidget(m_compare);
    constexpr int charactersForSearch = 30; // with the heading
    auto* head = new FoldLayout(12, charactersForSearch);
    head->addPart(first);
    head->addWidget(tools);
    return head;
}

void RunList::connectParts()
{
    connect(m_compare, &QPushButton::clicked, this, &RunList::compare);
    connect(m_search, &QLineEdit::textChanged, this, &RunList::search);
    connect(m_grouping, &QComboBox::activated, this, [this](int choice) {
        m_groups->setGrouping(RunGroups::Grouping(choice));
        QSettings().setValue(groupingKey, QString::fromLatin1(groupingNames[size_t(choice)]));
    });
    connect(m_groups, &RunGroups::ticksChanged, this, &RunList::showTicks);
    connect(m_groups, &QAbstractItemModel::modelReset, this, &RunList::showState);
    connect(m_groups, &QAbstractItemModel::modelAboutToBeReset, this, &RunList::keepPlace);
    connect(&m_tick, &QTimer::timeout, this, &RunList::tick);
}

/// Clocks and ages are made when a row is painted.
void RunList::tick()
{
    m_tick.setInterval(m_engine->runs()->activeCount() > 0 ? clockInterval : ageInterval);
    if (!m_list->isVisible()) {
        return;
    }
    if (std::exchange(m_today, QDate::currentDate()) != QDate::currentDate()) {
        m_groups->setGrouping(RunGroups::Grouping(m_grouping->currentIndex())); // midnight
    }
    m_list->viewport()->update();
}

void RunList::connectList()
{
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) {
        // With Ctrl or Shift a click selects.
        if (!(QGuiApplication::keyboardModifiers() & (Qt::ControlModifier | Qt::ShiftModifier))) {
            open(index);
        }
    });
    connect(m_list, &QListView::activated, this, &RunList::open);
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &RunList::tickSelected);
    connect(m_list, &RunListView::compareAsked, this, &RunList::compare);
    connect(m_list, &RunListView::labelsAsked, this, &RunList::editLabels);
    connect(m_list, &RunListView::menuAsked, this, &RunList::showMenu);
}

/// Opens a run, or the sweep below a heading.
void RunList::open(const QModelIndex& index)
{
    const QString runId = index.data(RunListModel::IdRole).toString();
    if (!runId.isEmpty()) {
        emit opened(runId);
        return;
    }
    const int row = index.row();
    if (m_groups->toggle(index)) {
        m_list->setCurrentIndex(m_groups->index(row));
    }
}

void RunList::search(const QString& text)
{
    const Result<RunQuery> query = parseRunQuery(text, QDate::currentDate());
    m_problem =
        query.ok() ? QString() : QString(query.error().summary % u' ' % query.error().remedy);
    if (query.ok()) {
        m_groups->setQuery(*query); // else what was found before stays
    }
    showState();
}

void RunList::compare()
{
    const QStringList ids = m_groups->ticked();
    if (ids.size() > 1) {
        emit compareRequested(ids);
    }
}

void RunList::editLabels(const QModelIndex& index)
{
    const QString runId = index.data(RunListModel::IdRole).toString();
    const std::optional<Run> run = m_engine->runs()->run(runId);
    if (!run) {
        return;
    }
    const auto save = [this, runId](const RunLabels& labels) {
        return m_engine->runs()->setLabels(runId, labels);
    };
    (new LabelDialog(*run, save, this))->open();
}

void RunList::showMenu(const QModelIndex& index, const QPoint& place)
{
    const QPersistentModelIndex row(index);
    const bool isRun = !index.data(RunListModel::IdRole).toString().isEmpty();
    const bool ticked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (isRun) {
        menu->addAction(tr("Open"), this, [this, row] { open(row); });
        menu->addAction(tr("Name, tags and note…"), this, [this, row] { editLabels(row); });
    }
    menu->addAction(ticked ? tr("Untick") : tr("Tick for the comparison"), this,
        [this, row, ticked] { m_groups->setTicked({row}, !ticked); });
    QAction* both = menu->addAction(m_compare->text(), this, &RunList::compare);
    both->setEnabled(m_compare->isEnabled());
    menu->popup(place);
}

/// Ctrl and Shift tick what they select. A selection of one row is only where the keyboard is.
void RunList::tickSelected(const QItemSelection& selected, const QItemSelection& deselected)
{
    const bool choosing =
        QGuiApplication::keyboardModifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    const QModelIndexList all = m_list->selectionModel()->selectedIndexes();
    if (choosing) {
        m_groups->setTicked(deselected.indexes(), false);
    }
    const QModelIndexList added = selected.indexes();
    if (all.size() > 1) {
        // The row where the keyboard was belongs to a selection that begins; a box that was
        // unticked later stays so.
        m_groups->setTicked(all.size() - added.size() <= 1 ? all : added, true);
    } else if (choosing) {
        m_groups->setTicked(added, true);
    }
}

QWidget* RunList::makeEmpty()
{
    auto* empty = new QWidget;
    auto* launch = makeButton(tr("Launch"), ButtonKind::Primary);
    auto* demo = makeButton(tr("Start the demo cluster"));
    launch->setAccessibleName(tr("Choose a recipe to launch"));
    auto* buttons = new FlowLayout(8);
    buttons->setCentred(true);
    buttons->addWidget(launch);
    buttons->addWidget(demo);
    auto* layout = new QVBoxLayout(empty);
    layout->setSpacing(16);
    auto* words =
        new TextLabel(tr("No runs yet. Launch one, or start the demo cluster."), "heading");
    words->setAlignment(Qt::AlignCenter);
    words->setWordWrap(true);
    layout->addStretch(2);
    layout->addWidget(words);
    layout->addLayout(buttons);
    layout->addStretch(3);
    connect(launch, &QPushButton::clicked, this, &RunList::launchRequested);
    connect(demo, &QPushButton::clicked, this, &RunList::demoRequested);
    return empty;
}

void RunList::focusList()
{
    for (int row = 0; !m_list->currentIndex().isValid() && row < m_groups->rowCount(); ++row) {
        if (m_groups->flags(m_groups->index(row)) & Qt::ItemIsEnabled) {
            m_list->setCurrentIndex(m_groups->index(row));
        }
    }
    m_list->setFocus();
}

/// A reset of the model loses the current row and the place in the list.
void RunList::keepPlace()
{
    const QString current = m_list->currentIndex().data(RunListModel::IdRole).toString();
    const int place = m_list->verticalScrollBar()->value();
    connect(
        m_groups, &QAbstractItemModel::modelReset, this,
        [this, current, place] {
            if (const QModelIndex index = m_groups->indexOf(current); index.isValid()) {
                m_list->selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
            }
            m_list->doItemsLayout();
            m_list->verticalScrollBar()->setValue(place);
        },
        Qt::SingleShotConnection);
}

void RunList::showTicks()
{
    const qsizetype count = m_groups->ticked().size();
    m_compare->setEnabled(count > 1);
    m_compare->setText(count > 1 ? tr("Compare %1 runs").arg(count)
            : count == 1         ? tr("Tick one more run")
                                 : tr("Tick two runs or more"));
    setButtonKind(m_compare, count > 1 ? ButtonKind::Primary : ButtonKind::Ordinary);
    m_compare->setAccessibleName(m_compare->text());
}

void RunList::showState()
{
    const int all = m_model->rowCount();
    const bool any = all > 0;
    const bool found = m_groups->found() > 0;
    m_stack->setCurrentIndex(any ? 0 : 1);
    for (QWidget* part :
        std::initializer_list<QWidget*>{m_search, m_grouping, m_compare, m_count, m_keys}) {
        part->setVisible(any);
    }
    m_count->setText(m_groups->found() == all ? QString::number(all)
                                              : tr("%1 of %2").arg(m_groups->found()).arg(all));
    m_none->setText(m_problem.isEmpty() ? tr("No run matches the search.") : m_problem);
    m_none->setTint(m_problem.isEmpty() ? Tint::Second : Tint::Error);
    m_none->setVisible(any && (!found || !m_problem.isEmpty()));
    if (m_none->isVisible()) {
        announce(m_none, m_none->text());
    }
}

} // namespace slipway

#include "moc_runlist.cpp"
