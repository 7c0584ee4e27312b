/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reached_test.c - the sets of hashes of --count: each hash counts once, in its pass, up to their size. */
#include "support/unit.h"

#include <sys/mman.h>

#include "model/reached.h"

static struct hd_reached *new_sets(void)
{
    void *p = mmap(NULL, sizeof(struct hd_reached), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    assert_true(p != MAP_FAILED);
    return p;
}

static void each_hash_counts_once(void **state)
{
    struct hd_reached *r = new_sets();

    (void)state;
    for (unsigned round = 0; round < 3; round++)
        for (uint64_t h = 0; h < 50; h++)
            hd_reached_add(r, HD_REACHED_LAZY, 0, h);
    hd_reached_add(r, HD_REACHED_STATES, 0, 7); /* another set */
    assert_int_equal(r->n[HD_REACHED_LAZY], 50);
    assert_int_equal(r->n[HD_REACHED_STATES], 1);
    assert_int_equal(r->n[HD_REACHED_CLASSES], 0);
    munmap(r, sizeof *r);
}

static void a_new_pass_begins_at_zero(void **state)
{
    struct hd_reached *r = new_sets();

    (void)state;
    for (uint64_t h = 0; h < 5; h++)
        hd_reached_add(r, HD_REACHED_CLASSES, 0, h);
    for (uint64_t h = 3; h < 6; h++)
        hd_reached_add(r, HD_REACHED_CLASSES, 1, h); /* 3 and 4 are known from the other pass only */
    assert_int_equal(r->n[HD_REACHED_CLASSES], 3);
    munmap(r, sizeof *r);
}

static void a_full_set_says_so(void **state)
{
    struct hd_reached *r = new_sets();

    (void)state;
    for (uint64_t i = 0; i < HD_REACHED_ROWS; i++)
        r->row[HD_REACHED_STATES][i] = 2 * i + 2; /* no key is even */
    hd_reached_add(r, HD_REACHED_STATES, 0, 1);
    assert_int_equal(r->n[HD_REACHED_STATES], 0);
    assert_int_equal(r->full, 1u << HD_REACHED_STATES);
    munmap(r, sizeof *r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_hash_counts_once),
        cmocka_unit_test(a_new_pass_begins_at_zero),
        cmocka_unit_test(a_full_set_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
