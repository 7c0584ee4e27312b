/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ticks.c - clocks that are read without a call that libc knows of are virtual, too: they tell the
 * same in every run of a schedule, and none goes backwards.  Each with a twin (`wrong` behind it)
 * that believes what does not hold.
 *
 *   counter    rdtsc and rdtscp go with the clock
 *   order      what two threads read tells who came first
 *   vdso       the kernel's own function, found as a runtime without libc finds it
 *   born       what a constructor has read lies before what main reads, and not long before
 *   setting    a thread may be told that, and then may not, read the counter
 *   child      a child, and what it becomes, may read clocks as it likes */
#include <dlfcn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "../litmus.h"

static bool wrong;
static const char *way;
static struct timespec born;
static unsigned long seen[2];

__attribute__((constructor)) static void be_born(void)
{
    clock_gettime(CLOCK_MONOTONIC, &born);
}

static void do_counter(void)
{
    struct timespec now;
    unsigned processor = 1;
    unsigned long first = __rdtsc(), second = __rdtscp(&processor);

    clock_gettime(CLOCK_MONOTONIC, &now);
    unsigned long third = (unsigned long)now.tv_sec * 1000000000 + (unsigned long)now.tv_nsec;

    assert(first < second && second < third && third - first < 1000000);
    assert(processor == (unsigned)(wrong && strcmp(way, "counter") == 0));
}

static void *look(void *at)
{
    *(unsigned long *)at = __rdtsc();
    return NULL;
}

static void do_order(void)
{
    pthread_t thread;

    assert(pthread_create(&thread, NULL, look, &seen[0]) == 0);
    sched_yield();
    look(&seen[1]);
    join(thread);
    assert(seen[0] != seen[1]);
    assert(!wrong || seen[0] < seen[1]);
}

static void do_vdso(void)
{
    void *vdso = dlopen("linux-vdso.so.1", RTLD_NOW | RTLD_NOLOAD);
    int (*clock)(clockid_t, struct timespec *) = vdso != NULL ? dlsym(vdso, "__vdso_clock_gettime") : NULL;
    struct timespec first, second;

    if (clock == NULL)
        clock = clock_gettime; /* this kernel has none */
    assert(clock(CLOCK_MONOTONIC, &first) == 0 && clock_gettime(CLOCK_MONOTONIC, &second) == 0);
    assert(first.tv_sec == 1 && second.tv_sec == 1);
    assert(wrong ? first.tv_nsec > second.tv_nsec : first.tv_nsec < second.tv_nsec);
}

static void do_born(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(born.tv_sec == now.tv_sec && born.tv_nsec + wrong * 1000000 < now.tv_nsec);
}

static void do_setting(void)
{
    int mode = 0;

    assert(prctl(PR_GET_TSC, &mode) == 0 && mode == PR_TSC_ENABLE);
    assert(prctl(PR_SET_TSC, 7) == -1 && prctl(PR_SET_TSC, PR_TSC_ENABLE) == 0);
    do_counter();
    assert(prctl(PR_SET_TSC, PR_TSC_SIGSEGV) == 0);
    assert(prctl(PR_GET_TSC, &mode) == 0 && mode == PR_TSC_SIGSEGV);
    if (wrong)
        seen[0] = __rdtsc();
}

static void do_child(void)
{
    pid_t pid = fork();
    int status;

    if (pid == 0)
        _exit(__rdtsc() == 0);
    assert(waitpid(pid, &status, 0) == pid && status == 0);
    assert(system("exec date >/dev/null") == 0);
    do_counter();
}

static const struct {
    const char *name;
    void (*run)(void);
} ways[] = {
    { "counter", do_counter }, { "order", do_order }, { "vdso", do_vdso }, { "born", do_born },
    { "setting", do_setting }, { "child", do_child },
};

int main(int argc, char **argv)
{
    way = argv[1];
    wrong = argc > 2 && strcmp(argv[2], "wrong") == 0;
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(way, ways[i].name) == 0)
            ways[i].run();
    return 0;
}
