/* SPDX-License-Identifier: BSD-2-Clause
 *
 * part_list.c - parts of an enumeration (search/enumerate/enumerate_share.c): tasks that do not depend on each
 * other.  A cursor contains the tasks, each preceded by its size. */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/vec.h"
#include "campaign/spread/part.h"
#include "search/enumerate/enumerate_state.h"

static size_t size_of(const struct hd_enum_branch *b)
{
    return sizeof *b + (b->nframes > 0 ? b->frame.step * sizeof *b->prefix : 0);
}

static const struct hd_enum_branch *branch_of(const struct hd_task *t)
{
    return (const struct hd_enum_branch *)t->payload;
}

static void plant(struct hd_share *sh, const void *payload, size_t size)
{
    struct hd_task *t = hd_share_task(sh, size);

    memcpy(t->payload, payload, size);
    hd_share_queue(sh, t);
    hd_share_commit(sh);
}

void hd_list_plant(struct hd_part *p, int64_t bound)
{
    const struct hd_bytes *c = &p->lease->cursor;
    const struct hd_enum_branch pass = { .bound = (uint32_t)bound };

    if (c->size == 0)
        plant(p->share, &pass, sizeof pass);
    for (size_t at = 0; at < c->size;) {
        uint64_t size;

        HD_INVARIANT(c->size - at >= sizeof size, "a cursor of the store is damaged");
        memcpy(&size, (const char *)c->data + at, sizeof size);
        at += sizeof size;
        HD_INVARIANT(size >= sizeof pass && size <= c->size - at, "a cursor of the store is damaged");
        plant(p->share, (const char *)c->data + at, size);
        at += size;
    }
}

static int by_depth(const void *a, const void *b)
{
    uint32_t x = branch_of(*(struct hd_task *const *)a)->frame.step, y = branch_of(*(struct hd_task *const *)b)->frame.step;

    return x < y ? -1 : x > y;
}

static void add(struct hd_bytes *to, const struct hd_task *t)
{
    uint64_t size = size_of(branch_of(t));

    hd_bytes_add(to, &size, sizeof size);
    hd_bytes_add(to, t->payload, size);
}

/* A task near the root becomes a row of its own; the others stay in one row. */
void hd_list_harvest(const struct hd_part *p, uint32_t pieces, struct hd_harvest *out)
{
    struct hd_task **tasks = NULL;
    size_t n = 0;

    for (struct hd_task *t = p->share->first; t != NULL; t = t->next)
        *HD_PUSH(tasks, n) = t;
    if (n > 0)
        qsort(tasks, n, sizeof *tasks, by_depth);
    out->state = n > 0 ? HD_ROW_QUEUED : HD_ROW_DONE;
    for (size_t i = 0; i < n; i++) {
        if (i + 1 >= pieces || i + 1 == n) {
            add(&out->cursor, tasks[i]);
            continue;
        }
        struct hd_cluster_row *row = HD_PUSH(out->rows, out->nrows);

        *row = (struct hd_cluster_row){ .parent = HD_NO_PARENT, .known = true, .state = HD_ROW_QUEUED };
        add(&row->cursor, tasks[i]);
    }
    free(tasks);
}
