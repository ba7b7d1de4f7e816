// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>

namespace slipway {

/// DayClock turns times of day into the time since the first of them. They begin again at midnight;
/// what is only a little earlier than the one before is out of order. A value.
class DayClock {
public:
    /// Both in seconds.
    double secondsAt(double timeOfDay)
    {
        constexpr double day = 24 * 3600, back = 12 * 3600;
        if (!m_first)
            m_first = m_last = timeOfDay;
        if (timeOfDay < m_last - back)
            m_days += day;
        m_last = timeOfDay;
        return timeOfDay + m_days - *m_first;
    }

private:
    std::optional<double> m_first; ///< times of day
    double m_last = 0;
    double m_days = 0; ///< midnights since the first one, in seconds
};

} // namespace slipway
