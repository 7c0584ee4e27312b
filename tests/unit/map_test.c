/* SPDX-License-Identifier: BSD-2-Clause
 *
 * map_test.c - growing arrays, maps and numbered texts, against plain arrays. */
#include "support/unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"

enum { MANY = 3000 };

/* Whatever remains of an array is kept when it grows again. */
static void arrays_grow_and_may_start_again(void **state)
{
    static const size_t kept[] = { 0, 0, 1, 2, 5, 64 };
    size_t *list = NULL;

    (void)state;
    for (size_t round = 0; round < sizeof kept / sizeof *kept; round++) {
        size_t n = kept[round];

        while (n < MANY)
            *HD_PUSH(list, n) = round;
        for (size_t i = 0; i < MANY; i++) {
            size_t last = round;

            while (kept[last] > i) /* not written again in that round */
                last--;
            assert_int_equal(list[i], last);
        }
    }
    free(list);
}

static uint64_t key_of(uint32_t i)
{
    return (uint64_t)i << 20 | 1; /* they differ in few bits only */
}

static void keys_keep_their_numbers(void **state)
{
    struct hd_map m = { 0 };
    bool new;

    (void)state;
    assert_int_equal(hd_map_find(&m, 7), UINT32_MAX);
    for (uint32_t i = 0; i < MANY; i++) {
        *hd_map_add(&m, key_of(i), &new) = 2 * i;
        assert_true(new);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(*hd_map_add(&m, key_of(i), &new), 2 * i);
        assert_false(new);
        assert_int_equal(hd_map_find(&m, key_of(i)), 2 * i);
        assert_int_equal(hd_map_find(&m, key_of(i) + 1), UINT32_MAX);
    }
    hd_map_free(&m);
}

static void a_text_has_one_number_and_one_address(void **state)
{
    struct hd_texts t = { .n = 0 };
    const char *address[MANY];
    char text[32];

    (void)state;
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(text, sizeof text, "%u", i);
        assert_int_equal(hd_texts_add(&t, text), i);
        address[i] = t.text[i];
    }
    assert_int_equal(hd_texts_add(&t, ""), MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(text, sizeof text, "%u", i);
        assert_int_equal(hd_texts_add(&t, text), i);
        assert_true(t.text[i] == address[i] && strcmp(address[i], text) == 0);
    }
    assert_int_equal(t.n, MANY + 1);
    hd_texts_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_grow_and_may_start_again),
        cmocka_unit_test(keys_keep_their_numbers),
        cmocka_unit_test(a_text_has_one_number_and_one_address),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
