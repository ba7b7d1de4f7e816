// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/sites/siteeditor.h"

#include "ui/parts/announce.h"
#include "ui/parts/text.h"

#include <QFile>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

SiteEditor::SiteEditor(Engine* engine, const Site& site, QWidget* parent)
    : QDialog(parent)
    , m_engine(engine)
    , m_siteId(site.id)
    , m_text(new QPlainTextEdit)
    , m_problem(TextLabel::paragraph({}))
{
    setObjectName(u"siteEditor"_s);
    setWindowTitle(tr("Edit %1").arg(site.name));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(680, 560);
    m_text->setObjectName(u"siteText"_s);
    m_text->setAccessibleName(tr("Site file"));
    m_text->setProperty("code", true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setTabChangesFocus(true);
    m_problem->setObjectName(u"siteTextProblem"_s);
    m_problem->setTint(Tint::Error);
    m_problem->hide();
    constexpr qint64 most = 1024 * 1024;
    QFile file(site.file);
    const bool readable = file.open(QIODevice::ReadOnly);
    m_text->setPlainText(readable ? QString::fromUtf8(file.read(most)) : QString());
    auto* back = makeButton(tr("Cancel"));
    auto* keep = makeButton(tr("Save"), ButtonKind::Primary);
    keep->setObjectName(u"saveSiteText"_s);
    keep->setEnabled(readable);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(back);
    buttons->addWidget(keep);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(12);
    layout->addWidget(TextLabel::paragraph(site.name, "title"));
    layout->addWidget(TextLabel::paragraph(site.file, "caption"));
    layout->addWidget(m_text, 1);
    layout->addWidget(m_problem);
    layout->addLayout(buttons);
    if (!readable) {
        m_problem->setText(tr("The file cannot be read: %1.").arg(file.errorString()));
        m_problem->show();
    }
    connect(back, &QPushButton::clicked, this, &QDialog::reject);
    connect(keep, &QPushButton::clicked, this, &SiteEditor::save);
    m_text->setFocus();
}

void SiteEditor::save()
{
    const Result<QString> path =
        m_engine->catalogue()->saveSite(m_siteId, m_text->toPlainText().toUtf8(), true);
    if (!path.ok()) {
        m_problem->setText(path.error().text());
        m_problem->show();
        announce(m_problem, m_problem->text());
        m_text->setFocus();
        return;
    }
    accept();
    emit saved(m_siteId);
}

} // namespace slipway

#include "moc_siteeditor.cpp"
