// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"
#include "ui/parts/errorview.h"

namespace slipway {

/// RunError is the error card of the run page: it shows the error of a run that nothing explains,
/// or that an action failed, and offers to connect where the connection was lost. An error that it
/// already shows stays as the person left it, folded or open. Lives on the GUI thread, owned by the
/// page.
class RunError : public ErrorView {
    Q_OBJECT

public:
    explicit RunError(QWidget* parent = nullptr);
    void setRun(const Run& run);
    /// The explanation card shows the error of the run: it is not repeated here.
    void setExplained(bool explained);
    void showFailure(const Error& error);
    /// Hides the card; the next run is a different one.
    void clear();

private:
    void place();

    bool m_explained = false;
    bool m_ofAction = false; ///< what is shown is not the error of the run
    QString m_shown; ///< the last error of the run that was shown
};

} // namespace slipway
