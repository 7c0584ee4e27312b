/* SPDX-License-Identifier: BSD-2-Clause
 *
 * containers.c - rings, stacks, queues and bitmaps of Concurrency Kit.
 *
 * Scripts: p puts the operation's number in, t takes one out, P and T are the trying
 * variants; for bitmaps s sets a bit, r resets it, l looks at it, x sets it and tells
 * whether it was set before.  Nodes come from malloc and are never used again, except
 * where hazard pointers tell when they may be freed. */
#include <ck_bitmap.h>
#include <ck_fifo.h>
#include <ck_hp_fifo.h>
#include <ck_hp_stack.h>
#include <ck_ring.h>
#include <ck_stack.h>

#include "../structure.h"

/* ---- twins --------------------------------------------------------------------------- */

enum { ROOM = 1 }; /* of a ring of size 2 */

static bool put_fits(struct lin_state *s, const struct lin_op *op, int room)
{
    if (op->result == LIN_REFUSED)
        return s->n == room;
    if (s->n == room)
        return false;
    s->item[s->n++] = op->arg;
    return op->result == LIN_DONE;
}

static bool take_fits(struct lin_state *s, const struct lin_op *op, bool last)
{
    long taken;

    if (s->n == 0)
        return op->result == LIN_NOTHING;
    taken = s->item[last ? s->n - 1 : 0];
    s->n--;
    if (!last)
        memmove(s->item, s->item + 1, (size_t)s->n * sizeof s->item[0]);
    return op->result == taken;
}

static bool is_put(const struct lin_op *op)
{
    return op->code == 'p' || op->code == 'P';
}

static bool ring_twin(struct lin_state *s, const struct lin_op *op)
{
    return is_put(op) ? put_fits(s, op, ROOM) : take_fits(s, op, false);
}

/* A ring that has several producers may refuse for no reason: a put that has reserved its
 * place and not filled it yet takes room that takers do not see. */
static bool loose_ring_twin(struct lin_state *s, const struct lin_op *op)
{
    return op->result == LIN_REFUSED || ring_twin(s, op);
}

static bool queue_twin(struct lin_state *s, const struct lin_op *op)
{
    if (op->result == LIN_BUSY)
        return true;
    return is_put(op) ? put_fits(s, op, LIN_ITEMS) : take_fits(s, op, false);
}

static bool stack_twin(struct lin_state *s, const struct lin_op *op)
{
    if (op->result == LIN_BUSY)
        return true;
    return is_put(op) ? put_fits(s, op, LIN_ITEMS) : take_fits(s, op, true);
}

/* ---- rings ----------------------------------------------------------------------------- */

static ck_ring_t ring;
static ck_ring_buffer_t slots[ROOM + 1];

static void ring_set_up(void)
{
    ck_ring_init(&ring, ROOM + 1);
}

#define RING(kind)                                                                       \
    static long ring_##kind(int t, char code, long arg)                                  \
    {                                                                                    \
        void *taken;                                                                     \
                                                                                         \
        (void)t;                                                                         \
        if (code == 'p')                                                                 \
            return ck_ring_enqueue_##kind(&ring, slots, (void *)arg) ? LIN_DONE          \
                                                                     : LIN_REFUSED;      \
        return ck_ring_dequeue_##kind(&ring, slots, &taken) ? (long)taken : LIN_NOTHING; \
    }
RING(spsc)
RING(spmc)
RING(mpsc)
RING(mpmc)

/* ---- stacks ----------------------------------------------------------------------------- */

struct node {
    ck_stack_entry_t entry;
    ck_hp_hazard_t hazard;
    long value;
};

CK_STACK_CONTAINER(struct node, entry, node_of)

static ck_stack_t stack;

static void stack_set_up(void)
{
    ck_stack_init(&stack);
}

static struct node *new_node(long value)
{
    struct node *n = malloc(sizeof *n);

    n->value = value;
    return n;
}

static long value_of(ck_stack_entry_t *e)
{
    return e != NULL ? node_of(e)->value : LIN_NOTHING;
}

static long try_pop(void)
{
    ck_stack_entry_t *e;

    if (ck_stack_trypop_upmc(&stack, &e))
        return value_of(e);
    return ck_pr_load_ptr(&stack.head) == NULL ? LIN_NOTHING : LIN_BUSY;
}

static long stack_upmc(int t, char code, long arg)
{
    (void)t;
    switch (code) {
    case 'p':
        ck_stack_push_upmc(&stack, &new_node(arg)->entry);
        return LIN_DONE;
    case 'P':
        return ck_stack_trypush_upmc(&stack, &new_node(arg)->entry) ? LIN_DONE : LIN_BUSY;
    case 'T':
        return try_pop();
    default:
        return value_of(ck_stack_pop_upmc(&stack));
    }
}

/* ---- hazard pointers ------------------------------------------------------------------------ */

static ck_hp_t hazards;
static ck_hp_record_t record[LIN_THREADS];
static void *protected[LIN_THREADS][CK_HP_FIFO_SLOTS_COUNT];

static void hazards_set_up(void)
{
    ck_hp_init(&hazards, CK_HP_FIFO_SLOTS_COUNT, 1, free);
    for (int t = 0; t < lin_threads; t++)
        ck_hp_register(&hazards, &record[t], protected[t]);
}

static void hp_stack_set_up(void)
{
    hazards_set_up();
    stack_set_up();
}

