/* SPDX-License-Identifier: BSD-2-Clause
 *
 * zones.c - checks registers into which no value is written twice (Gibbons and Korach, Testing Shared Memories,
 * 1997).
 *
 * The write of a value and all reads of that value form a cluster.  In a linearization the clusters come one
 * after the other.  The zone of a cluster is the time between its earliest return and its latest call.  If that
 * return is earlier than that call, the register must hold the value during the whole zone (a forward zone);
 * otherwise all operations of the cluster can take effect at one point of the zone (a backward zone).  The
 * history is linearizable exactly if every value that is read was written, no read returns before its write is
 * called, no two forward zones overlap, and no backward zone lies within a forward one. */
#include "history/judge.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"

struct cluster {
    const struct hd_history_op *write; /* NULL: the initial value */
    const struct hd_history_op *first, *last; /* the operations with the earliest return and with the latest
                                               * call */
    uint32_t begin, end; /* positions of the earliest return and of the latest call */
    bool read;
};

struct zones {
    struct hd_history_part *p;
    struct hd_history_result *result;
    struct hd_map of; /* maps a value to its cluster */
    struct cluster *cluster;
    uint32_t n;
};

bool hd_zones_apply(const struct hd_history_part *p)
{
    return p->h->model == HD_MODEL_REGISTER && hd_history_distinct(p, HD_CALL_WRITE, p->h->initial);
}

static void include(struct cluster *c, const struct hd_history_op *op)
{
    if (op->ret < c->begin) {
        c->begin = op->ret;
        c->first = op;
    }
    if (op->call > c->end) {
        c->end = op->call;
        c->last = op;
    }
}

static void add_writes(struct zones *z)
{
    bool new;

    /* The initial value counts as written before everything else, at position 0. */
    z->cluster[z->n] = (struct cluster){ .begin = 0 };
    *hd_map_add(&z->of, z->p->h->initial + UINT64_C(1), &new) = z->n++;
    for (uint32_t i = 0; i < z->p->n; i++) {
        const struct hd_history_op *op = z->p->op[i];

        if (op->code != HD_CALL_WRITE)
            continue;
        z->cluster[z->n] = (struct cluster){ .write = op, .begin = HD_NEVER };
        include(&z->cluster[z->n], op);
        *hd_map_add(&z->of, op->arg[0] + UINT64_C(1), &new) = z->n++;
    }
}

static bool add_reads(struct zones *z)
{
    const char *const *text = (const char *const *)z->p->h->values.text;

    for (uint32_t i = 0; i < z->p->n; i++) {
        const struct hd_history_op *op = z->p->op[i];

        if (op->code != HD_CALL_READ || !op->has_result)
            continue;
        uint32_t at = hd_map_find(&z->of, op->result + UINT64_C(1));

        if (at == UINT32_MAX) {
            hd_history_blame(z->result, op, "%.60s was never written", text[op->result]);
            return false;
        }
        struct cluster *c = &z->cluster[at];

        if (c->write != NULL && op->ret < c->write->call) {
            hd_history_blame(z->result, op, "%.60s was written later, by line %u", text[op->result], c->write->line);
            return false;
        }
        c->read = true;
        include(c, op);
    }
    return true;
}

static bool is_forward(const struct cluster *c)
{
    return c->begin < c->end;
}

/* Orders forward zones before backward ones, and each of them by their beginnings. */
static int compare(const void *pa, const void *pb)
{
    const struct cluster *a = pa, *b = pb;

    if (is_forward(a) != is_forward(b))
        return is_forward(a) ? -1 : 1;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* True if the cluster counts.  A write that has not returned and was never read need not have happened. */
static bool counts(const struct cluster *c)
{
    return c->read || (c->write != NULL && c->write->ret != HD_NEVER);
}

static void blame(struct zones *z, const struct cluster *a, const struct cluster *b)
{
    const struct hd_history *h = z->p->h;
    const char *of_a = h->values.text[a->write != NULL ? a->write->arg[0] : h->initial];
    const char *of_b = h->values.text[b->write != NULL ? b->write->arg[0] : h->initial];

    if (a->first == NULL)
        hd_history_blame(z->result, a->last, "it returned the initial value %.60s, but the register had held %.60s before: "
                                             "see line %u", of_a, of_b, b->first != NULL ? b->first->line : 0);
    else
        hd_history_blame(z->result, a->last, "the register held %.60s from the return of line %u to the call of line %u, and "
                                             "%.60s (line %u) must have been its value in between", of_a, a->first->line,
                         a->last->line, of_b, b->first != NULL ? b->first->line : b->last->line);
}

/* Returns the last forward zone that begins before the position, or NULL. */
static const struct cluster *forward_before(const struct zones *z, uint32_t nforward, uint32_t position)
{
    uint32_t low = 0, high = nforward;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (z->cluster[middle].begin < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &z->cluster[low - 1] : NULL;
}

static bool zones_fit(struct zones *z)
{
    uint32_t nforward = 0;

    qsort(z->cluster, z->n, sizeof *z->cluster, compare);
    while (nforward < z->n && is_forward(&z->cluster[nforward]))
        nforward++;
    for (uint32_t i = 1; i < nforward; i++)
        if (z->cluster[i].begin < z->cluster[i - 1].end) {
            blame(z, &z->cluster[i - 1], &z->cluster[i]);
            return false;
        }
    for (uint32_t i = nforward; i < z->n; i++) {
        const struct cluster *c = &z->cluster[i], *around = forward_before(z, nforward, c->end);

        if (around != NULL && c->begin < around->end) {
            blame(z, around, c);
            return false;
        }
    }
    return true;
}

enum hd_history_verdict hd_zones_judge(struct hd_history_part *p, struct hd_history_result *result)
{
    struct zones z = { .p = p, .result = result, .cluster = hd_zeroed(p->n + 1, sizeof *z.cluster) };
    uint32_t kept = 0;

    add_writes(&z);
    bool fits = add_reads(&z);

    for (uint32_t i = 0; i < z.n; i++)
        if (counts(&z.cluster[i]))
            z.cluster[kept++] = z.cluster[i];
    z.n = kept;
    fits = fits && zones_fit(&z);
    hd_map_free(&z.of);
    free(z.cluster);
    return fits ? HD_HISTORY_FITS : HD_HISTORY_MISFIT;
}
