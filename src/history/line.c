/* SPDX-License-Identifier: BSD-2-Clause
 *
 * line.c - checks queues and stacks into which no value is put twice.
 *
 * Between the return of its put and the call of its take, a value is certainly inside.  If its take is called
 * before its put has returned, the value can be put and taken at the same point.
 *
 * L1  Queues and stacks: each value that is taken was put, is taken only once, and is not put after that.  An
 *     operation that returns "empty" needs a moment between its call and its return at which no value is
 *     certainly inside.
 * L2  Queue (Henzinger, Sezgin, Vafeiadis, Aspect-Oriented Linearizability Proofs, 2013): besides L1, there are
 *     no values a, b such that a was put before b and b was taken before a, each in real time.  A value that is
 *     never taken counts as taken at the very end.
 * L3  Stack: at a moment at which no value is certainly inside, the stack can be made empty, because each value
 *     whose operations overlap this moment can be put later or taken earlier.  So the parts before and after
 *     the moment are independent.  Between two such moments some value is always inside, so one value must be
 *     at the bottom all the time.  The put of that value must be called before any put has returned, and its
 *     take must return after every take was called.  Any value that satisfies this may be chosen as the bottom,
 *     because all others fit between its put and its take.  Remove it, and divide the rest in the same way.
 * L4  A put that has not returned counts only if its value is taken.  A take that has not returned may have
 *     taken a value that no other operation takes.  If such a value makes the history fail, each of these takes
 *     is tried for it in turn. */
#include "history/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/vec.h"

struct value {
    const struct hd_history_op *put, *take; /* take: NULL if it is never taken */
    uint32_t from, to; /* position of the return of the put, and of the call of the take */
    uint32_t end;      /* position of the return of the take */
};

struct line {
    struct hd_history_part *p;
    struct hd_history_result *result;
    struct value *value; /* sorted by `from` */
    uint32_t n;
    const struct hd_history_op **lost; /* takes that have not returned and to which no value is assigned yet */
    uint32_t nlost;
    const struct hd_history_op **empty; /* takes that returned "empty" */
    uint32_t nempty;
    /* Values that no operation takes; assigning one to a take may remove the contradiction. */
    uint32_t *free, nfree;
    bool first; /* explain the first operation that contradicts the order to the user */
    bool used_up;
};

bool hd_line_applies(const struct hd_history_part *p)
{
    return (p->h->model == HD_MODEL_QUEUE || p->h->model == HD_MODEL_STACK) &&
           hd_history_distinct(p, HD_CALL_ENQUEUE, HD_VALUE_EMPTY);
}

static const char *name_of(const struct line *l, const struct value *v)
{
    return l->p->h->values.text[v->put->arg[0]];
}

static bool is_taken(const struct value *v)
{
    return v->to != HD_NEVER;
}

/* Uses up n steps.  Returns false if there are not enough. */
static bool spend(struct line *l, uint32_t n)
{
    l->used_up = l->used_up || l->p->steps < n;
    l->p->steps -= l->used_up ? l->p->steps : n;
    return !l->used_up;
}

/* ---- the values ------------------------------------------------------------------------------- */

static bool add_take(struct line *l, const struct hd_map *of, const struct hd_history_op *op)
{
    const char *name = l->p->h->values.text[op->result];
    uint32_t at = hd_map_find(of, op->result + UINT64_C(1));

    if (at == UINT32_MAX) {
        hd_history_blame(l->result, op, "%.60s was never put in", name);
        return false;
    }
    struct value *v = &l->value[at];

    if (v->take != NULL) {
        hd_history_blame(l->result, op, "%.60s was put in once, by line %u, and was already taken out by line %u", name,
                         v->put->line, v->take->line);
        return false;
    }
    if (op->ret < v->put->call) {
        hd_history_blame(l->result, op, "%.60s was put in later, by line %u", name, v->put->line);
        return false;
    }
    v->take = op;
    v->to = op->call;
    v->end = op->ret;
    return true;
}

static bool collect(struct line *l)
{
    struct hd_map of = { .key = NULL };
    bool fits = true, new;

    for (uint32_t i = 0; i < l->p->n; i++) {
        const struct hd_history_op *op = l->p->op[i];

        if (op->code != HD_CALL_ENQUEUE)
            continue;
        *hd_map_add(&of, op->arg[0] + UINT64_C(1), &new) = l->n;
        l->value[l->n++] = (struct value){ .put = op, .from = op->ret, .to = HD_NEVER, .end = HD_NEVER };
    }
    for (uint32_t i = 0; i < l->p->n && fits; i++) {
        const struct hd_history_op *op = l->p->op[i];

        if (op->code != HD_CALL_DEQUEUE)
            continue;
        if (!op->has_result)
            l->lost[l->nlost++] = op;
        else if (op->result == HD_VALUE_EMPTY)
            l->empty[l->nempty++] = op;
        else
            fits = add_take(l, &of, op);
    }
    hd_map_free(&of);
    return fits;
}

