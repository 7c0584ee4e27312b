/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_trace.c - see race_trace.h. */
#include "support/race_trace.h"

/* ---- random traces ---------------------------------------------------------------- */

struct maker {
    struct trace *t;
    struct hd_rng rng;
    unsigned created, sem;
    bool live[THREADS], ended[THREADS];
    int owner, writer; /* -1 none */
    enum manners manners;
    bool reader[THREADS];
};

static unsigned below(struct maker *m, unsigned n)
{
    return hd_rng_below(&m->rng, n);
}

static void put(struct maker *m, unsigned tid, enum hd_kind kind, unsigned obj, uint64_t value)
{
    m->t->line[m->t->n] = (struct line){
        .e = { .tid = (hd_tid)tid, .kind = (uint8_t)kind, .obj = obj, .value = value,
               .pc = 1000 + m->t->n } };
    m->t->n++;
}

static void put_access(struct maker *m, unsigned tid, enum hd_kind kind, unsigned at, unsigned log)
{
    static const uint16_t orders[] = { 0, 2, 3, 4, 5 };
    bool atomic = kind != HD_EV_PLAIN_READ && kind != HD_EV_PLAIN_WRITE;

    put(m, tid, kind, atomic ? OBJ_ATOMIC + at : 0, 0);
    struct line *l = &m->t->line[m->t->n - 1];

    l->at = at;
    l->size = 1u << log;
    l->e.flags = (uint8_t)(log << HD_EVF_SIZE_SHIFT);
    l->e.aux = orders[below(m, 5)];
    if (kind == HD_EV_ATOMIC_CAS && below(m, 2))
        l->e.flags |= HD_EVF_FAILED;
}

static void access_something(struct maker *m, unsigned tid)
{
    static const enum hd_kind atomics[] = { HD_EV_ATOMIC_LOAD, HD_EV_ATOMIC_STORE,
                                            HD_EV_ATOMIC_RMW, HD_EV_ATOMIC_CAS };

    if (m->manners != WILD && m->owner != (int)tid && (m->manners == MEEK || below(m, 64) != 0))
        return;
    if (m->manners == WILD && below(m, 2)) { /* few locations, each always accessed with the same size, as in real
                                              * programs */
        put_access(m, tid, atomics[below(m, 4)], 8 * below(m, 2), 2);
        return;
    }
    unsigned log = below(m, 5);

    put_access(m, tid, below(m, 2) ? HD_EV_PLAIN_READ : HD_EV_PLAIN_WRITE,
               below(m, BYTES - (1u << log) + 1), log);
}

static void use_lock(struct maker *m, unsigned tid)
{
    if (m->owner == (int)tid) {
        put(m, tid, below(m, 2) ? HD_EV_MUTEX_UNLOCK : HD_EV_COND_WAIT, OBJ_MUTEX, 0);
        m->owner = -1;
    } else if (m->owner < 0) {
        put(m, tid, below(m, 2) ? HD_EV_MUTEX_LOCK : HD_EV_COND_WAKE, OBJ_MUTEX, 0);
        m->owner = (int)tid;
    }
}

static void use_rwlock(struct maker *m, unsigned tid)
{
    bool readers = false;

    for (unsigned t = 0; t < THREADS; t++)
        readers |= m->reader[t];
    if (m->writer == (int)tid) {
        put(m, tid, HD_EV_RWLOCK_WRUNLOCK, OBJ_RWLOCK, 0);
        m->writer = -1;
    } else if (m->reader[tid]) {
        put(m, tid, HD_EV_RWLOCK_RDUNLOCK, OBJ_RWLOCK, 0);
        m->reader[tid] = false;
    } else if (m->writer < 0 && !readers && below(m, 2)) {
        put(m, tid, HD_EV_RWLOCK_WRLOCK, OBJ_RWLOCK, 0);
        m->writer = (int)tid;
    } else if (m->writer < 0) {
        put(m, tid, HD_EV_RWLOCK_RDLOCK, OBJ_RWLOCK, 0);
        m->reader[tid] = true;
    }
}

