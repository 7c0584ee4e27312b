#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# Code that is not instrumented: when and how it is reported.
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

@test "strings whose members are in the C++ library cost a TSan build of another compiler call its claim" {
    cat >strings.cc <<'END'
#include <mutex>
#include <string>
#include <thread>
int main()
{
    std::string text;
    std::mutex m;

    text.reserve(100);
    auto work = [&] {
        std::lock_guard<std::mutex> lock(m);
        text.push_back('a');
    };
    std::thread one(work), other(work);
    one.join();
    other.join();
    return text.size() != 2;
}
END
    g++ -fsanitize=thread -std=c++17 -O0 -g -o tsan strings.cc
    run heddle verify ./tsan
    exits 4
    has "strings are not instrumented"
    has "(compile with heddle c++), and ran beside other threads"
    has "std::string::push_back(..)"
    heddle c++ -std=c++17 -O0 -g -o ours strings.cc
    run heddle verify ./ours
    exits 0
    # no member is in the library where the standard lets programs evaluate them at compile time
    g++ -fsanitize=thread -std=c++20 -O0 -g -o newer strings.cc
    run heddle verify ./newer
    exits 0
    # the library's own strings, in a stream of the thread, cost nothing
    sed "s/text.push_back('a')/std::ostringstream o; o << 12; text.push_back(o.str()[0])/; 1i #include <sstream>" strings.cc >stream.cc
    heddle c++ -std=c++17 -O0 -g -o stream stream.cc
    run heddle verify ./stream
    exits 0
}

@test "no false alarm where names and tables of symbols are gone" {
    printf 'int x;\nint main(void) { return x++ > 3; }\n' >p.c
    heddle cc -O2 -s -o p p.c
    run heddle doctor ./p
    exits 0
    [[ "$output" != *"not seen"* ]]
}

# ---- in a search -------------------------------------------------------------------------

# A lost update of n in part(), called by main and a thread.
parts_main() {
    cat >main.c <<'END'
#include <assert.h>
#include <pthread.h>
void part(void);
int part_value(void);
static void *thread(void *unused)
{
    part();
    return unused;
}
int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, thread, NULL);
    part();
    pthread_join(t, NULL);
    assert(part_value() == 2);
    return 0;
}
END
    cat >part.c <<'END'
static volatile int n;
void part(void) { n++; }
int part_value(void) { return n; }
END
}

tells() { # whatever lines it is broken into
    [[ "$(tr -s ' \n' ' ' <<<"$output")" == *"$1"* ]] || { echo "missing: $1"; echo "$output"; return 1; }
}

denied() { # NAME PROGRAM: never clean, and the name is printed
    local name=$1
    shift
    run heddle verify "$@"
    exits 4
    has "nothing proved"
    has "$name"
    run heddle run --executions 50 "$@"
    [ "$status" -ne 0 ] || [[ "$output" != *"robabil"* ]]
    has "$name"
    [[ "$output" != *"CLEAN"* ]]
    [[ "$output" != *"missed with probability"* ]]
}

