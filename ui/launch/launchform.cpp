// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/launchform.h"

#include "app/catalogue/accountwords.h"
#include "remote/base/counted.h"
#include "ui/launch/fieldeditor.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

bool isWide(const Parameter& field)
{
    using Type = Parameter::Type;
    return field.type == Type::Image || field.type == Type::Command || field.type == Type::Lanes;
}

/// Labels that say more about a choice than its value: the names of lanes, and the GPUs that are
/// free in a partition.
QMap<QString, QString> choiceLabels(
    const Parameter& field, const Plan& plan, const std::optional<ClusterInfo>& cluster)
{
    QMap<QString, QString> labels;
    if (field.type == Parameter::Type::Lanes) {
        for (const Lane& lane : plan.recipe.lanes) {
            labels.insert(lane.id, lane.label);
        }
    }
    if (field.key == u"partition"_s && cluster) {
        for (const PartitionInfo& partition : cluster->partitions) {
            QString label = partition.name;
            if (partition.gpusFree) {
                label += u" · "_s
                    % counted(*partition.gpusFree, LaunchForm::tr("1 GPU free"),
                        LaunchForm::tr("%1 GPUs free"));
            }
            labels.insert(partition.name, label);
        }
    }
    return labels;
}

/// Changes when other controls are needed, because the recipe, the site or the choices are
/// different.
QString shapeOf(const Plan& plan, const std::optional<ClusterInfo>& cluster)
{
    QStringList words{plan.recipe.id, plan.site.id};
    for (const Parameter& field : plan.fields) {
        words << field.key << field.choices << choiceLabels(field, plan, cluster).values();
    }
    return words.join(u'\n');
}

} // namespace

QString imageFact(const QString& text, bool isAnswered)
{
    const Result<ImageReference> image = ImageReference::parse(text);
    if (!image.ok()) {
        return {};
    }
    if (image->isFile()) {
        return LaunchForm::tr("a file on the cluster · not checked");
    }
    const QString registry = !image->registry.isEmpty() ? image->registry
        : image->scheme == u"docker"_s                  ? LaunchForm::tr("Docker Hub")
                                                        : image->scheme;
    const QString version = image->digest.isEmpty() ? LaunchForm::tr("tag %1").arg(image->tag)
                                                    : LaunchForm::tr("pinned by digest");
    const QString fact = LaunchForm::tr("%1 from %2, %3").arg(image->repository, registry, version);
    return isAnswered ? fact : LaunchForm::tr("%1 · not checked").arg(fact);
}

LaunchForm::LaunchForm(QWidget* parent)
    : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
}

FieldEditor* LaunchForm::editor(const QString& key) const
{
    for (FieldEditor* editor : m_editors) {
        if (editor->key() == key) {
            return editor;
        }
    }
    return nullptr;
}

void LaunchForm::setPlan(const Plan& plan, const std::optional<ClusterInfo>& cluster)
{
    const QString shape = shapeOf(plan, cluster);
    if (shape != m_shape) {
        const bool sameKind = m_shape.section(u'\n', 0, 1) == shape.section(u'\n', 0, 1);
        m_open = m_open && sameKind;
        m_shape = shape;
        rebuild(plan, cluster);
    }
    bool foldedProblem = false;
    for (const Parameter& field : plan.fields) {
        FieldEditor* one = editor(field.key);
        one->setField(field, field.key == m_forced);
        one->setProblems(plan.problems);
        if (field.type == Parameter::Type::Image) {
            one->setFact(imageFact(field.value, m_answered.contains(field.key)));
        }
        if (field.key == u"account") {
            const AccountShare* const share = cluster
                ? shareOf(*cluster, field.value, plan.values.value(u"partition"_s))
                : nullptr;
            one->setFact(share ? shareSentence(*share) : QString(),
                tr("From: %1").arg(QString::fromUtf8(sshareCommand())));
        }
        for (const Problem& problem : plan.problems) {
            foldedProblem |= field.advanced && problem.field == field.key;
        }
    }
    m_forced.clear();
    if (foldedProblem && !m_open && m_fold) {
        m_fold->click(); // a problem must not be hidden
    }
}

