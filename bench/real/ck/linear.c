/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linear.c - rings, stacks, queues and bitmaps of Concurrency Kit: `linear STRUCTURE`, a test of `heddle linearize`.
 *
 * Unlike containers.c this has no twins: what the structures return, and what is left in them, is compared with their own
 * sequential runs. */
#include <heddle/linear.h>

#include <ck_bitmap.h>
#include <ck_fifo.h>
#include <ck_ring.h>
#include <ck_stack.h>
#include <stdlib.h>
#include <string.h>

/* ---- a ring with room for one ------------------------------------------------------------- */

static ck_ring_t ring;
static ck_ring_buffer_t slots[2];

static int ring_put(long v)
{
    return ck_ring_enqueue_mpmc(&ring, slots, (void *)v);
}

static long ring_take(void)
{
    void *v;

    return ck_ring_dequeue_mpmc(&ring, slots, &v) ? (long)v : 0;
}

static void ring_set_up(void)
{
    ck_ring_init(&ring, 2);
}

static void ring_one(void)
{
    heddle_op("%d", ring_put(1));
    heddle_op("%ld", ring_take());
}

static void ring_two(void)
{
    heddle_op("%ld", ring_take());
}

static void ring_show(void)
{
    heddle_op("%ld", ring_take());
}

/* Two that put: a place that is reserved and not filled yet is missing, without anything to take. */
static void full_one(void)
{
    heddle_op("%d", ring_put(1));
    heddle_op("%ld", ring_take());
}

static void full_two(void)
{
    heddle_op("%d", ring_put(2));
}

/* ---- a stack ----------------------------------------------------------------------------------- */

struct node {
    ck_stack_entry_t entry;
    long value;
};

CK_STACK_CONTAINER(struct node, entry, node_of)

static ck_stack_t stack;

static void stack_put(long v)
{
    struct node *n = malloc(sizeof *n);

    n->value = v;
    ck_stack_push_upmc(&stack, &n->entry);
}

static long stack_take(void)
{
    ck_stack_entry_t *e = ck_stack_pop_upmc(&stack);

    return e != NULL ? node_of(e)->value : 0;
}

static void stack_set_up(void)
{
    ck_stack_init(&stack);
}

static void stack_one(void)
{
    heddle_op_void(stack_put(1));
    heddle_op("%ld", stack_take());
}

static void stack_two(void)
{
    heddle_op_void(stack_put(2));
    heddle_op("%ld", stack_take());
}

static void stack_show(void)
{
    heddle_sequence("stack");
    for (long v; (v = stack_take()) != 0;)
        heddle_element("%ld", v);
}

/* ---- a queue for one producer and one consumer ----------------------------------------------- */

static ck_fifo_spsc_t fifo;

static void fifo_put(long v)
{
    ck_fifo_spsc_enqueue(&fifo, malloc(sizeof(ck_fifo_spsc_entry_t)), (void *)v);
}

static long fifo_take(void)
{
    void *v;

    return ck_fifo_spsc_dequeue(&fifo, &v) ? (long)v : 0;
}

static void fifo_set_up(void)
{
    ck_fifo_spsc_init(&fifo, malloc(sizeof(ck_fifo_spsc_entry_t)));
}

static void fifo_one(void)
{
    heddle_op_void(fifo_put(1));
    heddle_op_void(fifo_put(2));
}

static void fifo_two(void)
{
    heddle_op("%ld", fifo_take());
    heddle_op("%ld", fifo_take());
}

static void fifo_show(void)
{
    heddle_op("%ld", fifo_take());
}

/* ---- a bitmap ---------------------------------------------------------------------------------- */

static CK_BITMAP_INSTANCE(8) bits;

static void bitmap_set_up(void)
{
    CK_BITMAP_INIT(&bits, 8, false);
}

static void bitmap_one(void)
{
    heddle_op("%d", CK_BITMAP_BTS(&bits, 1));
    heddle_op_void(CK_BITMAP_RESET(&bits, 1));
}

static void bitmap_two(void)
{
    heddle_op("%d", CK_BITMAP_BTS(&bits, 1));
    heddle_op("%d", CK_BITMAP_TEST(&bits, 1));
}

static void bitmap_show(void)
{
    heddle_set("bits");
    for (unsigned i = 0; i < 8; i++)
        if (CK_BITMAP_TEST(&bits, i))
            heddle_element("%u", i);
}

static const struct {
    const char *name;
    void (*set_up)(void), (*one)(void), (*two)(void), (*show)(void);
} structures[] = {
    { "ring", ring_set_up, ring_one, ring_two, ring_show },
    { "full", ring_set_up, full_one, full_two, ring_show },
    { "stack", stack_set_up, stack_one, stack_two, stack_show },
    { "fifo", fifo_set_up, fifo_one, fifo_two, fifo_show },
    { "bitmap", bitmap_set_up, bitmap_one, bitmap_two, bitmap_show },
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof structures / sizeof *structures; i++)
        if (argc > 1 && strcmp(structures[i].name, argv[1]) == 0) {
            structures[i].set_up();
            heddle_clients(structures[i].one, structures[i].two);
            structures[i].show();
            return 0;
        }
    return 1;
}
