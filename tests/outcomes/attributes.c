/* SPDX-License-Identifier: BSD-2-Clause
 *
 * attributes SEED THREADS CALLS - threads that read and change names, processors and priorities
 * of their own and of each other.  The exit code is a digest of everything that the calls returned
 * (outcomes.h).
 *
 * A thread asks for the one before it, which is joined after it, and the first one for main. */
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>

#include "outcomes.h"

enum { KINDS = 10, NEIGHBOURS = 10 };

static pthread_t main_thread;

static long name_of(pthread_t t)
{
    char name[16] = "";
    int error = pthread_getname_np(t, name, sizeof name);

    return error != 0 ? error : 1000 + name[0];
}

static long processors_of(pthread_t t)
{
    cpu_set_t set;
    int error = pthread_getaffinity_np(t, sizeof set, &set);

    return error != 0 ? error : 1000 + CPU_COUNT(&set);
}

static long on_first_processor(pthread_t t)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET(0, &set);
    return pthread_setaffinity_np(t, sizeof set, &set);
}

static long policy_of(pthread_t t)
{
    struct sched_param p;
    int policy, error = pthread_getschedparam(t, &policy, &p);

    return error != 0 ? error : 1000 + policy;
}

static long make_batch(pthread_t t)
{
    struct sched_param p = { 0 };

    return pthread_setschedparam(t, SCHED_BATCH, &p);
}

static long call(unsigned me, unsigned kind)
{
    char name[] = { (char)('a' + me), '\0' };
    pthread_t self = pthread_self(), other = me > 0 ? outcome_threads[me - 1].id : main_thread;

    switch (kind) {
    case 0: return pthread_setname_np(self, name);
    case 1: return pthread_setname_np(other, name);
    case 2: return name_of(self);
    case 3: return name_of(other);
    case 4: return on_first_processor(other);
    case 5: return processors_of(self);
    case 6: return processors_of(other);
    case 7: return make_batch(other);
    case 8: return policy_of(self);
    default: return policy_of(other);
    }
}

int main(int argc, char **argv)
{
    main_thread = pthread_self();
    return outcome(argc, argv, call, KINDS, NEIGHBOURS, NULL);
}