void LaunchForm::rebuild(const Plan& plan, const std::optional<ClusterInfo>& cluster)
{
    const QWidget* focused = focusWidget();
    const QString focusName = focused && isAncestorOf(focused) ? focused->objectName() : QString();
    m_editors.clear();
    delete m_body;
    m_body = new QWidget;
    m_more = new QWidget;
    m_fold = makeButton({}, ButtonKind::Link);
    m_fold->setObjectName(u"moreFields"_s);
    m_plainFields.clear();
    m_foldedFields.clear();
    for (const Parameter& field : plan.fields) {
        auto* one = new FieldEditor(field, choiceLabels(field, plan, cluster));
        one->setProperty("wide", isWide(field));
        (field.advanced ? m_foldedFields : m_plainFields).push_back(one);
        m_editors << one;
        if (QLineEdit* const line = one->line();
            line && m_folders && field.type == Parameter::Type::Folders) {
            new PathCompletion(line, m_folders); // the line owns it
        }
        connect(one, &FieldEditor::edited, this, &LaunchForm::edited);
        connect(one, &FieldEditor::fixRequested, this, &LaunchForm::fixRequested);
        if (field.key == u"secrets") {
            one->setAction(tr("Secrets in the keychain…"));
            connect(one, &FieldEditor::actionRequested, this, &LaunchForm::secretsRequested);
        }
    }
    auto* body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(12);
    m_plainGrid = new QGridLayout;
    body->addLayout(m_plainGrid);
    place(m_plainGrid, m_plainFields); // in this order: it is that of the Tab key
    body->addWidget(m_fold, 0, Qt::AlignLeft);
    m_foldedGrid = new QGridLayout(m_more);
    m_foldedGrid->setContentsMargins(0, 0, 0, 0);
    place(m_foldedGrid, m_foldedFields);
    body->addWidget(m_more);
    body->addStretch();
    layout()->addWidget(m_body);
    connect(m_fold, &QPushButton::clicked, this, [this] {
        m_open = !m_open;
        showFold();
        emit folded();
    });
    m_fold->setVisible(!m_foldedFields.empty());
    showFold();
    if (auto* again = focusName.isEmpty() ? nullptr : m_body->findChild<QWidget*>(focusName)) {
        again->setFocus();
    }
}

void LaunchForm::showFold()
{
    m_more->setVisible(m_open);
    m_fold->setText(m_open ? tr("Fewer fields") : tr("More fields"));
    m_fold->setAccessibleName(m_fold->text());
}

void LaunchForm::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    constexpr int charactersForTwo = 46;
    const int columns = width() >= charactersForTwo * fontMetrics().averageCharWidth() ? 2 : 1;
    if (columns != m_columns) {
        m_columns = columns;
        arrange();
    }
}

void LaunchForm::arrange()
{
    if (m_plainGrid) {
        place(m_plainGrid, m_plainFields);
        place(m_foldedGrid, m_foldedFields);
    }
}

void LaunchForm::place(QGridLayout* grid, const std::vector<FieldEditor*>& editors) const
{
    for (FieldEditor* one : editors) {
        grid->removeWidget(one); // it may be at another place
    }
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(12);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, m_columns > 1 ? 1 : 0);
    int row = 0;
    int column = 0;
    for (FieldEditor* one : editors) {
        const bool wide = m_columns == 1 || one->property("wide").toBool();
        if (wide && column > 0) {
            ++row;
            column = 0;
        }
        grid->addWidget(one, row, column, 1, wide ? m_columns : 1);
        column += wide ? m_columns : 1;
        if (column >= m_columns) {
            ++row;
            column = 0;
        }
    }
}

std::vector<Problem> LaunchForm::unshown(const std::vector<Problem>& problems) const
{
    std::vector<Problem> rest;
    std::copy_if(
        problems.begin(), problems.end(), std::back_inserter(rest), [this](const Problem& problem) {
            const FieldEditor* const one = editor(problem.field);
            return !one || !one->isVisibleTo(m_body) || !one->shows(problem);
        });
    return rest;
}

void LaunchForm::focusField(const QString& key)
{
    if (FieldEditor* one = editor(key)) {
        if (m_more->isAncestorOf(one) && !m_open) {
            m_fold->click();
        }
        one->focusInput();
    }
}

} // namespace slipway

#include "moc_launchform.cpp"
