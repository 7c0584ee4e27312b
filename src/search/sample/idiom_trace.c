/* SPDX-License-Identifier: BSD-2-Clause
 *
 * idiom_trace.c - goes through the events of an execution once.  Records which thread used which object at
 * which place, with which locks held and after which synchronisation, and which idioms occurred.
 *
 * Synchronisation with a fixed order (create, end, join, barriers, once) is kept as vector clocks; a thread
 * gets a new row whenever its clock changes.  Mutexes and semaphores count as accesses instead, because their
 * order may change.  The release of a lock does not count: it always comes before the next acquisition. */
#include "search/sample/idiom_trace.h"

#include <string.h>

#include "base/hash.h"
#include "model/lock.h"
#include "model/object.h"

#define SLOTS (1u << 17)
#define OBJECTS (1u << 13)
#define RECORDS (1u << 14)
#define USES (1u << 15)
#define PAIRS (1u << 15)
#define ROWS (1u << 13)
#define SAME_PLACE 4 /* maximum number of threads recorded per object and place */

enum tag { OBJECT = 1, RECORD, USE, PAIR, BUCKET, USERS };

void hd_idiom_trace_init(struct hd_idiom_trace *t, struct hd_idioms *idioms, struct hd_arena *arena)
{
    t->idioms = idioms;
    t->slot = hd_arena_alloc(arena, SLOTS * sizeof *t->slot);
    t->object = hd_arena_alloc(arena, OBJECTS * sizeof *t->object);
    t->record = hd_arena_alloc(arena, RECORDS * sizeof *t->record);
    t->use = hd_arena_alloc(arena, USES * sizeof *t->use);
    t->pair = hd_arena_alloc(arena, PAIRS * sizeof *t->pair);
    t->bucket = hd_arena_alloc(arena, PAIRS * sizeof *t->bucket);
    t->thread = hd_arena_alloc(arena, HD_MAX_THREADS * sizeof *t->thread);
    t->row = hd_arena_alloc(arena, (size_t)ROWS * HD_MAX_THREADS * sizeof *t->row);
}

/* Returns the value of the key, 0 at first; NULL if there is no room. */
static uint32_t *entry(struct hd_idiom_trace *t, enum tag tag, uint64_t key)
{
    key |= (uint64_t)tag << 60;
    for (uint64_t h = hd_hash_mix(0, key);; h++) {
        struct hd_idiom_slot *s = &t->slot[h % SLOTS];

        if (s->stamp == t->stamp && s->key == key)
            return &s->value;
        if (s->stamp == t->stamp)
            continue;
        if (t->nslots == SLOTS / 2)
            return NULL;
        t->nslots++;
        *s = (struct hd_idiom_slot){ key, t->stamp, 0 };
        return &s->value;
    }
}

/* Returns the number of the key's entry; a new key gets the next number.  UINT32_MAX if there is no room. */
static uint32_t number(struct hd_idiom_trace *t, enum tag tag, uint64_t key, uint32_t *count,
                       uint32_t room)
{
    uint32_t *e = entry(t, tag, key);

    if (e == NULL || (*e == 0 && *count == room))
        return UINT32_MAX;
    if (*e == 0)
        *e = ++*count;
    return *e - 1;
}

/* ---- vector clocks ------------------------------------------------------------------- */

static uint16_t *row_of(const struct hd_idiom_trace *t, uint32_t row)
{
    return &t->row[(uint64_t)row * HD_MAX_THREADS];
}

static uint32_t clock_of(struct hd_idiom_trace *t, hd_tid tid)
{
    struct hd_idiom_thread *th = &t->thread[tid];

    if (th->clock == 0) { /* no create event: main, or a thread that existed before */
        memset(row_of(t, t->nrows), 0, HD_MAX_THREADS * sizeof *t->row);
        row_of(t, t->nrows)[tid] = 1;
        th->clock = ++t->nrows;
    }
    return th->clock - 1;
}

static void join(uint16_t *into, const uint16_t *from)
{
    for (uint32_t i = 0; i < HD_MAX_THREADS; i++)
        into[i] = into[i] > from[i] ? into[i] : from[i];
}

