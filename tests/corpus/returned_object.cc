/* SPDX-License-Identifier: BSD-2-Clause
 *
 * returned_object - objects that functions return, stored where threads share them or not.
 *
 *   -DCASE=1  an object starts a thread that reads a member, and only then initialises it: a race
 *   -DCASE=2  a member is assigned by a member function of an object that threads share: a race
 *   -DCASE=3  what new has made is assigned to after it was passed to another thread: a race
 *   -DCASE=4  the same objects, each of one thread, initialised and given to functions: correct
 *
 * g++ announces none of these stores. */
#include <cassert>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#ifndef BYTES
#define BYTES 32
#endif

struct value {
    long word[BYTES / 8];
};

long other[2]; /* not known to the compiler: a function that only stores its result has no hooks at all */

__attribute__((noinline)) static value make()
{
    return value{ { 1 + other[0] } };
}

__attribute__((noinline)) static long first(const value &v)
{
    return v.word[0];
}

struct too_early {
    std::thread reader;
    value v;

    too_early() : reader([this] { assert(first(v) != 7); }), v(make()) { }
    ~too_early() { reader.join(); }
};

struct holder {
    value v;

    holder() : v(make()) { }
    __attribute__((noinline)) void again() { v = make(); }
};

__attribute__((noinline)) static std::string name(int i)
{
    return "number " + std::to_string(i);
}

static void one_thread()
{
    auto one = std::make_unique<holder>();
    std::unique_ptr<value> two(new value(make()));
    std::vector<value> all;
    std::string text = name(1);

    all.push_back(make());
    assert(first(one->v) == first(*two) && first(all[0]) == 1 && text.size() == 8);
}

static void run_both(void (*fn)(holder *), holder *h)
{
    std::thread other_thread(fn, h);

    fn(h);
    other_thread.join();
}

int main()
{
    if (CASE == 1) {
        too_early object;
    } else if (CASE == 2) {
        holder h;

        run_both([](holder *p) { p->again(); }, &h);
    } else if (CASE == 3) {
        value *v = new value(make());
        std::thread reader([v] { assert(first(*v) != 7); });

        *v = make();
        reader.join();
        delete v;
    } else {
        run_both([](holder *) { one_thread(); }, nullptr);
    }
}
