/* SPDX-License-Identifier: BSD-2-Clause
 *
 * align_test.c - the operations of a thread are found again after an edit. */
#include "support/unit.h"

#include "base/rng.h"
#include "shrink/align.h"

enum { NAMES = 32, LONGEST = 40 };

/* A word per operation: kind, function, object.  Letters are names: 'a' is 1; '-' is unknown. */
struct sequence {
    struct hd_align_op op[LONGEST];
    uint32_t n;
};

static uint32_t letter(char c)
{
    return c == '-' ? HD_ALIGN_ANY : (uint32_t)(c - 'a' + 1);
}

static struct sequence sequence(const char *text)
{
    struct sequence s = { .n = 0 };

    for (; text[0] != '\0'; text += 3 + (text[3] == ' '))
        s.op[s.n++] = (struct hd_align_op){ letter(text[0]), letter(text[1]), letter(text[2]) };
    return s;
}

struct names {
    struct hd_align_names names;
    bool recorded[NAMES], present[NAMES];
    uint32_t renamed[NAMES];
};

static void know(struct names *k, const struct sequence *then, const struct sequence *now)
{
    memset(k, 0, sizeof *k);
    k->names = (struct hd_align_names){ NAMES, k->recorded, k->present, k->renamed };
    for (uint32_t i = 0; i < then->n; i++)
        k->recorded[then->op[i].function] = k->recorded[then->op[i].object] = true;
    for (uint32_t i = 0; i < now->n; i++)
        k->present[now->op[i].function] = k->present[now->op[i].object] = true;
}

/* Aligns and writes the partners as digits; '.': none. */
static const char *aligned(const char *then_text, const char *now_text, struct names *k)
{
    static char out[LONGEST + 1];
    struct sequence then = sequence(then_text), now = sequence(now_text);
    uint32_t partner[LONGEST];

    know(k, &then, &now);
    hd_align(&k->names, then.op, then.n, now.op, now.n, partner);
    for (uint32_t i = 0; i < then.n; i++) {
        out[i] = partner[i] == HD_ALIGN_NONE ? '.' : (char)('0' + partner[i]);
        if (partner[i] != HD_ALIGN_NONE)
            hd_align_learn(&k->names, &then.op[i], &now.op[partner[i]]);
    }
    out[then.n] = '\0';
    return out;
}

/* Kinds l (lock), u (unlock), r, w; functions f, g; objects m, n, x, y. */
static void edits_are_seen_through(void **state)
{
    static const struct { const char *then, *now, *partners; } rows[] = {
        { "lfm rfx ufm", "lfm rfx ufm", "012" },
        { "lfm rfx ufm", "wfy lfm wfy rfx ufm", "134" },  /* added */
        { "lfm rfx ufm wfx", "rfx wfx", ".0.1" },         /* removed */
        { "rfx wfx", "lfm rfx wfx ufm", "12" },           /* a lock around it */
        { "rfx wfx rfx wfx", "rfx rfx", "0.1." },
        { "lfm ufm lfm ufm", "lfm ufm", "01.." },         /* the earliest */
        { "rfx", "rfy", "0" },                            /* renamed */
        { "rfx wfx", "rfy wfy", "01" },
        { "rfx rgx", "rfx rhx", "01" },                   /* a function, too */
        { "rfx wfy", "rfx rfx", "0." },                   /* another kind is another operation */
        { "lfm lfn", "lfn lfm", ".0" },                   /* nobody was renamed: one of the two pairs */
        { "--- rfx", "lfm rfx", "01" },                   /* unknown in the recording */
        { "r-- w-x", "rfx wfx", "01" },                   /* of an earlier version */
        { "", "rfx", "" },
        { "rfx", "", "." },
    };
    struct names k;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const char *got = aligned(rows[i].then, rows[i].now, &k);

        if (strcmp(got, rows[i].partners) != 0)
            fail_msg("'%s' in '%s': %s, expected %s", rows[i].then, rows[i].now, got, rows[i].partners);
    }
}

/* A name that is still there, or that the recording has, is not a new name of another. */
static void only_a_vanished_name_is_renamed(void **state)
{
    struct names k;

    (void)state;
    assert_string_equal(aligned("rfx", "rfy wfx", &k), "."); /* x is still there */
    assert_string_equal(aligned("rfx wfy", "rfy", &k), ".."); /* y was there before */
    assert_string_equal(aligned("rfx wfx", "rfy wfy", &k), "01");
    assert_int_equal(k.renamed[letter('x')], letter('y'));
    assert_true(hd_align_same(&k.names, letter('x'), letter('y')));
    assert_false(hd_align_same(&k.names, letter('x'), letter('z')));
}

/* The pairs keep the order of both sequences, agree in kind, and are as many as any alignment has: with one
 * function and one object the score counts the pairs, which a longest common subsequence maximises. */
static uint32_t longest_common(const struct sequence *a, uint32_t i, const struct sequence *b, uint32_t k)
{
    if (i == a->n || k == b->n)
        return 0;
    if (a->op[i].kind == b->op[k].kind)
        return 1 + longest_common(a, i + 1, b, k + 1);
    uint32_t skip = longest_common(a, i + 1, b, k), other = longest_common(a, i, b, k + 1);

    return skip > other ? skip : other;
}

static void as_many_as_possible_are_found(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct hd_rng rng = hd_rng_for(18, seed);
        struct sequence s[2] = { { .n = hd_rng_below(&rng, 9) }, { .n = hd_rng_below(&rng, 9) } };
        uint32_t partner[LONGEST], pairs = 0, last = 0;
        struct names k;

        for (unsigned i = 0; i < 2; i++)
            for (uint32_t j = 0; j < s[i].n; j++)
                s[i].op[j] = (struct hd_align_op){ 1 + hd_rng_below(&rng, 3), 1, 2 };
        know(&k, &s[0], &s[1]);
        hd_align(&k.names, s[0].op, s[0].n, s[1].op, s[1].n, partner);
        for (uint32_t i = 0; i < s[0].n; i++) {
            if (partner[i] == HD_ALIGN_NONE)
                continue;
            assert_true(partner[i] < s[1].n && (pairs == 0 || partner[i] > last));
            assert_int_equal(s[0].op[i].kind, s[1].op[partner[i]].kind);
            last = partner[i];
            pairs++;
        }
        assert_int_equal(pairs, longest_common(&s[0], 0, &s[1], 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_are_seen_through),
        cmocka_unit_test(only_a_vanished_name_is_renamed),
        cmocka_unit_test(as_many_as_possible_are_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
