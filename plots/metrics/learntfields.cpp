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
    if (field.number.isPlain()) {
        const auto value = field.number.read(rest);
        if (!value)
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
    const Form* const form = m_forms.find(line.shape);
    if (!form || !form->text.fits(line.text))
        return false;
    out.epoch.reset();
    out.step.reset();
    out.pairCount = out.fieldCount = 0;
    return std::all_of(form->fields.begin(), form->fields.end(),
        [&](const Field& field) { return readField(field, line.text, out); });
}

/// The pair of a field is left to the caller.
LearntFields::Field LearntFields::fieldOf(const LineFields::Field& found, const LineFields& fields,
    const LineTemplate& text, std::string_view line)
{
    Field field;
    field.kind = found.kind;
    field.isCounter = found.isCounter;
    field.at = static_cast<size_t>(found.text.data() - line.data());
    field.size = found.text.size();
    field.number = NumberForm::of(found.text);
    if (!found.isCounter)
        return field;
    const auto& counter = found.kind == LineFields::Field::Epoch ? fields.epoch : fields.step;
    if (counter)
        field.counter.name = text.moved(counter->name, line);
    std::string_view rest = found.text;
    const auto again = takeCounter({}, rest);
    field.hasTotal = again && again->total > 0;
    return field;
}

void LearntFields::learn(
    const LogLine& line, const LineFields& fields, QString (*name)(std::string_view))
{
    m_forms.learn(line.shape, [&]() -> std::unique_ptr<Form> {
        if (fields.fieldCount > mostFields)
            return nullptr;
        auto form = std::make_unique<Form>();
        form->text.set(line.text);
        size_t pair = 0;
        for (size_t i = 0; i < fields.fieldCount; ++i) {
            const LineFields::Field& found = fields.fields[i];
            Field field = fieldOf(found, fields, form->text, line.text);
            if (found.kind == LineFields::Field::Pair) {
                field.pair = fields.pairs[pair++];
                field.pair.name = form->text.moved(field.pair.name, line.text);
                field.pair.unit = form->text.moved(field.pair.unit, line.text);
                field.series = name(field.pair.name);
            }
            form->text.setFree(form->text.moved(found.text, line.text));
            form->fields.push_back(field);
        }
        return form;
    });
}

} // namespace slipway
