/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dpor_races.c - inserts the sequences that reverse the races of an execution.  Makes no libc calls. */
#include "search/por/dpor.h"

#include <stddef.h>

#include "base/check.h"

/* True if step q covers v.  A wakeup tree keeps all of v, so a step that is not in v but independent of all of
 * v covers it too, except where the limit on the number of steps leaves no room for it beside v.  A source set
 * keeps only the first step, so there the covering step must be in v. */
static bool leads(const struct hd_dpor *d, const struct hd_step *q, struct hd_sequence *v)
{
    return hd_dpor_is_optimal(d) && !d->stopped ? hd_sequence_weak_initial(q, v) : hd_step_initial(q, v->v, v->n);
}

/* What covered_by and insert return: the index in v of the step that covers v, or one of these. */
enum { UNCOVERED = -3, TREE = -2, BESIDE = -1 };

static int64_t place_in(const struct hd_reversal *r, const struct hd_step *q)
{
    uint32_t i = hd_step_first_of(r->v, r->nv, q->slot);

    return i < r->nv ? (int64_t)i : BESIDE;
}

/* Looks for a step that sleeps at frame k, or was executed there, and covers v. */
static int64_t covered_by(struct hd_dpor *d, uint32_t k, struct hd_sequence *v)
{
    const struct hd_path_frame *f = &d->path.frame[k];
    const struct hd_reversal *r = &d->reversal;

    for (uint32_t i = 0; i < f->nsleep; i++)
        if (leads(d, &d->path.sleep[f->sleep + i], v))
            return place_in(r, &d->path.sleep[f->sleep + i]);
    for (const struct hd_wakeup *n = hd_dpor_parent(d, k)->child; n != d->frames[k].node;
         n = n->next)
        if (leads(d, &n->step, v))
            return place_in(r, &n->step);
    /* Step e may turn out to be independent of v.  Then it covers v, and the operation is independent of e,
     * too. */
    return !d->stopped && hd_sequence_weak_initial(&f->step, v) ? (int64_t)r->nv - 1 : UNCOVERED;
}

/* Chooses the step of v to insert into a source set.  Any step that can come first in v will do.  The racing
 * thread's is preferred, because it leads directly to the operation; another thread may have to be run to that
 * place again later. */
static const struct hd_step *choose_initial(const struct hd_reversal *r)
{
    const struct hd_step *own = r->v[hd_step_first_of(r->v, r->nv, r->last.slot)];

    return hd_step_initial(own, r->v, r->nv) ? own : r->v[0];
}

/* Returns how many steps of v must follow node `way` until one of them wakes z, which sleeps at node `at`, an
 * ancestor of `way`. */
static uint32_t wakes(const struct hd_step *z, const struct hd_wakeup *at,
                      const struct hd_wakeup *way, const struct hd_sequence *v)
{
    for (; way != at; way = way->parent)
        if (hd_step_conflict(z, &way->step))
            return 0;
    for (uint32_t i = 0; i < v->n; i++)
        if (hd_step_conflict(z, v->v[i]))
            return i + 1;
    return v->n;
}

/* Returns how many steps of v, inserted below node `way`, wake everything that sleeps there: the steps that
 * sleep at e, and all siblings left of the nodes from there down to `way`. */
static uint32_t needed(const struct hd_dpor *d, uint32_t e, const struct hd_wakeup *way,
                       const struct hd_sequence *v)
{
    const struct hd_path_frame *f = &d->path.frame[e];
    const struct hd_wakeup *top = hd_dpor_parent(d, e), *at = way, *on_way = NULL;
    uint32_t most = 0;

    for (;; on_way = at, at = at->parent) {
        for (const struct hd_wakeup *z = at->child; z != on_way; z = z->next) {
            uint32_t n = wakes(&z->step, at, way, v);

            most = n > most ? n : most;
        }
        if (at == top)
            break;
    }
    for (uint32_t i = 0; i < f->nsleep; i++) {
        uint32_t n = wakes(&d->path.sleep[f->sleep + i], top, way, v);

        most = n > most ? n : most;
    }
    return most;
}