static void use_sem(struct maker *m, unsigned tid)
{
    if (m->sem > 0 && below(m, 2)) {
        put(m, tid, HD_EV_SEM_WAIT, OBJ_SEM, 0);
        m->sem--;
    } else {
        put(m, tid, HD_EV_SEM_POST, OBJ_SEM, 0);
        m->sem++;
    }
}

static void create_or_join(struct maker *m, unsigned tid)
{
    unsigned other = below(m, THREADS);

    if (m->created < THREADS && below(m, 2)) {
        put(m, tid, HD_EV_THREAD_CREATE, OBJ_THREAD + m->created, m->created);
        m->live[m->created++] = true;
    } else if (m->ended[other]) {
        put(m, tid, HD_EV_THREAD_JOIN, OBJ_THREAD + other, 0);
    } else if (tid != 0 && below(m, 8) == 0) {
        put(m, tid, HD_EV_THREAD_END, OBJ_THREAD + tid, 0);
        m->live[tid] = false;
        m->ended[tid] = true;
    }
}

void hd_trace_make(struct trace *t, uint64_t seed, enum manners manners)
{
    struct maker m = { .t = t, .owner = -1, .writer = -1, .live = { true }, .created = 1,
                       .manners = manners };
    static const uint16_t orders[] = { 2, 3, 4, 5 };

    t->n = 0;
    t->since_cxx20 = false;
    m.rng = hd_rng_for(1, seed);
    while (t->n < EVENTS) {
        unsigned tid = below(&m, m.created), what = below(&m, 16);

        if (!m.live[tid])
            continue;
        if (what < 9)
            access_something(&m, tid);
        else if (what < 11)
            use_lock(&m, tid);
        else if (what == 11)
            use_rwlock(&m, tid);
        else if (what == 12)
            use_sem(&m, tid);
        else if (what == 13) {
            put(&m, tid, HD_EV_FENCE, 0, HD_FENCE_EVERYBODY);
            if (below(&m, 8) != 0)
                t->line[t->n - 1].e.value = t->line[t->n - 1].e.aux = orders[below(&m, 4)];
        } else
            create_or_join(&m, tid);
    }
}

/* ---- the definition ---------------------------------------------------------------- */

static bool is_store(const struct line *l)
{
    return l->e.kind == HD_EV_ATOMIC_STORE || l->e.kind == HD_EV_ATOMIC_RMW ||
           (l->e.kind == HD_EV_ATOMIC_CAS && !(l->e.flags & HD_EVF_FAILED));
}

static bool is_load(const struct line *l)
{
    return l->e.kind == HD_EV_ATOMIC_LOAD || l->e.kind == HD_EV_ATOMIC_RMW ||
           l->e.kind == HD_EV_ATOMIC_CAS;
}

static bool acquiring(const struct line *l) { return l->e.aux == 2 || l->e.aux >= 4; }
static bool releasing(const struct line *l) { return l->e.aux >= 3; }

/* Line i is a store.  Returns the lines with which a load of it synchronises: line i if it releases, and the latest
 * release fence before it in its thread. */
static lines released_by(const struct trace *t, unsigned i)
{
    lines s = releasing(&t->line[i]) ? UINT64_C(1) << i : 0;

    for (unsigned k = i; k-- > 0;)
        if (t->line[k].e.tid == t->line[i].e.tid && t->line[k].e.kind == HD_EV_FENCE &&
            releasing(&t->line[k]))
            return s | UINT64_C(1) << k;
    return s;
}

