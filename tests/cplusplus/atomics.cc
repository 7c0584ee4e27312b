/* SPDX-License-Identifier: BSD-2-Clause
 *
 * atomics.cc - std::atomic of integers, pointers and a structure.
 * Compiler: -latomic */
#include <atomic>
#include <cassert>
#include <thread>

struct pair {
    long a, b;
};

static std::atomic<int> counter;
static std::atomic<pair> both;
static std::atomic<pair *> pointer;
static pair value;

int main()
{
    std::thread t([] {
        counter++;
        both.store({1, 1});
        value.a = 7;
        pointer.store(&value, std::memory_order_release);
    });
    pair seen = both.load();

    assert(seen.a == seen.b);
    if (pair *p = pointer.load(std::memory_order_acquire))
        assert(p->a == 7);
    counter.fetch_add(1);
    t.join();
    assert(counter == 2);
}
