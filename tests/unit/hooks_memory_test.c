/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hooks_memory_test.c - the memory and string functions agree with libc on every
 * size, alignment and overlap, stay inside their buffers, and announce exactly
 * the ranges they touch.
 *
 * The files under test are included with their functions renamed, or they would
 * replace libc's in this process, and there would be nothing to compare with. */
#include "support/unit.h"

#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/core/state.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/memcheck.h"
#include "runtime/watch/plain.h"
#include "runtime/watch/race.h"

static uint64_t caller_pc; /* stands for the return address */
#undef HD_RETURN_PC
#define HD_RETURN_PC caller_pc
/* As in the library, callers see no bodies. */
#undef HD_EXPORT
#ifdef __clang__
#define HD_EXPORT __attribute__((noinline))
#else
#define HD_EXPORT __attribute__((noipa))
#endif

#define memcpy t_memcpy
#define memmove t_memmove
#define mempcpy t_mempcpy
#define bcopy t_bcopy
#define memset t_memset
#define bzero t_bzero
#define explicit_bzero t_explicit_bzero
#define memcmp t_memcmp
#define bcmp t_bcmp
#define memchr t_memchr
#define memrchr t_memrchr
#define strlen t_strlen
#define strnlen t_strnlen
#define strcpy t_strcpy
#define stpcpy t_stpcpy
#define strncpy t_strncpy
#define stpncpy t_stpncpy
#define strcat t_strcat
#define strncat t_strncat
#define strcmp t_strcmp
#define strncmp t_strncmp
#define strchr t_strchr
#define index t_index
#define strchrnul t_strchrnul
#define rawmemchr t_rawmemchr
#define strrchr t_strrchr
#define rindex t_rindex
#define strstr t_strstr
#define strdup t_strdup
#define strndup t_strndup
#include "runtime/hooks/memory.c"
#include "runtime/hooks/string.c"
#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#undef memchr
#undef memrchr
#undef strlen
#undef strnlen
#undef strcpy
#undef strncpy
#undef stpncpy
#undef strcat
#undef strncat
#undef strcmp
#undef strncmp
#undef strchr
#undef strchrnul
#undef strrchr
#undef strstr

/* ---- the runtime, as far as these files use it --------------------------------- */

struct hd_rt hd;
struct hd_races hd_races; /* hd.races is off */
struct hd_thread *hd_evaluating;

uintptr_t hd_alias_of(uintptr_t addr)
{
    return addr;
}

bool hd_race_sees(uint64_t pc, uintptr_t addr)
{
    (void)addr;
    (void)pc;
    return false;
}

static struct {
    uintptr_t addr;
    size_t size;
    bool write;
} seen[32];
static size_t nseen;

static bool by_pieces;

bool hd_points_at(uint64_t pc)
{
    assert_int_equal(pc, caller_pc);
    return by_pieces;
}

/* No buffer of this test is where the checks look. */
void hd_memcheck_far(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    (void)size, (void)write, (void)pc;
    fail_msg("%lx is no address of a fiber", (unsigned long)addr);
}

bool hd_under_heddle(void)
{
    return false;
}
void *hd_heap_alloc(size_t n, size_t align, uint64_t pc)
{
    (void)n, (void)align, (void)pc;
    fail_msg("strdup uses the heap of heddle without being under it");
    return NULL;
}

void hd_plain_slow(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    assert_int_equal(pc, caller_pc);
    assert_true(nseen < COUNT_OF(seen));
    seen[nseen].addr = addr;
    seen[nseen].size = size;
    seen[nseen++].write = write;
}

static void expect_range(size_t i, const void *addr, size_t size, bool write)
{
    assert_true(i < nseen);
    assert_int_equal(seen[i].addr, (uintptr_t)addr);
    assert_int_equal(seen[i].size, size);
    assert_int_equal(seen[i].write, write);
}

/* ---- against libc ------------------------------------------------------------------ */

enum { SPAN = 4096, MAX_SMALL = 300 };
static unsigned char ours[SPAN], theirs[SPAN];

static void scramble(void)
{
    for (size_t i = 0; i < SPAN; i++)
        ours[i] = theirs[i] = (unsigned char)(i * 131 + (i >> 3) + 1);
}

static void expect_same(const char *what, size_t n, size_t d, size_t s)
{
    if (memcmp(ours, theirs, SPAN) != 0)
        fail_msg("%s: n=%zu to %zu from %zu differs", what, n, d, s);
}