@test "ten programs, each with a part of another kind that is not seen" {
    parts_main
    local self='__attribute__((no_sanitize("thread")))'
    # a plain object, an archive, a shared library
    gcc -O1 -fPIC -c part.c
    heddle cc -w -o object main.c part.o
    denied part ./object
    ar rcs libpart.a part.o
    heddle cc -w -o archive main.c libpart.a
    denied part ./archive
    gcc -shared -o libpart.so part.o
    heddle cc -o library main.c -L. -lpart -Wl,-rpath,"$PWD"
    denied libpart.so ./library
    # one that is loaded later
    cat >later.c <<'END'
#include <dlfcn.h>
static void (*loaded)(void);
static int (*value)(void);
__attribute__((constructor)) static void nothing(void) {}
void part(void)
{
    loaded();
}
int part_value(void)
{
    return value();
}
void load(void)
{
    void *l = dlopen("./libpart.so", RTLD_NOW);

    *(void **)&loaded = dlsym(l, "part");
    *(void **)&value = dlsym(l, "part_value");
}
END
    sed 's/    pthread_t t;/    extern void load(void);\n    load();\n    pthread_t t;/' main.c >main2.c
    heddle cc -w -o later main2.c later.c
    denied libpart.so ./later
    # inline assembly
    cat >assembly.c <<'END'
static int n, other;
void part(void)
{
    int v;

    other = 0;
    __asm__ volatile("movl %1, %0" : "=r"(v) : "m"(n));
    __asm__ volatile("movl %1, %0" : "=m"(n) : "r"(v + 1));
}
int part_value(void)
{
    int v;

    __asm__ volatile("movl %1, %0" : "=r"(v) : "m"(n));
    return v;
}
END
    heddle cc -w --asm=ignore -O1 -o assembly main.c assembly.c
    run heddle verify --races off ./assembly
    exits 4
    has "assembly.c"
    # an attribute, for the function and for its atomics
    sed "s/^void/$self void/; s/^int/$self int/" part.c >attribute.c
    heddle cc -w -O1 -o attribute main.c attribute.c
    denied part ./attribute
    # a raw system call
    cat >raw.c <<'END'
static int n;
void part(void)
{
    long r, v = n;

    __asm__ volatile("syscall" : "=a"(r) : "a"(24) : "rcx", "r11", "memory");
    n = (int)v + 1;
}
int part_value(void) { return n; }
END
    heddle cc -w --asm=ignore -O1 -o raw main.c raw.c
    run heddle verify --races off ./raw
    exits 4
    has part
    # vector code
    cat >vector.c <<'END'
#include <immintrin.h>
static int n[4];
__attribute__((no_sanitize("thread"))) void part(void)
{
    __m128i v = _mm_loadu_si128((__m128i *)n);

    _mm_storeu_si128((__m128i *)n, _mm_add_epi32(v, _mm_set1_epi32(1)));
}
__attribute__((no_sanitize("thread"))) int part_value(void) { return n[0]; }
END
    heddle cc -w -O1 -o vector main.c vector.c
    denied part ./vector
    # code made at run time: incl (%rdi); ret
    cat >jit.c <<'END'
#include <string.h>
#include <sys/mman.h>
static int n;
static void (*code)(int *);
void load(void)
{
    static const unsigned char bytes[] = { 0xff, 0x07, 0xc3 };
    void *page = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    memcpy(page, bytes, sizeof bytes);
    *(void **)&code = page;
}
void part(void)
{
    code(&n);
}
int part_value(void) { return n; }
END
    heddle cc -w -O1 -o jit main2.c jit.c
    denied "executable" ./jit
    # C++'s library, linked statically
    cat >cpp.cc <<'END'
#include <string>
#include <thread>
int main()
{
    std::string s;
    std::thread a([&] { s += 'a'; });
    s += 'b';
    a.join();
    return s.size() != 2;
}
END
    heddle c++ -w -O1 -static-libstdc++ -o cpp cpp.cc
    run heddle verify --races off ./cpp
    exits 4
    tells "not instrumented, and ran beside other threads"
}

@test "what is not seen is told with several workers, fork isolation and in JSON" {
    parts_main
    gcc -O1 -c part.c
    heddle cc -w -o object main.c part.o
    run heddle verify -j 2 ./object
    exits 4
    tells "ran beside other threads: part"
    run heddle verify --isolation fork --strategy dfs --json r.json ./object
    exits 4
    tells "ran beside other threads: part"
    python3 - <<'END'
import json
unseen = {u["function"]: u for u in json.load(open("r.json"))["unseen"]}
assert unseen["part"] == {"object": "object", "function": "part", "kind": "plain",
                          "ran_with_threads": True, "allowed": False}, unseen
assert unseen["part_value"]["ran_with_threads"] is False, unseen
END
    for name in object part 'pa*'; do
        run heddle verify --allow-unseen "$name" --json r.json ./object
        exits 0
        tells "--allow-unseen lets it"
        [[ "$output" != *"holds for C11"* ]]
        grep -q '"allowed": true' r.json
    done
}

# What the function touches decides nothing.  Without HEDDLE_TRUSTED, and in a function beside it, the same code
# costs the claim.
@test "a function that the source declares as trusted keeps the claim, and is named" {
    cat >trusted.c <<'END'
#include <heddle/heddle.h>
#include <pthread.h>
static int calls, others;
#ifndef DECLARED
#undef HEDDLE_TRUSTED
#define HEDDLE_TRUSTED __attribute__((noinline, no_sanitize("thread")))
#endif
HEDDLE_TRUSTED static void counted(void) { calls++; }
__attribute__((noinline, no_sanitize("thread"))) static void also(void) { others++; }
static void *thread(void *unused)
{
    counted();
#ifdef ALSO
    also();
#else
    if (unused)
        also();
#endif
    return unused;
}
int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, thread, 0);
    counted();
    pthread_join(t, 0);
    return 0;
}
END
    local compiler
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        HEDDLE_CC=$compiler heddle cc -O1 -DDECLARED -o trusted trusted.c 2>said
        absent counted <said
        run heddle verify --json r.json ./trusted
        exits 0
        tells "HEDDLE_TRUSTED in the source lets it: counted (in trusted)"
        [[ "$output" != *"holds for C11"* ]]
        python3 -c 'import json; u = {u["function"]: u for u in json.load(open("r.json"))["unseen"]}; assert u["counted"]["allowed"] and u["counted"]["ran_with_threads"] and not u["also"]["allowed"], u'
        HEDDLE_CC=$compiler heddle cc -O1 -o undeclared trusted.c
        run heddle verify ./undeclared
        exits 4
        tells "not instrumented, and ran beside other threads: counted"
        HEDDLE_CC=$compiler heddle cc -O1 -DDECLARED -DALSO -o beside trusted.c
        run heddle verify ./beside
        exits 4
        tells "not instrumented, and ran beside other threads: also"
        tells "HEDDLE_TRUSTED in the source lets it: counted"
    done
}

