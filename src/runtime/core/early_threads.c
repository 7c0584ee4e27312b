/* SPDX-License-Identifier: BSD-2-Clause
 *
 * early_threads.c - threads that constructors start before main.  See early_threads.h for the
 * rules.
 *
 * Executions begin at main, so such a thread must be part of every execution: it has been created, but has not had
 * its first turn when main begins.  The program allows that order, unless the constructor waits for the thread.
 *
 * All of this runs on the process's first kernel thread.  Calls from kernel threads that were
 * started for E2 go straight to libc. */

#include "runtime/core/early_threads.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>

#include "base/sys.h"
#include "runtime/core/attach.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/fiber.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"

struct early {
    void *(*fn)(void *);
    void *arg;
    uint64_t pc;
    uint64_t self; /* the pthread_t that its creator got */
    struct hd_stack_request stack;
    uint16_t slot;
    uint16_t nth;
    bool detached;
    bool started; /* E2: it became a kernel thread */
    bool joined;
    uint32_t kernel_tid;
    pthread_t real;
    void *value; /* its result, if it ended before main */
    char name[sizeof(((struct hd_thread_info *)0)->name)];
};

static struct early threads[HD_MAX_THREADS];
static unsigned nthreads;
static uint32_t nstopped;
unsigned hd_early_thread_waiting;

static struct early *find(pthread_t thread)
{
    for (unsigned i = 0; i < nthreads; i++)
        if (threads[i].self == thread)
            return &threads[i];
    return NULL;
}

/* ---- before main --------------------------------------------------------------- */

static bool is_first_kernel_thread(void)
{
    return hd_sys(SYS_gettid, 0, 0, 0) == hd_sys(SYS_getpid, 0, 0, 0);
}

/* Returns the slot of main's next child, with a donor.  Returns HD_MAX_THREADS if there is none. */
static unsigned next_slot(void)
{
    unsigned slot = hd_fiber_slot(0, nthreads);

    return slot < HD_MAX_THREADS && hd_fiber_provide(slot) ? slot : HD_MAX_THREADS;
}

int hd_early_thread_create(pthread_t *out, const pthread_attr_t *attr, void *(*fn)(void *), void *arg,
                    uint64_t pc)
{
    int detached = PTHREAD_CREATE_JOINABLE;

    if (hd.in_main || !hd_attach() || !is_first_kernel_thread())
        return HD_REAL(pthread_create)(out, attr, fn, arg);
    if (attr != NULL)
        pthread_attr_getdetachstate(attr, &detached);
    unsigned slot = next_slot();

    if (slot == HD_MAX_THREADS)
        return EAGAIN;
    threads[nthreads] = (struct early){ .fn = fn, .arg = arg, .pc = pc, .stack = hd_stack_requested(attr),
                                        .self = hd_fiber_self(slot), .slot = (uint16_t)slot,
                                        .nth = (uint16_t)nthreads,
                                        .detached = detached == PTHREAD_CREATE_DETACHED };
    *out = threads[nthreads].self;
    nthreads++;
    hd_early_thread_waiting++;
    return 0;
}

int hd_early_thread_detach(pthread_t thread)
{
    struct early *e = find(thread);

    if (e == NULL)
        return HD_REAL(pthread_detach)(thread);
    if (e->detached || e->joined)
        return EINVAL;
    e->detached = true;
    return e->started ? HD_REAL(pthread_detach)(e->real) : 0;
}

int hd_early_thread_name(pthread_t thread, const char *name)
{
    struct early *e = find(thread);
    int error = HD_REAL(pthread_setname_np)(e != NULL && e->started ? e->real : thread, name);

    if (e != NULL && error == 0)
        hd_format(e->name, sizeof e->name, "%s", name);
    return error;
}

/* ---- deferred threads become kernel threads (E2) ----------------------------------- */

static void *kernel_thread(void *arg)
{
    struct early *e = arg;

    __atomic_store_n(&e->kernel_tid, (uint32_t)hd_sys(SYS_gettid, 0, 0, 0), __ATOMIC_RELEASE);
    hd_sys(SYS_futex, &e->kernel_tid, FUTEX_WAKE_PRIVATE, 1);
    return e->fn(e->arg);
}

