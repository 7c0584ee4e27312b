/* SPDX-License-Identifier: BSD-2-Clause
 *
 * barrier.c - barriers: a thread arrives, and leaves when the round is full.
 *
 * B1  count is the number of arrivals in the open round.  The arrival with which count reaches
 *     limit closes the round: count becomes 0 and round changes.
 * B2  The number of a closed round is never used again in the execution, not even after destroy and
 *     init.  So a thread that still has to leave a closed round is always enabled.
 * B3  Arrivals of one round commute, so nothing may depend on their order.  Any thread of a round
 *     may get PTHREAD_BARRIER_SERIAL_THREAD: with glibc the last thread to arrive gets it, and each
 *     thread may be the last.  Here the first thread to leave gets it.  This matters only if a
 *     thread of the round uses the result (result_unused.h): leaving is then an attempt, which the
 *     first thread wins.  In other rounds no thread wins and departures commute; the thread with
 *     the lowest slot gets the value.  Whether departures may be attempts is fixed for the whole
 *     pass, as in B4.
 * B4  If more threads use the barrier than fit into a round, their order decides the round of each
 *     thread: all arrivals then have HD_EVF_FAILED, which has the stronger access class.  This
 *     holds for a whole pass of the search or not at all: the first execution that detects it
 *     records it for all workers and makes a reduced search start again.
 * B5  nwaiters is the number of threads that may leave and have not left yet; destroy waits for
 *     them.
 *
 * The object's readers are the threads that have used it. seq is the lowest slot of the open round
 * plus one. */
#include <pthread.h>

#include "runtime/calls/intercept.h"
#include "runtime/core/early_threads.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/restart.h"
#include "runtime/core/state.h"
#include "runtime/report/finding.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/result_unused.h"
#include "wire/wire.h"

/* Says which thread of a round is the serial thread. */
enum serial {
    SERIAL_OTHER,
    SERIAL_SELF,
    SERIAL_FIRST, /* the first thread that leaves */
};

static struct {
    uint32_t epoch;
    uint32_t last_round;
    uint8_t serial[HD_MAX_THREADS]; /* by tid: for the round that the thread waits for or has just left */
} rounds;

static void start_execution(void)
{
    if (rounds.epoch == hd.epoch)
        return;
    rounds.epoch = hd.epoch;
    rounds.last_round = 0;
}

/* Returns the thread with this slot.  Precondition: it exists.  Slots are unique in an execution. */
static hd_tid tid_of_slot(unsigned slot)
{
    hd_tid tid = 0;

    while (hd.thread[tid].slot != slot)
        tid++;
    return tid;
}

HD_EXPORT int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attr,
                                   unsigned count)
{
    int error = HD_REAL(pthread_barrier_init)(b, attr, count);

    if (hd.cur == NULL || error != 0)
        return error;
    struct hd_obj *o = hd_object_fresh(b, HD_OBJ_BARRIER);

    start_execution();
    hd_take_effect(o, HD_EV_BARRIER_INIT, count);
    o->sync.seq = 0;
    o->sync.round = ++rounds.last_round;
    hd_set_clear(&o->readers);
    hd_note(HD_EV_BARRIER_INIT, o, count, HD_PC);
    return 0;
}

HD_EXPORT int pthread_barrier_destroy(pthread_barrier_t *b)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_barrier_destroy)(b);
    struct hd_obj *o = hd_object(b, HD_OBJ_BARRIER);

    /* Like libc, destroy waits for threads that may leave (B5).  It is a misuse only if threads are
     * still blocked. */
    hd_op(HD_EV_BARRIER_DESTROY, o, NULL, HD_PC);
    if (o->sync.count != 0)
        hd_misuse(HD_PC, "T%u destroys " HD_NAMED ", at which %u thread%s", hd.cur->tid, o->id, o->sync.count,
                  o->sync.count == 1 ? " waits" : "s wait");
    hd_object_destroyed(o);
    hd_done(0, 0);
    return 0;
}

