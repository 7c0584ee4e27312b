/* SPDX-License-Identifier: BSD-2-Clause
 *
 * steps.h - the states of a small program, and the steps that lead from one to the next: those of
 * locks (steps_lock.c), of waits (steps_wait.c), of waiting loops with several stores (steps_loop.c), of threads
 * and all others (steps.c). */
#ifndef ADVERSARY_STEPS_H
#define ADVERSARY_STEPS_H

#include "model.h"

enum { STEPS_MOST = 24, /* of one thread from one state */
       HELD = 8, HELD_READ = 20, HELD_SPIN = 22 };

enum life { NOT_YET, ALIVE, ENDED };

/* Where a thread is within an operation, or on its way to its end. */
enum phase {
    BEFORE, WAITING, LATE, LEAVING, ROUTINE, ROUTINE_DONE,
    RETURNS, UNLOCKS, FIRST_KEY, FIRST_DESTRUCTOR, SECOND_KEY, SECOND_DESTRUCTOR, DIES, ENDS
};

struct thread {
    uint32_t seen;
    uint8_t life, pc, phase, loops, gone, detached, by_thrd, cancel, cancelled, woken, signal, last;
    uint8_t round, nheld, creator, handler; /* handler: a signal that one is to run for */
    uint8_t key[2], held[HELD], loaded; /* loaded: of an operation of two parts */
    uint8_t caught; /* a signal came while it waited for a semaphore that was 0 */
    uint8_t heirs; /* of a woken thread: those that waited with it, and get the wake-up if it is cancelled */
};

struct state {
    struct thread thread[TEXT_THREADS];
    int16_t cell[TEXT_CELLS];
    uint8_t owner[TEXT_MUTEXES], count[TEXT_MUTEXES], dead[TEXT_MUTEXES]; /* owner: thread + 1 */
    uint8_t semaphore, writer, readers[TEXT_THREADS];
    uint8_t arrived, round, once[2], spin, channel[TEXT_CHANNELS], signal, deleted[2], timer;
    uint8_t tail, next[TEXT_THREADS], locked[TEXT_THREADS]; /* the lock with a queue: thread + 1 */
    uint8_t over, code, misused;
};

struct search {
    const struct text *p;
    struct outcomes *out;
    struct state *next; /* successors of the state at hand */
    unsigned n;
    bool of_libc; /* see model.h */
};

/* All steps of thread t. */
void steps_of(struct search *x, const struct state *s, unsigned t);

/* Keeps `caught` of all threads up to date, in each successor. */
void note_caught(const struct search *x, struct state *s);

/* What a step leads to: a copy of the state, to be changed. */
struct state *successor(struct search *x, const struct state *s);

/* Thread t goes to its next operation that is one, or towards its end. */
void proceed(const struct text *p, struct state *s, unsigned t);

/* Its operation has this result: in a successor; in a new one; it is cancelled instead; no program may do that. */
void done(struct search *x, struct state *s, unsigned t, int result);
void returns(struct search *x, const struct state *s, unsigned t, int result);
void cancelled(struct search *x, const struct state *s, unsigned t);
void misuse(struct search *x, const struct state *s);
void end(struct state *s, unsigned t);

void lock(struct search *x, const struct state *s, unsigned t, const struct text_op *o);
void unlock(struct search *x, const struct state *s, unsigned t, const struct text_op *o);
void read_write(struct search *x, const struct state *s, unsigned t, char kind);
void release(struct search *x, const struct state *s, unsigned t, unsigned what);
void spin_lock(struct search *x, const struct state *s, unsigned t, char kind);
void hold(struct thread *me, unsigned what);
void unlock_any(struct state *s, unsigned t, unsigned what);

void wait_condition(struct search *x, const struct state *s, unsigned t, const struct text_op *o);
void wake(struct search *x, const struct state *s, unsigned t, const char *kinds, int a, unsigned most,
          bool tells);
void futex(struct search *x, const struct state *s, unsigned t, const struct text_op *o);
void semaphore(struct search *x, const struct state *s, unsigned t, char kind);
void barrier(struct search *x, const struct state *s, unsigned t);
void once(struct search *x, const struct state *s, unsigned t, unsigned which);
void channel(struct search *x, const struct state *s, unsigned t, const struct text_op *o);
void signal_wait(struct search *x, const struct state *s, unsigned t);

/* Waiting loops that do more than load or exchange: of tickets, latches, barriers, queues, ... */
void wait_after_adding(struct search *x, const struct state *s, unsigned t, const struct text_op *o);
void wait_with_others(struct search *x, const struct state *s, unsigned t, const struct text_op *o);
void queue_lock(struct search *x, const struct state *s, unsigned t);
void queue_unlock(struct search *x, const struct state *s, unsigned t);
void wait_or_give_up(struct search *x, const struct state *s, unsigned t, const struct text_op *o);
void wait_for_both(struct search *x, const struct state *s, unsigned t, const struct text_op *o);
void leave_loop(struct search *x, struct state *n, unsigned t);

#endif