/* Returns a copy of the row, or the row itself if there is no room; the update is then lost. */
static uint32_t copy_row(struct hd_idiom_trace *t, uint32_t row)
{
    if (t->nrows + HD_MAX_THREADS >= ROWS) /* the remaining rows are reserved for clock_of */
        return row;
    memcpy(row_of(t, t->nrows), row_of(t, row), HD_MAX_THREADS * sizeof *t->row);
    return t->nrows++;
}

/* Joins `row` to the thread's clock. */
static void learn_row(struct hd_idiom_trace *t, hd_tid tid, uint32_t row)
{
    uint32_t own = clock_of(t, tid), mine = copy_row(t, own);

    if (mine != own)
        join(row_of(t, mine), row_of(t, row));
    t->thread[tid].clock = mine + 1;
}

/* Advances the thread's own component after it has published its clock. */
static void go_on(struct hd_idiom_trace *t, hd_tid tid)
{
    uint32_t own = clock_of(t, tid), mine = copy_row(t, own);

    if (mine != own)
        row_of(t, mine)[tid]++;
    t->thread[tid].clock = mine + 1;
}

static struct hd_idiom_object *object(struct hd_idiom_trace *t, uint32_t obj)
{
    uint32_t before = t->nobjects, i = number(t, OBJECT, obj, &t->nobjects, OBJECTS);

    if (i == UINT32_MAX)
        return NULL;
    if (i == before) {
        t->object[i].records = t->object[i].published = 0;
        t->object[i].now.n = t->object[i].before.n = 0;
    }
    return &t->object[i];
}

static void tell(struct hd_idiom_trace *t, hd_tid tid, uint32_t obj)
{
    struct hd_idiom_object *o = object(t, obj);

    if (o == NULL)
        return;
    uint32_t told = copy_row(t, clock_of(t, tid));

    if (o->published != 0)
        join(row_of(t, told), row_of(t, o->published - 1));
    o->published = told + 1;
    go_on(t, tid);
}

static void ask(struct hd_idiom_trace *t, hd_tid tid, uint32_t obj)
{
    struct hd_idiom_object *o = object(t, obj);

    if (o != NULL && o->published != 0)
        learn_row(t, tid, o->published - 1);
}

static void create(struct hd_idiom_trace *t, const struct hd_event *e)
{
    if (e->flags & HD_EVF_FAILED || e->value >= t->nthreads || e->value == e->tid)
        return;
    learn_row(t, (hd_tid)e->value, clock_of(t, e->tid));
    go_on(t, e->tid);
}

/* Updates the clocks.  Handles only synchronisation that orders threads in every execution, not locks and
 * semaphores. */
static void synchronise(struct hd_idiom_trace *t, const struct hd_event *e)
{
    const struct hd_kind_info *k = &hd_kind_info[e->kind];

    if (k->obj != HD_OBJ_THREAD && k->obj != HD_OBJ_BARRIER && k->obj != HD_OBJ_ONCE)
        return;
    if (k->hb == HD_HB_CREATE)
        create(t, e);
    else if (k->hb == HD_HB_GIVE)
        tell(t, e->tid, e->obj);
    else if (k->hb == HD_HB_TAKE)
        ask(t, e->tid, e->obj);
}

/* ---- accesses ------------------------------------------------------------------------ */

bool hd_idiom_counts(const struct hd_event *e, unsigned which)
{
    const unsigned traits = hd_kind_traits[e->kind];

    if (e->kind <= HD_EV_THREAD_CANCEL || e->kind == HD_EV_EXIT_BEGIN || e->kind == HD_EV_EXIT_END ||
        (e->kind >= HD_EV_BARRIER_INIT && e->kind <= HD_EV_ONCE_END) || traits & HD_TRAIT_LOCAL)
        return false;
    if (e->kind == HD_EV_PLAIN_READ || e->kind == HD_EV_PLAIN_WRITE)
        return which == 0; /* the two units form one access */
    return which != 0 || hd_lock_effect(e) != HD_LOCK_GIVES;
}

/* Keeps in the record only the locks that are held in this access as well. */
static void meet_locks(struct hd_idiom_record *r, const struct hd_idiom_access *a)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < r->nlocks; i++)
        for (uint32_t k = 0; k < a->nheld; k++)
            if (a->held[k].lock == r->locks[i].lock) {
                r->locks[n++] = r->locks[i];
                break;
            }
    r->nlocks = (uint8_t)n;
}

