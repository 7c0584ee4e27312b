/* SPDX-License-Identifier: BSD-2-Clause
 *
 * history.c - lists of events by object, with states in between.  Makes no libc calls. */
#include "search/por/history.h"

#include <stdatomic.h>

#define ENTRIES HD_TRACE_OBJECTS
#define LISTS (2 * ENTRIES)
#define LEAST_GAP 32u
#define STATES (ENTRIES / LEAST_GAP)
#define MARKS (2 * ENTRIES) /* marks of all kept states: H3 limits the number of these states */

_Static_assert(HD_MAX_THREADS >= LEAST_GAP, "feed_entries has room for a gap");

void hd_history_init(struct hd_history *h, struct hd_trace *t, struct hd_arena *arena)
{
    h->trace = t;
    if (h->entry != NULL)
        return;
    h->list = hd_arena_alloc(arena, LISTS * sizeof *h->list);
    h->state = hd_arena_alloc(arena, STATES * sizeof *h->state);
    h->sync = hd_arena_alloc(arena, STATES * sizeof *h->sync);
    h->value = hd_arena_alloc(arena, STATES * sizeof *h->value);
    h->marks = hd_arena_alloc(arena, MARKS * sizeof *h->marks);
    h->entry = hd_arena_alloc(arena, ENTRIES * sizeof *h->entry);
    h->least_gap = LEAST_GAP;
    h->changing = true;
}

static uint32_t key_of(enum hd_history_of of, uint32_t obj)
{
    return 2 * obj + (of == HD_HISTORY_QUEUE);
}

static uint32_t find(const struct hd_history *h, uint32_t key)
{
    uint32_t i = key % LISTS;

    while (h->list[i].stamp == h->stamp && h->list[i].key != key)
        i = (i + 1) % LISTS;
    return i;
}

/* ---- the lists --------------------------------------------------------------------------- */

static void begin_from_start(struct hd_history *h)
{
    h->stamp++;
    h->nevents = h->n = h->nstates = 0;
    h->gap = h->trace->nthreads > h->least_gap ? h->trace->nthreads : h->least_gap;
}

static void forget_last(struct hd_history *h)
{
    const struct hd_history_entry *e = &h->entry[--h->n];

    h->list[e->list].last = e->previous;
    if (e->state != 0 && h->state[e->state - 1].entry == h->n)
        h->nstates--;
}

/* Returns the target of a new entry's second link (rule H2). */
static uint32_t jump_from(const struct hd_history *h, uint32_t previous)
{
    if (previous == 0)
        return 0;
    const struct hd_history_entry *e = h->entry, *p = &e[previous - 1];
    uint32_t middle = p->jump != 0 ? e[p->jump - 1].number : 0;
    uint32_t far = p->jump != 0 ? e[p->jump - 1].jump : 0;
    uint32_t end = far != 0 ? e[far - 1].number : 0;

    return p->number - middle == middle - end ? far : previous;
}

static void add(struct hd_history *h, uint32_t key, uint32_t event)
{
    uint32_t list = find(h, key);
    struct hd_history_list *l = &h->list[list];

    if (l->stamp != h->stamp)
        *l = (struct hd_history_list){ .key = key, .stamp = h->stamp };
    const struct hd_history_entry *p = l->last != 0 ? &h->entry[l->last - 1] : NULL;
    struct hd_history_entry e = { .event = event, .list = list, .previous = l->last,
                                  .jump = jump_from(h, l->last),
                                  .number = p != NULL ? p->number + 1 : 1,
                                  .state = p != NULL ? p->state : 0 };

    if (e.number % h->gap == 0) {
        h->state[h->nstates] = (struct hd_history_state){ .entry = h->n, .previous = e.state };
        e.state = ++h->nstates;
    }
    h->entry[h->n++] = e;
    l->last = h->n;
}

static uint32_t end_of(const struct hd_trace *t, uint32_t nsteps)
{
    return nsteps > 0 ? t->step[nsteps - 1].event + t->step[nsteps - 1].nevents : 0;
}

/* Rule H1: lists the new events.  Events for which there is no room in the lists are fed to the automaton one
 * by one. */
static void list_events(struct hd_history *h)
{
    struct hd_trace *t = h->trace;
    uint32_t same = t->unchanged < t->nsteps ? t->unchanged : t->nsteps;
    uint32_t end = end_of(t, t->nsteps), kept = end_of(t, same);

    if (!h->changing && t->unchanged == UINT32_MAX && h->nevents == end)
        return;
    bool rebuild = h->changing || same == 0;

    h->changing = true;
    atomic_signal_fence(memory_order_release);
    if (rebuild)
        begin_from_start(h);
    while (h->n > 0 && h->entry[h->n - 1].event >= kept)
        forget_last(h);
    if (h->nevents > kept)
        h->nevents = kept;
    for (; h->nevents < end && h->n + 2 <= ENTRIES && h->nstates + 2 <= STATES; h->nevents++) {
        const struct hd_event *e = &t->exec->events[h->nevents];
        uint32_t lock = hd_event_lock(e), queue = hd_event_queue(e);

        if (lock != 0)
            add(h, key_of(HD_HISTORY_LOCK, lock), h->nevents);
        if (queue != 0)
            add(h, key_of(HD_HISTORY_QUEUE, queue), h->nevents);
        h->work++;
    }
    t->unchanged = UINT32_MAX;
    atomic_signal_fence(memory_order_release);
    h->changing = false;
}

