/* SPDX-License-Identifier: BSD-2-Clause
 *
 * counter_gtest - a test of GoogleTest that fails when an update is lost. */
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

class Counter {
public:
    void add()
    {
        int before = n_.load();

        n_.store(before + 1);
    }
    int value() { return n_.load(); }

private:
    std::atomic<int> n_{0};
};

TEST(Counter, CountsAll)
{
    Counter counter;
    std::thread first([&] { counter.add(); });
    std::thread second([&] { counter.add(); });

    first.join();
    second.join();
    EXPECT_EQ(counter.value(), 2);
}
