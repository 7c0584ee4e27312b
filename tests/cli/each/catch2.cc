/* SPDX-License-Identifier: BSD-2-Clause
 *
 * catch2 - tests of Catch2, one of which fails when an update is lost.  The comma is part of a name. */
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

TEST_CASE("all updates count", "[counter]")
{
    std::atomic<int> n{0};
    auto add = [&] {
        int before = n.load();

        n.store(before + 1);
    };
    std::thread first(add), second(add);

    first.join();
    second.join();
    REQUIRE(n.load() == 2);
}

TEST_CASE("one update, alone")
{
    REQUIRE(1 + 1 == 2);
}
