/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minpreempt_test.c - what queries keep for later ones (P8 of minpreempt.h) changes no answer.  The oracle is the same
 * programme over all cuts from the start, which tests/oracle/claims_test.c compares with brute force.  The queries are
 * about random prefixes of executions of random programs that repeat what they do, in random order. */
#include "support/unit.h"

#include "base/rng.h"
#include "oracle/generate.h"
#include "support/explorer.h"
#include "support/question.h"

#define PROGRAMS 60 /* of each family; 50 times as many with HEDDLE_DEEP */
#define EXECUTIONS 6
#define QUERIES 60
#define ROUNDS 3

struct asked {
    struct hd_rng rng;
    struct hd_minpreempt plain;
    uint64_t queries, differ;
    uint64_t work, plain_work;
};

/* Each thread repeats its operations, unless its script is too long or has loops. */
static void repeat(struct program *p)
{
    for (unsigned t = 0; t < PROG_THREADS; t++) {
        unsigned n = 0;

        while (n < PROG_OPS && p->op[t][n].kind != OP_END && p->op[t][n].kind != OP_CREATE &&
               p->op[t][n].kind != OP_JOIN && p->op[t][n].kind != OP_LOOP && p->op[t][n].kind != OP_BACK)
            n++;
        if (n > 0 && n + 1 < PROG_OPS && p->op[t][n].kind == OP_END)
            p->op[t][n] = (struct prog_op){ OP_LOOP, (int8_t)n, 99, ROUNDS };
    }
}

static void ask(struct asked *a, struct hd_bpor *d)
{
    struct question x;
    uint32_t n = d->trace.nsteps, k = n - hd_rng_below(&a->rng, hd_rng_below(&a->rng, 2) ? n + 1 : n < 3 ? 1 : 3);
    bool extra = question_make(&x, d, k, (hd_tid)hd_rng_below(&a->rng, d->exec->nthreads));

    x.q.bound = hd_rng_below(&a->rng, 5);
    x.q.extra = extra && hd_rng_below(&a->rng, 3) > 0 ? &x.extra : NULL;
    x.q.real = x.q.extra == NULL && hd_rng_below(&a->rng, 2);
    d->least.rest = 0; /* it tries again to make places */
    uint32_t kept = hd_minpreempt(&d->least, &x.q), plain = hd_minpreempt(&a->plain, &x.q);

    a->queries++;
    if (!d->least.estimated && !a->plain.estimated)
        a->differ += kept != plain;
}

static void ask_about(struct explorer *e, void *ctx)
{
    struct asked *a = ctx;
    struct hd_bpor *d = e->search.self;

    if (d->trace.nsteps == 0)
        return;
    hd_minpreempt_init(&a->plain, &d->trace, &e->arena);
    a->plain.steps.yields = hd_bpor_yields;
    a->plain.steps.ctx = d;
    a->plain.history = &d->reversal.history;
    a->plain.forgets = true;
    if (d->least.patience != 1) {
        d->least.patience = 1;
        d->least.apart = 1 + hd_rng_below(&a->rng, 3);
        d->least.nplaces = 0;
    }
    hd_thread_steps_keep(&a->plain.steps, 0);
    a->plain.chains.n = 0;
    uint64_t work = d->least.work, plain = a->plain.work;

    for (unsigned i = 0; i < QUERIES; i++)
        ask(a, d);
    a->work += d->least.work - work;
    a->plain_work += a->plain.work - plain;
}

static void what_is_kept_changes_no_answer(void **state)
{
    const char *deep = getenv("HEDDLE_DEEP");
    unsigned programs = deep != NULL && deep[0] == '1' ? 50 * PROGRAMS : PROGRAMS;
    struct asked all = { .queries = 0 };

    (void)state;
    for (enum generate_family f = 0; f < GENERATE_COUNT; f++)
        for (unsigned i = 0; i < programs; i++) {
            struct asked a = { .rng = hd_rng_for(f, i) };
            struct program p;
            struct explorer x;

            generate(&p, f, 7, i);
            repeat(&p);
            explorer_open(&x, &p, "bpor-lazy", (int64_t)(i % 3), 1);
            x.max_steps = 200;
            x.seen = ask_about;
            x.ctx = &a;
            explorer_all(&x, EXECUTIONS);
            explorer_close(&x);
            if (a.differ != 0)
                fail_msg("%s, program %u: %lu of %lu answers differ", generate_name(f), i,
                         (unsigned long)a.differ, (unsigned long)a.queries);
            all.queries += a.queries;
            all.work += a.work;
            all.plain_work += a.plain_work;
        }
    assert_true(all.queries > 100000);
    assert_true(all.work < all.plain_work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_changes_no_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
