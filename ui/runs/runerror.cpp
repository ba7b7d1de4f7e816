// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runerror.h"

namespace slipway {

RunError::RunError(QWidget* parent)
    : ErrorView(parent)
{
    hide();
}

void RunError::setRun(const Run& run)
{
    const QString text = run.error ? run.error->text() : QString();
    if (text == m_shown) {
        return; // unchanged: it stays folded or open
    }
    m_shown = text;
    m_ofAction = false;
    place();
    if (!run.error) {
        return;
    }
    setError(*run.error);
    const bool link =
        run.error->kind == ErrorKind::LinkLost || run.error->kind == ErrorKind::Network;
    setAction(link ? tr("Connect") : QString());
}

void RunError::showFailure(const Error& error)
{
    setError(error);
    setAction({});
    m_ofAction = true;
    place();
}

void RunError::setExplained(bool explained)
{
    m_explained = explained;
    place();
}

void RunError::place()
{
    setVisible(m_ofAction || (!m_explained && !m_shown.isEmpty()));
}

void RunError::clear()
{
    m_ofAction = false;
    m_shown.clear();
    place();
}

} // namespace slipway

#include "moc_runerror.cpp"
