/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hash_rng_test.c - randomness that can be repeated, hashes that tell apart. */
#include "support/unit.h"

#include "base/hash.h"
#include "base/rng.h"

/* Published first outputs of splitmix64 for seed 1234567. */
static void rng_is_splitmix64(void **state)
{
    static const uint64_t want[] = { UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                     UINT64_C(9817491932198370423) };
    struct hd_rng r = { 1234567 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(want); i++)
        assert_true(hd_rng_next(&r) == want[i]);
}

static void streams_depend_on_seed_and_index(void **state)
{
    struct hd_rng a = hd_rng_for(5, 7), same = hd_rng_for(5, 7);
    struct hd_rng index = hd_rng_for(5, 8), seed = hd_rng_for(6, 7);
    uint64_t first = hd_rng_next(&a);

    (void)state;
    assert_true(first == hd_rng_next(&same));
    assert_true(first != hd_rng_next(&index));
    assert_true(first != hd_rng_next(&seed));
}

static void below_is_uniform(void **state)
{
    unsigned count[5] = { 0 };

    (void)state;
    for (uint64_t i = 0; i < 50000; i++) {
        struct hd_rng r = hd_rng_for(1, i);
        uint32_t v = hd_rng_below(&r, 5);

        assert_true(v < 5);
        count[v]++;
    }
    for (int v = 0; v < 5; v++)
        assert_in_range(count[v], 9600, 10400);
}

static void hash_depends_on_every_byte_and_the_length(void **state)
{
    unsigned char data[21] = { 0 };
    uint64_t h = hd_hash_bytes(0, data, sizeof data);

    (void)state;
    assert_true(h == hd_hash_bytes(0, data, sizeof data));
    assert_true(h != hd_hash_bytes(0, data, sizeof data - 1));
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = 1;
        assert_true(h != hd_hash_bytes(0, data, sizeof data));
        data[i] = 0;
    }
    assert_true(hd_hash_mix(hd_hash_mix(0, 1), 2) != hd_hash_mix(hd_hash_mix(0, 2), 1));
}

/* What changes alike in all words changes the hash, too. */
static void hash_of_words_depends_on_each_its_place_and_their_number(void **state)
{
    uint64_t data[11] = { 0 }, seen[2 * 11 + 2];
    size_t n = 0;

    (void)state;
    seen[n++] = hd_hash_words(0, data, 11);
    assert_true(seen[0] == hd_hash_words(0, data, 11));
    for (size_t i = 0; i < 11; i++) {
        seen[n++] = hd_hash_words(0, data, i);
        data[i] = 1;
        seen[n++] = hd_hash_words(0, data, 11);
        data[i] = 0;
    }
    for (size_t i = 0; i < 11; i++)
        data[i] = 1;
    seen[n++] = hd_hash_words(0, data, 11);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            assert_true(seen[i] != seen[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rng_is_splitmix64),
        cmocka_unit_test(streams_depend_on_seed_and_index),
        cmocka_unit_test(below_is_uniform),
        cmocka_unit_test(hash_depends_on_every_byte_and_the_length),
        cmocka_unit_test(hash_of_words_depends_on_each_its_place_and_their_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
