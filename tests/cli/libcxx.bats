#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# Programs that use libc++, clang's C++ library, which is not instrumented.
load helper

setup_file() {
    command -v clang++ >/dev/null || skip "no clang++"
    echo '#include <thread>' | clang++ -stdlib=libc++ -fsyntax-only -x c++ - 2>/dev/null || skip "no libc++"
}

# once: two threads call f once and then read what it has written; direct: they read it without that
once() {
    cat >once.cc <<'END'
#include <cassert>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <thread>
static std::once_flag flag;
static int value, tries;
static void work(const char *how)
{
    if (!std::strcmp(how, "throws")) {
        try {
            std::call_once(flag, [] { value++; if (++tries == 1) throw std::runtime_error(""); });
        } catch (const std::runtime_error &) {
            return;
        }
    } else if (std::strcmp(how, "direct")) {
        std::call_once(flag, [] { value++; });
    } else if (value == 0) {
        value++;
    }
    assert(value == 1 || tries == 2);
}
int main(int, char **argv)
{
    std::thread one(work, argv[1]), other(work, argv[1]);
    one.join();
    other.join();
    if (!std::strcmp(argv[1], "throws"))
        assert(value == 2 && tries == 2);
    return 0;
}
END
    HEDDLE_CXX=clang++ heddle c++ -stdlib=libc++ -std=c++17 -O1 -g -o once once.cc
}

@test "threads and std::call_once of libc++ are ordered" {
    once
    for strategy in dfs dpor; do
        run heddle verify --strategy $strategy ./once ordered
        exits 0
        run heddle verify --strategy $strategy ./once throws
        exits 0
    done
}

@test "without std::call_once the same is a race" {
    once
    run heddle verify ./once direct
    exits 2
    has "data-race"
}

@test "strings, whose members are in libc++, cost the claim and nothing else" {
    cat >strings.cc <<'END'
#include <mutex>
#include <string>
#include <thread>
int main()
{
    std::string text;
    std::mutex m;
    auto work = [&] {
        std::lock_guard<std::mutex> lock(m);
        text.append("some words, too many for the object itself");
    };
    std::thread one(work), other(work);
    one.join();
    other.join();
    return 0;
}
END
    HEDDLE_CXX=clang++ heddle c++ -stdlib=libc++ -std=c++17 -O1 -g -o strings strings.cc
    run heddle verify ./strings
    exits 4
    has "strings are not instrumented"
}