/* Inserts only as many steps of v as are needed to wake all sleeping steps: then everything that may follow is
 * explored, including v (T2).  The rest of v would only cost memory, and time in each later insertion.  All of
 * v is inserted if there are choices (W4), or if the operation's outcome depends on the order. */
static int64_t insert_optimal(struct hd_dpor *d, uint32_t e, uint32_t racer,
                              struct hd_sequence *v)
{
    struct hd_reversal *r = &d->reversal;
    bool shorter = r->fixed && racer != HD_NO_STEP && !d->choices && !d->guesses;
    struct hd_wakeup *parent = hd_dpor_parent(d, e);

    *v = (struct hd_sequence){ .v = r->v, .n = r->nv, .own = &r->last, .whole = d->guesses };
    if (shorter)
        hd_reversal_move_earliest(r, racer);
    struct hd_wakeup **list = hd_wakeup_place(&d->pool, &d->frames[e].node->next, &parent, v);

    if (list != NULL) {
        uint32_t n = shorter ? needed(d, e, parent, v) : v->n;

        hd_wakeup_add(&d->pool, parent, list, v->v, n);
        for (uint32_t i = 0; i < n; i++)
            hd_sequence_depends_on(v, v->v[i]);
    }
    return shorter && !v->loose && v->n > 0 ? TREE : UNCOVERED;
}

static void insert_initial(struct hd_dpor *d, uint32_t e, const struct hd_sequence *v)
{
    struct hd_wakeup **end = &d->frames[e].node->next;

    for (; *end != NULL; end = &(*end)->next)
        if (hd_step_initial(&(*end)->step, v->v, v->n))
            return;
    *end = hd_wakeup_new(&d->pool, hd_dpor_parent(d, e), choose_initial(&d->reversal));
}

static int64_t insert(struct hd_dpor *d, uint32_t e, uint32_t racer, struct hd_sequence *v)
{
    if (e < d->floor)
        hd_wakeup_share_insert(&d->ws, d->frames[e].node, v,
                               hd_dpor_is_optimal(d) ? NULL : choose_initial(&d->reversal));
    else if (hd_dpor_is_optimal(d))
        return insert_optimal(d, e, racer, v);
    else
        insert_initial(d, e, v);
    return UNCOVERED;
}

int64_t hd_dpor_want(struct hd_dpor *d, uint32_t e, uint32_t racer, struct hd_sequence *v)
{
    bool locked = hd_dpor_lock_left(d, e);
    int64_t covered = covered_by(d, e, v);

    if (locked)
        hd_share_unlock(d->ws.share);
    if (covered != UNCOVERED)
        return covered;
    hd_dpor_lock(d, e);
    covered = insert(d, e, racer, v);
    hd_dpor_unlock(d, e);
    return covered;
}

static uint32_t number_of(const struct hd_trace *t, const struct hd_step *s)
{
    _Static_assert(offsetof(struct hd_trace_step, step) == 0, "layout of a step of a trace");
    return (uint32_t)((const struct hd_trace_step *)(const void *)s - t->step);
}

/* Describes what the decision about a race depends on (decided.h) if step `by` covers v. */
static struct hd_decided_race decided(const struct hd_reversal *r, uint32_t e,
                                      const struct hd_racer *racer, int64_t by,
                                      const struct hd_sequence *v)
{
    uint32_t last = racer->step;

    if (!r->fixed || by == BESIDE || by == UNCOVERED)
        return (struct hd_decided_race){ racer->step, e, r->end, false, false, NULL };
    if (by >= 0 && by + 1 < r->nv && last < r->index[by])
        last = r->index[by];
    if (by == TREE && v->latest != NULL && last < number_of(r->trace, v->latest))
        last = number_of(r->trace, v->latest);
    return (struct hd_decided_race){ racer->step, e, last + 1, true, false, NULL };
}

/* True if the operation itself sleeps at e or was executed there.  This is the most frequent case, so it is
 * checked first. */
