// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/learntfields.h"

#include "plots/metrics/scan.h"

#include <algorithm>

namespace slipway {

bool LearntFields::readField(const Field& field, std::string_view line, LineFields& out)
{
    std::string_view rest = line.substr(field.at);
    const size_t behind = rest.size() - field.size;
    if (field.isPlain) {
        std::string_view text = rest.substr(0, field.size);
        const auto value = field.decimal.digits > 0 ? std::optional(field.decimal.read(text.data()))
                                                    : takeNumber(text);
        if (!value || (field.decimal.digits == 0 && std::any_of(text.begin(), text.end(), isDigit)))
            return false;
        if (field.kind == LineFields::Field::Pair)
            out.pairs[out.pairCount++] = {field.pair.name, *value, field.pair.unit, &field.series};
        else if (field.kind == LineFields::Field::Epoch)
            out.epoch = Counter{field.counter.name, *value, 0};
        else if (field.kind == LineFields::Field::Step)
            out.step = Counter{field.counter.name, *value, 0};
        return !field.isCounter || (*value >= 0 && *value <= 1e15);
    }
    if (field.isCounter) {
        const auto counter = takeCounter(field.counter.name, rest);
        if (!counter || rest.size() != behind || (counter->total > 0) != field.hasTotal)
            return false;
        if (field.kind == LineFields::Field::Epoch)
            out.epoch = *counter;
        else if (field.kind == LineFields::Field::Step)
            out.step = *counter;
        return true;
    }
    NamedNumber number = field.pair;
    if (!takeFieldValue(rest, number) || rest.size() != behind)
        return false;
    number.unit = field.pair.unit;
    number.series = &field.series;
    if (field.kind == LineFields::Field::Pair)
        out.pairs[out.pairCount++] = number;
    return true;
}

bool LearntFields::read(const LogLine& line, LineFields& out) const
{
    if (m_entries.empty() || !line.shape)
        return false;
    const Entry& entry = m_entries[line.shape->slot];
    if (entry.shape != line.shape->id || !entry.form || !entry.form->text.fits(line.text))
        return false;
    out.epoch.reset();
    out.step.reset();
    out.pairCount = out.fieldCount = 0;
    return std::all_of(entry.form->fields.begin(), entry.form->fields.end(),
        [&](const Field& field) { return readField(field, line.text, out); });
}

void LearntFields::learn(
    const LogLine& line, const LineFields& fields, QString (*name)(std::string_view))
{
    if (!line.shape)
        return;
    if (m_entries.empty())
        m_entries.resize(LineShapes::most);
    Entry& entry = m_entries[line.shape->slot];
    if (entry.shape != line.shape->id) { // the first line of a shape is often the only one
        entry = {line.shape->id, 0, {}};
        return;
    }
    entry.form.reset();
    if (fields.fieldCount > mostFields || ++entry.tries > mostTries)
        return;
    entry.form = std::make_unique<Form>();
    LineTemplate& text = entry.form->text;
    text.set(line.text);
    const auto moved = [&](std::string_view part) {
        const bool isPart =
            part.data() >= line.text.data() && part.data() <= line.text.data() + line.text.size();
        return isPart
            ? text.text().substr(static_cast<size_t>(part.data() - line.text.data()), part.size())
            : part;
    };
    size_t pair = 0;
    for (size_t i = 0; i < fields.fieldCount; ++i) {
        const LineFields::Field& found = fields.fields[i];
        Field field;
        field.kind = found.kind;
        field.isCounter = found.isCounter;
        field.at = static_cast<size_t>(found.text.data() - line.text.data());
        field.size = found.text.size();
        const auto& counter = found.kind == LineFields::Field::Epoch ? fields.epoch : fields.step;
        if (found.kind == LineFields::Field::Pair) {
            field.pair = fields.pairs[pair++];
            field.pair.name = moved(field.pair.name);
            field.pair.unit = moved(field.pair.unit);
            field.series = name(field.pair.name);
        } else if (found.isCounter && counter) {
            field.counter.name = moved(counter->name);
        }
        std::string_view rest = found.text;
        const bool isNumber = takeNumber(rest).has_value();
        field.isPlain = isNumber && std::none_of(rest.begin(), rest.end(), isDigit);
        if (field.isPlain)
            field.decimal = DecimalForm::of(found.text.substr(0, found.text.size() - rest.size()));
        if (found.isCounter) {
            rest = found.text;
            const auto again = takeCounter({}, rest);
            field.hasTotal = again && again->total > 0;
        }
        text.setFree(moved(found.text));
        entry.form->fields.push_back(field);
    }
}

} // namespace slipway