static int compare(const void *pa, const void *pb)
{
    const struct value *a = pa, *b = pb;

    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->put->call > b->put->call) - (a->put->call < b->put->call);
}

/* Leaves out the puts that need not have happened (L4), and sorts the values. */
static void arrange(struct line *l)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < l->n; i++)
        if (l->value[i].from != HD_NEVER || is_taken(&l->value[i]))
            l->value[kept++] = l->value[i];
    l->n = kept;
    if (l->n > 0)
        qsort(l->value, l->n, sizeof *l->value, compare);
}

/* ---- rule L1: operations that return "empty" ---- */

/* Collects, among the n values of the list, those that are never taken and that are certainly inside before the
 * position. */
static void offer(struct line *l, const uint32_t *list, uint32_t n, uint32_t before)
{
    l->nfree = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = list != NULL ? list[i] : i;

        if (!is_taken(&l->value[v]) && l->value[v].from < before)
            *HD_PUSH(l->free, l->nfree) = v;
    }
}

/* True if, at some moment between the call and the return of op, no value is certainly inside.  Values are
 * sorted by their beginnings, so the covered part of the interval grows from the left. *by is the value that
 * covers it last. */
static bool has_gap(const struct line *l, const struct hd_history_op *op, uint32_t *by)
{
    uint32_t covered = op->call; /* up to this position some value is certainly inside */

    *by = 0;
    for (uint32_t i = 0; i < l->n && l->value[i].from <= covered; i++)
        if (l->value[i].from < l->value[i].to && l->value[i].to > covered) {
            covered = l->value[i].to;
            *by = i;
            if (covered >= op->ret)
                return false;
        }
    return true;
}

static bool empties_fit(struct line *l)
{
    for (uint32_t i = 0; i < l->nempty; i++) {
        uint32_t by;

        if (!spend(l, l->n))
            return true;
        if (has_gap(l, l->empty[i], &by))
            continue;
        if (l->first)
            hd_history_blame(l->result, l->empty[i], "at every moment of it a value was inside, at the end %.60s: put in by "
                             "line %u", name_of(l, &l->value[by]), l->value[by].put->line);
        offer(l, NULL, l->n, l->empty[i]->ret);
        return false;
    }
    return true;
}

/* ---- rule L2: queues ---- */

static int compare_calls(const void *pa, const void *pb)
{
    const struct value *a = *(const struct value *const *)pa, *b = *(const struct value *const *)pb;

    return (a->put->call > b->put->call) - (a->put->call < b->put->call);
}

static void blame_order(struct line *l, const struct value *a, const struct value *b)
{
    char taken[80] = "was never taken";

    if (a->take != NULL)
        snprintf(taken, sizeof taken, "was only then taken by line %u", a->take->line);
    if (l->first && b->take != NULL)
        hd_history_blame(l->result, b->take, "%.60s was put in by line %u before %.60s was by line %u, and %s",
                         name_of(l, a), a->put->line, name_of(l, b), b->put->line, taken);
}

/* Among the values that were put before b, only the one whose take is called last needs to be compared with b. */
static bool queue_fits(struct line *l)
{
    const struct value **by = hd_zeroed(l->n, sizeof *by), *last = NULL;
    uint32_t next = 0;
    bool fits = true;

    spend(l, l->n);
    for (uint32_t i = 0; i < l->n; i++)
        by[i] = &l->value[i];
    if (l->n > 0)
        qsort(by, l->n, sizeof *by, compare_calls);
    for (uint32_t i = 0; i < l->n && fits; i++) {
        for (; next < l->n && l->value[next].from < by[i]->put->call; next++)
            if (last == NULL || l->value[next].to > last->to)
                last = &l->value[next];
        if (last == NULL || by[i]->end >= last->to)
            continue;
        blame_order(l, last, by[i]);
        l->nfree = 0;
        if (!is_taken(last))
            *HD_PUSH(l->free, l->nfree) = (uint32_t)(last - l->value);
        fits = false;
    }
    free(by);
    return fits;
}

/* ---- rule L3: stacks ---- */

struct range {
    uint32_t from, to; /* positions in the list */
};

struct nest {
    uint32_t *list; /* indices of values, sorted by `from` */
    struct range *todo;
    uint32_t ntodo;
};

