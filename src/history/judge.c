/* SPDX-License-Identifier: BSD-2-Clause
 *
 * judge.c - divides a history into parts and checks each. */
#include "history/judge.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "history/calls.h"

bool hd_history_distinct(const struct hd_history_part *p, enum hd_call code, uint32_t except)
{
    struct hd_map seen = { .key = NULL };
    bool distinct = true, new;

    for (uint32_t i = 0; i < p->n && distinct; i++) {
        if (p->op[i]->code != code)
            continue;
        *hd_map_add(&seen, p->op[i]->arg[0] + UINT64_C(1), &new) = i;
        distinct = new && p->op[i]->arg[0] != except;
    }
    hd_map_free(&seen);
    return distinct;
}

void hd_history_blame(struct hd_history_result *result, const struct hd_history_op *op, const char *fmt, ...)
{
    va_list ap;

    result->at = op;
    va_start(ap, fmt);
    vsnprintf(result->reason, sizeof result->reason, fmt, ap);
    va_end(ap);
}

/* ---- parts ------------------------------------------------------------------------------------- */

struct placed {
    const struct hd_history_op *op;
    uint32_t key;
};

static int compare(const void *pa, const void *pb)
{
    const struct placed *a = pa, *b = pb;

    if (a->op->object != b->op->object)
        return a->op->object < b->op->object ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->op->call > b->op->call) - (a->op->call < b->op->call);
}

/* Returns all operations, sorted so that those of a part are adjacent (Y1). */
static struct placed *divide(const struct hd_history *h)
{
    struct placed *all = hd_zeroed(h->n, sizeof *all);
    bool *whole = hd_zeroed(h->objects.n, sizeof *whole);
    bool has_keys = h->model == HD_MODEL_SET || h->model == HD_MODEL_MAP;

    for (uint32_t i = 0; i < h->n; i++)
        whole[h->op[i].object] |= !has_keys || hd_call_info(h->model, h->op[i].code)->of_all;
    for (uint32_t i = 0; i < h->n; i++)
        all[i] = (struct placed){ &h->op[i], whole[h->op[i].object] ? HD_NEVER : h->op[i].arg[0] };
    qsort(all, h->n, sizeof *all, compare);
    free(whole);
    return all;
}

static enum hd_history_verdict judge_part(struct hd_history_part *p, struct hd_history_result *to)
{
    if (hd_zones_apply(p))
        return hd_zones_judge(p, to);
    if (hd_line_applies(p))
        return hd_line_judge(p, to);
    to->searched++;
    return hd_explore_judge(p, to);
}

static void judge_one(struct hd_history_part *p, struct hd_history_result *result)
{
    struct hd_history_result own = { .verdict = HD_HISTORY_FITS, .at = p->op[0] };

    own.verdict = judge_part(p, &own);
    result->parts++;
    result->searched += own.searched;
    result->unknown += own.verdict == HD_HISTORY_UNKNOWN;
    if (own.verdict <= result->verdict)
        return;
    result->verdict = own.verdict;
    result->at = own.at;
    result->key = p->key;
    snprintf(result->reason, sizeof result->reason, "%s", own.reason);
}

void hd_history_judge(const struct hd_history *h, uint64_t steps, struct hd_history_result *result)
{
    struct placed *all = divide(h);
    const struct hd_history_op **op = hd_zeroed(h->n, sizeof *op);

    *result = (struct hd_history_result){ .verdict = HD_HISTORY_FITS, .key = HD_NEVER };
    for (uint32_t from = 0, to; from < h->n; from = to) {
        for (to = from; to < h->n && all[to].op->object == all[from].op->object && all[to].key == all[from].key; to++)
            op[to] = all[to].op;
        struct hd_history_part p = { .h = h, .op = op + from, .n = to - from, .key = all[from].key, .steps = steps };

        judge_one(&p, result);
    }
    free(op);
    free(all);
}