static void new_record(struct hd_idiom_trace *t, struct hd_idiom_object *o, uint32_t i,
                       const struct hd_idiom_access *a, unsigned access)
{
    struct hd_idiom_record *r = &t->record[i];
    uint32_t row = clock_of(t, a->tid);

    *r = (struct hd_idiom_record){ .obj = a->obj, .object = (uint32_t)(o - t->object),
                                   .next = o->records, .place = a->place,
                                   .tid = a->tid, .access = (uint8_t)access, .nlocks = (uint8_t)a->nheld,
                                   .clock = { row, row } };
    for (uint32_t k = 0; k < a->nheld; k++)
        r->locks[k].lock = a->held[k].lock;
    o->records = i + 1;
}

/* True if enough threads have used the object at this place: a few of them suffice. */
static bool is_one_too_many(struct hd_idiom_trace *t, const struct hd_idiom_access *a)
{
    uint32_t *users = entry(t, USERS, (uint64_t)a->obj << 16 | a->place);

    return users == NULL || (*users)++ >= SAME_PLACE;
}

static struct hd_idiom_record *record(struct hd_idiom_trace *t, struct hd_idiom_object *o,
                                      struct hd_idiom_access *a, unsigned access)
{
    uint32_t *e = entry(t, RECORD, (uint64_t)a->obj << 26 | (uint64_t)a->tid << 16 | a->place);

    if (e == NULL || *e == UINT32_MAX)
        return NULL;
    if (*e == 0) {
        if (t->nrecords == RECORDS || is_one_too_many(t, a)) {
            *e = UINT32_MAX;
            return NULL;
        }
        *e = ++t->nrecords;
        new_record(t, o, *e - 1, a, access);
    }
    struct hd_idiom_record *r = &t->record[*e - 1];

    a->record = *e;
    r->access = r->access == access ? r->access : HD_ACC_W;
    r->clock[1] = clock_of(t, a->tid);
    meet_locks(r, a);
    return r;
}

static bool is_in(const struct hd_idiom_access *a, uint32_t lock, uint32_t section)
{
    for (uint32_t i = 0; i < a->nheld; i++)
        if (a->held[i].lock == lock && a->held[i].section == section)
            return true;
    return false;
}

/* `last` is the thread's previous use of the object and `now` the next one (NULL: none).  Marks `last` as the
 * last use of the object in those of its critical sections to which `now` does not belong. */
static void mark_last(struct hd_idiom_trace *t, const struct hd_idiom_access *last,
                      const struct hd_idiom_access *now)
{
    if (last->record == 0)
        return;
    struct hd_idiom_record *r = &t->record[last->record - 1];

    for (uint32_t i = 0; i < r->nlocks; i++)
        for (uint32_t k = 0; k < last->nheld; k++)
            if (last->held[k].lock == r->locks[i].lock &&
                (now == NULL || !is_in(now, last->held[k].lock, last->held[k].section)))
                r->locks[i].last = true;
}

static void mark_first(struct hd_idiom_record *r, const struct hd_idiom_access *last,
                       const struct hd_idiom_access *now)
{
    for (uint32_t i = 0; i < r->nlocks; i++)
        for (uint32_t k = 0; k < now->nheld; k++)
            if (now->held[k].lock == r->locks[i].lock &&
                (last == NULL || !is_in(last, now->held[k].lock, now->held[k].section)))
                r->locks[i].first = true;
}

/* Determines whether this access is the first or last use of the object in its critical sections. */
static void place_in_sections(struct hd_idiom_trace *t, struct hd_idiom_record *r,
                              const struct hd_idiom_access *a)
{
    uint32_t before = t->nuses;
    uint32_t i = number(t, USE, (uint64_t)a->obj << 16 | a->tid, &t->nuses, USES);

    if (i == UINT32_MAX)
        return;
    const struct hd_idiom_access *last = i < before ? &t->use[i] : NULL;

    if (last != NULL)
        mark_last(t, last, a);
    if (r != NULL)
        mark_first(r, last, a);
    t->use[i] = *a;
}

