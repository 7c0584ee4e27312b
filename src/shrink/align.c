/* SPDX-License-Identifier: BSD-2-Clause
 *
 * align.c - the alignment of two sequences of operations with the highest score, by dynamic
 * programming. */
#include "shrink/align.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/memory.h"

/* Points for a pair of operations.  A pair with the same names outweighs one with a new name, so that a
 * renaming is assumed only where no other pair fits. */
enum { BOTH_NAMES = 6, A_NEW_NAME = 4, NEW_NAMES = 3, KIND_ONLY = 2, NOTHING_KNOWN = 1 };

bool hd_align_same(const struct hd_align_names *names, uint32_t recorded, uint32_t now)
{
    if (recorded == now || recorded == HD_ALIGN_ANY)
        return true;
    if (names->renamed[recorded] != 0)
        return names->renamed[recorded] == now;
    return now != HD_ALIGN_ANY && !names->present[recorded] && !names->recorded[now];
}

static uint32_t score(const struct hd_align_names *names, const struct hd_align_op *r,
                      const struct hd_align_op *n)
{
    if (r->kind == HD_ALIGN_ANY)
        return NOTHING_KNOWN;
    if (r->kind != n->kind || !hd_align_same(names, r->function, n->function) ||
        !hd_align_same(names, r->object, n->object))
        return 0;
    if (r->function == HD_ALIGN_ANY && r->object == HD_ALIGN_ANY)
        return KIND_ONLY;
    unsigned changed = (r->function != n->function && r->function != HD_ALIGN_ANY) +
                       (r->object != n->object && r->object != HD_ALIGN_ANY);

    return changed == 0 ? BOTH_NAMES : changed == 1 ? A_NEW_NAME : NEW_NAMES;
}

void hd_align(const struct hd_align_names *names, const struct hd_align_op *recorded, uint32_t nrecorded,
              const struct hd_align_op *now, uint32_t nnow, uint32_t *partner)
{
    HD_INVARIANT(nrecorded <= HD_ALIGN_MAX && nnow <= HD_ALIGN_MAX, "too many operations to align");
    uint32_t width = nnow + 1, i, k;
    /* best[i * width + k]: the highest score for recorded[i..] and now[k..] */
    uint32_t *best = hd_zeroed((size_t)(nrecorded + 1) * width, sizeof *best);

    for (i = nrecorded; i-- > 0;)
        for (k = nnow; k-- > 0;) {
            uint32_t points = score(names, &recorded[i], &now[k]);
            uint32_t *at = &best[i * width + k];
            uint32_t most = at[1] > at[width] ? at[1] : at[width];

            *at = points > 0 && points + at[width + 1] > most ? points + at[width + 1] : most;
        }
    for (i = k = 0; i < nrecorded;) {
        const uint32_t *at = &best[i * width + k];
        uint32_t points = k < nnow ? score(names, &recorded[i], &now[k]) : 0;

        if (points > 0 && *at == points + at[width + 1])
            partner[i++] = k++;
        else if (at[width] == *at)
            partner[i++] = HD_ALIGN_NONE;
        else
            k++;
    }
    free(best);
}

static void learn(struct hd_align_names *names, uint32_t recorded, uint32_t now)
{
    if (recorded != now && recorded != HD_ALIGN_ANY && now != HD_ALIGN_ANY)
        names->renamed[recorded] = now;
}

void hd_align_learn(struct hd_align_names *names, const struct hd_align_op *recorded,
                    const struct hd_align_op *now)
{
    if (recorded->kind == HD_ALIGN_ANY)
        return;
    learn(names, recorded->function, now->function);
    learn(names, recorded->object, now->object);
}
