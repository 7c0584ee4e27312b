/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deepening.c - applies the rules of deepening.h to the list of jobs. */
#include "campaign/search/deepening.h"

#include "model/point_class.h"

/* SURE_AFTER: an estimate counts after this many executions.  SHORT_REST: no job is suspended when less than 1 /
 * SHORT_REST of the time is left.  TOO_LONG: a job is suspended if it needs this many times the remaining time.
 * The values are Blum's; his SHORT_REST is 1 minute of 1 hour. */
enum { SURE_AFTER = 32, SHORT_REST = 60, TOO_LONG = 2 };

static bool contains(struct hd_point_set a, struct hd_point_set b)
{
    return (b.classes & ~a.classes) == 0 && (b.places & ~a.places) == 0;
}

static bool is_same(struct hd_point_set a, struct hd_point_set b)
{
    return a.classes == b.classes && a.places == b.places;
}

static unsigned size_of(struct hd_point_set s)
{
    return (unsigned)__builtin_popcount(s.classes) + (unsigned)__builtin_popcountll(s.places);
}

/* True if a job in this state has a set that is contained in the given set. */
static bool has_part(const struct hd_job_list *d, struct hd_point_set set, enum hd_job_state state)
{
    for (unsigned i = 0; i < d->n; i++)
        if (d->job[i].state == state && contains(set, d->job[i].set))
            return true;
    return false;
}

static bool is_covered(const struct hd_job_list *d, struct hd_point_set set)
{
    for (unsigned i = 0; i < d->n; i++)
        if (d->job[i].state == HD_JOB_COMPLETE && contains(d->job[i].set, set))
            return true;
    return false;
}

/* If the list is full, only the maximal job explores the set. */
static void add(struct hd_job_list *d, struct hd_point_set set, bool small)
{
    if (d->n == HD_DEEP_JOBS || has_part(d, set, HD_JOB_BUGGY) || is_covered(d, set))
        return;
    for (unsigned i = 0; i < d->n; i++)
        if (is_same(d->job[i].set, set))
            return;
    d->job[d->n++] = (struct hd_job){ .set = set, .small = small, .left = -1 };
}

void hd_deepening_seed(struct hd_job_list *d, uint32_t base, uint32_t classes)
{
    d->base = base;
    d->classes |= classes;
    add(d, (struct hd_point_set){ base, 0 }, false);
    for (uint32_t bit = 1; bit < HD_POINT_ACCESS; bit <<= 1)
        if (d->classes & bit)
            add(d, (struct hd_point_set){ base | bit, 0 }, false);
    add(d, (struct hd_point_set){ base | d->classes, 0 }, false);
}

void hd_deepening_met(struct hd_job_list *d, unsigned j, uint64_t places)
{
    struct hd_job *job = &d->job[j];
    uint64_t fresh = places & ~job->met & ~job->set.places;

    job->met |= places;
    for (unsigned i = 0; i < HD_DEEP_PLACES && !job->small; i++)
        if (fresh >> i & 1) {
            struct hd_point_set big = job->set;

            big.places |= UINT64_C(1) << i;
            add(d, (struct hd_point_set){ d->base, UINT64_C(1) << i }, true);
            add(d, big, false);
        }
}

/* Returns the priority of a job over this set (J3); smaller numbers come first. */
static unsigned priority(const struct hd_job_list *d, struct hd_point_set set)
{
    uint32_t classes = set.classes & ~d->explored.classes & ~d->base;
    uint64_t places = set.places & ~d->explored.places;

    if (classes == 0 && places == 0)
        return 0;
    if (places != 0)
        return places & d->both_orders ? 1 : 2;
    if (classes & HD_POINT_ATOMIC)
        return 3;
    return classes & ~(uint32_t)HD_POINT_UNLOCK ? 4 : 8;
}

static bool is_better(const struct hd_job_list *d, unsigned a, unsigned b)
{
    unsigned pa = priority(d, d->job[a].set), pb = priority(d, d->job[b].set);

    return pa != pb ? pa < pb : size_of(d->job[a].set) < size_of(d->job[b].set);
}

static bool may_begin(const struct hd_job_list *d, unsigned i)
{
    return d->job[i].state == HD_JOB_PENDING && !has_part(d, d->job[i].set, HD_JOB_SUSPENDED);
}

/* The estimate for a set may be smaller than the estimate for a part of it, which cannot be right.  Then the one
 * for the part counts. */
static bool is_doubted(const struct hd_job_list *d, unsigned i)
{
    for (unsigned k = 0; k < d->n; k++)
        if (k != i && d->job[k].state == HD_JOB_SUSPENDED && contains(d->job[i].set, d->job[k].set) &&
            d->job[k].left > d->job[i].left)
            return true;
    return false;
}

int hd_deepening_next(const struct hd_job_list *d)
{
    int best = -1;

    for (unsigned i = 0; i < d->n; i++)
        if (may_begin(d, i) && (best < 0 || is_better(d, i, (unsigned)best)))
            best = (int)i;
    if (best >= 0)
        return best;
    for (unsigned i = 0; i < d->n; i++)
        if (d->job[i].state == HD_JOB_SUSPENDED && !is_doubted(d, i) &&
            (best < 0 || d->job[i].left < d->job[best].left))
            best = (int)i;
    return best;
}

bool hd_deepening_is_hopeless(uint64_t executions, double left, struct hd_deep_time time)
{
    return executions >= SURE_AFTER && left >= 0 && time.left > time.whole / SHORT_REST && left > TOO_LONG * time.left;
}

bool hd_deepening_suspends(const struct hd_job_list *d, unsigned j, struct hd_deep_time time)
{
    const struct hd_job *job = &d->job[j];

    if (!hd_deepening_is_hopeless(job->executions, job->left, time))
        return false;
    for (unsigned i = 0; i < d->n; i++) {
        const struct hd_job *other = &d->job[i];

        if (i == j || contains(other->set, job->set))
            continue;
        if (may_begin(d, i) || (other->state == HD_JOB_SUSPENDED && other->left < job->left))
            return true;
    }
    return false;
}

static bool is_waiting(const struct hd_job *job)
{
    return job->state == HD_JOB_PENDING || job->state == HD_JOB_SUSPENDED;
}

void hd_deepening_over(struct hd_job_list *d, unsigned j, enum hd_job_state how)
{
    struct hd_job *job = &d->job[j];

    job->state = how;
    job->left = 0;
    if (how == HD_JOB_COMPLETE && !job->small) {
        d->explored.classes |= job->set.classes;
        d->explored.places |= job->set.places;
    }
    for (unsigned i = 0; i < d->n; i++) {
        if (how == HD_JOB_BUGGY && is_waiting(&d->job[i]) && contains(d->job[i].set, job->set))
            d->job[i].state = HD_JOB_CANCELLED;
        if (how == HD_JOB_COMPLETE && is_waiting(&d->job[i]) && contains(job->set, d->job[i].set))
            d->job[i].state = HD_JOB_COVERED;
    }
}
