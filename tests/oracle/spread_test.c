/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spread_test.c - several machines lease parts of one search from a store (src/store, src/campaign/spread).
 * Together they must explore what one worker explores alone: the same classes, each counted once.  Machines claim,
 * commit and lose leases in random order; a lost lease must leave no trace.  HEDDLE_ORACLE_PROGRAMS sets how many
 * programs per family (HEDDLE_DEEP=1: 300). */
#include "support/unit.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/vec.h"
#include "campaign/spread/part.h"
#include "oracle/generate.h"
#include "oracle/oracle.h"
#include "support/crew.h"

#define SMALL 1500 /* executions; what has more is passed over */
#define SHARED_BYTES (UINT64_C(1) << 30)
#define MACHINES 3

/* A machine that explores its lease with two workers or one. */
struct machine {
    bool busy;
    unsigned n;
    struct explorer x[2];
    struct hd_arena shared;
    struct hd_cluster_lease lease;
    struct hd_part part;
    uint64_t counted[2];
    uint64_t *classes; /* of the executions that count */
    size_t nclasses;
};

struct team {
    const struct program *program;
    const char *spec;
    int64_t kind, bound;
    struct hd_cluster *st;
    struct hd_cluster_campaign c;
    struct hd_rng *rng;
    struct machine m[MACHINES];
    struct tally tally;
    uint64_t lost, slices;
    uint64_t *known; /* distinct classes */
    size_t nknown;
};

static void seen(struct explorer *x, void *ctx)
{
    struct machine *m = ctx;
    unsigned i = (unsigned)(x - m->x);

    if (explorer_totals(x)->executions == m->counted[i])
        return;
    m->counted[i] = explorer_totals(x)->executions;
    *HD_PUSH(m->classes, m->nclasses) = hd_hash_mix(1, oracle_hash(x->exec.events, x->exec.nevents, x->state.script));
}

static void leave(struct machine *m)
{
    for (unsigned i = 0; i < m->n; i++)
        explorer_close(&m->x[i]);
    munmap(m->shared.base, SHARED_BYTES);
    hd_part_free(&m->part);
    hd_cluster_lease_free(&m->lease);
    free(m->classes);
    m->classes = NULL;
    m->busy = false;
}

/* Returns false if the campaign is over. */
static bool take(struct team *t, struct machine *m, const char *who)
{
    bool dies = hd_rng_below(t->rng, 6) == 0; /* its lease has expired at once */
    enum hd_cluster_claim got = hd_cluster_claim(t->st, t->c.id, who, dies ? -1 : 1000, 1, &m->lease);

    if (got != HD_CLAIM_WORK) {
        assert_true(got == HD_CLAIM_WAIT || got == HD_CLAIM_OVER);
        return got == HD_CLAIM_WAIT;
    }
    assert_true(hd_cluster_refresh(t->st, &t->c));
    m->busy = true;
    m->n = 1 + hd_rng_below(t->rng, 2);
    m->counted[0] = m->counted[1] = m->nclasses = 0;
    m->shared = (struct hd_arena){ .size = SHARED_BYTES };
    m->shared.base = mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(m->shared.base != MAP_FAILED);
    hd_part_plant(&m->part, &m->shared, t->kind, &m->lease, t->c.bound, t->c.flags);
    for (unsigned i = 0; i < m->n; i++) {
        explorer_open_worker(&m->x[i], t->program, t->spec, t->bound, 1, &m->shared, NULL, i, m->n);
        m->x[i].seen = seen;
        m->x[i].ctx = m;
    }
    return true;
}

/* One execution of one worker.  Returns false if it had none to run. */
static bool execute(struct machine *m, unsigned i)
{
    struct explorer *x = &m->x[i];

    if (hd_search_begin(&x->search) != HD_BEGIN_RUN)
        return false;
    assert_true(explorer_run(x, 10000));
    hd_search_end(&x->search);
    x->seen(x, x->ctx);
    return true;
}

static void publish(struct team *t, struct machine *m, const char *who)
{
    struct hd_step step;
    struct hd_bytes b = { &step, sizeof step };
    struct hd_cluster_beat beat;

    assert_true(hd_cluster_heartbeat(t->st, who, &m->lease, 1000, hd_part_step(&m->part, &step) ? &b : NULL, &beat));
}

