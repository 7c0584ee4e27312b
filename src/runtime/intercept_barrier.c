/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept_barrier.c - barriers: arrive, then leave when the round is full.
 *
 * B1  count is the number of arrivals of the round that is open; the arrival that
 *     makes it limit closes the round: count goes to 0 and round changes.
 * B2  A closed round's number is never used again in the execution, not even
 *     after destroy and init: who still has to leave is always free to go.
 * B3  Arrivals of one round commute, so nothing may depend on their order: the
 *     thread that gets PTHREAD_BARRIER_SERIAL_THREAD is the one with the lowest
 *     slot of its round, whoever came last.
 * B4  When more threads use the barrier than fit into a round, their order
 *     decides who is in which round: all arrivals then have HD_EVF_FAILED, whose
 *     access class is the stronger one.  That holds for a whole pass of the search or
 *     not at all: the first execution that finds out notes it, for all workers, and has a
 *     reduced search begin anew.
 * B5  nwaiters is the number of threads that are free to leave and have not done so;
 *     destroy waits for them.
 *
 * The object's readers hold the threads that have used it, seq the lowest slot
 * of the open round plus one. */
#include <pthread.h>

#include "runtime/anew.h"
#include "runtime/early.h"
#include "runtime/intercept.h"
#include "runtime/real.h"

static struct {
    uint32_t epoch;
    uint32_t last_round;
    bool serial[HD_MAX_THREADS]; /* by tid: of the round it waits for or just left */
} rounds;

static void start_execution(void)
{
    if (rounds.epoch == hd.epoch)
        return;
    rounds.epoch = hd.epoch;
    rounds.last_round = 0;
}

/* The thread with that slot; slots are unique among the threads of an execution. */
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
    o->limit = count;
    o->count = 0;
    o->seq = 0;
    o->round = ++rounds.last_round;
    hd_set_clear(&o->readers);
    hd_note(HD_EV_BARRIER_INIT, o, count, HD_PC);
    return 0;
}

HD_EXPORT int pthread_barrier_destroy(pthread_barrier_t *b)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_barrier_destroy)(b);
    struct hd_obj *o = hd_object(b, HD_OBJ_BARRIER);

    /* Like libc's, it lets those go who are free to leave (B5); only threads that are
     * still blocked make it a mistake. */
    hd_op(HD_EV_BARRIER_DESTROY, o, NULL, HD_PC);
    if (o->count != 0)
        hd_misuse(HD_PC, "T%u destroys " HD_NAMED ", at which %u thread%s", hd.cur->tid, o->id, o->count,
                  o->count == 1 ? " waits" : "s wait");
    hd_object_destroyed(o);
    hd_done(0, 0);
    return 0;
}

static bool has_surplus(const struct hd_obj *o)
{
    uint8_t since = hd.wire->common->objects[o->id].surplus;

    return since != 0 && since <= hd_anew_pass();
}

/* B4.  That the search is void comes first: whoever is killed in between has it begin
 * anew for nothing.  The fact is for the case that it is over before it can. */
static HD_COLD void note_surplus(struct hd_obj *o)
{
    hd_anew_want();
    hd.wire->common->objects[o->id].surplus = (uint8_t)(hd_anew_pass() + 1);
    hd_fact(HD_FACT_SURPLUS);
}

/* Between hd_op and hd_done of the arrival. */
static void arrive(struct hd_obj *o)
{
    uint32_t slot = hd.cur->slot;

    rounds.serial[hd.cur->tid] = false;
    hd.cur->round = o->round;
    hd_set_add(&o->readers, hd.cur->tid);
    if (o->seq == 0 || slot + 1 < o->seq)
        o->seq = slot + 1;
    if (++o->count < o->limit)
        return;
    rounds.serial[tid_of_slot(o->seq - 1)] = true;
    o->count = 0;
    o->seq = 0;
    o->nwaiters += o->limit;
    o->round = ++rounds.last_round;
}

HD_EXPORT int pthread_barrier_wait(pthread_barrier_t *b)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(pthread_barrier_wait)(b);
    struct hd_obj *o = hd_object(b, HD_OBJ_BARRIER);

    start_execution();
    hd_op_flags(HD_EV_BARRIER_ARRIVE, o, has_surplus(o) ? HD_EVF_FAILED : 0, HD_PC);
    if (o->limit == 0) {
        hd_misuse(HD_PC, "T%u uses " HD_NAMED ", which was never initialised", hd.cur->tid, o->id);
        hd_done(EINVAL, HD_EVF_FAILED);
        return EINVAL;
    }
    arrive(o);
    if (hd_set_count(&o->readers) > o->limit && !has_surplus(o))
        note_surplus(o);
    hd_done(0, 0);
    hd_op(HD_EV_BARRIER_LEAVE, o, NULL, HD_PC);
    bool serial = rounds.serial[hd.cur->tid];

    o->nwaiters -= o->nwaiters > 0; /* none if it was initialised anew meanwhile */
    hd_done(serial, 0);
    return serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