static bool is_done_there(const struct hd_dpor *d, uint32_t e, uint16_t slot)
{
    if (hd_path_asleep(&d->path, e, slot))
        return true;
    for (const struct hd_wakeup *n = hd_dpor_parent(d, e)->child; n != d->frames[e].node;
         n = n->next)
        if (n->step.slot == slot)
            return true;
    return false;
}

static bool covers(struct hd_cover *c, const struct hd_step *q)
{
    uint32_t s = hd_cover_find(c, q);

    if (s != HD_COVER_NOT)
        hd_cover_depends_on_initial(c, q, s);
    return s != HD_COVER_NOT;
}

/* Like covered_by, for a race that race_cover.h handles. */
static bool is_covered(struct hd_dpor *d, uint32_t e)
{
    const struct hd_path_frame *f = &d->path.frame[e];

    for (uint32_t i = 0; i < f->nsleep; i++)
        if (covers(&d->cover, &d->path.sleep[f->sleep + i]))
            return true;
    for (const struct hd_wakeup *n = hd_dpor_parent(d, e)->child; n != d->frames[e].node;
         n = n->next)
        if (covers(&d->cover, &n->step))
            return true;
    return false;
}

/* Like hd_wakeup_place; sets *at to the last node of the path taken.  When v is used up, every step is
 * independent of the (empty) rest, so the path is then followed to a leaf. */
static struct hd_wakeup **place(struct hd_cover *c, struct hd_wakeup **list,
                                struct hd_wakeup **at)
{
    while (*list != NULL) {
        struct hd_wakeup *n = *list;
        uint32_t s = hd_cover_find(c, &n->step);

        if (s == HD_COVER_NOT) {
            list = &n->next;
            continue;
        }
        hd_cover_take(c, &n->step, s);
        *at = n;
        if (hd_wakeup_is_settled(n))
            return NULL;
        list = &n->child;
    }
    return list;
}

/* Inserts the rest of v into the tree, below *at. */
static void insert_rest(struct hd_dpor *d, uint32_t e, struct hd_wakeup **at,
                        struct hd_wakeup **list)
{
    struct hd_cover *c = &d->cover;
    struct hd_sequence v = { .v = d->reversal.v, .n = hd_cover_rest(c, d->reversal.v) };
    uint32_t n = needed(d, e, *at, &v);

    hd_wakeup_add(&d->pool, *at, list, v.v, n);
    for (uint32_t i = 0; i < n; i++)
        hd_cover_depends_on(c, number_of(c->trace, v.v[i]));
    c->loose |= n == 0;
    for (*at = *list; *at != NULL && (*at)->child != NULL;)
        *at = (*at)->child;
}

/* Rule Y4 of decided.h: true if the path to the leaf consists of steps of v, in an order that v allows. */
static bool leads_to(struct hd_dpor *d, uint32_t e, const struct hd_wakeup *leaf)
{
    struct hd_cover *c = &d->cover;
    const struct hd_step **way = d->reversal.v;
    uint32_t n = 0, s = HD_COVER_BESIDE;

    for (; leaf != hd_dpor_parent(d, e) && n < HD_TRACE_STEPS; leaf = leaf->parent)
        way[n++] = &leaf->step;
    if (leaf != hd_dpor_parent(d, e))
        return false; /* the path is longer than v can be */
    while (n > 0 && s != HD_COVER_NOT) {
        s = hd_cover_find(c, way[--n]);
        if (s != HD_COVER_NOT)
            hd_cover_take(c, way[n], s);
    }
    return s != HD_COVER_NOT;
}

/* Finds v in the tree or adds it.  Returns the covering leaf. */
static const struct hd_wakeup *cover_by_tree(struct hd_dpor *d, uint32_t e)
{
    struct hd_wakeup *at = hd_dpor_parent(d, e);
    struct hd_wakeup **list = place(&d->cover, &d->frames[e].node->next, &at);

    if (list != NULL)
        insert_rest(d, e, &at, list);
    return at;
}

/* What covers v, the result of cover(). */
enum cover { NOT_HERE, BY_STEP, BY_LEAF, BY_TREE };