static void moves_like_libc(void **state)
{
    static const size_t big[] = { 301, 511, 512, 1023, 1024, 1025, 1500 };

    (void)state;
    for (size_t k = 0; k < MAX_SMALL + COUNT_OF(big); k++) {
        size_t n = k < MAX_SMALL ? k : big[k - MAX_SMALL];

        for (size_t s = 1600; s < 1616; s += 3)
            for (size_t d = 1; d < 3200 - 1500; d += d > 1500 ? 1 : 123) {
                scramble();
                assert_ptr_equal(t_memmove(ours + d, ours + s, n), ours + d);
                memmove(theirs + d, theirs + s, n);
                expect_same("memmove", n, d, s);
            }
    }
}

static void moves_over_itself(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 1200; n += n < MAX_SMALL ? 1 : 97)
        for (size_t s = 1300; s < 1302; s++)
            for (size_t d = s - 80; d <= s + 80; d += 1 + d % 3) {
                scramble();
                t_memcpy(ours + d, ours + s, n);
                memmove(theirs + d, theirs + s, n);
                expect_same("overlap", n, d, s);
            }
}

static void fills_like_libc(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 1100; n += n < MAX_SMALL ? 1 : 101)
        for (size_t d = 64; d < 82; d++) {
            scramble();
            assert_ptr_equal(t_memset(ours + d, (int)(n | 0x100), n), ours + d);
            memset(theirs + d, (int)n & 0xff, n);
            expect_same("memset", n, d, 0);
        }
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static void compares_like_libc(void **state)
{
    (void)state;
    for (size_t n = 0; n < 100; n++)
        for (size_t at = 0; at <= n; at++) {
            scramble();
            ours[40 + at] = at % 2 ? 0x80 : 0x7f;
            assert_int_equal(sign(t_memcmp(ours + 40, theirs + 40, n)),
                             sign(memcmp(ours + 40, theirs + 40, n)));
        }
}

/* A string that ends with the last byte of a page; the next page is closed. */
static char *page_end(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_ptr_not_equal(p, MAP_FAILED);
    assert_int_equal(mprotect(p + page, page, PROT_NONE), 0);
    return p + page;
}

static void searches_stop_at_the_end_of_the_page(void **state)
{
    char *end = page_end();

    (void)state;
    for (size_t n = 0; n < 70; n++) {
        char *s = end - n - 1;

        memset(s, 'a', n);
        s[n] = '\0';
        assert_int_equal(t_strlen(s), n);
        assert_int_equal(t_strnlen(s, n + 5), n);
        assert_int_equal(t_strnlen(s, n / 2), n / 2);
        assert_null(t_strchr(s, 'b'));
        assert_ptr_equal(t_strchr(s, 0), s + n);
        assert_ptr_equal(t_strchrnul(s, 'b'), s + n);
        assert_ptr_equal(t_rawmemchr(s, 0), s + n);
        assert_null(t_memchr(s, 'b', n + 1));
        assert_ptr_equal(t_strrchr(s, 'a'), n ? s + n - 1 : NULL);
        assert_ptr_equal(t_memrchr(s, 'a', n + 1), n ? s + n - 1 : NULL);
        assert_ptr_equal(t_strstr(s, "ab"), NULL);
        assert_int_equal(t_strcmp(s, s), 0);
        assert_int_equal(t_memcmp(s, s, n + 1), 0);
        assert_ptr_equal(t_memmove(s, s, n + 1), s);
    }
    assert_null(t_memchr(end, 'a', 0));
    assert_int_equal(t_strnlen(end, 0), 0);
}

static void finds_like_libc(void **state)
{
    (void)state;
    for (size_t n = 0; n < 50; n++)
        for (size_t at = 0; at < n; at++)
            for (size_t off = 0; off < 17; off += 4) {
                char *s = (char *)ours + off;

                memset(s, 'x', n);
                s[n] = '\0';
                s[at] = 'y';
                s[at / 2] = 'y';
                assert_ptr_equal(t_strchr(s, 'y'), strchr(s, 'y'));
                assert_ptr_equal(t_index(s, 'y'), strchr(s, 'y'));
                assert_ptr_equal(t_strrchr(s, 'y'), strrchr(s, 'y'));
                assert_ptr_equal(t_strchrnul(s, 'z'), strchrnul(s, 'z'));
                assert_ptr_equal(t_memchr(s, 'y', at), memchr(s, 'y', at));
                assert_ptr_equal(t_memrchr(s, 'y', n), memrchr(s, 'y', n));
                assert_ptr_equal(t_strstr(s, "xyx"), strstr(s, "xyx"));
                assert_ptr_equal(t_strstr(s, ""), s);
            }
}

