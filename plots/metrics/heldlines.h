// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/recogniser.h"

#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

namespace slipway {

/// HeldLines holds the numbers of lines that alone prove nothing until lines of the same form
/// follow: what a program prints once is a setting or a sentence, what it prints again and again
/// with other numbers is a measurement. Bounded, however many forms a log has.
class HeldLines {
public:
    enum class Proof {
        Certain, ///< nothing else is on the line: it goes out at once, with what was held before it
        Counter, ///< the line has a counter: a second line is enough
        Evaluation, ///< as Counter; if it stays alone, its names are proof enough at the end
        Table, ///< the row of a table: several must follow, each further on than the one before
        Block, ///< of a block of lines for each step: as Table, but one less is enough
        Whole, ///< a whole number, which may be a setting, a count of lines or the name of
               ///< something
        Place, ///< it has none, and stands where the program is
        Alone, ///< nothing but a name and its number, and nothing says where: many must follow
        Turn, ///< of one of several that take turns: a second line with other numbers is enough
        Result ///< as Place; if it stays alone, it is what came out at the end
    };
    /// `form` is equal for lines of the same names. The samples are moved from.
    void take(size_t form, Proof proof, std::vector<Sample>& samples, MetricSink& sink);
    /// The same for the samples of several lines, one after the other.
    void takeLines(size_t form, Proof proof, std::vector<Sample>& samples, MetricSink& sink);
    /// Whether lines of this form are held or were given.
    bool knows(size_t form) const { return m_forms.contains(form); }
    /// Whether they were given.
    bool gives(size_t form) const
    {
        const auto known = m_forms.find(form);
        return known != m_forms.end() && known->second.axis != Axis::Undecided;
    }
    void finish(MetricSink& sink);

private:
    enum class Axis { Undecided, Own, Line, Time };
    struct Form {
        std::deque<Sample> held; ///< the oldest go first
        int lines = 0;
        Axis axis = Axis::Undecided;
        Proof proof = Proof::Counter;
        bool varies = false; ///< numbers of one name among those that are held
        double placeX = 0; ///< where the lines that were given last began to stand
        double lastX = 0, lastY = 0; ///< of the last of them
        int linesHere = 0, linesBefore = 0; ///< given at this place, and at the one before
        bool given = false;

        void forget()
        {
            held.clear();
            lines = 0;
            varies = false;
        }
        void placeBefore(const Sample& next);
        double partOfPlace() const;
        std::optional<double> placeOf(const Sample& sample);
    };
    static constexpr size_t mostForms = 256;
    static constexpr size_t mostHeld = 128; ///< samples of one form

    static bool isCounted(Proof proof)
    {
        return proof == Proof::Certain || proof == Proof::Counter || proof == Proof::Evaluation;
    }
    static bool mayStandAlone(Proof proof)
    {
        return proof == Proof::Result || proof == Proof::Evaluation;
    }
    static Axis decide(const Form& form);
    static void hold(Form& form, std::vector<Sample>& samples);
    template <typename It> static bool place(Axis axis, It begin, It end);
    void finishBlocks(MetricSink& sink);
    void giveProven(Form& form, MetricSink& sink);
    template <typename Samples> static void give(Form& form, Samples& samples, MetricSink& sink);

    std::unordered_map<size_t, Form> m_forms;
};

} // namespace slipway
