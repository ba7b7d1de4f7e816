// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"
#include "ui/parts/confirm.h"

namespace slipway {

/// AllocationDialog explains, before it is requested, what running in an allocation means: nodes
/// that are kept until they are released, and the time that is charged for them. GUI thread; it
/// goes with its parent.
class AllocationDialog : public Confirm {
    Q_OBJECT

public:
    /// `kept`: how many allocations are kept at this site already.
    AllocationDialog(const Plan& plan, qsizetype kept, QWidget* parent = nullptr);
    static QString sentence(const Plan& plan);
};

} // namespace slipway