static bool has_surplus(const struct hd_obj *o)
{
    uint8_t since = hd.wire->common->objects[o->id].surplus;

    return since != 0 && since <= hd_restart_pass();
}

static bool may_win(const struct hd_obj *o)
{
    uint8_t since = hd.wire->common->objects[o->id].serial;

    return since != 0 && since <= hd_restart_pass();
}

/* B3: records that a thread uses the result.  From the next pass on, leaving the barrier may be an attempt. */
static HD_COLD void note_look(struct hd_obj *o)
{
    hd_restart_want();
    hd.wire->common->objects[o->id].serial = (uint8_t)(hd_restart_pass() + 1);
    hd_fact(HD_FACT_SURPLUS);
}

/* B4: records that more threads use the barrier than fit into a round.  The order matters: the
 * search is marked void first, so that a worker that is killed in between causes at most one
 * needless restart.  The fact covers the case that the search ends before it can restart. */
static HD_COLD void note_surplus(struct hd_obj *o)
{
    hd_restart_want();
    hd.wire->common->objects[o->id].surplus = (uint8_t)(hd_restart_pass() + 1);
    hd_fact(HD_FACT_SURPLUS);
}

/* Sets the serial state of all threads of the round. */
static void tell_round(uint32_t round, enum serial told)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (hd.thread[i].round == round)
            rounds.serial[i] = (uint8_t)told;
}

/* The effect of an arrival.  Call it between hd_op and hd_done. */
static void arrive(struct hd_obj *o, bool looks)
{
    uint32_t slot = hd.cur->slot;

    bool full = hd_sync_arrive(&o->sync, &hd.cur->round, looks);

    hd_set_add(&o->readers, hd.cur->tid);
    if (o->sync.seq == 0 || slot + 1 < o->sync.seq)
        o->sync.seq = slot + 1;
    if (!full)
        return;
    tell_round(o->sync.round, o->sync.known ? SERIAL_FIRST : SERIAL_OTHER);
    if (!o->sync.known)
        rounds.serial[tid_of_slot(o->sync.seq - 1)] = SERIAL_SELF;
    o->sync.seq = 0;
    hd_sync_next_round(&o->sync, ++rounds.last_round);
}

/* Makes the running thread leave its round.  Returns true if it is the serial thread. */
static bool leave(struct hd_obj *o, uint64_t pc)
{
    hd_op_flags(HD_EV_BARRIER_LEAVE, o, may_win(o) ? 0 : HD_EVF_FAILED, pc);
    enum serial told = rounds.serial[hd.cur->tid];

    if (told == SERIAL_FIRST)
        tell_round(hd.cur->round, SERIAL_OTHER);
    hd_take_effect(o, HD_EV_BARRIER_LEAVE, 0);
    hd_done(told != SERIAL_OTHER, told == SERIAL_FIRST ? 0 : HD_EVF_FAILED);
    return told != SERIAL_OTHER;
}

HD_EXPORT int pthread_barrier_wait(pthread_barrier_t *b)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(pthread_barrier_wait)(b);
    struct hd_obj *o = hd_object(b, HD_OBJ_BARRIER);
    bool looks = !hd_result_is_unused(HD_PC);

    start_execution();
    hd_op_flags(HD_EV_BARRIER_ARRIVE, o, has_surplus(o) ? HD_EVF_FAILED : 0, HD_PC);
    if (o->sync.limit == 0) {
        hd_misuse(HD_PC, "T%u uses " HD_NAMED ", which was never initialised", hd.cur->tid, o->id);
        hd_done(EINVAL, HD_EVF_FAILED);
        return EINVAL;
    }
    if (looks)
        hd_pending()->aux = true;
    arrive(o, looks);
    if (looks && !may_win(o))
        note_look(o);
    if (hd_set_count(&o->readers) > o->sync.limit && !has_surplus(o))
        note_surplus(o);
    hd_done(0, 0);
    return leave(o, HD_PC) ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
