// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/launchspec.h"
#include "app/project/definitiontemplates.h"
#include "app/project/dockerfile.h"
#include "ui/parts/text.h"

#include <QCoroTask>

#include <QDialog>
#include <QTimer>

class QComboBox;
class QLineEdit;
class QListWidget;
class QListWidgetItem;

namespace slipway {

class DefinitionEdit;
class ScriptView;

/// BuildEditor writes a definition file: from a template, a file, a Dockerfile (side by side with
/// what could not be converted) or a folder with a program. It says what is wrong with it, saves it
/// and requests the launch that builds it. GUI thread; it deletes itself when it is closed.
class BuildEditor : public QDialog {
    Q_OBJECT

public:
    /// Definitions without a folder of their own are saved below `definitions`.
    explicit BuildEditor(QString definitions, QWidget* parent = nullptr);

    /// Ids and names, and the id of the one to begin with.
    void setSites(const std::vector<std::pair<QString, QString>>& sites, const QString& chosen);
    void openDefinition(const QString& path);
    void openDockerfile(const QString& path);
    /// Reads a folder with a program and proposes a definition with what it needs.
    QCoro::Task<void> openFolder(QString path);

signals:
    /// The launch form is wanted with this build.
    void buildRequested(const slipway::LaunchSpec& spec);

private:
    QLayout* makeStart();
    QWidget* makeTexts();
    QLayout* makeTarget();
    void layOut();
    void askFor(const QString& title, bool folder, void (BuildEditor::*then)(const QString&));
    void openChosenFolder(const QString& path) { openFolder(path); }
    void begin(const QString& text, const QString& name, const QString& folder);
    void beginTemplate(int index);
    void showConversion(const Conversion& conversion);
    void showRemark(int row);
    void showProblem(QListWidgetItem* item);
    void check();
    void fail(const Error& error);
    QString folderFor(const QString& name) const;
    void build();

    const QString m_definitions;
    std::vector<DefinitionTemplate> m_templates;
    Conversion m_conversion; ///< of the Dockerfile that is shown
    QString m_folder; ///< of the person's own, with the files for the image; empty: none
    QString m_opened; ///< the definition file that may be replaced
    int m_number = 0; ///< of the newest folder that is read
    bool m_hasErrors = false;
    QComboBox* m_start;
    TextLabel* m_purpose;
    ScriptView* m_dockerfile;
    DefinitionEdit* m_text;
    QListWidget* m_remarks;
    QListWidget* m_problems;
    QLineEdit* m_name;
    QComboBox* m_site;
    TextLabel* m_state;
    TextLabel* m_kept;
    QPushButton* m_build;
    QTimer m_soon;
};

} // namespace slipway