/* Divides a range at the moments at which no value is certainly inside, and stores the pieces. */
static void divide(const struct line *l, struct nest *s, struct range r)
{
    uint32_t begin = r.from, until = 0;

    for (uint32_t i = r.from; i < r.to; i++) {
        const struct value *v = &l->value[s->list[i]];

        if (i > begin && v->from > until) {
            *HD_PUSH(s->todo, s->ntodo) = (struct range){ begin, i };
            begin = i;
        }
        if (i == begin || v->to > until)
            until = v->to;
    }
    if (begin < r.to)
        *HD_PUSH(s->todo, s->ntodo) = (struct range){ begin, r.to };
}

/* Returns the position of a value that can be below all others of the range; r.to if there is none. */
static uint32_t bottom_of(const struct line *l, const struct nest *s, struct range r)
{
    uint32_t begin = l->value[s->list[r.from]].from, end = 0;

    for (uint32_t i = r.from; i < r.to; i++)
        if (l->value[s->list[i]].to > end)
            end = l->value[s->list[i]].to;
    for (uint32_t i = r.from; i < r.to; i++) {
        const struct value *v = &l->value[s->list[i]];

        if (v->put->call < begin && (v->end > end || v->end == HD_NEVER))
            return i;
    }
    return r.to;
}

static void blame_nesting(struct line *l, const struct nest *s, struct range r)
{
    const struct value *begin = &l->value[s->list[r.from]], *end = begin;

    for (uint32_t i = r.from; i < r.to; i++)
        if (l->value[s->list[i]].to > end->to)
            end = &l->value[s->list[i]];
    if (l->first)
        hd_history_blame(l->result, begin->put, "from its return until %s%.60s%s the stack was never empty, and none of the %u "
                         "values put in then can have been at its bottom all that time",
                         end->take != NULL ? "" : "the end, when ", name_of(l, end),
                         end->take != NULL ? " was taken" : " was still inside", r.to - r.from);
    offer(l, s->list + r.from, r.to - r.from, HD_NEVER);
}

static bool nest_fits(struct line *l, struct nest *s)
{
    while (s->ntodo > 0) {
        struct range r = s->todo[--s->ntodo];

        if (!spend(l, r.to - r.from))
            return true;
        uint32_t bottom = bottom_of(l, s, r);

        if (bottom == r.to) {
            blame_nesting(l, s, r);
            return false;
        }
        memmove(&s->list[bottom], &s->list[bottom + 1], (r.to - bottom - 1) * sizeof *s->list);
        r.to--;
        divide(l, s, r);
    }
    return true;
}

static bool stack_fits(struct line *l)
{
    struct nest s = { .list = hd_zeroed(l->n, sizeof *s.list) };
    uint32_t n = 0;

    for (uint32_t i = 0; i < l->n; i++)
        if (l->value[i].from < l->value[i].to)
            s.list[n++] = i;
    divide(l, &s, (struct range){ 0, n });
    bool fits = nest_fits(l, &s);

    free(s.list);
    free(s.todo);
    return fits;
}

/* ---- rule L4: takes that have not returned ---- */

/* Checks the history and, if it does not fit, assigns a value to a take that has not returned and checks again.
 * Only values that are part of the misfit are tried: otherwise the misfit would remain. */
static bool fits(struct line *l)
{
    if ((l->p->h->model == HD_MODEL_QUEUE ? queue_fits(l) : stack_fits(l)) && empties_fit(l))
        return true;
    l->first = false;
    uint32_t nfree = l->nfree, *mine = memcpy(hd_zeroed(nfree + 1, sizeof *mine), l->nfree > 0 ? l->free : (uint32_t[]){ 0 },
                                              nfree * sizeof *mine);
    bool mended = false;

    for (uint32_t i = 0; i < nfree && !mended && !l->used_up; i++)
        for (uint32_t k = 0; k < l->nlost && !mended && !l->used_up; k++) {
            const struct hd_history_op *take = l->lost[k];

            l->value[mine[i]].to = take->call;
            l->lost[k] = l->lost[--l->nlost];
            mended = fits(l);
            l->lost[l->nlost++] = l->lost[k];
            l->lost[k] = take;
            l->value[mine[i]].to = HD_NEVER;
        }
    free(mine);
    return mended;
}

enum hd_history_verdict hd_line_judge(struct hd_history_part *p, struct hd_history_result *result)
{
    struct line l = { .p = p, .result = result, .value = hd_zeroed(p->n, sizeof *l.value),
                      .lost = hd_zeroed(p->n, sizeof *l.lost), .empty = hd_zeroed(p->n, sizeof *l.empty), .first = true };
    bool ok = collect(&l);

    if (ok) {
        arrange(&l);
        ok = fits(&l);
    }
    if (l.used_up)
        hd_history_blame(result, p->op[0], "the steps do not suffice");
    free(l.value);
    free(l.lost);
    free(l.empty);
    free(l.free);
    return l.used_up ? HD_HISTORY_UNKNOWN : ok ? HD_HISTORY_FITS : HD_HISTORY_MISFIT;
}
