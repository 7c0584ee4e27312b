/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rust_test.c - names of Rust.  Paths of functions come from debug information: tests/report has such a program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "report/names/demangle.h"
#include "report/names/rust.h"

static void check(const char *mangled, const char *expected)
{
    char name[200];

    hd_demangle_into(mangled, name, sizeof name);
    assert_string_equal(name, expected);
}

/* Each symbol is spelled from its parts: length and text, E at the end. */
static void older_symbols_are_undone(void **state)
{
    (void)state;
    check("_ZN4bank8transfer17h0123456789abcdefE", "bank::transfer");
    check("_ZN4bank4main28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE", "bank::main::{{closure}}");
    check("_ZN35_$LT$bank..Money$u20$as$u20$Sum$GT$3add17h0123456789abcdefE", "<bank::Money as Sum>::add");
}

/* A part of C++ that looks nearly the same: a digit is missing, or it is no number. */
static void other_symbols_stay(void **state)
{
    (void)state;
    check("_ZN4bank8transfer16h0123456789abcdeE", "bank::transfer::h0123456789abcde");
    check("_ZN4bank8transfer17h0123456789abcdegE", "bank::transfer::h0123456789abcdeg");
    check("transfer", "transfer");
}

/* By RFC 2603: Nv is a value and Nt a type in the path behind it, C a crate with its number, M a block of methods
 * with its place, B a position behind _R in base 62. */
static void newer_symbols_are_undone(void **state)
{
    (void)state;
    check("_RNvCs1234_4bank8transfer", "bank::transfer");
    check("_RNvMNtCs1234_4bank5moneyNtB2_5Money3add", "bank::money::Money::add");
    check("_RNCNvCs1234_4bank4main0", "bank::main::{closure}");
    check("_RINvCs1234_4bank8transferlE", "bank::transfer");
}

static void what_is_not_understood_stays(void **state)
{
    (void)state;
    check("_RNvINtCs1234_4bank3BoxlE3add", "_RNvINtCs1234_4bank3BoxlE3add"); /* arguments inside the path */
    check("_RNvCs1234_4bank99add", "_RNvCs1234_4bank99add");                 /* a length beyond the end */
    check("_RB_", "_RB_");                                                    /* refers to itself */
    check("_R", "_R");
}

static void files_of_the_library_are_known(void **state)
{
    (void)state;
    assert_true(hd_rust_is_library_file("/rustc/0123/library/std/src/rt.rs"));
    assert_true(hd_rust_is_library_file("library/std/src/sys/futex.rs"));
    assert_true(hd_rust_is_library_file("/opt/rust/lib/rustlib/src/rust/library/core/src/ops.rs"));
    assert_true(hd_rust_is_library_file("/home/a/.cargo/registry/src/index/parking_lot-0.12/src/lib.rs"));
    assert_false(hd_rust_is_library_file("src/library/rt.rs"));
    assert_false(hd_rust_is_library_file("/home/a/bank/src/main.rs"));
    assert_false(hd_rust_is_library_file("library/rt.c"));
    assert_false(hd_rust_is_library_file(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(older_symbols_are_undone),
        cmocka_unit_test(other_symbols_stay),
        cmocka_unit_test(newer_symbols_are_undone),
        cmocka_unit_test(what_is_not_understood_stays),
        cmocka_unit_test(files_of_the_library_are_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
