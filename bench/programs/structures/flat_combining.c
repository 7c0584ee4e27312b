/* SPDX-License-Identifier: BSD-2-Clause
 *
 * flat_combining - a counter: each thread writes down what is to be added, and the thread that gets the lock
 * does it for all.
 *
 * Claim: each gets the value before its own addition, so that no two get the same.  NO_RETRY: who
 * does not get the lock waits to be served, also by an owner that has looked at its request already
 * and leaves.  DONE_FIRST: a request is called done before the answer is there. */
#include "../program.h"

#include <sched.h>

enum { THREADS = 2, IDLE, WANTED };

struct request {
    int state;
    int answer;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct request requests[THREADS];
static int counter;

static void serve(struct request *request)
{
#ifdef DONE_FIRST
    atomic_write(request->state, IDLE);
    request->answer = counter++;
#else
    request->answer = counter++;
    atomic_write(request->state, IDLE);
#endif
}

static bool try_to_combine(void)
{
    if (pthread_mutex_trylock(&lock) != 0)
        return false;
    for (int i = 0; i < THREADS; i++)
        if (atomic_read(requests[i].state) == WANTED)
            serve(&requests[i]);
    pthread_mutex_unlock(&lock);
    return true;
}

static int add_one(int me)
{
    struct request *mine = &requests[me];

    atomic_write(mine->state, WANTED);
#ifdef NO_RETRY
    if (!try_to_combine())
        while (atomic_read(mine->state) == WANTED)
            sched_yield();
#else
    while (atomic_read(mine->state) == WANTED)
        if (!try_to_combine())
            sched_yield();
#endif
    return mine->answer;
}

static int answers[THREADS];

static void *work(void *arg)
{
    int me = number_of(arg);

    answers[me] = add_one(me);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        threads[i] = spawn_numbered(work, i);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    assert(counter == THREADS && answers[0] + answers[1] == 1);
    return 0;
}
