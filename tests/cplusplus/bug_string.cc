/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bug_string.cc - two threads append to a string that has room for both characters.  Without
 * optimisation the compiler calls push_back in libstdc++.so, which is not instrumented.
 * Expect: data-race
 * Compiler: -O0 */
#include <cassert>
#include <string>
#include <thread>

int main()
{
    std::string text;

    text.reserve(100);
    std::thread one([&] { text.push_back('1'); }), other([&] { text.push_back('2'); });

    one.join();
    other.join();
    assert(text.size() == 2);
    return 0;
}
