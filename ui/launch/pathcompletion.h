// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QCoroTask>

#include <QHash>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <functional>

class QCompleter;
class QLineEdit;
class QStringListModel;

namespace slipway {

/// PathCompletion completes paths of a cluster in a line of text: the one of several, separated by
/// commas, that the cursor is in. It asks for the names in one folder once typing has stopped,
/// keeps them while the line lives, and says nothing of a folder that cannot be read. GUI thread;
/// the line owns it.
class PathCompletion : public QObject {
    Q_OBJECT

public:
    /// The names of the folders in a folder, "$SCRATCH/data/"; empty: unknown.
    using Ask = std::function<QCoro::Task<QStringList>(QString folder)>;
    PathCompletion(QLineEdit* line, Ask ask);

    /// The part of `text` that a cursor is in, from its begin to its end, without what is around
    /// it. Pure.
    struct Part {
        qsizetype begin = 0, end = 0;
        bool operator==(const Part&) const = default;
    };
    static Part partAt(const QString& text, qsizetype cursor);

private:
    QString typed() const; ///< the path up to the cursor
    void look();
    QCoro::Task<void> ask(QString folder);
    void show(const QString& folder, const QStringList& names);
    void put(const QString& path);

    QLineEdit* m_line;
    Ask m_ask;
    QCompleter* m_completer;
    QStringListModel* m_model;
    QTimer m_pause;
    QString m_asked; ///< the folder whose names are on their way
    QHash<QString, QStringList> m_names; ///< by folder
};

} // namespace slipway
