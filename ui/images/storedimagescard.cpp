// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/storedimagescard.h"

#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "ui/images/imagelabels.h"
#include "ui/images/imagewords.h"
#include "ui/images/storedimagestable.h"
#include "ui/images/storedpackages.h"
#include "ui/parts/announce.h"
#include "ui/parts/confirm.h"
#include "ui/parts/errorview.h"
#include "ui/parts/flowlayout.h"
#include "ui/parts/foldlayout.h"

#include <QProgressBar>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int charactersForTitle = 30;

QString sizeOf(const std::vector<StoredImage>& images)
{
    qint64 bytes = 0;
    for (const StoredImage& one : images) {
        bytes += one.bytes;
    }
    return ByteCount(bytes).text();
}

} // namespace

StoredImagesCard::StoredImagesCard(QWidget* parent)
    : QFrame(parent)
    , m_title(namedLabel("storedTitle", "heading"))
    , m_summary(namedLabel("storedSummary", "second"))
    , m_result(namedLabel("storedResult", "strong"))
    , m_tools(new QWidget)
    , m_reload(makeButton(tr("Refresh")))
    , m_use(makeButton(tr("Use in a launch")))
    , m_remove(makeButton(tr("Remove…"), ButtonKind::Danger))
    , m_table(new StoredImagesTable)
    , m_packages(new StoredPackages)
    , m_caches(new QWidget)
    , m_cachesText(namedLabel("storedCaches"))
    , m_empty(makeButton(tr("Empty…")))
    , m_state(new QWidget)
    , m_stateText(namedLabel("storedState", "second"))
    , m_progress(new QProgressBar)
    , m_action(makeButton({}))
    , m_error(new ErrorView)
{
    setCardKind(this, "true");
    setObjectName(u"storedCard"_s);
    makeCaches();
    makeState();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(8);
    layout->addLayout(makeHead());
    layout->addWidget(m_result);
    layout->addWidget(m_table);
    layout->addWidget(m_packages);
    layout->addWidget(m_caches);
    layout->addWidget(m_state);
    m_result->hide();
    connectParts();
    setNotConnected();
}

QLayout* StoredImagesCard::makeHead()
{
    m_reload->setObjectName(u"storedReload"_s);
    m_reload->setAccessibleName(tr("Refresh the list of images"));
    m_use->setObjectName(u"storedUse"_s);
    m_use->setAccessibleName(tr("Use the selected image in a launch"));
    m_remove->setObjectName(u"storedRemove"_s);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_title);
    words->addWidget(m_summary);
    auto* flow = new FlowLayout(8, m_tools);
    for (QPushButton* button : {m_reload, m_use, m_remove}) {
        flow->addWidget(button);
    }
    auto* head = new FoldLayout(8, charactersForTitle);
    head->addPart(words);
    head->addWidget(m_tools);
    return head;
}

void StoredImagesCard::makeCaches()
{
    m_empty->setObjectName(u"storedEmpty"_s);
    m_empty->setAccessibleName(tr("Empty the caches of the container runtime"));
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(new TextLabel(tr("Caches"), "strong"));
    words->addWidget(m_cachesText);
    auto* row = new FoldLayout(8, charactersForTitle, m_caches);
    row->addPart(words);
    row->addWidget(m_empty);
}

void StoredImagesCard::makeState()
{
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Busy"));
    m_progress->setMaximumWidth(320);
    m_action->setObjectName(u"storedAction"_s);
    auto* layout = new QVBoxLayout(m_state);
    layout->setContentsMargins(0, 8, 0, 8);
    layout->setSpacing(12);
    layout->addWidget(m_error);
    layout->addWidget(m_stateText);
    layout->addWidget(m_progress);
    layout->addWidget(m_action, 0, Qt::AlignLeft);
}

void StoredImagesCard::connectParts()
{
    connect(m_reload, &QPushButton::clicked, this, &StoredImagesCard::reloadRequested);
    connect(m_action, &QPushButton::clicked, this,
        [this] { m_connects ? emit connectRequested() : emit reloadRequested(); });
    connect(m_use, &QPushButton::clicked, this, [this] {
        if (const auto images = m_table->selected(); images.size() == 1) {
            emit useRequested(images.front().path);
        }
    });
    connect(m_remove, &QPushButton::clicked, this, &StoredImagesCard::askRemove);
    connect(m_table, &StoredImagesTable::removeRequested, this, &StoredImagesCard::askRemove);
    connect(m_packages, &StoredPackages::removeRequested, this, &StoredImagesCard::removeRequested);
    connect(m_empty, &QPushButton::clicked, this, &StoredImagesCard::askEmpty);
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &StoredImagesCard::showSelection);
}

