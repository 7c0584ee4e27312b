/* SPDX-License-Identifier: BSD-2-Clause
 *
 * attributes WHAT [own] - a thread changes what the kernel keeps for it, and main looks.
 *
 * Claim (an assertion): main does not see the change.  False: it may come first.  Own: two
 * threads have different values, and each finds its own again.  WHAT: name, cpus, nice, policy. */
#define _GNU_SOURCE
#include "../litmus.h"

#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char *what;
static int x;
static pid_t number;

static bool is(const char *name)
{
    return strcmp(what, name) == 0;
}

static void change(void)
{
    struct sched_param p = { 0 };
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (is("name"))
        assert(pthread_setname_np(pthread_self(), "changed") == 0);
    else if (is("cpus"))
        assert(pthread_setaffinity_np(pthread_self(), sizeof one, &one) == 0);
    else if (is("nice"))
        assert(setpriority(PRIO_PROCESS, (id_t)gettid(), 7) == 0);
    else
        assert(pthread_setschedparam(pthread_self(), SCHED_BATCH, &p) == 0);
}

static bool is_changed(pthread_t t, pid_t tid)
{
    char name[16] = "";
    struct sched_param p;
    cpu_set_t cpus;
    int policy = 0;

    CPU_ZERO(&cpus);
    if (is("name"))
        return pthread_getname_np(t, name, sizeof name) == 0 && strcmp(name, "changed") == 0;
    if (is("cpus"))
        return pthread_getaffinity_np(t, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) == 1;
    if (is("nice"))
        return getpriority(PRIO_PROCESS, (id_t)tid) == 7;
    return pthread_getschedparam(t, &policy, &p) == 0 && policy == SCHED_BATCH;
}

static void *changer(void *unused)
{
    visible_write(number, gettid());
    change();
    visible_write(x, 1);
    assert(is_changed(pthread_self(), gettid()));
    return unused;
}

static void *other(void *unused)
{
    bool before = is_changed(pthread_self(), gettid());

    visible_write(x, 2);
    assert(is_changed(pthread_self(), gettid()) == before);
    return unused;
}

int main(int argc, char **argv)
{
    what = argc > 1 ? argv[1] : "name";
    bool own = argc > 2, was = is_changed(pthread_self(), 0);
    pthread_t t = spawn(changer), u = own ? spawn(other) : 0;

    if (!own) {
        pid_t tid = visible_read(number);
        bool seen = tid != 0 && is_changed(t, tid);

        assert(was || !seen);
    }
    join(t);
    if (own)
        join(u);
    return 0;
}