/* Returns 1 + the latest entry of the list before the event; 0 if there is none. */
static uint32_t entry_before(struct hd_history *h, uint32_t key, uint32_t event)
{
    const struct hd_history_list *l = &h->list[find(h, key)];
    const struct hd_history_entry *e = h->entry;
    uint32_t i = l->stamp == h->stamp ? l->last : 0;

    while (i != 0 && e[i - 1].event >= event) {
        uint32_t jump = e[i - 1].jump;

        i = jump != 0 && e[jump - 1].event >= event ? jump : e[i - 1].previous;
        h->work++;
    }
    return i;
}

/* ---- states ------------------------------------------------------------------------------ */

static void feed(struct hd_history *h, enum hd_history_of of, uint32_t event, struct hd_automaton *a)
{
    const struct hd_event *e = &h->trace->exec->events[event];

    if (of == HD_HISTORY_LOCK)
        hd_automaton_lock_event(a, e);
    else
        hd_automaton_queue_event(a, e);
    h->work++;
}

/* Feeds the entries after `from` up to and including `to` to the automaton.  They are fewer than the gap, or
 * exactly as many if the state after `to` is kept. */
static void feed_entries(struct hd_history *h, enum hd_history_of of, uint32_t from, uint32_t to,
                         struct hd_automaton *a)
{
    static uint32_t event[HD_MAX_THREADS]; /* the stacks of the program's threads are to stay small */
    uint32_t n = 0;

    for (; to != from; to = h->entry[to - 1].previous)
        event[n++] = h->entry[to - 1].event;
    while (n > 0)
        feed(h, of, event[--n], a);
}

static void store(struct hd_history *h, uint32_t state, const struct hd_automaton *a)
{
    uint32_t n = h->trace->nthreads, *marks = &h->marks[(uint64_t)state * 2 * n];

    h->sync[state] = a->sync;
    h->value[state] = a->value;
    for (uint32_t t = 0; t < n; t++) {
        marks[t] = a->mark[t];
        marks[n + t] = a->tokens[t];
    }
}

static void load(const struct hd_history *h, uint32_t state, struct hd_automaton *a)
{
    uint32_t n = h->trace->nthreads;
    const uint32_t *marks = &h->marks[(uint64_t)state * 2 * n];

    a->sync = h->sync[state];
    a->value = h->value[state];
    a->nthreads = n;
    for (uint32_t t = 0; t < n; t++) {
        a->mark[t] = marks[t];
        a->tokens[t] = marks[n + t];
    }
}

static void begin(const struct hd_history *h, uint32_t state, struct hd_automaton *a)
{
    if (state != 0)
        load(h, state - 1, a);
    else
        hd_automaton_reset(a, h->trace->nthreads);
}

/* Computes a kept state, and before it those that it is derived from. */
static void compute(struct hd_history *h, enum hd_history_of of, uint32_t state,
                    struct hd_automaton *a)
{
    uint32_t at = state;

    h->state[at - 1].then = 0;
    while (!h->state[at - 1].computed && h->state[at - 1].previous != 0) {
        uint32_t previous = h->state[at - 1].previous;

        h->state[previous - 1].then = at;
        at = previous;
    }
    if (h->state[at - 1].computed)
        at = h->state[at - 1].then;
    for (; at != 0; at = h->state[at - 1].then) {
        struct hd_history_state *s = &h->state[at - 1];
        uint32_t from = s->previous != 0 ? h->state[s->previous - 1].entry + 1 : 0;

        begin(h, s->previous, a);
        feed_entries(h, of, from, s->entry + 1, a);
        store(h, at - 1, a);
        atomic_signal_fence(memory_order_release);
        s->computed = true;
    }
}

void hd_history_before(struct hd_history *h, enum hd_history_of of, uint32_t obj, uint32_t event,
                       struct hd_automaton *a)
{
    list_events(h);
    uint32_t i = entry_before(h, key_of(of, obj), event);
    uint32_t state = i != 0 ? h->entry[i - 1].state : 0;

    if (state != 0 && !h->state[state - 1].computed)
        compute(h, of, state, a);
    begin(h, state, a);
    feed_entries(h, of, state != 0 ? h->state[state - 1].entry + 1 : 0, i, a);
    for (uint32_t k = h->nevents; k < event; k++) {
        const struct hd_event *e = &h->trace->exec->events[k];

        if ((of == HD_HISTORY_LOCK ? hd_event_lock(e) : hd_event_queue(e)) == obj)
            feed(h, of, k, a);
    }
}
