/* SPDX-License-Identifier: BSD-2-Clause
 *
 * arena_test.c - blocks are apart, aligned, and the end is noticed. */
#include "support/unit.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"

static _Alignas(64) unsigned char memory[1024];

static void blocks_are_aligned_and_apart(void **state)
{
    static const size_t size[] = { 1, 64, 65, 7, 128 };
    static const size_t offset[] = { 0, 64, 128, 256, 320 };
    struct hd_arena a = { memory, sizeof memory, 0 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(size); i++)
        assert_ptr_equal(hd_arena_alloc(&a, size[i]), memory + offset[i]);
    assert_int_equal(a.used, 448);
}

static void exhaustion_ends_the_process(void **state)
{
    int status;

    (void)state;
    fflush(NULL);
    pid_t pid = fork();

    if (pid == 0) {
        struct hd_arena a = { memory, sizeof memory, 0 };

        close(2);
        hd_arena_alloc(&a, sizeof memory + 1);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), HD_EXIT_INTERNAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned_and_apart),
        cmocka_unit_test(exhaustion_ends_the_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
