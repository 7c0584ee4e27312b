/* SPDX-License-Identifier: BSD-2-Clause
 *
 * async.cc - std::async with results and exceptions. */
#include <cassert>
#include <future>
#include <stdexcept>

int main()
{
    auto value = std::async(std::launch::async, [] { return 42; });
    assert(value.get() == 42);
    auto error = std::async(std::launch::async, []() -> int { throw std::runtime_error("weft"); });
    bool caught = false;

    try {
        error.get();
    } catch (const std::runtime_error &) {
        caught = true;
    }
    assert(caught);
    assert(std::async(std::launch::deferred, [] { return 1; }).get() == 1);
}