static void note_class(struct team *t, uint64_t class)
{
    for (size_t i = 0; i < t->nknown; i++)
        if (t->known[i] == class)
            return;
    *HD_PUSH(t->known, t->nknown) = class;
    t->tally.set += class;
    t->tally.nset++;
}

static void commit(struct team *t, struct machine *m, const char *who)
{
    struct hd_harvest h;
    uint64_t executions = 0, redundant = 0, buggy = 0;

    m->part.share->closing = 1;
    for (unsigned i = 0; i < m->n; i++) /* the last worker may finish what the first has begun */
        while (execute(m, i))
            ;
    assert_true(hd_share_is_idle(m->part.share));
    for (unsigned i = 0; i < m->n; i++) {
        executions += explorer_totals(&m->x[i])->executions;
        redundant += explorer_totals(&m->x[i])->redundant;
        buggy += explorer_totals(&m->x[i])->buggy;
    }
    hd_part_harvest(&m->part, 1 + hd_rng_below(t->rng, 5), &h);
    bool list = t->kind == HD_CLUSTER_LIST, last = t->bound >= 0 && t->c.bound >= t->bound;
    struct hd_cluster_slice s = {
        .worker = who, .executions = (int64_t)executions, .redundant = (int64_t)redundant, .buggy = (int64_t)buggy,
        .flags = h.flags, .deepens = last || strcmp(t->spec, "dfs") == 0 ? 0 : list ? 1 : t->bound < 0 ? 4 : 0,
        .state = h.state, .cursor = h.cursor, .step = h.step, .rows = h.rows, .nrows = h.nrows,
    };
    enum hd_cluster_commit done = hd_cluster_commit(t->st, &m->lease, &s);

    assert_true(done != HD_COMMIT_FAILED);
    t->slices += done == HD_COMMIT_DONE;
    t->lost += done == HD_COMMIT_LOST;
    if (done == HD_COMMIT_DONE) {
        t->tally.executions += executions;
        t->tally.redundant += redundant;
        t->tally.buggy += buggy;
        for (size_t i = 0; i < m->nclasses; i++) {
            t->tally.classes += m->classes[i];
            note_class(t, m->classes[i]);
        }
    }
    hd_harvest_free(&h);
    leave(m);
}

static void work(struct team *t)
{
    bool more = true;

    while (more) {
        unsigned which = hd_rng_below(t->rng, MACHINES);
        struct machine *m = &t->m[which];
        char who[8];

        snprintf(who, sizeof who, "m%u", which);
        if (!m->busy) {
            more = take(t, m, who);
            continue;
        }
        for (uint32_t n = hd_rng_below(t->rng, 12); n > 0; n--)
            execute(m, hd_rng_below(t->rng, m->n));
        publish(t, m, who);
        uint32_t fate = hd_rng_below(t->rng, 8);

        if (fate == 0) { /* it dies, and its lease expires */
            assert_true(hd_cluster_release(t->st, who, &m->lease));
            leave(m);
            t->lost++;
        } else if (fate < 4) {
            commit(t, m, who);
        }
    }
    for (unsigned i = 0; i < MACHINES; i++)
        if (t->m[i].busy)
            leave(&t->m[i]);
}

static void show(const struct team *t, enum generate_family f, uint64_t i, const struct tally *one)
{
    fprintf(stderr, "%s, program %llu of %s: executions %llu alone, %llu spread; redundant %llu, %llu; buggy %llu, %llu; classes %s\n",
            t->spec, (unsigned long long)i, generate_name(f), (unsigned long long)one->executions,
            (unsigned long long)t->tally.executions, (unsigned long long)one->redundant, (unsigned long long)t->tally.redundant,
            (unsigned long long)one->buggy, (unsigned long long)t->tally.buggy,
            one->classes == t->tally.classes ? "equal" : "differ");
    generate_print(t->program, stderr);
}

struct sum {
    uint64_t programs, slices, lost, bad;
};

