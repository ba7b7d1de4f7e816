// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QObject>
#include <QPointer>

class QScreen;

namespace slipway {

class CompareModel;
class PresenterView;

/// CompareActions does what the buttons of the Compare page ask for: it adds runs, copies, saves
/// and presents what the model holds. Lives on the GUI thread, owned by the page, which is the
/// parent of its dialogs; it owns the presenter's view.
class CompareActions : public QObject {
    Q_OBJECT

public:
    CompareActions(Engine* engine, CompareModel* model, QWidget* page);
    ~CompareActions() override;

    /// Asks which runs to add; does nothing without an engine.
    void pickRuns();
    void copy();
    void save();
    /// Presents; with several screens a menu at `menuAt` asks which one.
    void askPresent(const QPoint& menuAt);
    /// Presents on this screen; null: on the screen of the page.
    PresenterView* present(QScreen* screen);

signals:
    void runsPicked(const QStringList& runIds);
    /// The outcome of an action, as a sentence.
    void noted(const QString& text);

private:
    QPointer<Engine> m_engine;
    CompareModel* m_model;
    QWidget* m_page;
    QPointer<PresenterView> m_presenter;
};

} // namespace slipway
