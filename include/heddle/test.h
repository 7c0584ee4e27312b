/* SPDX-License-Identifier: BSD-2-Clause
 *
 * test.h - a test program without a framework:
 *
 *     #include <heddle/test.h>
 *     HEDDLE_TEST(no_update_is_lost) { ... assert(counter == 2); }
 *     HEDDLE_TEST_MAIN
 *
 * The program runs its tests one after the other and prints TAP; `heddle run --each` makes each of them a
 * search of its own.  Like heddle.h, this header needs no library and no Heddle (C99 and C++11 with GNU
 * attributes).  A test may fail in any way: assert, abort, heddle_assert, exit.
 *
 * Tests may be in several files of a program, one of which has HEDDLE_TEST_MAIN.  Each test is a pointer in a
 * section of the program; the linker defines symbols for the section's ends, so no code has to run before main. */
#ifndef HEDDLE_TEST_H
#define HEDDLE_TEST_H

#include <stdio.h>
#include <string.h>

#include <heddle/heddle.h>

#ifdef __cplusplus
#define HEDDLE_C_ extern "C"
extern "C" {
#else
#define HEDDLE_C_ extern
#endif

struct heddle_test_ {
    const char *name;
    void (*body)(void);
};

/* Null if there are no tests. */
extern struct heddle_test_ *__start_heddle_tests[] __attribute__((weak, visibility("hidden")));
extern struct heddle_test_ *__stop_heddle_tests[] __attribute__((weak, visibility("hidden")));

#ifdef __cplusplus
}
#endif

/* Linkers that drop unused sections may not see that the section is used, and gcc may reverse the order of
 * variables when it optimises. */
#define HEDDLE_ENTRY_ __attribute__((used, section("heddle_tests")))
#if defined(__has_attribute)
#if __has_attribute(retain)
#define HEDDLE_RETAIN_ __attribute__((retain))
#endif
#if __has_attribute(no_reorder)
#define HEDDLE_ORDER_ __attribute__((no_reorder))
#endif
#endif
#ifndef HEDDLE_RETAIN_
#define HEDDLE_RETAIN_
#endif
#ifndef HEDDLE_ORDER_
#define HEDDLE_ORDER_
#endif

/* HEDDLE_TEST(name) { ... }, outside of functions.  The body has external linkage, so that two tests with the
 * same name cause a link error. */
#define HEDDLE_TEST(name)                                                                   \
    HEDDLE_C_ void heddle_test_body_##name(void);                                           \
    static struct heddle_test_ heddle_test_of_##name = { #name, heddle_test_body_##name };  \
    HEDDLE_RETAIN_ HEDDLE_ORDER_ HEDDLE_ENTRY_                                              \
    static struct heddle_test_ *heddle_test_at_##name = &heddle_test_of_##name;             \
    void heddle_test_body_##name(void)

/* HEDDLE_WITHIN(test, function), HEDDLE_WITHOUT(test, function), outside of functions: the scope of a test.
 * In its search there are scheduling points only inside that function and the functions it calls, or only
 * outside of these, as with the options --within and --without.  Options come after scopes.
 *     HEDDLE_WITHIN(no_update_is_lost, queue_put)
 * Scopes apply with `heddle run --each`, and if the arguments select one test; a search of several tests at
 * once has none.  The verdict names the scope, because what it leaves out is not proved. */
#define HEDDLE_WITHIN(test, function) HEDDLE_SCOPE_("within " #test " " #function, __COUNTER__)
#define HEDDLE_WITHOUT(test, function) HEDDLE_SCOPE_("without " #test " " #function, __COUNTER__)

#define HEDDLE_SCOPE_(text, n) HEDDLE_SCOPE_NAMED_(text, n)
#define HEDDLE_SCOPE_NAMED_(text, n)                                                         \
    HEDDLE_RETAIN_ HEDDLE_ORDER_ __attribute__((used, section("heddle_scope")))              \
    static const char heddle_scope_##n[] = text;

