/* SPDX-License-Identifier: BSD-2-Clause
 *
 * static_objects.cc - static objects are made before main in each execution and
 * destroyed after it, in reverse order, with atexit handlers in between. */
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static int alive;

struct outer {
    std::vector<std::string> words{"warp", "weft"};
    outer() { assert(alive++ == 0); }
    ~outer()
    {
        assert(words.size() == 3);
        assert(--alive == 0);
    }
};

struct inner {
    inner() { assert(alive++ == 1); }
    ~inner() { assert(--alive == 1); }
};

static outer first;
static inner second;

int main()
{
    std::mutex m;

    assert(alive == 2 && first.words.size() == 2);
    std::atexit([] { assert(alive == 2); });
    std::thread t([&] {
        std::lock_guard<std::mutex> hold(m);
        first.words.push_back("a word too long for the small string buffer");
    });
    t.join();
}
