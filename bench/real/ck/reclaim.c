/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reclaim.c - epochs and hazard pointers of Concurrency Kit: when may a block be freed that
 * readers may still look at?
 *
 * A pointer to a block with a number is what readers (r) read through, and writers replace
 * (w: wait for the readers, then free; c: have it freed later; C: the same, and see at once
 * whether some can be freed by now).  A block that goes too early is a use after free; one
 * that no thread frees is counted at the end. */
#include <ck_epoch.h>
#include <ck_hp.h>

#include "../structure.h"

struct block {
    ck_epoch_entry_t epoch_entry;
    ck_hp_hazard_t hazard;
    long value;
};

CK_EPOCH_CONTAINER(struct block, epoch_entry, block_of)

static struct block *current;
static atomic_int alive;

static struct block *new_block(long value)
{
    struct block *b = malloc(sizeof *b);

    b->value = value;
    atomic_fetch_add_explicit(&alive, 1, memory_order_relaxed);
    return b;
}

static void free_block(void *b)
{
    free(b);
    atomic_fetch_sub_explicit(&alive, 1, memory_order_relaxed);
}

static bool register_twin(struct lin_state *s, const struct lin_op *op)
{
    long was = s->item[0];

    if (op->code == 'r')
        return op->result == was;
    s->item[0] = op->arg;
    return op->result == was; /* what it has replaced */
}

static void nothing_lost(void)
{
    free_block(current);
    heddle_assert(atomic_load_explicit(&alive, memory_order_relaxed) == 0);
}

static struct block *replace(long value)
{
    struct block *b = new_block(value), *old;

    ck_pr_fence_store_atomic();
    old = ck_pr_fas_ptr(&current, b);
    return old;
}

/* ---- epochs ---------------------------------------------------------------------------- */

static ck_epoch_t epoch;
static ck_epoch_record_t epoch_record[LIN_THREADS];

static void epoch_set_up(void)
{
    ck_epoch_init(&epoch);
    for (int t = 0; t < lin_threads; t++)
        ck_epoch_register(&epoch, &epoch_record[t], NULL);
    current = new_block(0);
}

static void free_entry(ck_epoch_entry_t *e)
{
    free_block(block_of(e));
}

/* With a section object, or without. */
static long epoch_read(int t, ck_epoch_section_t *section)
{
    long value;

    ck_epoch_begin(&epoch_record[t], section);
    value = ((struct block *)ck_pr_load_ptr(&current))->value;
    ck_epoch_end(&epoch_record[t], section);
    return value;
}

static long epoch_write(int t, char code, long arg)
{
    struct block *old = replace(arg);
    long was = old->value;

    if (code == 'w') {
        ck_epoch_synchronize(&epoch_record[t]);
        free_block(old);
        return was;
    }
    ck_epoch_call(&epoch_record[t], &old->epoch_entry, free_entry);
    if (code == 'C')
        ck_epoch_poll(&epoch_record[t]);
    return was;
}

/* A writer looks at what it has taken out: no other thread writes in these scripts, or they
 * take out different blocks. */
static long epochs(int t, char code, long arg)
{
    ck_epoch_section_t section;

    if (code == 'r')
        return epoch_read(t, NULL);
    if (code == 's')
        return epoch_read(t, &section);
    return epoch_write(t, code, arg);
}

static bool epoch_twin(struct lin_state *s, const struct lin_op *op)
{
    struct lin_op as_read = *op;

    as_read.code = op->code == 's' ? 'r' : op->code;
    return register_twin(s, &as_read);
}

static void epoch_end_of(int t)
{
    ck_epoch_barrier(&epoch_record[t]);
}

/* ---- hazard pointers ---------------------------------------------------------------------- */

static ck_hp_t hazards;
static ck_hp_record_t hp_record[LIN_THREADS];
static void *hazard_of[LIN_THREADS][1];

static void hp_set_up(void)
{
    ck_hp_init(&hazards, 1, 1, free_block);
    for (int t = 0; t < lin_threads; t++)
        ck_hp_register(&hazards, &hp_record[t], hazard_of[t]);
    current = new_block(0);
}

static long hazard_pointers(int t, char code, long arg)
{
    struct block *b;
    long value;

    if (code == 'r') {
        do {
            b = ck_pr_load_ptr(&current);
            ck_hp_set_fence(&hp_record[t], 0, b);
        } while (b != ck_pr_load_ptr(&current));
        value = b->value;
        ck_pr_fence_release();
        ck_hp_set(&hp_record[t], 0, NULL);
        return value;
    }
    b = replace(arg);
    value = b->value;
    ck_hp_free(&hp_record[t], &b->hazard, b, b);
    return value;
}

static void hp_tear_down(void)
{
    for (int t = 0; t < lin_threads; t++)
        ck_hp_purge(&hp_record[t]);
    nothing_lost();
}

static const struct structure all[] = {
    { .name = "epoch", .twin = epoch_twin, .set_up = epoch_set_up, .run = epochs,
      .end_of = epoch_end_of, .tear_down = nothing_lost },
    { .name = "hp", .twin = register_twin, .set_up = hp_set_up, .run = hazard_pointers,
      .tear_down = hp_tear_down },
};

TEST_MAIN(all)
