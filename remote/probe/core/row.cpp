// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/row.h"

#include <cmath>
#include <cstdio>

namespace slipway::probe {

std::string_view stateName(State state)
{
    switch (state) {
    case State::Ok:
        return "ok";
    case State::Warn:
        return "warn";
    case State::Fail:
        return "fail";
    case State::Skip:
        break;
    }
    return "skip";
}

Row Row::ok(std::string id, std::string value)
{
    Row row;
    row.id = std::move(id);
    row.value = std::move(value);
    return row;
}

Row Row::skip(std::string id, std::string why, std::string fix)
{
    Row row;
    row.id = std::move(id);
    row.state = State::Skip;
    row.why = std::move(why);
    row.fix = std::move(fix);
    return row;
}

Row Row::warn(std::string id, std::string value, std::string why, std::string fix)
{
    Row row = skip(std::move(id), std::move(why), std::move(fix));
    row.state = State::Warn;
    row.value = std::move(value);
    return row;
}

Row Row::fail(std::string id, std::string value, std::string why, std::string fix)
{
    Row row = warn(std::move(id), std::move(value), std::move(why), std::move(fix));
    row.state = State::Fail;
    return row;
}

Json Row::toJson() const
{
    Json json;
    json.set("id", id).set("state", stateName(state));
    const auto add = [&](std::string_view name, const std::string& text) {
        if (!text.empty())
            json.set(name, text);
    };
    add("value", value);
    add("expected", expected);
    add("why", why);
    add("fix", fix);
    for (const Json::Member& member : more.members())
        json.set(member.first, member.second);
    json.set("data", data);
    if (ms)
        json.set("ms", std::round(*ms * 10) / 10);
    return json;
}

std::optional<Row> Row::fromJson(const Json& json)
{
    if (!json["id"].isString() || !json["state"].isString())
        return {};
    Row row;
    row.state = State::Skip;
    for (const Json::Member& member : json.members()) {
        const std::string& name = member.first;
        if (name == "id")
            row.id = member.second.text();
        else if (name == "state") {
            for (const State state : {State::Ok, State::Warn, State::Fail, State::Skip}) {
                if (member.second.text() == stateName(state))
                    row.state = state;
            }
        } else if (name == "value")
            row.value = member.second.text();
        else if (name == "expected")
            row.expected = member.second.text();
        else if (name == "why")
            row.why = member.second.text();
        else if (name == "fix")
            row.fix = member.second.text();
        else if (name == "data")
            row.data = member.second;
        else if (name == "ms")
            row.ms = member.second.maybeNumber();
        else
            row.more.set(name, member.second);
    }
    return row;
}

std::string Row::readable() const
{
    char head[64];
    std::snprintf(head, sizeof head, "%-4s  %-16s ", stateName(state).data(), id.c_str());
    std::string line = head;
    line += value.empty() ? why : value;
    const bool trouble = state == State::Warn || state == State::Fail;
    if (trouble && !value.empty() && !why.empty())
        line += ": " + why;
    if (trouble && !fix.empty())
        line += " -> " + fix;
    return line;
}

void RowCount::add(State state)
{
    switch (state) {
    case State::Ok:
        ++ok;
        break;
    case State::Warn:
        ++warn;
        break;
    case State::Fail:
        ++fail;
        break;
    case State::Skip:
        ++skip;
        break;
    }
}

State RowCount::worst() const
{
    return fail ? State::Fail : warn ? State::Warn : ok ? State::Ok : State::Skip;
}

Row RowCount::end(double seconds) const
{
    Row row = Row::ok("end", std::to_string(all()) + (all() == 1 ? " check" : " checks"));
    row.state = worst();
    row.data.set("ok", ok).set("warn", warn).set("fail", fail).set("skip", skip);
    row.data.set("seconds", std::round(seconds * 1000) / 1000);
    return row;
}

} // namespace slipway::probe
