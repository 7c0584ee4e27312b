/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shrink_program_test.c - failing programs become as small as they can be, and every program
 * can be printed as C that compiles. */
#include "support/unit.h"

#include <sys/wait.h>
#include <unistd.h>

#include "oracle/generate.h"
#include "oracle/judge.h"
#include "oracle/print_c.h"
#include "oracle/shrink.h"
#include "support/programs.h"

static unsigned operations(const struct program *p)
{
    unsigned n = 0;

    for (unsigned t = 0; t < PROG_THREADS; t++)
        n += print_c_length(p, t);
    return n;
}

static bool contains(const struct program *p, unsigned kind, unsigned arg)
{
    for (unsigned t = 0; t < PROG_THREADS; t++)
        for (unsigned i = 0; i < print_c_length(p, t); i++)
            if (p->op[t][i].kind == kind && p->op[t][i].arg == arg)
                return true;
    return false;
}

static bool locks_0_and_writes(const struct program *p, const void *ctx)
{
    (void)ctx;
    return contains(p, OP_LOCK, 0) && (contains(p, OP_WRITE, 0) || contains(p, OP_WRITE, 1));
}

/* LOCK(0) and WRITE(0, 0), in as many threads. */
static void what_is_not_needed_goes(void **state)
{
    unsigned shrunk = 0;

    (void)state;
    for (unsigned i = 0; i < 2000; i++) {
        struct program p;

        generate(&p, GENERATE_MIXED, 7, i);
        if (!locks_0_and_writes(&p, NULL))
            continue;
        shrink(&p, locks_0_and_writes, NULL);
        EXPECT_EQ("operations", operations(&p), 2);
        assert_true(contains(&p, OP_LOCK, 0) && contains(&p, OP_WRITE, 0));
        assert_true(p.start <= 2 && print_c_length(&p, p.start - 1u) > 0);
        EXPECT_EQ("initial values", p.sem[0] + p.barrier[0], 0);
        for (unsigned t = 0; t < p.start; t++)
            EXPECT_EQ("value", (unsigned)p.op[t][0].value, 0);
        shrunk++;
    }
    assert_true(shrunk > 20);
}

static bool can_deadlock(const struct program *p, const void *ctx)
{
    const struct oracle *o = judge_oracle(p);

    (void)ctx;
    for (unsigned i = 0; o != NULL && i < o->n; i++)
        if (o->class[i].deadlock)
            return true;
    return false;
}

/* Two locks of one mutex, by one thread or two, is the least that deadlocks; a wait
 * for a condition takes a lock as well. */
static void deadlocks_need_two_operations(void **state)
{
    static const enum generate_family families[] = { GENERATE_MUTEX, GENERATE_COND };
    unsigned shrunk = 0;

    (void)state;
    for (unsigned i = 0; i < 60; i++) {
        struct program p;

        generate(&p, families[i % 2], 8, i);
        if (!can_deadlock(&p, NULL))
            continue;
        shrink(&p, can_deadlock, NULL);
        EXPECT_EQ("operations", operations(&p), 2);
        assert_true(can_deadlock(&p, NULL));
        shrunk++;
    }
    assert_true(shrunk > 10);
}

/* Main joins a thread that has a loop. */
static bool joins_a_loop(const struct program *p, const void *ctx)
{
    (void)ctx;
    for (unsigned k = 1; k < PROG_THREADS; k++)
        for (unsigned i = 0; contains(p, OP_JOIN, k) && i < print_c_length(p, k); i++)
            if (p->op[k][i].kind == OP_LOOP)
                return true;
    return false;
}

/* Threads are renumbered, jumps keep their targets. */
static void threads_and_jumps_stay_whole(void **state)
{
    struct program p = { .op = {
        { CREATE_ALL(1, 2), CREATE(3), JOIN(2), JOIN(3) },
        { WRITE(0, 1) },
        { WRITE(1, 1) },
        { READ(1), WRITE(0, 2), READ(0), { OP_LOOP, 3, 1, 2 }, WRITE(1, 2) },
    } };
    const struct program want = { .op = {
        { CREATE(1), JOIN(1) },
        { READ(0), { OP_LOOP, 1, 0, 0 } },
    } };

    (void)state;
    shrink(&p, joins_a_loop, NULL);
    assert_memory_equal(&p, &want, sizeof p);
}

static void compile(const char *directory, unsigned n)
{
    const char *cc = getenv("CC");
    char command[512];
    int length = snprintf(command, sizeof command, "cd %s && %s -std=gnu11 -pthread -Wall -Wextra "
                          "-Werror -Wno-unused-label -c", directory, cc != NULL ? cc : "cc");

    snprintf(command + length, sizeof command - (size_t)length,
             " *.c && test $(ls *.o | wc -l) = %u", n);
    int status = system(command);

    assert_true(WIFEXITED(status));
    EXPECT_EQ(command, WEXITSTATUS(status), 0);
}

static void remove_directory(const char *directory)
{
    char command[256];

    snprintf(command, sizeof command, "rm -rf %s", directory);
    assert_int_equal(system(command), 0);
}

static void every_program_is_valid_c(void **state)
{
    enum { EACH = 12 };
    char directory[] = "/tmp/heddle-print-XXXXXX";

    (void)state;
    assert_non_null(mkdtemp(directory));
    for (enum generate_family f = 0; f < GENERATE_COUNT; f++)
        for (unsigned i = 0; i < EACH; i++) {
            char path[128];
            struct program p;

            snprintf(path, sizeof path, "%s/%s-%u.c", directory, generate_name(f), i);
            FILE *out = fopen(path, "w");

            assert_non_null(out);
            generate(&p, f, 9, i);
            print_c(&p, out);
            assert_int_equal(fclose(out), 0);
        }
    compile(directory, GENERATE_COUNT * EACH);
    remove_directory(directory);
}

/* Jumps, a loop and a once, word for word. */
static void statements_are_those_of_the_program(void **state)
{
    static const struct program p = { .start = 1, .op = {
        { READ(0), SKIP_NE(1, 2), CAS(1, 0, 3), { OP_LOOP, 3, 1, 2 }, { OP_ONCE_BEGIN, 0, 0, 0 },
          SKIP_NE(2, 1), ADD(1, -1), { OP_ONCE_END, 0, 0, 0 }, UNLOCK(0) },
    } };
    static const char want[] =
        "static void once_0_4(void)\n{\n"
        "    atomic_fetch_add(&cell[1], -1);\n"
        "}\n\n"
        "static void *thread_0(void *unused)\n{\n"
        "at0:\n"
        "    r = atomic_load(&cell[0]);\n"
        "    if (r != 2) goto at3;\n"
        "    r = atomic_compare_exchange_strong(&cell[1], &(int){ 0 }, 3);\n"
        "at3:\n"
        "    if (r != 1 && loops++ < 2) goto at0;\n"
        "    loops = 0;\n"
        "    pthread_once(&once[0], once_0_4);\n"
        "    pthread_mutex_unlock(&mutex[0]);\n"
        "    return unused;\n}\n";
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    print_c(&p, out);
    fclose(out);
    if (strstr(text, want) == NULL)
        fail_msg("printed:\n%s", text);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_needed_goes),
        cmocka_unit_test(deadlocks_need_two_operations),
        cmocka_unit_test(threads_and_jumps_stay_whole),
        cmocka_unit_test(every_program_is_valid_c),
        cmocka_unit_test(statements_are_those_of_the_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
