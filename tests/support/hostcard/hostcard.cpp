// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/hostcard/hostcard.h"

#include "tests/support/hostcard/hostblock.h"

#include <cstdint>
#include <cstdlib>

namespace {

HostCard* only = nullptr;
/// A faulty kernel may write a little beside its memory, not into another's.
constexpr size_t margin = 4096;

} // namespace

HostCard::HostCard()
{
    only = this;
}

HostCard::~HostCard()
{
    for (const auto& [handle, thing] : m_things) {
        takeFromKernels(const_cast<void*>(handle));
        std::free(thing.block);
    }
    only = nullptr;
}

HostCard* HostCard::current()
{
    return only;
}

int HostCard::begin(const std::string& function, const std::vector<std::string>& arguments)
{
    std::string text = function + '(';
    for (size_t i = 0; i < arguments.size(); ++i)
        text += (i > 0 ? ", " : "") + arguments[i];
    calls.push_back(text + ')');
    return int(calls.size()) - 1 == failingCall ? failure : 0;
}

void* HostCard::make(const std::string& kind, size_t bytes)
{
    // As on a card, memory begins at a multiple of 256 bytes.
    const size_t size = (bytes + 2 * margin + 4095) / 4096 * 4096;
    const auto block = static_cast<char*>(std::aligned_alloc(4096, size));
    void* const handle = block + margin;
    m_things[handle] = {kind + ' ' + std::to_string(++m_made[kind]), block};
    if (kind == "memory")
        giveToKernels(handle, bytes);
    return handle;
}

bool HostCard::giveBack(const std::string& kind, const void* handle)
{
    const auto at = m_things.find(handle);
    if (at == m_things.end() || at->second.name.rfind(kind + ' ', 0) != 0)
        return false;
    takeFromKernels(const_cast<void*>(handle));
    std::free(at->second.block);
    m_things.erase(at);
    return true;
}

std::string HostCard::nameOf(const void* handle) const
{
    const auto at = m_things.find(handle);
    return at != m_things.end() ? at->second.name : handle ? "host" : "null";
}

std::vector<std::string> HostCard::kept() const
{
    std::vector<std::string> names;
    for (const auto& [handle, thing] : m_things)
        names.push_back(thing.name);
    return names;
}

int HostCard::launch(
    const std::string& kernel, unsigned x, unsigned y, unsigned threads, void** arguments)
{
    ++launches;
    if (computes && fault.empty())
        fault = launchOnHost(kernel.c_str(), x, y, threads, arguments);
    return 0;
}