/* ---- pairs of accesses of one thread ----------------------------------------------------- */

static void meet_through(struct hd_idiom_pair *p, const struct hd_idiom_access *from,
                         const struct hd_idiom_access *to, bool is_new)
{
    uint32_t n = 0, through[HD_IDIOM_HELD];

    for (uint32_t i = 0; i < from->nheld; i++) {
        bool was = is_new;

        for (uint32_t k = 0; k < p->nthrough && !is_new; k++)
            was |= p->through[k] == from->held[i].lock;
        if (was && is_in(to, from->held[i].lock, from->held[i].section))
            through[n++] = from->held[i].lock;
    }
    memcpy(p->through, through, sizeof through[0] * n);
    p->nthrough = n;
}

static void pair(struct hd_idiom_trace *t, const struct hd_idiom_access *from,
                 const struct hd_idiom_access *to)
{
    uint32_t before = t->npairs;
    uint32_t i = number(t, PAIR, (uint64_t)from->record << 32 | to->record, &t->npairs, PAIRS);

    if (i == UINT32_MAX)
        return;
    struct hd_idiom_pair *p = &t->pair[i];

    if (i == before) {
        uint32_t low = from->obj < to->obj ? from->obj : to->obj;
        uint32_t high = from->obj < to->obj ? to->obj : from->obj;
        uint32_t known = t->nbuckets;
        uint32_t b = number(t, BUCKET, (uint64_t)low << 30 | high, &t->nbuckets, PAIRS);

        *p = (struct hd_idiom_pair){ .from = from->record - 1, .to = to->record - 1 };
        if (b != UINT32_MAX) {
            p->next = b == known ? 0 : t->bucket[b];
            t->bucket[b] = i + 1;
        }
    }
    meet_through(p, from, to, i == before);
}

static void pair_with_recent(struct hd_idiom_trace *t, const struct hd_idiom_access *a)
{
    struct hd_idiom_thread *th = &t->thread[a->tid];
    uint32_t n = th->nrecent < t->window ? th->nrecent : t->window;

    for (uint32_t i = 1; i <= n; i++) {
        const struct hd_idiom_access *p = &th->recent[(th->nrecent - i) % HD_IDIOM_WINDOW_MAX];

        if (p->record != 0 && a->record != 0 && a->nth - p->nth <= t->window)
            pair(t, p, a);
    }
    th->recent[th->nrecent++ % HD_IDIOM_WINDOW_MAX] = *a;
}

/* ---- idioms that occurred ---- */

static bool is_near(const struct hd_idiom_trace *t, uint32_t from, uint32_t to)
{
    return to - from <= t->window;
}

/* Adds the idioms that two dependencies form: p from a to b, and later d from c, in b's thread, back to a's
 * thread. */
static void compound(struct hd_idiom_trace *t, const struct hd_idiom_dep *p, const struct hd_idiom_dep *d)
{
    const struct hd_idiom_access *a = &p->from, *b = &p->to, *c = &d->from, *e = &d->to;
    bool one = a->obj == c->obj;

    if (a->nth >= e->nth || !is_near(t, a->nth, e->nth))
        return;
    if (b->nth == c->nth && one)
        hd_idioms_add(t->idioms, 2, (uint16_t[]){ a->place, b->place, e->place }, true);
    else if (b->nth < c->nth && is_near(t, b->nth, c->nth))
        hd_idioms_add(t->idioms, one ? 3 : 4,
                      (uint16_t[]){ a->place, b->place, c->place, e->place }, true);
    else if (b->nth > c->nth && is_near(t, c->nth, b->nth) && !one)
        hd_idioms_add(t->idioms, 5, (uint16_t[]){ a->place, c->place, b->place, e->place }, true);
}

static void depend(struct hd_idiom_trace *t, const struct hd_idiom_access *from,
                   const struct hd_idiom_access *to)
{
    struct hd_idiom_dep now = { *from, *to };
    uint32_t n = t->ndeps < HD_IDIOM_DEPS ? t->ndeps : HD_IDIOM_DEPS;

    hd_idioms_add(t->idioms, 1, (uint16_t[]){ from->place, to->place }, true);
    for (uint32_t i = 0; i < n; i++)
        if (t->dep[i].from.tid == to->tid && t->dep[i].to.tid == from->tid)
            compound(t, &t->dep[i], &now);
    t->dep[t->ndeps++ % HD_IDIOM_DEPS] = now;
}

