// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/sessions/foundsite.h"

#include <QWidget>

class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace slipway {

class TextLabel;
class Engine;

/// FoundSitePage shows what was found out about a cluster and what is still unknown, and lets the
/// person choose an id and a name before it is saved. GUI thread; AddCluster owns it.
class FoundSitePage : public QWidget {
    Q_OBJECT

public:
    explicit FoundSitePage(Engine* engine, QWidget* parent = nullptr);

    void setFound(const FoundSite& found);
    /// What was found, with the id and the name that the person entered.
    FoundSite found() const;
    void showProblem(const QString& text);
    QPushButton* action() const { return m_action; }

signals:
    void saveRequested();

private:
    void checkId();

    Engine* m_engine;
    FoundSite m_found;
    QLineEdit* m_id;
    QLineEdit* m_name;
    TextLabel* m_hint;
    TextLabel* m_problem;
    QVBoxLayout* m_facts;
    QPushButton* m_action;
};

} // namespace slipway