/* Runs a test of the same file inside a test of another framework:
 *     Test(counter, no_update_is_lost) { HEDDLE_TEST_CALL(no_update_is_lost); } */
#define HEDDLE_TEST_CALL(name) heddle_test_body_##name()

/* For a main function of your own that has something to prepare.  Returns the exit code.
 *     --list         print the names of the tests, run none
 *     NAME ...       run these instead of all
 *     --only=NAME    run only this one, whatever else is selected
 * Under Heddle nothing is printed: otherwise it would be printed in each interleaving. */
HEDDLE_INLINE_ int heddle_test_main(int argc, char **argv);

/* HEDDLE_TEST_MAIN, outside of functions, in one file of the program. */
#define HEDDLE_TEST_MAIN                      \
    int main(int argc, char **argv)           \
    {                                         \
        return heddle_test_main(argc, argv);  \
    }

/* ---- internal: do not use the names below ---- */

#define HEDDLE_HELPER_ static inline __attribute__((unused))

HEDDLE_HELPER_ int heddle_test_count_(void)
{
    return __start_heddle_tests != 0 ? (int)(__stop_heddle_tests - __start_heddle_tests) : 0;
}

HEDDLE_HELPER_ int heddle_test_exists_(const char *name)
{
    for (int i = 0; i < heddle_test_count_(); i++)
        if (strcmp(__start_heddle_tests[i]->name, name) == 0)
            return 1;
    return 0;
}

/* Returns the name of a test in the argument, or null if the argument is an option. */
HEDDLE_HELPER_ const char *heddle_test_named_(const char *argument)
{
    if (strncmp(argument, "--only=", 7) == 0)
        return argument + 7;
    return argument[0] != '-' ? argument : 0;
}

HEDDLE_HELPER_ int heddle_test_chosen_(const char *name, int argc, char **argv)
{
    const char *only = 0;
    int named = 0, chosen = 0;

    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--only=", 7) == 0) {
            only = argv[i] + 7;
        } else if (argv[i][0] != '-') {
            named = 1;
            chosen |= strcmp(argv[i], name) == 0;
        }
    }
    return only != 0 ? strcmp(only, name) == 0 : chosen || !named;
}

/* Reports what is wrong with the arguments.  The words in brackets are those by which --each recognises such a
 * program. */
HEDDLE_HELPER_ int heddle_test_usable_(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *name = heddle_test_named_(argv[i]);

        if (name != 0 ? heddle_test_exists_(name) : strcmp(argv[i], "--list") == 0)
            continue;
        if (name != 0)
            fprintf(stderr, "%s: there is no test '%s'\n", argv[0], name);
        fprintf(stderr, "usage: %s [--list] [--only=TEST] [TEST...]  (tests of <heddle/test.h>)\n",
                argv[0]);
        return 0;
    }
    return 1;
}

HEDDLE_HELPER_ void heddle_test_run_(const struct heddle_test_ *test, int number)
{
    if (!heddle_active()) {
        printf("# %s\n", test->name); /* printed first, so that it is known even if the test does not return */
        fflush(stdout);
    }
    test->body();
    if (!heddle_active())
        printf("ok %d - %s\n", number, test->name);
}

HEDDLE_INLINE_ int heddle_test_main(int argc, char **argv)
{
    int list = 0, chosen = 0, number = 0;

    if (!heddle_test_usable_(argc, argv))
        return 1;
    for (int i = 1; i < argc; i++)
        list |= strcmp(argv[i], "--list") == 0;
    for (int i = 0; i < heddle_test_count_(); i++)
        chosen += heddle_test_chosen_(__start_heddle_tests[i]->name, argc, argv);
    if (!list && !heddle_active())
        printf("1..%d\n", chosen);
    for (int i = 0; i < heddle_test_count_(); i++) {
        const struct heddle_test_ *test = __start_heddle_tests[i];

        if (!heddle_test_chosen_(test->name, argc, argv))
            continue;
        if (list)
            puts(test->name);
        else
            heddle_test_run_(test, ++number);
    }
    return 0;
}

#undef HEDDLE_HELPER_

#endif
