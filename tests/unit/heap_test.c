/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heap_test.c - the map of the heap against a model that keeps every byte; where
 * addresses between blocks belong; that the order of executions does not decide
 * whether a leak is seen. */
#include "support/unit.h"

#include <string.h>

#include "base/rng.h"
#include "detect/heap.h"

enum { BYTES = 64 * HD_GRANULE };

static int8_t map[BYTES / HD_GRANULE] __attribute__((aligned(8)));
static bool valid[BYTES];

/* Blocks of any size from granule to granule, some of them freed. */
static void lay_out(struct hd_rng *rng)
{
    memset(map, 0, sizeof map);
    memset(valid, 0, sizeof valid);
    for (size_t at = 0; at < BYTES;) {
        size_t size = hd_rng_below(rng, hd_rng_below(rng, 4) == 0 ? 600 : 40);
        size_t room = hd_block_room(size);
        bool freed = hd_rng_below(rng, 3) == 0;

        if (at + room > BYTES)
            break;
        for (size_t i = 0; i < room; i += HD_GRANULE)
            map[(at + i) / HD_GRANULE] =
                freed ? HD_MAP_FREED : (int8_t)(size - i < HD_GRANULE ? size - i : HD_GRANULE);
        if (size == 0 && !freed)
            map[at / HD_GRANULE] = 0;
        for (size_t i = 0; i < size; i++)
            valid[at + i] = !freed;
        at += room + HD_GRANULE * hd_rng_below(rng, 2);
    }
}

static size_t first_bad(size_t addr, size_t size)
{
    size_t i = addr;

    while (i < addr + size && valid[i])
        i++;
    return i;
}

static void the_map_agrees_with_every_byte(void **state)
{
    struct hd_rng rng = hd_rng_for(1, 0);

    (void)state;
    for (int round = 0; round < 30; round++) {
        lay_out(&rng);
        for (size_t addr = 0; addr < BYTES; addr++)
            for (size_t size = 1; addr + size <= BYTES && size < 700; size += 1 + size / 20) {
                uintptr_t bad = 0;
                size_t want = first_bad(addr, size);

                assert_int_equal(hd_map_allows(map, addr, size, &bad), want == addr + size);
                if (want < addr + size)
                    assert_int_equal(bad, want);
                if (addr % HD_GRANULE + size <= HD_GRANULE)
                    assert_int_equal(hd_map_allows_near(map, addr, size), want == addr + size);
                else if (hd_map_allows_near(map, addr, size))
                    fail_msg("more than a granule is allowed at a glance");
                bool across = addr / HD_GRANULE + 1 < BYTES / HD_GRANULE && hd_map_allows_across(map, addr, size);

                if (across && want < addr + size)
                    fail_msg("what is not allowed is, across two granules");
                if (size <= HD_GRANULE && addr % HD_GRANULE + size > HD_GRANULE)
                    assert_int_equal(across, want == addr + size);
            }
    }
}

static struct hd_block rows[] = {
    { .addr = 1000, .size = 10, .state = HD_BLOCK_LIVE },
    { .addr = 1064, .size = 20, .state = HD_BLOCK_FREED },
    { .addr = 2000, .size = 0, .state = 0 }, /* only a row */
    { .addr = 2016, .size = 16, .state = HD_BLOCK_LIVE },
};
static const struct hd_blocks blocks = { rows, 4 };

static void the_block_of_an_address_is_the_last_one_before(void **state)
{
    (void)state;
    assert_null(hd_blocks_find(&blocks, 999));
    assert_ptr_equal(hd_blocks_find(&blocks, 1000), &rows[0]);
    assert_ptr_equal(hd_blocks_find(&blocks, 1063), &rows[0]);
    assert_ptr_equal(hd_blocks_find(&blocks, 1064), &rows[1]);
    assert_ptr_equal(hd_blocks_find(&blocks, UINTPTR_MAX), &rows[3]);
    assert_null(hd_blocks_find(&(struct hd_blocks){ NULL, 0 }, 5));
}

static void places_have_names(void **state)
{
    static const struct { uintptr_t addr; enum hd_where where; int row; uint64_t distance; } want[] = {
        { 1010, HD_BEHIND, 0, 0 },    { 1030, HD_BEHIND, 0, 20 },  { 1060, HD_BEFORE, 1, 4 },
        { 1064, HD_IN_FREED, 1, 0 },  { 1083, HD_IN_FREED, 1, 19 },
        { 1090, HD_IN_FREED, 1, 26 }, /* the rest of its last granule */
        { 1100, HD_BEHIND, 1, 16 },   { 996, HD_BEFORE, 0, 4 },
        { 2008, HD_BEFORE, 3, 8 },    { 2040, HD_BEHIND, 3, 8 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct hd_place p = hd_blocks_place(&blocks, want[i].addr);

        assert_int_equal(p.where, want[i].where);
        assert_ptr_equal(p.block, &rows[want[i].row]);
        assert_int_equal(p.distance, want[i].distance);
    }
    assert_int_equal(hd_blocks_place(&blocks, 10000000).where, HD_NOWHERE);
    assert_int_equal(hd_blocks_place(&(struct hd_blocks){ NULL, 0 }, 5).where, HD_NOWHERE);
}

static struct hd_leaks leaks;

/* Runs executions of which the i-th leaks lost[i] blocks of the site.  Counts the reports, and
 * those of an execution that leaked more than another one. */
static unsigned reports(const unsigned *lost, unsigned n)
{
    unsigned found = 0;
    struct hd_block_info block = { .addr = 16, .size = 8, .site = 77 };

    memset(&leaks, 0, sizeof leaks);
    for (unsigned i = 0; i < n; i++) {
        hd_leaks_begin(&leaks);
        for (unsigned k = 0; k < lost[i]; k++)
            hd_leaks_add(&leaks, &block);
        for (uint32_t s = 0; s < leaks.nsites; s++) {
            const struct hd_leak_site *site = &leaks.sites[s];

            switch (hd_leaks_judge(&leaks, site)) {
            case HD_LEAK_NOW:
                assert_true(site->now > site->least);
                found++;
                break;
            case HD_LEAK_FIRST:
                assert_int_equal(site->first, lost[0]);
                assert_true(lost[0] > lost[i]);
                found++;
                break;
            default:
                break;
            }
        }
        hd_leaks_end(&leaks);
    }
    return found;
}

/* One report exactly when two executions differ, whatever their order. */
static void a_leak_is_a_difference(void **state)
{
    (void)state;
    for (unsigned code = 0; code < 3 * 3 * 3 * 3; code++) {
        unsigned lost[4], differ = 0;

        for (unsigned i = 0, rest = code; i < 4; i++, rest /= 3)
            lost[i] = rest % 3;
        for (unsigned i = 1; i < 4; i++)
            differ |= lost[i] != lost[0];
        assert_int_equal(reports(lost, 4), differ);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_map_agrees_with_every_byte),
        cmocka_unit_test(the_block_of_an_address_is_the_last_one_before),
        cmocka_unit_test(places_have_names),
        cmocka_unit_test(a_leak_is_a_difference),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