@test "a function that goes on when threads are there, and main among them" {
    cat >main.c <<'END'
#include <pthread.h>
int n;
void *thread(void *unused);
void begin(pthread_t *t);
int main(void)
{
    pthread_t t;

    begin(&t);
    n++;
    pthread_join(t, 0);
    return n != 2;
}
END
    cat >seen.c <<'END'
#include <pthread.h>
extern int n;
void *thread(void *unused) { n++; return unused; }
void begin(pthread_t *t) { pthread_create(t, 0, thread, 0); }
END
    gcc -O1 -c main.c
    heddle cc -w -o goes_on main.o seen.c
    run heddle verify ./goes_on
    exits 4
    tells "ran beside other threads: main"
    cat >main.cc <<'END'
#include <pthread.h>
int n;
extern "C" void begin(pthread_t *t);
__attribute__((noinline)) static int catching(pthread_t *t)
{
    try {
        begin(t);
    } catch (int) {
        n++;
    }
    return n;
}
int caught(pthread_t *t) { return catching(t); }
END
    cat >seen.cc <<'END'
#include <pthread.h>
extern int n;
int caught(pthread_t *t);
extern "C" void *thread(void *unused) { n++; return unused; }
extern "C" void begin(pthread_t *t) { pthread_create(t, 0, thread, 0); throw 1; }
int main()
{
    pthread_t t;
    caught(&t);
    pthread_join(t, 0);
    return 0;
}
END
    g++ -O1 -c main.cc
    heddle c++ -w -o catches main.o seen.cc
    run heddle verify ./catches
    exits 4
    tells "ran beside other threads: catching"
}

@test "a structure that a call returns into shared memory is named with its place; without symbols it costs the claim as well" {
    printf '%s\n' '#include <pthread.h>' 'struct s { long w[4]; } shared;' 'long other;' \
        '__attribute__((noinline)) static struct s make(void) { return (struct s){ { 1 + other } }; }' \
        '__attribute__((noinline)) static void *f(void *u) {' '    shared = make();' '    return u;' '}' \
        'int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); return 0; }' >r.c
    for level in 0 1 2; do
        heddle cc -O$level -o r r.c
        run heddle verify ./r
        exits 4
        tells "an access that gcc does not announce ran beside other threads: f (r.c:6)"
    done
    run heddle verify --allow-unseen f ./r
    exits 0
    heddle cc -S -o r.s r.c
    heddle cc -o r r.s
    run heddle verify ./r
    exits 4
    strip r
    run heddle verify ./r
    exits 4
    tells "without a symbol to watch it by: f (r.c:6)"
}

@test "inline assembly without a locked instruction costs the claim with clang as well" {
    command -v clang >/dev/null || skip "clang is not installed"
    printf '%s\n' '#include <pthread.h>' 'static int m; int other;' \
        'static void *f(void *u) { other++; __asm__ volatile("movl $5, %0" : "=m"(m)); return u; }' \
        'int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int seen = m; pthread_join(t, 0); return seen == 7; }' >m.c
    HEDDLE_CC=clang heddle cc -O1 -o m m.c
    run heddle verify ./m
    exits 4
    tells "inline assembly, which is not seen, ran beside other threads: f (in m)"
}