static void compare(struct hd_cluster *st, struct sum *sum, const char *spec, int64_t kind, enum generate_family f, uint64_t i)
{
    static struct team t;
    struct hd_rng rng = hd_rng_for(11, i);
    int64_t bound = strncmp(spec, "bpor", 4) == 0 ? (i % 2 == 0 ? -1 : 1) : spec[0] == 'i' ? 2 : -1;
    struct program p;
    char name[64];

    generate(&p, f, 1, i);
    struct tally one = crew_alone(&p, spec, bound, SMALL);

    if (!one.over)
        return;
    snprintf(name, sizeof name, "%s %d %llu", spec, (int)f, (unsigned long long)i);
    memset(&t, 0, sizeof t);
    t = (struct team){ .program = &p, .spec = spec, .kind = kind, .bound = bound, .st = st, .rng = &rng };
    struct hd_cluster_spec cs = { .name = name, .kind = (enum hd_cluster_kind)kind, .spec = "", .hash = "" };

    assert_true(hd_cluster_join(st, &cs, &t.c));
    work(&t);
    struct hd_cluster_totals totals;

    assert_true(hd_cluster_totals(st, t.c.id, &totals));
    assert_int_equal(totals.unfinished, 0);
    EXPECT_EQ(name, (uint64_t)totals.executions, t.tally.executions);
    sum->programs++;
    sum->slices += t.slices;
    sum->lost += t.lost;
    bool repeats = strncmp(spec, "bpor", 4) == 0; /* a class may count more than once */
    bool same = one.set == t.tally.set && one.nset == t.tally.nset &&
                (repeats || (one.executions == t.tally.executions && one.buggy == t.tally.buggy && one.classes == t.tally.classes));

    free(t.known);
    if (!same && sum->bad++ < 2)
        show(&t, f, i, &one);
    hd_cluster_delete(st, t.c.id);
    hd_cluster_campaign_free(&t.c);
}

static uint64_t programs(void)
{
    const char *n = getenv("HEDDLE_ORACLE_PROGRAMS"), *deep = getenv("HEDDLE_DEEP");

    return n != NULL ? strtoull(n, NULL, 10) : deep != NULL && deep[0] == '1' ? 300 : 4;
}

static void compare_all(void **state, const char *spec, int64_t kind)
{
    struct sum sum = { 0 };

    for (enum generate_family f = 0; f < GENERATE_COUNT; f++)
        for (uint64_t i = 0; i < programs(); i++)
            compare(*state, &sum, spec, kind, f, i);
    printf("%-13s programs %llu slices %llu lost %llu bad %llu\n", spec, (unsigned long long)sum.programs,
           (unsigned long long)sum.slices, (unsigned long long)sum.lost, (unsigned long long)sum.bad);
    EXPECT_EQ(spec, sum.bad, 0);
    assert_true(sum.slices > 2 * sum.programs && sum.lost > 0); /* else nothing was divided or lost */
}

static void dpor(void **state) { compare_all(state, "dpor", HD_CLUSTER_TREE); }
static void dpor_optimal(void **state) { compare_all(state, "dpor-optimal", HD_CLUSTER_TREE); }
static void dpor_classic(void **state) { compare_all(state, "dpor-classic", HD_CLUSTER_TREE); }
static void bpor(void **state) { compare_all(state, "bpor", HD_CLUSTER_TREE); }
static void bpor_source(void **state) { compare_all(state, "bpor-source", HD_CLUSTER_TREE); }
static void bpor_lazy(void **state) { compare_all(state, "bpor-lazy", HD_CLUSTER_TREE); }
static void dfs(void **state) { compare_all(state, "dfs", HD_CLUSTER_LIST); }
static void ipb(void **state) { compare_all(state, "ipb", HD_CLUSTER_LIST); }
static void idb(void **state) { compare_all(state, "idb", HD_CLUSTER_LIST); }

static char directory[256];

static int open_store(void **state)
{
    const char *tmp = getenv("TMPDIR");
    char url[512], error[512];

    snprintf(directory, sizeof directory, "%.200s/spreadXXXXXX", tmp != NULL ? tmp : "/tmp");
    if (mkdtemp(directory) == NULL)
        return -1;
    snprintf(url, sizeof url, "sqlite:%s/store", directory);
    *state = hd_cluster_open(url, error, sizeof error);
    return *state == NULL;
}

static int close_store(void **state)
{
    char command[512];

    hd_cluster_close(*state);
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return system(command) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dpor), cmocka_unit_test(dpor_optimal), cmocka_unit_test(dpor_classic),
        cmocka_unit_test(bpor), cmocka_unit_test(bpor_source), cmocka_unit_test(bpor_lazy),
        cmocka_unit_test(dfs), cmocka_unit_test(ipb), cmocka_unit_test(idb),
    };

    return cmocka_run_group_tests(tests, open_store, close_store);
}