static void copies_strings_like_libc(void **state)
{
    char src[64], a[160], b[160];

    (void)state;
    for (size_t len = 0; len < sizeof src; len++)
        for (size_t n = 0; n < 70; n += 7) {
            memset(src, 's', len);
            src[len] = '\0';
            memset(a, 'q', sizeof a);
            memset(b, 'q', sizeof b);
            assert_ptr_equal(t_stpncpy(a, src, n) - n, stpncpy(b, src, n) - n - (b - a));
            strcpy(a + 80, "head");
            strcpy(b + 80, "head");
            t_strncat(a + 80, src, n);
            strncat(b + 80, src, n);
            assert_memory_equal(a, b, sizeof a);
            assert_ptr_equal(t_strcpy(a, src), a);
            assert_ptr_equal(t_stpcpy(b, src), b + len);
            t_strcat(t_strncpy(a + 70, "ab", 5), "cd");
            assert_string_equal(a + 70, "abcd");
            assert_string_equal(a, src);
            assert_int_equal(sign(t_strncmp(a, "sssst", n)), sign(strncmp(a, "sssst", n)));
            assert_int_equal(sign(t_strcmp(a, "\xffz")), sign(strcmp(a, "\xffz")));
        }
}

static void duplicates(void **state)
{
    char *a = t_strdup("whole"), *b = t_strndup("whole", 3);

    (void)state;
    assert_string_equal(a, "whole");
    assert_string_equal(b, "who");
    free(a);
    free(b);
}

/* ---- announcements --------------------------------------------------------------------- */

static void watch(uint64_t pc)
{
    static struct hd_thread thread;

    hd.cur = &thread;
    hd.access_mode = 1;
    caller_pc = pc;
    nseen = 0;
}

static void announces_what_it_touches(void **state)
{
    char a[32] = "abc", b[32] = "xyzuv";

    (void)state;
    watch(1);
    t_memcpy(a, b, 7);
    expect_range(0, b, 7, false);
    expect_range(1, a, 7, true);
    t_memset(a, 0, 0);
    assert_int_equal(nseen, 2);
    t_strcpy(a, "pq");
    expect_range(3, a, 3, true);
    t_strcat(a, b);
    expect_range(4, a, 3, false);
    expect_range(5, b, 6, false);
    expect_range(6, a + 2, 6, true);
    nseen = 0;
    assert_true(t_strcmp("abX", "abY") < 0);
    assert_int_equal(seen[0].size, 3);
    t_strncpy(a, "z", 9);
    expect_range(3, a, 9, true);
    assert_int_equal(t_strnlen(b, 2), 2);
    expect_range(4, b, 2, false);
    hd.cur = NULL;
}

/* As scheduling points: in words that no piece crosses, each read before it is written,
 * and as libc would copy, also where both overlap. */
static void copies_in_pieces(void **state)
{
    unsigned char ours[160], theirs[160];

    (void)state;
    watch(1);
    by_pieces = true;
    for (size_t n = 0; n <= 24; n++)
        for (size_t d = 40; d < 80; d++) {
            for (size_t i = 0; i < sizeof ours; i++)
                ours[i] = theirs[i] = (unsigned char)(i * 7);
            nseen = 0;
            assert_ptr_equal(t_memmove(ours + d, ours + 60, n), ours + d);
            memmove(theirs + d, theirs + 60, n);
            assert_memory_equal(ours, theirs, sizeof ours);
            size_t bytes[2] = { 0, 0 };

            for (size_t i = 0; i < nseen; i++) {
                assert_int_equal(seen[i].write, i % 2);
                assert_true(seen[i].addr / 8 == (seen[i].addr + seen[i].size - 1) / 8);
                bytes[seen[i].write] += seen[i].size;
            }
            assert_int_equal(bytes[0], n);
            assert_int_equal(bytes[1], n);
        }
    nseen = 0;
    t_memset(ours + 3, 9, 21);
    memset(theirs + 3, 9, 21);
    assert_memory_equal(ours + 3, theirs + 3, 21);
    assert_true(nseen >= 3);
    by_pieces = false;
    hd.cur = NULL;
}

/* The runtime's own calls, on behalf of a controlled thread, are not accesses. */
static void own_calls_are_silent(void **state)
{
    char a[8], b[8] = "own";

    (void)state;
    watch((uintptr_t)own_calls_are_silent);
    t_memcpy(a, b, sizeof a);
    t_strlen(a);
    assert_int_equal(nseen, 0);
    hd.cur = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_like_libc),
        cmocka_unit_test(moves_over_itself),
        cmocka_unit_test(fills_like_libc),
        cmocka_unit_test(compares_like_libc),
        cmocka_unit_test(searches_stop_at_the_end_of_the_page),
        cmocka_unit_test(finds_like_libc),
        cmocka_unit_test(copies_strings_like_libc),
        cmocka_unit_test(duplicates),
        cmocka_unit_test(announces_what_it_touches),
        cmocka_unit_test(copies_in_pieces),
        cmocka_unit_test(own_calls_are_silent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