/* Letting go of a hazard pointer orders nothing by itself: the fences are the user's. */
static long hp_stack(int t, char code, long arg)
{
    ck_stack_entry_t *e;
    struct node *n;
    long value;

    if (code == 'p') {
        ck_hp_stack_push_mpmc(&stack, &new_node(arg)->entry);
        return LIN_DONE;
    }
    e = ck_hp_stack_pop_mpmc(&record[t], &stack);
    ck_pr_fence_release();
    ck_hp_set(&record[t], 0, NULL);
    if (e == NULL)
        return LIN_NOTHING;
    n = node_of(e);
    value = n->value;
    ck_hp_free(&record[t], &n->hazard, n, n);
    return value;
}

static ck_hp_fifo_t hp_queue;

static void hp_fifo_set_up(void)
{
    hazards_set_up();
    ck_hp_fifo_init(&hp_queue, malloc(sizeof(ck_hp_fifo_entry_t)));
}

static long hp_fifo(int t, char code, long arg)
{
    ck_hp_fifo_entry_t *e;
    void *value;

    if (code == 'p') {
        ck_hp_fifo_enqueue_mpmc(&record[t], &hp_queue, malloc(sizeof *e), (void *)arg);
        ck_pr_fence_release();
        ck_hp_set(&record[t], 0, NULL);
        return LIN_DONE;
    }
    e = ck_hp_fifo_dequeue_mpmc(&record[t], &hp_queue, &value);
    ck_pr_fence_release();
    ck_hp_set(&record[t], 0, NULL);
    ck_hp_set(&record[t], 1, NULL);
    if (e == NULL)
        return LIN_NOTHING;
    ck_hp_free(&record[t], &e->hazard, e, e);
    return (long)value;
}

/* ---- queues with one producer and one consumer at a time --------------------------------------- */

static ck_fifo_spsc_t queue;

static void fifo_set_up(void)
{
    ck_fifo_spsc_init(&queue, malloc(sizeof(ck_fifo_spsc_entry_t)));
}

static long fifo_spsc(int t, char code, long arg)
{
    void *taken;

    (void)t;
    if (code == 'p') {
        ck_fifo_spsc_entry_t *e = ck_fifo_spsc_recycle(&queue);

        ck_fifo_spsc_enqueue(&queue, e != NULL ? e : malloc(sizeof *e), (void *)arg);
        return LIN_DONE;
    }
    return ck_fifo_spsc_dequeue(&queue, &taken) ? (long)taken : LIN_NOTHING;
}

/* The same with its own locks, for any number of threads. */
static long fifo_locked(int t, char code, long arg)
{
    long result;

    if (code == 'p') {
        ck_fifo_spsc_enqueue_lock(&queue);
        result = fifo_spsc(t, code, arg);
        ck_fifo_spsc_enqueue_unlock(&queue);
    } else {
        ck_fifo_spsc_dequeue_lock(&queue);
        result = fifo_spsc(t, code, arg);
        ck_fifo_spsc_dequeue_unlock(&queue);
    }
    return result;
}

/* ---- bitmaps -------------------------------------------------------------------------------------- */

CK_BITMAP_INSTANCE(8) bits;

static bool bitmap_twin(struct lin_state *s, const struct lin_op *op)
{
    long was = s->item[op->arg % 2];

    if (op->code == 's' || op->code == 'x')
        s->item[op->arg % 2] = 1;
    if (op->code == 'r')
        s->item[op->arg % 2] = 0;
    return op->code == 's' || op->code == 'r' ? op->result == LIN_DONE : op->result == was;
}

static void bitmap_set_up(void)
{
    CK_BITMAP_INIT(&bits, 8, false);
}

static long bitmap(int t, char code, long arg)
{
    (void)t;
    switch (code) {
    case 's':
        CK_BITMAP_SET(&bits, (unsigned)(arg % 2));
        return LIN_DONE;
    case 'r':
        CK_BITMAP_RESET(&bits, (unsigned)(arg % 2));
        return LIN_DONE;
    case 'x':
        return CK_BITMAP_BTS(&bits, (unsigned)(arg % 2));
    default:
        return CK_BITMAP_TEST(&bits, (unsigned)(arg % 2));
    }
}

static const struct structure all[] = {
    { .name = "ring-spsc", .twin = ring_twin, .set_up = ring_set_up, .run = ring_spsc },
    { .name = "ring-spmc", .twin = ring_twin, .set_up = ring_set_up, .run = ring_spmc },
    { .name = "ring-mpsc", .twin = loose_ring_twin, .set_up = ring_set_up, .run = ring_mpsc },
    { .name = "ring-mpmc", .twin = loose_ring_twin, .set_up = ring_set_up, .run = ring_mpmc },
    { .name = "ring-mpmc-strict", .twin = ring_twin, .set_up = ring_set_up, .run = ring_mpmc },
    { .name = "stack-upmc", .twin = stack_twin, .set_up = stack_set_up, .run = stack_upmc },
    { .name = "hp-stack", .twin = stack_twin, .set_up = hp_stack_set_up, .run = hp_stack },
    { .name = "hp-fifo", .twin = queue_twin, .set_up = hp_fifo_set_up, .run = hp_fifo },
    { .name = "fifo-spsc", .twin = queue_twin, .set_up = fifo_set_up, .run = fifo_spsc },
    { .name = "fifo-locked", .twin = queue_twin, .set_up = fifo_set_up, .run = fifo_locked },
    { .name = "bitmap", .twin = bitmap_twin, .set_up = bitmap_set_up, .run = bitmap },
};

TEST_MAIN(all)
