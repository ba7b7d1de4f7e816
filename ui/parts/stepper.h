// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QFrame>
#include <QLineEdit>

#include <optional>

class QToolButton;

namespace slipway {

/// Stepper is an integer with − and + buttons; the Up and Down keys change it too. The text stays
/// as it was typed, so that a wrong value is shown with its problem and not silently replaced. GUI
/// thread; the form owns it.
class Stepper : public QFrame {
    Q_OBJECT

public:
    explicit Stepper(QWidget* parent = nullptr);

    QString text() const { return m_edit->text(); }
    void setText(const QString& text);
    void setRange(std::optional<qint64> least, std::optional<qint64> most);
    QLineEdit* edit() const { return m_edit; }
    void setName(const QString& name);

signals:
    void textEdited(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void step(qint64 by);
    void showRange();

    QLineEdit* m_edit;
    QToolButton* m_less;
    QToolButton* m_more;
    std::optional<qint64> m_least, m_most;
};

} // namespace slipway