@test "vector instructions for which gcc calls no hook cost the claim, unless the memory is private" {
    printf '%s\n' '#include <immintrin.h>' '#include <pthread.h>' 'int shared[8] __attribute__((aligned(32)));' 'volatile int seen, got;' \
        '#if USE == 1' '#define ACCESS(m) _mm_stream_si32(m, 5)' '#elif USE == 2' '#define ACCESS(m) _mm_storel_pi((__m64 *)(m), _mm_set1_ps(5))' \
        '#elif USE == 3' '#define ACCESS(m) (got = _mm256_extract_epi32(_mm256_i32gather_epi32(m, _mm256_set1_epi32(0), 4), 0))' \
        '#elif USE == 4' '#define ACCESS(m) _mm256_maskstore_epi32(m, _mm256_set1_epi32(-1), _mm256_set1_epi32(5))' \
        '#else' '#define ACCESS(m) _mm_store_si128((__m128i *)(m), _mm_set1_epi32(5))' '#endif' \
        '__attribute__((noinline)) static void f(int *m) { (void)m; ACCESS(M); }' \
        'static void *other(void *u) { int own[8] __attribute__((aligned(32))) = { 0 }; f(own); (void)own; return u; }' \
        'int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); seen = M[0]; pthread_join(t, 0); return 0; }' >v.c
    for use in 1 2 3 4; do
        heddle cc -O1 -mavx2 -DUSE=$use -DM=shared -o v v.c
        run heddle verify ./v
        exits 4
        tells "an access that gcc does not announce ran beside other threads: f ("
    done
    heddle cc -O1 -mavx2 -DM=shared -o v v.c # this one has a hook
    run heddle verify ./v
    exits 2
    printf '%s\n' '#include <immintrin.h>' '#include <pthread.h>' 'volatile int seen;' \
        'static void *f(void *u) { int own[8]; _mm_storel_pi((__m64 *)own, _mm_set1_ps(5)); seen = own[0]; return u; }' \
        'int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }' >own.c
    heddle cc -O1 -o own own.c
    run heddle verify ./own
    exits 0
}

@test "a constructor has two names, of which one is noted" {
    printf '%s\n' '#include <thread>' 'struct s { long w[4]; };' 'long other;' \
        '__attribute__((noinline)) static s make() { return s{ { 1 + other } }; }' \
        'struct early { std::thread t; s v; early(); };' \
        'early::early() : t([this] { other = v.w[0]; }), v(make()) { }' \
        'int main() { early e; e.t.join(); }' >c.cc
    heddle c++ -O0 -o c c.cc
    run heddle run --executions 50 ./c
    [[ "$output" != *"CLEAN"* ]]
    tells "beside other threads: early::early"
}

@test "programs that are seen whole keep their claim, GoogleTest's too" {
    printf '%s\n' '#include <pthread.h>' '#include <assert.h>' 'static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;' \
        'static int n;' 'static void *f(void *u) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return u; }' \
        'int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); assert(n == 2); return 0; }' >c.c
    heddle cc -O2 -o c c.c
    run heddle verify ./c
    exits 0
    has "C11"
    run heddle run --executions 200 ./c
    has "probability"
    [ -e /usr/include/gtest/gtest.h ] || skip "GoogleTest is not installed"
    cat >gt.cc <<'END'
#include <gtest/gtest.h>
#include <mutex>
#include <thread>
static int n;
static std::mutex m;
TEST(Counter, CountsBoth)
{
    auto add = [] {
        std::lock_guard<std::mutex> g(m);
        n++;
    };
    std::thread a(add), b(add);

    a.join();
    b.join();
    EXPECT_EQ(n, 2);
}
END
    heddle c++ -O1 -o gt gt.cc -lgtest -lgtest_main
    run heddle verify ./gt
    exits 0
    has CLEAN
    tells "did not run beside other threads"
}

@test "a lock of a plain library: no certain race, no claim; a race without it is certain" {
    cat >lock.c <<'END'
static int word;
void take(void) { while (__atomic_exchange_n(&word, 1, __ATOMIC_SEQ_CST)) __builtin_ia32_pause(); }
void give(void) { __atomic_store_n(&word, 0, __ATOMIC_RELEASE); }
END
    cat >main.c <<'END'
#include <pthread.h>
void take(void);
void give(void);
static int n;
static void *thread(void *with)
{
    if (with)
        take();
    n++;
    if (with)
        give();
    return 0;
}
int main(int argc, char **argv)
{
    pthread_t t;

    pthread_create(&t, 0, thread, argc > 1 ? argv : 0);
    thread(argc > 1 ? argv : 0);
    pthread_join(t, 0);
    return 0;
}
END
    gcc -O1 -fPIC -shared -o liblock.so lock.c
    heddle cc -O1 -o locked main.c -L. -llock -Wl,-rpath,"$PWD"
    run heddle verify --strategy dfs ./locked with
    exits 4
    tells "possible data race, unless code that is not instrumented orders the accesses"
    run heddle verify --strategy dfs ./locked
    exits 2
    has "FOUND data-race"
}
