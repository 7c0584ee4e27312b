/* SPDX-License-Identifier: BSD-2-Clause
 *
 * priority.c - name, CPU affinity and priority of a thread.
 *
 * The kernel has these attributes per kernel thread, and all logical threads run on one.  So the model keeps them and
 * never changes those of the kernel.  They do not restrict interleavings: a thread with low priority may run whenever
 * the others block, and on another processor at any time.
 *
 * A1  A new thread inherits the attributes of its creator.  Other threads may change them, so
 *     creating a thread reads them.
 * A2  In programs that can read attributes at all (known before main), reading and changing them
 *     are operations on an object of the thread (model/state.h).
 * A3  A thread that has ended has no attributes: the call fails with ESRCH.  So a call about
 *     another thread also depends on the end of that thread, and is always an operation. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/check.h"
#include "base/sys.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/misc.h"
#include "runtime/core/early_threads.h"
#include "runtime/core/imports.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/memory_ops.h"
#include "runtime/sys/mem.h"
#include "runtime/watch/transaction.h"

enum { NAME_BYTES = 16, NICE_MOST = 19, NICE_LEAST = -20, REALTIME_MOST = 99 };

struct attributes {
    char name[NAME_BYTES];
    cpu_set_t cpus;
    int nice;
    int policy;
    int priority;
};

static struct {
    struct attributes first; /* attributes of the process before main */
    uint32_t epoch;          /* the execution for which `of` is valid */
    bool known;              /* `first` is valid */
    bool read;               /* A2: the program can read attributes */
    struct attributes of[HD_MAX_THREADS]; /* by tid */
} state;

void hd_attributes_init(void)
{
    static const char *const names[] = {
        "pthread_getname_np", "prctl", "sched_getaffinity", "pthread_getaffinity_np", "getpriority",
        "nice", "sched_getscheduler", "sched_getparam", "pthread_getschedparam", NULL
    };

    state.read = hd_imports_may(names);
}

static void read_first(void)
{
    struct attributes *a = &state.first;

    state.known = true;
    hd_sys(SYS_prctl, PR_GET_NAME, a->name, 0);
    hd_sys(SYS_sched_getaffinity, 0, sizeof a->cpus, &a->cpus);
    a->nice = 20 - (int)hd_sys(SYS_getpriority, PRIO_PROCESS, 0, 0); /* the system call returns 20 - nice */
    a->policy = (int)hd_sys(SYS_sched_getscheduler, 0, 0, 0);
}

static struct attributes *attributes_of(const struct hd_thread *t)
{
    if (state.epoch != hd.epoch) {
        if (!state.known)
            read_first();
        state.epoch = hd.epoch;
        for (unsigned i = 0; i < hd.exec->nthreads; i++)
            state.of[i] = state.first;
    }
    return &state.of[t->tid];
}

/* As long as no call has used attributes in this execution, all threads have those of the process,
 * and `of` is not valid. */
void hd_attributes_inherit(const struct hd_thread *parent, const struct hd_thread *t)
{
    if (state.epoch == hd.epoch)
        state.of[t->tid] = state.of[parent->tid];
}

void hd_attributes_created(uint64_t pc)
{
    if (HD_UNLIKELY(state.read))
        hd_shared_also(true, hd_shared_place(HD_STATE_FIRST_THREAD + hd.cur->slot), false, pc);
}

/* Returns the thread with this id (0: the running thread), or NULL if there is none. */
static struct hd_thread *thread_of_number(pid_t number)
{
    if (number == 0)
        return hd.cur;
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if ((pid_t)(HD_VIRTUAL_PID + hd.thread[i].slot) == number)
            return &hd.thread[i];
    return NULL;
}

/* Begins an operation on the attributes of t (A2).  Returns them at its turn.  Returns NULL if t is
 * NULL or has ended.  Sets *begun; the caller must call `end`. Other threads run before the turn,
 * so do not keep anything in `state` across this call. */
static struct attributes *begin(struct hd_thread *t, bool write, bool *begun, uint64_t pc)
{
    *begun = false;
    if (t == NULL)
        return NULL;
    if (t != hd.cur)
        hd_thread_end_seen();
    if (state.read || t != hd.cur)
        *begun = hd_state_begin(write ? HD_EV_STATE_WRITE : HD_EV_STATE_READ,
                                HD_STATE_FIRST_THREAD + t->slot, pc);
    return t->state == HD_TH_FINISHED ? NULL : attributes_of(t);
}

