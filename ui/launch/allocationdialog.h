// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"
#include "ui/parts/confirm.h"

namespace slipway {

/// AllocationDialog says what running in an allocation means before it is asked for: nodes that
/// stay until they are released, and the time that costs.
class AllocationDialog : public Confirm {
    Q_OBJECT

public:
    explicit AllocationDialog(const Plan& plan, QWidget* parent = nullptr);
    static QString sentence(const Plan& plan);
};

} // namespace slipway