void StoredImagesCard::setSite(const QString& name)
{
    m_site = name;
    m_title->setText(tr("On %1").arg(shownText(name, 80)));
}

void StoredImagesCard::showState(const QString& text, bool busy, const QString& action)
{
    for (QWidget* part : {static_cast<QWidget*>(m_summary), m_tools, static_cast<QWidget*>(m_table),
             static_cast<QWidget*>(m_packages), m_caches, static_cast<QWidget*>(m_error)}) {
        part->hide();
    }
    m_stateText->setText(text);
    m_stateText->setVisible(!text.isEmpty());
    m_progress->setVisible(busy);
    m_action->setText(action);
    m_action->setAccessibleName(action);
    m_action->setVisible(!action.isEmpty());
    m_state->show();
    emit resized();
}

void StoredImagesCard::setBusy(const QString& what)
{
    showState(what, true, {});
    announce(m_progress, what);
}

void StoredImagesCard::setNotConnected()
{
    m_connects = true;
    showState(tr("Not connected. Connect to see which images are kept there, how large they are "
                 "and until when."),
        false, tr("Connect"));
}

void StoredImagesCard::setError(const Error& error)
{
    m_connects = false;
    showState({}, false, tr("Refresh"));
    m_action->setAccessibleName(m_reload->accessibleName());
    m_error->setError(error);
    m_error->show();
    emit resized();
}

void StoredImagesCard::setList(const ImageList& list)
{
    m_list = list;
    m_table->setImages(list.images);
    m_summary->setText(listSummary(list));
    m_cachesText->setText(cachesLine(list.caches));
    m_state->setVisible(list.images.empty());
    m_error->hide();
    m_progress->hide();
    m_action->hide();
    m_stateText->setText(list.images.empty()
            ? tr("No images there yet. A launch pulls the one that it needs, once.")
            : QString());
    m_stateText->show();
    m_summary->show();
    m_tools->show();
    m_table->setVisible(!list.images.empty());
    m_packages->setPackages(list.packages);
    m_packages->setVisible(!list.packages.empty());
    m_caches->setVisible(!list.caches.empty());
    showSelection();
    emit resized();
}

void StoredImagesCard::setResult(const QString& words, bool complete)
{
    m_result->setText(words);
    m_result->setTint(complete ? Tint::Done : Tint::Warning);
    m_result->setVisible(!words.isEmpty());
    m_result->setAccessibleName({});
    announce(m_result, words);
    emit resized();
}

std::vector<StoredImage> StoredImagesCard::removable() const
{
    std::vector<StoredImage> some = m_table->selected();
    std::erase_if(some, [](const StoredImage& one) { return one.inUse; });
    return some;
}

void StoredImagesCard::showSelection()
{
    const std::vector<StoredImage> some = removable();
    m_use->setEnabled(m_table->selected().size() == 1);
    m_remove->setEnabled(!some.empty());
    m_remove->setText(
        some.empty() ? tr("Remove…") : tr("Remove %1, %2…").arg(some.size()).arg(sizeOf(some)));
    m_remove->setAccessibleName(some.empty() ? tr("Remove the selected images") : m_remove->text());
    m_remove->updateGeometry();
}

void StoredImagesCard::askRemove()
{
    const std::vector<StoredImage> some = removable();
    if (some.empty()) {
        return;
    }
    QStringList lines, paths;
    for (const StoredImage& one : some) {
        lines << storedLine(one);
        paths << one.path;
    }
    auto* question =
        new Confirm(counted(qint64(some.size()), tr("Remove 1 image from the cluster?"),
                        tr("Remove %1 images from the cluster?")),
            tr("%1 become free. A later launch pulls or builds them again.").arg(sizeOf(some)),
            tr("Remove"), ButtonKind::Danger, this);
    question->setList(lines, tr("What is removed"));
    connect(question, &QDialog::accepted, this, [this, paths] { emit removeRequested(paths); });
    question->open();
}

void StoredImagesCard::askEmpty()
{
    if (m_list.caches.empty()) {
        return;
    }
    auto* question = new Confirm(tr("Empty the caches?"),
        tr("Layers that were downloaded are deleted. Images stay; a later pull downloads its "
           "layers again."),
        tr("Empty"), ButtonKind::Danger, this);
    question->setList(
        cachesLine(m_list.caches).remove(QChar(0x200b)).split(u'\n'), tr("What is emptied"));
    connect(question, &QDialog::accepted, this, &StoredImagesCard::emptyRequested);
    question->open();
}

} // namespace slipway

#include "moc_storedimagescard.cpp"
