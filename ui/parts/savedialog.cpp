// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/savedialog.h"

#include <QFileDialog>

namespace slipway {

namespace {

/// "png", of "PNG image (*.png)".
QString suffixOfFilter(const QString& filter)
{
    return filter.section(u'.', -1).chopped(1);
}

} // namespace

void askWhereToSave(QWidget* parent, const QString& title, const QStringList& filters,
    const QString& name, const std::function<void(const QString& path)>& save)
{
    auto* dialog = new QFileDialog(parent, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(suffixOfFilter(filters.front()));
    dialog->selectFile(name);
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog,
        [dialog](const QString& filter) { dialog->setDefaultSuffix(suffixOfFilter(filter)); });
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, save);
    dialog->open();
}

} // namespace slipway
