// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/linecursor.h"
#include "plots/metrics/namewords.h"

#include <string_view>

namespace slipway {

/// ValueReader reads what stands behind a name, apart from a plain number: arrays, two values,
/// means, units at the end of the line, times of the day, settings. Passive; used by readPairs().
class ValueReader {
public:
    explicit ValueReader(LineCursor& line)
        : m_line(line)
    {
    }

    /// "eigenvalue: [-20.51 -26.17 -27.64]", "U_max=(1.19e-02, 5.22e-03)": the numbers of an array
    /// as NumPy prints it, or of a tuple, each of which is a measurement of its own. Of a list with
    /// commas the first counts: see takeValue().
    bool readVector(std::string_view name);
    /// "E0= -.289E+02  mag=     0.0181    -0.0958    15.9999": several numbers behind the last
    /// name.
    bool readComponents(std::string_view name);
    /// "D(G(z)): 0.6982 / 0.0046": two fractions are two measurements, before and after.
    bool splitQuotient(LinePair pair, std::string_view from);
    /// "CPU use: 26.477 / 28", "memory: 10.2/80 GB": a fraction is measured, and no count of a
    /// total.
    void leaveLimit(LinePair& pair, std::string_view from);
    /// "bs=2k" of a size, "15.3 C" of a temperature: a letter that means nothing elsewhere.
    void takeLetterBehind(LinePair& pair);
    /// "N = 2^10 = 1024", "N = 2^10"
    bool takePower(LinePair& pair);
    /// "Time (0.476)": a running mean, without the number of this step before it.
    bool readMean(const NameWords& words);
    /// "-855.525306                   eV": set in columns.
    void takeUnitAtEnd(LinePair& pair);
    /// "Temperature [K]      298.12      298.02": the mean so far stands behind the value.
    void skipMeanInColumns(const LinePair& pair);
    /// "0.5189 Ha/Bohr," behind a name: a unit that nobody converts is no stray word.
    void skipOtherUnit(const LinePair& pair);
    /// "~0.5", "≈ 0.5", "↓ 0.5", "`0.5`", "$0.5": what stands in front of a number.
    void skipMark();
    /// "eta: 1:02:03", "time: 12:03": of the day or of a run, which nobody can tell; "model time:
    /// 2021-01-01T00:01:00.000".
    bool skipClock();
    /// "and parameters: {'n_layers': 1, 'lr': 0.0022}": what was tried, and not what was measured.
    bool skipSettings(std::string_view name);

private:
    void addParts(std::string_view name, const std::string_view* texts, size_t count);

    LineCursor& m_line;
};

} // namespace slipway
