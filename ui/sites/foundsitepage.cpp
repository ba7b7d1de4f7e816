// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/sites/foundsitepage.h"

#include "app/catalogue/names.h"
#include "app/engine/engine.h"
#include "ui/parts/announce.h"
#include "ui/parts/text.h"

#include <QGridLayout>
#include <QLineEdit>
#include <QScrollArea>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

QWidget* factTable(const FoundSite& found)
{
    auto* table = new QWidget;
    auto* grid = new QGridLayout(table);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const FoundFact& fact : foundFacts(found)) {
        grid->addWidget(new TextLabel(fact.name, "second"), row, 0, Qt::AlignTop);
        grid->addWidget(TextLabel::paragraph(fact.value), row, 1);
        ++row;
    }
    return table;
}

} // namespace

FoundSitePage::FoundSitePage(Engine* engine, QWidget* parent)
    : QWidget(parent)
    , m_engine(engine)
    , m_id(new QLineEdit)
    , m_name(new QLineEdit)
    , m_hint(TextLabel::paragraph({}, "caption"))
    , m_problem(TextLabel::paragraph({}))
    , m_action(makeButton(tr("Save"), ButtonKind::Primary, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(new TextLabel(tr("What we found"), "title"));
    auto* fields = new QGridLayout;
    fields->setHorizontalSpacing(16);
    fields->setColumnStretch(0, 1);
    fields->setColumnStretch(1, 2);
    const auto addField = [fields](
                              int column, const QString& name, QLineEdit* edit, const char* id) {
        auto* label = new TextLabel(name);
        label->setBuddy(edit);
        edit->setAccessibleName(name);
        edit->setObjectName(QLatin1StringView(id));
        fields->addWidget(label, 0, column);
        fields->addWidget(edit, 1, column);
    };
    addField(0, tr("Id"), m_id, "siteId");
    addField(1, tr("Name"), m_name, "siteName");
    layout->addLayout(fields);
    layout->addWidget(m_hint);
    m_problem->setObjectName(u"saveProblem"_s);
    m_problem->setTint(Tint::Error);
    m_problem->hide();
    layout->addWidget(m_problem);
    auto* page = new QWidget;
    page->setProperty("page", true);
    m_facts = new QVBoxLayout(page);
    m_facts->setContentsMargins(0, 8, 12, 8);
    m_facts->setSpacing(6);
    auto* scroll = new QScrollArea;
    scroll->setObjectName(u"foundFacts"_s);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(page);
    scroll->setAccessibleName(tr("What was found, and what is unknown"));
    layout->addWidget(scroll, 1);
    m_action->setObjectName(u"saveSite"_s);
    setFocusProxy(m_id);
    connect(m_id, &QLineEdit::textChanged, this, &FoundSitePage::checkId);
    connect(m_action, &QPushButton::clicked, this, &FoundSitePage::saveRequested);
    for (QLineEdit* edit : {m_id, m_name}) {
        connect(edit, &QLineEdit::returnPressed, m_action, &QPushButton::click);
    }
}

void FoundSitePage::setFound(const FoundSite& found)
{
    m_found = found;
    m_id->setText(found.id);
    m_name->setText(found.name);
    checkId();
    clearLayout(m_facts);
    m_facts->addWidget(factTable(found));
    m_facts->addSpacing(12);
    m_facts->addWidget(new TextLabel(tr("What is unknown"), "heading"));
    for (const QString& sentence : unknownFacts(found)) {
        m_facts->addWidget(TextLabel::paragraph(u"? "_s % sentence));
    }
    m_facts->addWidget(TextLabel::paragraph(
        tr("The site file contains this list too. You can edit it and add what you know."),
        "caption"));
    m_facts->addStretch();
}

FoundSite FoundSitePage::found() const
{
    FoundSite found = m_found;
    found.id = m_id->text().trimmed();
    found.name = m_name->text().trimmed().isEmpty() ? found.id : m_name->text().trimmed();
    return found;
}

void FoundSitePage::checkId()
{
    const QString id = m_id->text().trimmed();
    const bool good = isIdentifier(id);
    const Site* same = m_engine->catalogue()->site(id);
    m_problem->hide();
    m_action->setEnabled(good);
    m_hint->setText(!good ? tr("An id consists of the characters a-z, 0-9 and -.")
            : same        ? tr("It will replace %1, which has this id now.").arg(same->name)
                   : tr("It will be saved as ~/.config/slipway/sites/%1.json, a file that you can "
                        "edit and share.")
                         .arg(id));
}

void FoundSitePage::showProblem(const QString& text)
{
    m_problem->setText(text);
    m_problem->show();
    announce(m_problem, text);
    m_id->setFocus();
    m_id->selectAll();
}

} // namespace slipway

#include "moc_foundsitepage.cpp"