static void depend_on_all(struct hd_idiom_trace *t, const struct hd_idiom_group *g,
                          const struct hd_idiom_access *a)
{
    for (uint32_t i = 0; i < g->n; i++)
        if (g->who[i].tid != a->tid)
            depend(t, &g->who[i], a);
}

/* Adds an access to the current group of the object, or starts another group if it conflicts with this one. */
static void follow(struct hd_idiom_trace *t, struct hd_idiom_object *o,
                   const struct hd_idiom_access *a, unsigned access)
{
    if (o->now.n > 0 && !hd_access_conflict(o->now.access, access)) {
        depend_on_all(t, &o->before, a);
    } else {
        depend_on_all(t, &o->now, a);
        o->before = o->now;
        o->now.n = 0;
        o->now.access = access;
    }
    if (o->now.n < HD_IDIOM_GROUP)
        o->now.who[o->now.n++] = *a;
}

/* ---- going through the events ---- */

static void add_access(struct hd_idiom_trace *t, const struct hd_event *e, unsigned which,
                       struct hd_access_of on)
{
    struct hd_idiom_thread *th = &t->thread[e->tid];
    struct hd_idiom_object *o = object(t, on.obj);
    uint16_t place = hd_idioms_place(t->idioms, e, which);

    if (o == NULL || place == HD_NO_PLACE)
        return;
    struct hd_idiom_access a = { .obj = on.obj, .nth = th->nth, .place = place, .tid = e->tid,
                                 .nheld = th->nheld };

    memcpy(a.held, th->held, sizeof a.held);
    struct hd_idiom_record *r = record(t, o, &a, on.access);

    place_in_sections(t, r, &a);
    follow(t, o, &a, on.access);
    pair_with_recent(t, &a);
}

static void take(struct hd_idiom_trace *t, const struct hd_event *e)
{
    struct hd_idiom_thread *th = &t->thread[e->tid];

    if (e->obj != 0 && hd_lock_effect(e) == HD_LOCK_TAKES && th->nheld < HD_IDIOM_HELD)
        th->held[th->nheld++] = (struct hd_idiom_held){ e->obj, ++t->sections };
}

static void give(struct hd_idiom_trace *t, const struct hd_event *e)
{
    struct hd_idiom_thread *th = &t->thread[e->tid];
    uint32_t i = 0;

    if (e->obj == 0 || hd_lock_effect(e) != HD_LOCK_GIVES)
        return;
    while (i < th->nheld && th->held[i].lock != e->obj)
        i++;
    if (i < th->nheld)
        th->held[i] = th->held[--th->nheld];
}

static void add_event(struct hd_idiom_trace *t, const struct hd_event *e)
{
    struct hd_access_of on[2];
    unsigned n = hd_event_accesses(e, on);

    synchronise(t, e);
    take(t, e); /* the access that takes the lock belongs to the section */
    t->thread[e->tid].nth += n > 0;
    for (unsigned k = 0; k < n; k++)
        if (hd_idiom_counts(e, k))
            add_access(t, e, k, on[k]);
    give(t, e);
}

static void start(struct hd_idiom_trace *t, const struct hd_execution *done, uint32_t window)
{
    t->stamp++;
    t->window = window;
    t->nslots = t->nobjects = t->nrecords = t->npairs = t->nuses = 0;
    t->nbuckets = t->nrows = t->ndeps = t->sections = 0;
    t->nthreads = done->nthreads;
    for (uint32_t i = 0; i < HD_MAX_THREADS; i++)
        t->thread[i].nth = t->thread[i].clock = t->thread[i].nheld = t->thread[i].nrecent = 0;
}

void hd_idiom_trace_learn(struct hd_idiom_trace *t, const struct hd_execution *done, uint32_t window)
{
    start(t, done, window);
    for (uint32_t i = 0; i < done->nevents; i++)
        add_event(t, &done->events[i]);
    for (uint32_t i = 0; i < t->nuses; i++)
        mark_last(t, &t->use[i], NULL);
    hd_idiom_predict(t);
}
