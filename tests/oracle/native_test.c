/* SPDX-License-Identifier: BSD-2-Clause
 *
 * native_test.c - random programs as C through the real runtime: dpor-optimal counts
 * as many executions as the oracle has classes, and as many of them deadlock.  So the
 * in-memory programs on which strategies are judged are true to the runtime.  Lazy reductions
 * see a deadlock where there is one, and the lazy cache counts as it does in memory.
 *
 * HEDDLE is the tool; HEDDLE_ORACLE_PROGRAMS how many per family. */
#include "support/unit.h"

#include <unistd.h>

#include "oracle/judge.h"
#include "oracle/print_c.h"
#include "support/compare.h"

static uint64_t programs(void)
{
    const char *n = getenv("HEDDLE_ORACLE_PROGRAMS"), *deep = getenv("HEDDLE_DEEP");

    return n != NULL ? strtoull(n, NULL, 10) : deep != NULL && deep[0] == '1' ? 50 : 2;
}

/* The number behind the name in the tool's JSON. */
static uint64_t number_in(const char *text, const char *name)
{
    const char *at = strstr(text, name);

    if (at == NULL)
        fail_msg("no %s in: %s", name, text);
    return strtoull(at + strlen(name), NULL, 10);
}

/* The oracle knows deadlocks only; that a thread ends with a lock is found as well, and the
 * execution goes on. */
static void write_suppressions(const char *directory)
{
    char path[128];

    snprintf(path, sizeof path, "%s/suppressions", directory);
    FILE *out = fopen(path, "w");

    assert_non_null(out);
    fputs("{\n  a thread ends with a lock\n  kind: lock-misuse\n  message: *has ended*\n}\n", out);
    assert_int_equal(fclose(out), 0);
}

/* As p.c, in place of an older program. */
static void write_program(const struct program *p, const char *directory)
{
    char path[128];

    snprintf(path, sizeof path, "%s/p", directory);
    unlink(path);
    snprintf(path, sizeof path, "%s/p.c", directory);
    FILE *out = fopen(path, "w");

    assert_non_null(out);
    print_c_joined(p, out);
    assert_int_equal(fclose(out), 0);
}

/* Explore directory/p, made of p.c there when it is new; the JSON goes to text. */
static void run_native(const char *directory, const char *strategy, char *text, size_t size)
{
    const char *tool = getenv("HEDDLE");
    char command[1024];

    assert_non_null(tool);
    snprintf(command, sizeof command, "cd %s && { [ p -nt p.c ] || %s cc -O1 -pthread p.c -o p; } && timeout 60 %s verify "
             "--strategy %s --keep-going --suppressions suppressions --json - --quiet --progress none "
             "./p 2>errors",
             directory, tool, tool, strategy);
    FILE *in = popen(command, "r");

    assert_non_null(in);
    text[fread(text, 1, size - 1, in)] = '\0';
    pclose(in);
}

static unsigned deadlocks_of(const struct oracle *o)
{
    unsigned n = 0;

    for (unsigned i = 0; i < o->n; i++)
        n += o->class[i].deadlock;
    return n;
}

static void complain(const struct program *p, const char *what, unsigned classes, const struct oracle *o,
                     const char *text)
{
    print_c(p, stderr);
    fail_msg("%s: %u classes, %u deadlocks; the tool says: %s", what, classes, deadlocks_of(o), text);
}

/* Plain accesses are steps of their own there: so what dpor-lazy repeats is not the same. */
static void compare_lazily(const struct program *p, const struct oracle *o, const char *directory,
                           const char *what)
{
    unsigned classes = (unsigned)explore_program(p, "dfs+lazycache:cache=16", -1).executions;
    char text[1 << 16];

    run_native(directory, "dfs+lazycache", text, sizeof text);
    if (strstr(text, "\"complete\": true") == NULL)
        return; /* too large for it */
    /* main's creations and joins are states more: only fewer executions would be wrong */
    if (number_in(text, "\"executions\": ") < classes ||
        (number_in(text, "\"buggy\": ") != 0) != (deadlocks_of(o) != 0))
        complain(p, what, classes, o, text);
    run_native(directory, "dpor-lazy", text, sizeof text);
    if ((number_in(text, "\"buggy\": ") != 0) != (deadlocks_of(o) != 0))
        complain(p, what, o->nlazy, o, text);
}

/* False: what the program does is undefined in C (it waits with two mutexes, say), which ends
 * executions of which the oracle knows more. */
static bool compare(const struct program *p, const char *directory, const char *what)
{
    const struct oracle *o = judge_oracle(p);
    char text[1 << 16];

    if (o == NULL)
        return true;
    write_program(p, directory);
    run_native(directory, "dpor-optimal", text, sizeof text);
    if (strstr(text, "\"lock-misuse\"") != NULL)
        return false;
    unsigned executions = (unsigned)number_in(text, "\"executions\": ");
    unsigned buggy = (unsigned)number_in(text, "\"buggy\": ");

    /* Where main leaves, the runtime also tells the orders of the threads' ends apart, main's among them,
     * which the oracle does not know. */
    if (print_c_can_join(p) ? executions != o->n || buggy != deadlocks_of(o)
                              : executions < o->n || (buggy != 0) != (deadlocks_of(o) != 0))
        complain(p, what, o->n, o, text);
    compare_lazily(p, o, directory, what);
    return true;
}

static void the_runtime_has_the_same_classes(void **state)
{
    const char *only = getenv("HEDDLE_ORACLE_FAMILY");
    char directory[] = "/tmp/heddle-native-XXXXXX", command[64];
    uint64_t all = 0, compared = 0;

    (void)state;
    assert_non_null(mkdtemp(directory));
    write_suppressions(directory);
    for (enum generate_family f = 0; f < GENERATE_COUNT; f++)
        for (uint64_t i = 0; i < programs(); i++) {
            struct program p;
            char what[64];

            if (!generate_is_native(f) || (only != NULL && strcmp(only, generate_name(f)) != 0))
                continue;
            snprintf(what, sizeof what, "program %llu of %s", (unsigned long long)i,
                     generate_name(f));
            generate(&p, f, 12, i);
            compared += compare(&p, directory, what);
            all++;
        }
    printf("%llu of %llu programs compared\n", (unsigned long long)compared, (unsigned long long)all);
    assert_true(compared > 0 && compared >= all - all / 10);
    snprintf(command, sizeof command, "rm -rf %s", directory);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_runtime_has_the_same_classes) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