/* Ends the operation; for another thread it also depends on that thread's end (A3).  Returns error. */
static int end(const struct hd_thread *t, bool begun, int error)
{
    hd_shared_end(begun, false);
    if (begun && t != hd.cur)
        hd_touch_unit(hd_thread_object(t->slot), false, 0);
    return error;
}

/* Converts an error number to the result of a function that sets errno. */
static int by_errno(int error)
{
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

/* True if the process may have this much of a resource that needs privileges. */
static bool is_allowed(int resource, uint64_t wanted)
{
    struct rlimit limit = { 0, 0 };

    hd_sys6(SYS_prlimit64, 0, resource, 0, (long)&limit, 0, 0);
    return hd_sys(SYS_geteuid, 0, 0, 0) == 0 || wanted <= limit.rlim_cur;
}

/* ---- names --------------------------------------------------------------------------------- */

static int set_name(struct hd_thread *t, const char *name, uint64_t pc)
{
    hd_tx_calls_kernel(pc);

    bool begun;
    struct attributes *a = begin(t, true, &begun, pc);
    size_t n = 0;

    if (a == NULL)
        return end(t, begun, ESRCH);
    for (; n + 1 < NAME_BYTES && name[n] != '\0'; n++)
        a->name[n] = name[n];
    for (size_t i = n; i < NAME_BYTES; i++)
        a->name[i] = '\0';
    hd_mem_copy(hd.exec->threads[t->tid].name, a->name, NAME_BYTES); /* the name in reports */
    return end(t, begun, 0);
}

static int get_name(struct hd_thread *t, char *buf, uint64_t pc)
{
    bool begun;
    const struct attributes *a = begin(t, false, &begun, pc);

    if (a == NULL)
        return end(t, begun, ESRCH);
    hd_snapshot_touch(buf, NAME_BYTES);
    hd_mem_copy(buf, a->name, NAME_BYTES);
    return end(t, begun, 0);
}

/* Truncates a long name, as the kernel does. */
int hd_attributes_set_name(const char *name, uint64_t pc)
{
    return set_name(hd.cur, name, pc);
}

int hd_attributes_get_name(char *buf, uint64_t pc)
{
    return get_name(hd.cur, buf, pc);
}

void hd_attributes_early_name(const struct hd_thread *t, const char *name)
{
    if (name[0] != '\0')
        hd_mem_copy(attributes_of(t)->name, name, NAME_BYTES);
}

HD_EXPORT int pthread_setname_np(pthread_t thread, const char *name)
{
    size_t n = 0;

    if (hd.cur == NULL)
        return hd_early_thread_name(thread, name);
    hd_range_of_call(name, hd_length(name) + 1, false, HD_PC);
    while (name[n] != '\0')
        n++;
    return n >= NAME_BYTES ? ERANGE : set_name(hd_thread_find(thread), name, HD_PC);
}

/* ---- processors ---------------------------------------------------------------------------- */

/* As in the kernel, ignores processors that the process may not use, and fails if none remains. */
static int set_cpus(struct hd_thread *t, size_t size, const cpu_set_t *set, uint64_t pc)
{
    bool begun;
    struct attributes *a = begin(t, true, &begun, pc);
    cpu_set_t wanted;

    if (a == NULL)
        return end(t, begun, ESRCH);
    CPU_ZERO(&wanted);
    hd_mem_copy(&wanted, set, size < sizeof wanted ? size : sizeof wanted);
    CPU_AND(&wanted, &wanted, &state.first.cpus);
    bool some = CPU_COUNT(&wanted) > 0;

    if (some)
        a->cpus = wanted;
    return end(t, begun, some ? 0 : EINVAL);
}

/* Calls the real function only to check whether the buffer is large enough. */
static int get_cpus(struct hd_thread *t, size_t size, cpu_set_t *set, uint64_t pc)
{
    bool begun;
    const struct attributes *a = begin(t, false, &begun, pc);
    int error;

    hd_snapshot_touch(set, size);
    error = a == NULL ? ESRCH : HD_REAL(sched_getaffinity)(0, size, set) == 0 ? 0 : errno;
    if (error == 0)
        hd_mem_copy(set, &a->cpus, size < sizeof a->cpus ? size : sizeof a->cpus);
    return end(t, begun, error);
}

HD_EXPORT int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    if (hd.cur == NULL || thread_of_number(pid) == NULL)
        return HD_REAL(sched_getaffinity)(pid, size, set);
    return NOTED(by_errno(get_cpus(thread_of_number(pid), size, set, HD_PC)),
                 hd_range_of_call(set, result == 0 ? size : 0, true, pc));
}

