#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# Code that is not instrumented: who is told of it, and when.
load helper

use() { # a program that increments by way of another file
    cat >use.c <<'END'
#include <assert.h>
#include <pthread.h>
void bump(void);
int get(void);
static void *thread(void *unused)
{
    bump();
    return unused;
}
int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, thread, NULL);
    bump();
    pthread_join(t, NULL);
    assert(get() == 2);
    return 0;
}
END
    cat >plain.c <<'END'
static volatile int n;
void bump(void)
{
    n++;
}
int get(void)
{
    return n;
}
END
    gcc -O2 -fPIC -c plain.c
}

@test "linking names objects and members of archives that are not instrumented" {
    use
    for level in -O0 -O1 -O2 -O3; do
        run heddle cc $level -o use use.c plain.o
        exits 0
        has "warning: plain.o: not seen"
        has "bump, get"
    done
    ar rcs libplain.a plain.o
    run heddle cc -o use use.c libplain.a
    exits 0
    has "libplain.a(plain.o)"
    run heddle cc -w -o use use.c libplain.a
    exits 0
    [ -z "$output" ]
    gcc -shared -o libplain.so plain.o
    heddle cc -o use use.c -L. -lplain -Wl,-rpath,"$PWD"
    run heddle doctor ./use
    exits 0
    has "libplain.so: 2 of 2 functions are not seen: bump, get"
}

@test "functions with the attribute, raw system calls and vector code are named" {
    cat >parts.c <<'END'
#include <immintrin.h>
#include <stdatomic.h>
long words[8];
atomic_int n;
__attribute__((no_sanitize("thread"))) void by_attribute(void) { words[0]++; }
__attribute__((no_sanitize("thread"))) void by_attribute_locked(void) { n++; }
__attribute__((no_sanitize("thread"))) void by_vector(void)
{
    _mm_storeu_si128((__m128i *)words, _mm_loadu_si128((__m128i *)words + 1));
}
__attribute__((noinline)) long by_system_call(void)
{
    long r;

    __asm__ volatile("syscall" : "=a"(r) : "a"(39) : "rcx", "r11", "memory");
    words[3] = r;
    return r;
}
int main(void)
{
    by_attribute();
    by_attribute_locked();
    by_vector();
    return by_system_call() < 0;
}
END
    for cc in gcc clang; do
        command -v $cc >/dev/null || continue
        for level in -O0 -O2; do
            HEDDLE_CC=$cc heddle cc --asm=ignore $level -fno-inline -o parts parts.c
            run heddle doctor ./parts
            exits 0
            has by_attribute
            # clang announces atomics in spite of the attribute
            [ $cc = gcc ] && has "4 of 5" || has "3 of 5"
        done
    done
}

@test "a mere store of inline assembly is known after linking" {
    cat >store.c <<'END'
int word, other;
__attribute__((noinline)) void give_back(void)
{
    other++;
    __asm__ volatile("movl $0, %0" : "=m"(word));
}
__attribute__((noinline)) void local(void)
{
    int own = 1;

    __asm__ volatile("incl %0" : "+m"(own));
    other += own;
}
int main(void)
{
    give_back();
    local();
    return 0;
}
END
    for level in -O0 -O2; do
        heddle cc --asm=ignore $level -o store store.c
        run heddle doctor ./store
        exits 0
        has "1 of 3 functions are not seen: give_back"
    done
    heddle cc --asm=point -O1 -c store.c
    run heddle cc -o store store.o
    [ -z "$output" ]
}

@test "nothing is said of what is instrumented throughout" {
    cat >all.cc <<'END'
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <variant>
#include <vector>
struct base { virtual ~base() = default; virtual int f() const = 0; };
struct left : virtual base { int a = 1; int f() const override { return a; } };
struct right : virtual base { int b = 2; int f() const override { return b; } };
struct both : left, right { int f() const override { return left::f() + right::f(); } };
template <typename T> T twice(T x) { return x + x; }
static std::mutex m;
static std::map<std::string, int> words;
static const int table[] = { 3, 1, 4, 1, 5, 9, 2, 6 };
static int look(int i)
{
    switch (i) {
    case 0: return 7;
    case 1: return 11;
    case 2: return table[3];
    case 3: return 13;
    case 4: return 17;
    case 5: return 19;
    default: return table[i & 7];
    }
}
int main()
{
    std::vector<std::thread> threads;
    std::shared_ptr<base> p = std::make_shared<both>();
    std::variant<int, std::string> v = std::string("x");
    for (int i = 0; i < 2; i++)
        threads.emplace_back([i, p] {
            std::lock_guard<std::mutex> g(m);
            std::ostringstream s;
            s << "n" << i << p->f();
            words[s.str()] += look(i) + twice(i);
        });
    for (auto &t : threads)
        t.join();
    try {
        std::get<int>(v);
    } catch (const std::exception &e) {
        std::cout << e.what() << words.size() << std::endl;
    }
    return 0;
}
END
    for cc in g++ clang++; do
        command -v $cc >/dev/null || continue
        for level in -O0 -O1 -O2 -O3; do
            HEDDLE_CXX=$cc run heddle c++ -std=c++17 $level -o all all.cc
            exits 0
            [ -z "$output" ]
        done
    done
    # an object for link-time optimisation is instrumented when it is linked
    g++ -std=c++17 -O2 -flto -c -fsanitize=thread all.cc
    run heddle c++ -flto -O2 -o all all.o
    exits 0
    [ -z "$output" ]
}

@test "no false alarm where names and tables of symbols are gone" {
    printf 'int x;\nint main(void) { return x++ > 3; }\n' >p.c
    heddle cc -O2 -s -o p p.c
    run heddle doctor ./p
    exits 0
    [[ "$output" != *"not seen"* ]]
}
