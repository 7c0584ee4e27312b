/* SPDX-License-Identifier: BSD-2-Clause
 *
 * carter01 - two classes of visitors of one room: the first of a class that
 * comes in takes the room, the last that goes out gives it back (SCT study,
 * row 6).
 *
 * Claim: each thread gets out.  False: the newcomer of the second class waits for
 * the room while it holds the counters' lock, which the one inside needs to
 * leave.  Nothing races: counters are under `counters`.  Two idle threads, which
 * have no operation at all, only make the space wider.
 * Twin (-DFIXED): it waits for the room before it counts itself. */
#include "../litmus.h"

static pthread_mutex_t counters = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t room = PTHREAD_MUTEX_INITIALIZER;
static int reds, blues;

static void visit(int *present)
{
#ifdef FIXED
    pthread_mutex_lock(&room); /* one of each class, so every thread is the first */
    pthread_mutex_lock(&counters);
    ++*present;
#else
    pthread_mutex_lock(&counters);
    if (++*present == 1)
        pthread_mutex_lock(&room);
#endif
    pthread_mutex_unlock(&counters);

    pthread_mutex_lock(&counters);
    if (--*present == 0)
        pthread_mutex_unlock(&room);
    pthread_mutex_unlock(&counters);
}

static void *red(void *arg)
{
    visit(&reds);
    return arg;
}

static void *blue(void *arg)
{
    visit(&blues);
    return arg;
}

static void *idle(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t a = spawn(red);
    pthread_t b = spawn(blue);
    pthread_t c = spawn(idle);
    pthread_t d = spawn(idle);

    join(a);
    join(b);
    join(c);
    join(d);
    return 0;
}
