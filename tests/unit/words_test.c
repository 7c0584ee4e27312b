/* SPDX-License-Identifier: BSD-2-Clause
 *
 * words_test.c - the failure in the words of exceptions, test frameworks and panics.  tests/report and
 * tests/cli/each.bats run libstdc++, GoogleTest and Catch2 themselves; the outputs of Criterion, GLib, libc++ and
 * Rust are samples written here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "report/evidence/words.h"
#include "report/names/operand.h"
#include "report/names/shorten.h"

static void expect(const char *output, const char *words)
{
    char buf[400];
    bool placed;

    assert_true(hd_words_of_failure(output, strlen(output), buf, sizeof buf, &placed));
    assert_string_equal(buf, words);
}

static void frameworks_are_heard(void **state)
{
    (void)state;
    expect("x\nterminate called after throwing an instance of 'std::runtime_error'\n  what():  jobs lost\n",
           "uncaught exception std::runtime_error: jobs lost");
    expect("terminate called after throwing an instance of 'int'\n", "uncaught exception int");
    expect("libc++abi: terminating with uncaught exception of type std::logic_error: no\n",
           "uncaught exception std::logic_error: no");
    expect("[ RUN      ] Pool.Drains\na.cc:5: Failure\nExpected equality of these values:\n  n\n    Which is: 1\n  2\n\n"
           "[  FAILED  ] Pool.Drains (0 ms)\n",
           "\"Pool.Drains\" fails at a.cc:5: Expected equality of these values: n (is 1), 2");
    expect("~~~\n-----------------\nit counts\n-----------------\na.cc:4\n.................\n\na.cc:5: FAILED:\n"
           "  REQUIRE( n == 2 )\nwith expansion:\n  1 == 2\n\n====\n",
           "\"it counts\" fails at a.cc:5: REQUIRE( n == 2 ) with expansion: 1 == 2");
    expect("[ RUN      ] counts\n[  ERROR   ] --- 0x1 != 0x2\n[   LINE   ] --- a.c:9: error: Failure!\n",
           "fails at a.c:9: 0x1 != 0x2");
    expect("[----] a.c:12: Assertion Failed\n[----]   The expression `n == 2` is false.\n[FAIL] s::t\n",
           "fails at a.c:12: The expression `n == 2` is false.");
    expect("**\nERROR:a.c:12:test_pool: assertion failed (n == 2): (1 == 2)\n",
           "a.c:12:test_pool: assertion failed (n == 2): (1 == 2)");
    expect("thread '<unnamed>' panicked at src/main.rs:12:9:\nno money\nnote: run with `RUST_BACKTRACE=1`\n",
           "panicked at src/main.rs:12:9: no money");
    expect("thread 'main' panicked at 'no money', src/main.rs:12:9\n", "panicked at 'no money', src/main.rs:12:9");
}

static void other_output_tells_nothing(void **state)
{
    const char output[] = "Failure is no option\nERR: 1\n";
    char buf[100];
    bool placed;

    (void)state;
    assert_false(hd_words_of_failure(output, sizeof output - 1, buf, sizeof buf, &placed));
    assert_false(hd_words_of_failure("", 0, buf, sizeof buf, &placed));
}

static void names_are_shortened(void **state)
{
    char buf[300];

    (void)state;
    hd_name_shorten("Pool::Pool(int)::{lambda()#1}::operator()() const", buf, sizeof buf);
    assert_string_equal(buf, "Pool::Pool(int)::lambda#1");
    hd_name_shorten("void run(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >)", buf,
                    sizeof buf);
    assert_string_equal(buf, "void run(std::string)");
    hd_name_shorten("Cache<std::vector<Account, std::allocator<Account> >, std::hash<Account> >::find(Account const&) const",
                    buf, sizeof buf);
    assert_string_equal(buf, "Cache<..>::find(Account const&) const");
    hd_name_shorten("main", buf, sizeof buf);
    assert_string_equal(buf, "main");
    hd_name_fold_parameters(buf);
    assert_string_equal(buf, "main");
    snprintf(buf, sizeof buf, "Cache::Cache(unsigned long, Clock)::visit(std::function<void (int)> const&) const");
    hd_name_fold_parameters(buf);
    assert_string_equal(buf, "Cache::Cache(..)::visit(..) const");
    snprintf(buf, sizeof buf, "f()::g(T)");
    hd_name_fold_parameters(buf);
    assert_string_equal(buf, "f()::g(T)");
}

static void operands_are_read(void **state)
{
    char buf[100];

    (void)state;
    assert_true(hd_operand_of_line("  pthread_mutex_lock(&j->lock);", false, buf, sizeof buf));
    assert_string_equal(buf, "j->lock");
    assert_true(hd_operand_of_line("std::lock_guard<std::mutex> l(queue.m);", false, buf, sizeof buf));
    assert_string_equal(buf, "queue.m");
    assert_true(hd_operand_of_line("if (n.load() == 1)", true, buf, sizeof buf));
    assert_string_equal(buf, "n");
    assert_false(hd_operand_of_line("pthread_mutex_lock(&a); pthread_mutex_lock(&b);", false, buf, sizeof buf));
    assert_false(hd_operand_of_line("std::lock_guard<std::mutex> l(m); n = 1;", true, buf, sizeof buf));
}

static void calls_are_read(void **state)
{
    (void)state;
    assert_string_equal(hd_io_call_of_line("    if (read (c->fd, request, sizeof request) > 0)"), "read");
    assert_string_equal(hd_io_call_of_line("n = epoll_wait(loop->epoll, &ready, 1, -1);"), "epoll_wait");
    assert_null(hd_io_call_of_line("thread_read(c); ready = 1; close;"));
    assert_null(hd_io_call_of_line("write(a, x, read(b, x, 1));"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frameworks_are_heard),
        cmocka_unit_test(other_output_tells_nothing),
        cmocka_unit_test(names_are_shortened),
        cmocka_unit_test(operands_are_read),
        cmocka_unit_test(calls_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
