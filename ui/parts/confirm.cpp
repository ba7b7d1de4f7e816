// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/confirm.h"

#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

Confirm::Confirm(const QString& question, const QString& what, const QString& verb, ButtonKind kind,
    QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(question);
    setMinimumWidth(440);
    setAttribute(Qt::WA_DeleteOnClose);
    auto* yes = makeButton(verb, kind);
    yes->setObjectName(u"confirm"_s);
    auto* no = makeButton(tr("Go back"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(no);
    buttons->addWidget(yes);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(12);
    layout->addWidget(new TextLabel(question, "title"));
    layout->addWidget(TextLabel::paragraph(what));
    layout->addStretch();
    layout->addLayout(buttons);
    no->setFocus();
    connect(yes, &QPushButton::clicked, this, &QDialog::accept);
    connect(no, &QPushButton::clicked, this, &QDialog::reject);
}

void Confirm::setList(const QStringList& lines, const QString& name)
{
    auto* list = new QPlainTextEdit(lines.join(u'\n'));
    list->setObjectName(u"confirmList"_s);
    list->setAccessibleName(name);
    list->setReadOnly(true);
    list->setTabChangesFocus(true);
    list->setProperty("code", true);
    list->setLineWrapMode(QPlainTextEdit::NoWrap);
    const int shown = std::clamp(int(lines.size()), 2, 12);
    list->setFixedHeight(shown * list->fontMetrics().lineSpacing() + 40);
    auto* layout = static_cast<QVBoxLayout*>(this->layout());
    layout->insertWidget(2, list);
    setMinimumWidth(fontMetrics().averageCharWidth() * 88);
}

} // namespace slipway

#include "moc_confirm.cpp"
