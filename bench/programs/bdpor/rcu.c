/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rcu - a grace period of read-copy-update by quiescent states, in the shape in which
 * it was checked in the bounded-DPOR study: x = 1; synchronize; y = 1 on one CPU, a
 * reader of x and then y on another, a thread that conducts grace periods.
 *
 * The model is ours (the study ran the kernel's own code).  CPUs say that they passed
 * a quiescent state, the clock tick reports it to the leaf of a tree of masks, an
 * empty leaf is reported to the root, an empty root ends the grace period.  An idle
 * CPU is not waited for.  What belongs to one CPU is touched by its thread only.
 *
 * Claim: a reader that has not seen x does not see y.  x and y are visible.
 * ASSERT_0 is a probe: the end of a grace period is reached.  Each failure ends one too
 * early:
 *   FORCE_FAILURE_1  the reader's CPU is idle for a moment inside the section
 *   FORCE_FAILURE_2  the updater does not wait
 *   FORCE_FAILURE_3  a quiescent state of before the grace period counts
 *   FORCE_FAILURE_4  the reader's CPU still counts as idle when it reads
 *   FORCE_FAILURE_5  the leaf is reported when the first of its CPUs was
 *   FORCE_FAILURE_6  only the first leaf is waited for (with -DCPUS=3, one more than it
 *                    holds)
 * Each liveness check leaves something out without which no grace period ends, so that
 * ASSERT_0 must not be reached and every execution is a deadlock.  (The reader's CPU is
 * busy from the start there, since no thread would wait for an idle one.)
 *   LIVENESS_CHECK_1  the reader's CPU passes no quiescent state, nor is it ever idle
 *   LIVENESS_CHECK_2  ticks do not report, and the reader's CPU is never idle
 *   LIVENESS_CHECK_3  an empty leaf is not reported to the root */
#include "../program.h"

#ifndef CPUS
#define CPUS 2
#endif
#if defined(LIVENESS_CHECK_1) || defined(LIVENESS_CHECK_2) || defined(LIVENESS_CHECK_3)
#define BUSY_FROM_THE_START
#endif

enum { LEAF_CPUS = 2, UPDATER_CPU = 0, READER_CPU = CPUS - 1 };
enum { LEAVES = (CPUS + LEAF_CPUS - 1) / LEAF_CPUS };

struct leaf {
    pthread_mutex_t lock;
    unsigned period;  /* the grace period that it knows of */
    unsigned waiting; /* the CPUs that it waits for, a bit each */
    unsigned idle;
};

struct root {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool requested;
    unsigned waiting;   /* the leaves, a bit each */
    unsigned completed; /* grace periods */
};

struct cpu {
    bool passed; /* a quiescent state, since it noticed `period` */
    unsigned period;
};

static struct leaf leaves[LEAVES];
static struct root root = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
static struct cpu cpus[CPUS];
static int x, y;

static struct leaf *leaf_of(int cpu)
{
    return &leaves[cpu / LEAF_CPUS];
}

static unsigned bit_of(int cpu)
{
    return 1U << cpu % LEAF_CPUS;
}

/* Both with the leaf locked. */
static void report_leaf(const struct leaf *leaf)
{
#ifdef LIVENESS_CHECK_3
    (void)leaf;
#else
    pthread_mutex_lock(&root.lock);
    root.waiting &= ~(1U << (leaf - leaves));
    if (root.waiting == 0)
        pthread_cond_broadcast(&root.changed);
    pthread_mutex_unlock(&root.lock);
#endif
}

static void report(struct leaf *leaf, int cpu)
{
    if ((leaf->waiting & bit_of(cpu)) == 0)
        return;
    leaf->waiting &= ~bit_of(cpu);
#ifdef FORCE_FAILURE_5
    report_leaf(leaf);
#else
    if (leaf->waiting == 0)
        report_leaf(leaf);
#endif
}

static void pass_quiescent_state(int cpu)
{
#ifdef LIVENESS_CHECK_1
    (void)cpu;
#else
    cpus[cpu].passed = true;
#endif
}

static void tick(int cpu)
{
    struct leaf *leaf = leaf_of(cpu);
    struct cpu *self = &cpus[cpu];

    pthread_mutex_lock(&leaf->lock);
    if (self->period != leaf->period) {
        self->period = leaf->period;
#ifndef FORCE_FAILURE_3
        self->passed = false;
#endif
    }
#ifndef LIVENESS_CHECK_2
    if (self->passed)
        report(leaf, cpu);
#endif
    pthread_mutex_unlock(&leaf->lock);
}

/* Being idle is a quiescent state, too. */
static void enter_idle(int cpu)
{
    struct leaf *leaf = leaf_of(cpu);

    pthread_mutex_lock(&leaf->lock);
    leaf->idle |= bit_of(cpu);
    report(leaf, cpu);
    pthread_mutex_unlock(&leaf->lock);
}

static void leave_idle(int cpu)
{
    struct leaf *leaf = leaf_of(cpu);

    pthread_mutex_lock(&leaf->lock);
    leaf->idle &= ~bit_of(cpu);
    pthread_mutex_unlock(&leaf->lock);
}

static void start_in_leaf(struct leaf *leaf, unsigned period)
{
    pthread_mutex_lock(&leaf->lock);
    leaf->period = period;
    leaf->waiting = ~leaf->idle & ((1U << LEAF_CPUS) - 1);
    if (leaf->waiting == 0)
        report_leaf(leaf);
    pthread_mutex_unlock(&leaf->lock);
}

static void *conduct_grace_period(void *arg)
{
    unsigned period;

    pthread_mutex_lock(&root.lock);
    while (!root.requested)
        pthread_cond_wait(&root.changed, &root.lock);
    period = root.completed + 1;
#ifdef FORCE_FAILURE_6
    root.waiting = 1;
#else
    root.waiting = (1U << LEAVES) - 1;
#endif
    pthread_mutex_unlock(&root.lock);

    for (int i = 0; i < LEAVES; i++)
        start_in_leaf(&leaves[i], period);

    pthread_mutex_lock(&root.lock);
    while (root.waiting != 0)
        pthread_cond_wait(&root.changed, &root.lock);
    root.completed = period;
    pthread_cond_broadcast(&root.changed);
    pthread_mutex_unlock(&root.lock);
    return arg;
}

static void synchronize(int cpu)
{
    unsigned awaited;

    pthread_mutex_lock(&root.lock);
    root.requested = true;
    awaited = root.completed + 1;
    pthread_cond_broadcast(&root.changed);
    pthread_mutex_unlock(&root.lock);

    enter_idle(cpu); /* nothing else runs there */
#ifdef FORCE_FAILURE_2
    (void)awaited;
#else
    pthread_mutex_lock(&root.lock);
    while (root.completed < awaited)
        pthread_cond_wait(&root.changed, &root.lock);
    pthread_mutex_unlock(&root.lock);
#endif
    leave_idle(cpu);
}

static void *update(void *arg)
{
    visible_write(x, 1);
    synchronize(UPDATER_CPU);
#ifdef ASSERT_0
    assert(!"a grace period has ended");
#endif
    visible_write(y, 1);
    enter_idle(UPDATER_CPU);
    return arg;
}

static void *read_both(void *arg)
{
    int seen_x, seen_y;

#ifndef FORCE_FAILURE_4
    leave_idle(READER_CPU);
#endif
    pass_quiescent_state(READER_CPU);

    seen_x = visible_read(x);
#ifdef FORCE_FAILURE_1
    enter_idle(READER_CPU);
    leave_idle(READER_CPU);
#endif
    tick(READER_CPU); /* inside the section: reports what was passed before it, or nothing */
    seen_y = visible_read(y);
    assert(seen_x || !seen_y);

    pass_quiescent_state(READER_CPU);
    tick(READER_CPU);
#if !defined(LIVENESS_CHECK_1) && !defined(LIVENESS_CHECK_2)
    enter_idle(READER_CPU);
#endif
    return arg;
}

/* All are idle, also places of a leaf that have no CPU; but the updater's is not. */
static void set_up(void)
{
    for (int i = 0; i < LEAVES; i++) {
        pthread_mutex_init(&leaves[i].lock, NULL);
        leaves[i].idle = (1U << LEAF_CPUS) - 1;
    }
    leaf_of(UPDATER_CPU)->idle &= ~bit_of(UPDATER_CPU);
#ifdef BUSY_FROM_THE_START
    leaf_of(READER_CPU)->idle &= ~bit_of(READER_CPU);
#endif
}

int main(void)
{
    pthread_t updater, reader, conductor;

    set_up();
    updater = spawn(update);
    reader = spawn(read_both);
    conductor = spawn(conduct_grace_period);
    join(updater);
    join(reader);
    join(conductor);
    return 0;
}