/* Makes sure that v is covered.  On entry *leaf is the leaf that covered it before, or NULL.  Returns NOT_HERE
 * if race_cover.h cannot handle the race. */
static enum cover cover(struct hd_dpor *d, uint32_t e, uint32_t racer,
                        const struct hd_wakeup **leaf)
{
    struct hd_cover *c = &d->cover;

    hd_cover_start(c, e, racer);
    if (*leaf != NULL && e >= d->floor) {
        if (leads_to(d, e, *leaf))
            return BY_LEAF;
        hd_cover_start(c, e, racer);
    }
    *leaf = NULL;
    if (is_done_there(d, e, c->trace->step[racer].step.slot) && hd_cover_initial(c, racer))
        return BY_STEP;
    if (is_covered(d, e))
        return BY_STEP;
    if (e < d->floor)
        return NOT_HERE;
    *leaf = cover_by_tree(d, e);
    return BY_TREE;
}

/* Like leads_to, for v as a list of steps.  Removes the steps of the path from it. */
static bool leads_along(const struct hd_wakeup *top, const struct hd_wakeup *leaf,
                        struct hd_sequence *v)
{
    const struct hd_wakeup *at = top;

    while (at != leaf && v->n > 0) {
        const struct hd_wakeup *next = leaf;

        while (next->parent != at)
            next = next->parent;
        at = next;
        uint32_t i = hd_step_first_of(v->v, v->n, at->step.slot);

        if (!hd_step_weak_initial(&at->step, v->v, v->n))
            return false;
        for (v->n -= i < v->n; i < v->n; i++)
            v->v[i] = v->v[i + 1];
    }
    return true;
}

/* For check=1: compares the result with the real v.  A step must cover v exactly if the result was BY_STEP
 * (unless a leaf was tried first); otherwise the leaf must. */
static void check_cover(struct hd_dpor *d, uint32_t e, const struct hd_racer *racer,
                        enum cover by, const struct hd_wakeup *leaf)
{
    struct hd_reversal *r = &d->reversal;
    bool possible = hd_reversal_make(r, e, racer);
    struct hd_sequence v = { .v = r->v, .n = r->nv };

    HD_INVARIANT(possible && r->fixed, "a race that is plain has another order");
    bool covered = covered_by(d, e, &v) != UNCOVERED;

    HD_INVARIANT(by == BY_LEAF || covered == (by == BY_STEP),
                 "a sequence that was made is covered as one that was not");
    HD_INVARIANT(leaf == NULL || leads_along(hd_dpor_parent(d, e), leaf, &v),
                 "a way that covers a sequence leads along it");
}

/* Handles the race with race_cover.h.  Returns false if that is not possible. */
static bool reverse_plain(struct hd_dpor *d, uint32_t e, const struct hd_racer *racer,
                          struct hd_decided_race *race)
{
    struct hd_cover *c = &d->cover;
    const struct hd_wakeup *leaf = race->leaf;

    if (!d->plain || d->guesses || d->reversal.blocks || !hd_reversal_is_plain(c->trace, e, racer))
        return false;
    enum cover by = cover(d, e, racer->step, &leaf);

    if (by == NOT_HERE)
        return false;
    if (d->checks)
        check_cover(d, e, racer, by, leaf);
    *race = (struct hd_decided_race){ racer->step, e, c->loose ? hd_cover_end(c) : c->latest + 1,
                                      !c->loose, true, leaf };
    return true;
}

/* Rules D7 and D8: from now on the accesses of some step cannot be predicted. */
static void guess(struct hd_dpor *d)
{
    d->guesses = true;
    d->loses |= d->choices || d->ws.share != NULL;
}

void hd_dpor_lose(struct hd_dpor *d)
{
    guess(d);
    d->loses = true;
}

/* Analyses the race and stores the decision in *race.  Returns false if the reverse order is impossible. */
static bool reverse_race(struct hd_dpor *d, uint32_t e, const struct hd_racer *racer,
                         struct hd_decided_race *race)
{
    struct hd_reversal *r = &d->reversal;