static void start(struct early *e)
{
    if (HD_REAL(pthread_create)(&e->real, NULL, kernel_thread, e) != 0)
        return;
    e->started = true;
    if (e->detached)
        HD_REAL(pthread_detach)(e->real);
    while (__atomic_load_n(&e->kernel_tid, __ATOMIC_ACQUIRE) == 0)
        hd_sys6(SYS_futex, (long)&e->kernel_tid, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
}

void hd_early_thread_run(void)
{
    if (hd.in_main || !is_first_kernel_thread())
        return;
    hd_early_thread_waiting = 0;
    hd_uncontrolled("threads that are started before main and awaited there run uncontrolled");
    for (unsigned i = 0; i < nthreads; i++)
        if (!threads[i].started)
            start(&threads[i]);
}

void hd_early_thread_loaded(void)
{
    enum { LOADS = 1000000 };
    static unsigned loads;

    if (++loads % LOADS == 0)
        hd_early_thread_run();
}

pthread_t hd_early_thread_awaited(pthread_t thread)
{
    struct early *e = find(thread);

    if (e == NULL)
        return thread;
    hd_early_thread_await();
    return e->started ? e->real : thread;
}

int hd_early_thread_joined(pthread_t thread, int error)
{
    struct early *e = find(thread);

    if (e != NULL && error == 0)
        e->joined = true;
    return error;
}

static void stop_here(int signal)
{
    (void)signal;
    __atomic_add_fetch(&nstopped, 1, __ATOMIC_RELEASE);
    for (;;) /* forked workers do not have this thread; in a replay it stays here */
        hd_sys(SYS_pause, 0, 0, 0);
}

/* Stops the kernel thread of e.  Returns false if it does not react.  Workers are forks and do not have this
 * thread, but a replay runs in this process, where the thread must not continue. */
static bool stop(struct early *e)
{
    enum { TRIES = 1000 };
    struct timespec pause = { 0, 100000 };
    uint32_t before = __atomic_load_n(&nstopped, __ATOMIC_ACQUIRE);

    if (hd_sys(SYS_tgkill, hd_sys(SYS_getpid, 0, 0, 0), e->kernel_tid, SIGRTMAX) != 0)
        return true; /* it has already ended */
    for (int i = 0; i < TRIES; i++) {
        if (__atomic_load_n(&nstopped, __ATOMIC_ACQUIRE) != before)
            return true;
        hd_sys(SYS_nanosleep, &pause, 0, 0);
    }
    return false;
}

static void stop_or_collect(struct early *e)
{
    if (e->joined)
        return;
    if (!e->detached && HD_REAL(pthread_tryjoin_np)(e->real, &e->value) == 0)
        return;
    if (!stop(e))
        hd_uncontrolled("a thread that was started before main cannot be stopped");
}

void hd_early_thread_settle(void)
{
    struct sigaction stopper = { .sa_handler = stop_here }, old;
    uint64_t guard;

    if (nthreads == 0)
        return;
    sigfillset(&stopper.sa_mask);
    HD_REAL(sigaction)(SIGRTMAX, &stopper, &old);
    for (unsigned i = 0; i < nthreads; i++)
        if (threads[i].started)
            stop_or_collect(&threads[i]);
    HD_REAL(sigaction)(SIGRTMAX, &old, NULL);
    /* From main on, all threads have the same stack protector value. */
    __asm__("movq %%fs:0x28, %0" : "=r"(guard));
    for (unsigned i = 0; i < nthreads; i++)
        *(uint64_t *)(threads[i].self + 0x28) = guard;
}

bool hd_early_thread_is_gone(pthread_t thread, void **value)
{
    struct early *e = find(thread);

    if (e == NULL || !e->started || e->joined || e->detached)
        return false;
    if (value != NULL)
        *value = e->value;
    return true;
}

/* ---- in an execution ------------------------------------------------------------------ */

void hd_early_thread_begin(struct hd_thread *main)
{
    for (unsigned i = 0; i < nthreads; i++) {
        const struct early *e = &threads[i];

        if (e->started)
            continue;
        struct hd_thread *t = hd_thread_spawn(main, e->slot, e->nth, e->fn, e->arg, e->pc);

        t->detached = e->detached;
        t->stack_size = e->stack.size;
        t->guard_size = e->stack.guard;
        hd_mem_copy(hd.exec->threads[t->tid].name, e->name, sizeof e->name);
        hd_callbacks.early_thread_named(t, e->name);
    }
    main->children = nthreads;
}

void hd_early_thread_start_eagerly(void)
{
    for (unsigned tid = 1, n = hd.exec->nthreads; tid < n; tid++)
        hd_thread_start_eagerly(&hd.thread[tid]);
}