/* ---- nice values --------------------------------------------------------------------------- */

static int set_nice(struct hd_thread *t, int nice, int refused, uint64_t pc)
{
    bool begun;
    struct attributes *a = begin(t, true, &begun, pc);

    if (a == NULL)
        return end(t, begun, ESRCH);
    nice = nice < NICE_LEAST ? NICE_LEAST : nice > NICE_MOST ? NICE_MOST : nice;
    bool allowed = nice >= a->nice || is_allowed(RLIMIT_NICE, (uint64_t)(20 - nice));

    if (allowed)
        a->nice = nice;
    return end(t, begun, allowed ? 0 : refused);
}

static int model_setpriority(__priority_which_t which, id_t who, int priority, uint64_t pc)
{
    if (which != PRIO_PROCESS)
        return 0;
    return by_errno(set_nice(thread_of_number((pid_t)who), priority, EACCES, pc));
}

HD_EXPORT int getpriority(__priority_which_t which, id_t who)
{
    struct hd_thread *t = hd.cur != NULL && which == PRIO_PROCESS ? thread_of_number((pid_t)who) : NULL;
    bool begun;

    if (t == NULL)
        return hd.cur != NULL ? hd_pid_getpriority(which, who) : HD_REAL(getpriority)(which, who);
    const struct attributes *a = begin(t, false, &begun, HD_PC);
    int nice = a != NULL ? a->nice : 0;

    end(t, begun, 0);
    return a != NULL ? nice : by_errno(ESRCH);
}

static int model_nice(int by, uint64_t pc)
{
    int error = set_nice(hd.cur, attributes_of(hd.cur)->nice + by, EPERM, pc);

    return error != 0 ? by_errno(error) : attributes_of(hd.cur)->nice;
}

/* ---- policies ------------------------------------------------------------------------------ */

static bool is_realtime(int policy)
{
    return policy == SCHED_FIFO || policy == SCHED_RR;
}

/* Returns what the kernel would return for a policy with this priority: 0, EINVAL or EPERM. */
static int judge_policy(int policy, int priority)
{
    bool usual = policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE;

    if (usual)
        return priority == 0 ? 0 : EINVAL;
    if (!is_realtime(policy) || priority < 1 || priority > REALTIME_MOST)
        return EINVAL;
    return is_allowed(RLIMIT_RTPRIO, (uint64_t)priority) ? 0 : EPERM;
}

enum { SAME_POLICY = -1 };

static int set_policy(struct hd_thread *t, int policy, int priority, uint64_t pc)
{
    bool begun;
    struct attributes *a = begin(t, true, &begun, pc);

    if (a == NULL)
        return end(t, begun, ESRCH);
    if (policy == SAME_POLICY)
        policy = a->policy;
    int error = judge_policy(policy & ~SCHED_RESET_ON_FORK, priority);

    if (error == 0) {
        a->policy = policy;
        a->priority = priority;
    }
    return end(t, begun, error);
}

static int get_policy(struct hd_thread *t, int *policy, int *priority, uint64_t pc)
{
    bool begun;
    const struct attributes *a = begin(t, false, &begun, pc);

    if (a == NULL)
        return end(t, begun, ESRCH);
    *policy = a->policy;
    *priority = a->priority;
    return end(t, begun, 0);
}

HD_EXPORT int sched_getscheduler(pid_t pid)
{
    int policy = 0, priority;

    if (hd.cur == NULL)
        return HD_REAL(sched_getscheduler)(pid);
    if (thread_of_number(pid) == NULL)
        return hd_pid_getscheduler(pid);
    int error = get_policy(thread_of_number(pid), &policy, &priority, HD_PC);

    return error != 0 ? by_errno(error) : policy;
}

HD_EXPORT int sched_getparam(pid_t pid, struct sched_param *p)
{
    int policy;

    if (hd.cur == NULL || thread_of_number(pid) == NULL)
        return HD_REAL(sched_getparam)(pid, p);
    return NOTED(by_errno(get_policy(thread_of_number(pid), &policy, &p->sched_priority, HD_PC)),
                 hd_range_of_call(p, result == 0 ? sizeof *p : 0, true, pc));
}

#define CALLS_PRIORITY
#include "runtime/calls/calls.def"