    if (reverse_plain(d, e, racer, race))
        return true;
    bool possible = hd_reversal_make(r, e, racer);
    struct hd_sequence v = { .v = r->v, .n = r->nv };

    if (possible && r->last.flags & HD_STEP_ALL)
        guess(d);
    if (possible && r->untried && hd_dpor_is_optimal(d)) {
        if (hd_dpor_put_off(d, e)) {
            *race = (struct hd_decided_race){ racer->step, e, UINT32_MAX, false, false, NULL };
            return true;
        }
        hd_dpor_lose(d);
    }
    int64_t by = possible ? hd_dpor_want(d, e, racer->step, &v) : r->nv;

    *race = decided(r, e, racer, by, &v);
    return possible;
}

static bool reverse(void *ctx, uint32_t e, const struct hd_racer *racer)
{
    struct hd_dpor *d = ctx;
    struct hd_decided_race race = { .leaf = NULL };

    if (hd_reversal_is_impossible(&d->path.trace, e, racer)) /* never possible, so there is no decision to store */
        return false;
    bool possible = reverse_race(d, e, racer, &race);
    bool of_locks = hd_reversal_of_locks(&d->path.trace, e, racer->op);

    if (racer->step != HD_NO_STEP && racer->step >= d->decided.kept) {
        hd_decided_add(&d->decided, race);
        if (of_locks && racer->op->flags & HD_EVF_HELD) /* a held thread may not be able to come first in the next
                                                         * execution */
            hd_decided_lose(&d->decided, racer->step);
    }
    return possible && of_locks;
}

static void decide_again(struct hd_dpor *d, const struct hd_decided_race *old,
                         struct hd_decided_race *race)
{
    struct hd_racer racer = hd_conflicts_racer(&d->path.trace, old->step);

    reverse_race(d, old->e, &racer, race);
}

/* For check=1: repeats a decision that is still valid; it must not add to the tree.  Steps with more accesses
 * than a step can store count as conflicting with all objects, so here v would seem to conflict with steps that
 * are independent of it (C5 of race_cover.h).  Then nothing is checked. */
static void check_decision(struct hd_dpor *d, const struct hd_decided_race *race)
{
    if (race->plain && d->path.trace.nmany > 0)
        return;
    struct hd_decided_race again = { .leaf = race->leaf };
    int64_t nodes = d->pool.in_use;

    decide_again(d, race, &again);
    HD_INVARIANT(d->pool.in_use == nodes, "a decision about a race that holds adds to the tree");
}

/* Analyses the races that the previous execution had too. */
static void look_again(struct hd_dpor *d)
{
    struct hd_decided *known = &d->decided;

    for (uint32_t i = 0; i < known->n && known->race[i].step < known->lost; i++) {
        struct hd_decided_race *race = &known->race[i];

        if (!hd_decided_holds(known, race))
            decide_again(d, race, race);
        else if (d->checks)
            check_decision(d, race);
    }
    for (uint32_t s = known->lost; s < known->kept; s++)
        hd_conflicts_of_step(&d->races, s, reverse, d);
}

/* True if all n alternatives of choice e have been explored, or will be explored with everything that follows.
 * This is so where the search chose freely. */
static bool all_settled(struct hd_dpor *d, uint32_t e, uint32_t n)
{
    hd_dpor_lock(d, e);
    for (const struct hd_wakeup *c = hd_dpor_parent(d, e)->child; c != NULL; c = c->next)
        n -= c == d->frames[e].node || c->child == NULL;
    hd_dpor_unlock(d, e);
    return n == 0;
}

/* Rule D5: inserts the other alternatives of choice e, which race with the one taken. */
static void take_others(struct hd_dpor *d, uint32_t e)
{
    const struct hd_step *s = &d->path.trace.step[e].step;

    if (!(s->flags & HD_STEP_CHOICE) || all_settled(d, e, s->n))
        return;
    for (uint32_t a = 0; a < s->n; a++)
        if (a != s->alt) {
            hd_reversal_choose(&d->reversal, e, (uint16_t)a);
            hd_dpor_want(d, e, HD_NO_STEP,
                         &(struct hd_sequence){ .v = d->reversal.v, .n = d->reversal.nv });
        }
}

