#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# Places are those of the user's source: without optimisation the calls of the C++ library are
# functions of their own, and what they do happens in headers of libraries.
load helper

@test "a deadlock of std::mutex is told in the program's own lines" {
    cat >dl.cc <<'EOF'
#include <mutex>
#include <thread>
static std::mutex a, b;
static void ab()
{
    a.lock();
    b.lock();
    b.unlock();
    a.unlock();
}
static void ba()
{
    std::lock_guard<std::mutex> x(b);
    std::lock_guard<std::mutex> y(a);
}
int main()
{
    std::thread t(ab), u(ba);
    t.join();
    u.join();
}
EOF
    heddle c++ -g -O0 -o dl dl.cc
    heddle run --json r.json ./dl >out || [ $? -eq 2 ]
    sed '/^Stack of/,$d' out >report
    absent '\.h:[0-9]\|libstdc++' <report
    grep -q 'T1 waits at dl.cc:7 for mutex b, held by T2 (taken at dl.cc:13)' report
    grep -q 'T2 waits at dl.cc:14 for mutex a, held by T1 (taken at dl.cc:6)' report
    grep -q '> *6 .*a.lock();.*<- T1, step' report
    grep -q '> *13 .*x(b);.*<- T2, step' report
    grep -q 'created by main at dl.cc:18' out
    json r.json '".h:" not in r["findings"][0]["why"] and "dl.cc:" in r["findings"][0]["why"]'
    # what was kept says the same
    heddle replay >again || [ $? -eq 2 ]
    sed '/^Stack of/,$d' again >report
    absent '\.h:[0-9]\|libstdc++' <report
}

@test "an atomic in a lambda is where the lambda uses it" {
    cat >at.cc <<'EOF'
#include <atomic>
#include <cassert>
#include <thread>
static std::atomic<int> data{0}, flag{0};
int main()
{
    std::thread w([] {
        flag.store(1);
        data.store(42);
    });
    std::thread r([] {
        if (flag.load())
            assert(data.load() == 42);
    });
    w.join();
    r.join();
}
EOF
    heddle c++ -g -O0 -o at at.cc
    heddle run ./at >out || [ $? -eq 2 ]
    sed '/^Stack of/,$d' out | tr -s '\n ' ' ' >report
    absent '\.h:[0-9]\|libstdc++' <report
    grep -q "T2's load of data at at.cc:13 came before T1's store of data at at.cc:9" report
}