/* Returns everything whose (hypothetical) release sequence the load at i reads from. */
static lines read_from(const struct trace *t, unsigned i)
{
    lines s = 0;
    unsigned later[EVENTS], n = 0; /* stores to the location before i, latest first */

    for (unsigned k = i; k-- > 0;)
        if (t->line[k].e.obj == t->line[i].e.obj && is_store(&t->line[k]))
            later[n++] = k;
    for (unsigned h = 0; h < n; h++) { /* does the release sequence headed by later[h] reach later[0]? */
        bool reaches = true;

        for (unsigned k = 0; k < h; k++)
            reaches &= t->line[later[k]].e.kind != HD_EV_ATOMIC_STORE ||
                       (!t->since_cxx20 && t->line[later[k]].e.tid == t->line[later[h]].e.tid);
        if (reaches)
            s |= released_by(t, later[h]);
    }
    return s;
}

/* An acquire fence acquires what relaxed loads before it in its thread have read. */
static lines learnt_by_atomic(const struct trace *t, unsigned i)
{
    const struct line *l = &t->line[i];
    lines s = 0;

    if (is_load(l) && acquiring(l))
        s |= read_from(t, i);
    for (unsigned k = 0; l->e.kind == HD_EV_FENCE && acquiring(l) && k < i; k++)
        if (t->line[k].e.tid == l->e.tid && is_load(&t->line[k]))
            s |= read_from(t, k);
    return s;
}

static bool is_meeting(const struct line *l)
{
    return l->e.kind == HD_EV_FENCE && l->e.value == HD_FENCE_EVERYBODY;
}

static bool sync_edge(const struct line *a, const struct line *b)
{
    unsigned x = a->e.kind, y = b->e.kind;

    if (is_meeting(a) || is_meeting(b))
        return true;
    if (x == HD_EV_THREAD_CREATE && a->e.value == b->e.tid)
        return true;
    if (a->e.obj == 0 || a->e.obj != b->e.obj)
        return false;
    bool mutex_gave = x == HD_EV_MUTEX_UNLOCK || x == HD_EV_COND_WAIT;
    bool mutex_took = y == HD_EV_MUTEX_LOCK || y == HD_EV_COND_WAKE;

    return (mutex_gave && mutex_took) || (x == HD_EV_SEM_POST && y == HD_EV_SEM_WAIT) ||
           (x == HD_EV_THREAD_END && y == HD_EV_THREAD_JOIN) ||
           (x == HD_EV_RWLOCK_WRUNLOCK && (y == HD_EV_RWLOCK_WRLOCK || y == HD_EV_RWLOCK_RDLOCK)) ||
           (x == HD_EV_RWLOCK_RDUNLOCK && y == HD_EV_RWLOCK_WRLOCK);
}

void hd_trace_order(const struct trace *t, lines *before)
{
    for (unsigned i = 0; i < t->n; i++) {
        lines direct = learnt_by_atomic(t, i);

        before[i] = 0;
        for (unsigned k = 0; k < i; k++)
            if (t->line[k].e.tid == t->line[i].e.tid || sync_edge(&t->line[k], &t->line[i]))
                direct |= UINT64_C(1) << k;
        for (unsigned k = 0; k < i; k++)
            if (direct >> k & 1)
                before[i] |= before[k] | UINT64_C(1) << k;
    }
}

bool hd_trace_writes(const struct line *l)
{
    return l->e.kind == HD_EV_PLAIN_WRITE || is_store(l);
}

static bool conflict(const struct line *a, const struct line *b)
{
    return a->size != 0 && b->size != 0 && a->e.tid != b->e.tid &&
           (hd_trace_writes(a) || hd_trace_writes(b)) && (a->e.obj == 0 || b->e.obj == 0);
}

static bool touches(const struct line *l, unsigned byte)
{
    return byte >= l->at && byte < l->at + l->size;
}

unsigned hd_trace_first_race(const struct trace *t, const lines *before, unsigned byte, lines *with)
{
    for (unsigned i = 0; i < t->n; i++) {
        *with = 0;
        for (unsigned k = 0; k < i; k++)
            if (conflict(&t->line[k], &t->line[i]) && touches(&t->line[i], byte) &&
                touches(&t->line[k], byte) && !(before[i] >> k & 1))
                *with |= UINT64_C(1) << k;
        if (*with != 0)
            return i;
    }
    return t->n;
}