/* Analyses the races of all steps, except those with a decision that is still valid (decided.h).  Analysing
 * only the new steps would lose classes of programs in which other threads race at the same time. */
static void races_of_all(struct hd_dpor *d, uint32_t n, bool choices)
{
    uint32_t kept = choices ? 0 : d->path.trace.kept;

    d->plain = !choices;
    hd_decided_start(&d->decided, kept);
    look_again(d);
    for (uint32_t s = kept; s < n; s++)
        hd_conflicts_of_step(&d->races, s, reverse, d);
}

/* With source sets each race needs to be decided only once.  Let w be a sequence that must be explored instead
 * of e, and in which e' comes first.  The v of the first execution with this race contains what leads to e', as
 * w does, and then other steps.  The initial that was chosen from v either is an initial of w as well, or it is
 * a step q that comes later in w and is explored beside e.  In the latter case, the executions that begin with
 * q show the race of q with its predecessors in w, and that race adds another initial.  This terminates,
 * because q is never a step that was explored before: such a step would sleep, and after being woken it would
 * not be an initial of v.  If the program makes choices, v may contain another alternative, so then all steps
 * are analysed. */
static void races_of_new(struct hd_dpor *d, uint32_t n, bool choices)
{
    d->decided.kept = HD_NO_STEP; /* no decisions are kept */
    d->plain = false;
    for (uint32_t s = choices || d->optimal ? 0 : d->first_new; s < n; s++)
        hd_conflicts_of_step(&d->races, s, reverse, d);
}

/* The limit on the number of steps ended the execution, so it has prevented each pending operation from
 * running. */
static void races_of_stopped(struct hd_dpor *d, hd_tid t, const struct hd_event *op)
{
    d->stopped = true;
    hd_conflicts_of_stopped(&d->path.trace, t, op, reverse, d);
    d->stopped = false;
}

static void races_of_pending(struct hd_dpor *d)
{
    bool stopped = hd_path_is_stopped(&d->path);

    for (uint32_t t = 0; t < hd_path_threads(&d->path); t++) {
        const struct hd_event *op = hd_path_pending(&d->path, (hd_tid)t);

        if (hd_set_has(&d->asleep, t)) /* its races are known: it was explored before */
            continue;
        hd_conflicts_of_pending(&d->races, (hd_tid)t, op, reverse, d);
        if (stopped)
            races_of_stopped(d, (hd_tid)t, op);
    }
}

/* Pending operations are analysed after every execution.  If the analysis is the first to find a step that
 * cannot be predicted (D7), it is repeated, so that a worker that repeats this function (D2) reaches the same
 * state. */
void hd_dpor_races(struct hd_dpor *d, uint32_t n)
{
    d->stopped = false; /* a killed worker may have left it set */
    d->tries.n = d->tries.nstep = 0;
    bool choices = d->choices || hd_wakeup_share_has_choices(&d->ws);

    if (d->guesses || hd_wakeup_share_has(&d->ws, HD_WAKEUP_GUESSES))
        guess(d);
    bool keeps = !d->guesses && hd_dpor_is_optimal(d); /* decisions about races are kept */

    if (keeps)
        races_of_all(d, n, choices);
    if (!keeps || d->guesses)
        races_of_new(d, n, choices);
    for (uint32_t s = 0; s < n && choices; s++)
        take_others(d, s);
    bool guesses = d->guesses;

    races_of_pending(d);
    if (d->tries.n > 0 && d->guesses)
        hd_dpor_lose(d); /* rule D10: the search continues with source sets */
    if (d->optimal && guesses != d->guesses) {
        races_of_new(d, n, choices);
        races_of_pending(d);
    }
    if (!hd_dpor_is_optimal(d))
        d->tries.n = 0; /* these reversals were inserted like all others */
    if (d->guesses)
        hd_wakeup_share_note(&d->ws, HD_WAKEUP_GUESSES);
}
