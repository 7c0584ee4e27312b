/* SPDX-License-Identifier: BSD-2-Clause
 *
 * process.c - processes, shared memory and loading of libraries.  Heddle cannot undo these in
 * process, so each requests fork isolation.
 *
 * fork: the child is not controlled (core/state.h, R2).  It continues as a process of its own, on the
 * fiber that forked.  The model calls _Fork instead of fork, because fork would give the donors' stacks to the
 * next thread that the child creates. _Fork is safe here: no libc lock can be held, since fibers
 * never switch inside libc. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sys.h"
#include "runtime/calls/fork.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/calls/time.h"
#include "runtime/core/entry.h"
#include "runtime/core/ledger.h"
#include "runtime/core/operation.h"
#include "runtime/core/program.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/kernel/outside_signals.h"
#include "runtime/kernel/pids.h"
#include "runtime/kernel/processor_clock.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/restore/alias.h"
#include "runtime/restore/process.h"
#include "runtime/restore/snapshot.h"
#include "runtime/restore/undo.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/text.h"
#include "runtime/watch/race.h"
#include "runtime/watch/transaction.h"
#include "runtime/watch/tx_cpuid.h"
#include "runtime/watch/unseen_probe.h"
#include "wire/wire.h"

/* Records the information flow: the output and the end of the child depend on what the parent has seen so far. */
static void tell_child(uint64_t pc)
{
    if (!hd_shared_may_conflict())
        return;
    hd_io_attempt(pc);
    hd_io_end(true, 0);
}

HD_COLD void hd_child_process(const char *why, uint64_t pc)
{
    hd_tx_calls_kernel(pc);
    tell_child(pc);
    hd_changes.io = 1;
    hd_uncontrolled("child processes");
    hd.wire->children = 1;
    hd_needs_fork(why);
    hd_io_forked();
    hd_snapshot_open_up();
}

/* ---- fork and its handlers ------------------------------------------------------------ */

/* The handlers of pthread_atfork, which _Fork does not run.  Those that were registered before main
 * exist in every execution. */
enum { MAX_HANDLERS = 64 };

static struct fork_handlers {
    void (*prepare)(void);
    void (*parent)(void);
    void (*child)(void);
} handlers[MAX_HANDLERS];
static unsigned nbefore; /* registered before main */
static unsigned nhandlers;
static uint32_t handlers_in; /* the execution that registered the handlers from nbefore on */

static unsigned handlers_now(void)
{
    return handlers_in == hd.epoch ? nhandlers : nbefore;
}

int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *dso);

/* pthread_atfork calls this function; pthread_atfork itself is linked into the program. */
HD_EXPORT int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                                void *dso)
{
    unsigned n = handlers_now();

    if (hd.wire != NULL && n == MAX_HANDLERS) {
        hd_uncontrolled("more than 64 handlers of pthread_atfork: the others are not run");
    } else if (hd.wire != NULL) {
        handlers[n] = (struct fork_handlers){ prepare, parent, child };
        nhandlers = n + 1;
        handlers_in = hd.epoch;
        if (!hd.in_main)
            nbefore = nhandlers;
    }
    return HD_REAL(__register_atfork)(prepare, parent, child, dso);
}

static void run_handler(void (*fn)(void))
{
    if (fn != NULL)
        fn();
}

static pid_t model_fork(uint64_t pc)
{
    hd_child_process("it forks", pc);
    unsigned n = handlers_now();

    for (unsigned i = n; i-- > 0;)
        run_handler(handlers[i].prepare);
    pid_t self = (pid_t)hd_sys(SYS_getpid, 0, 0, 0), pid = HD_REAL(_Fork)();
    int error = errno;

    if (pid == 0) {
        hd.cur = NULL;
        hd_processor_clock_allow();
        hd_tx_cpuid_allow();
        hd_pid_forked(self);
        hd_outside_signals_release();
    }
    for (unsigned i = 0; i < n; i++)
        run_handler(pid == 0 ? handlers[i].child : handlers[i].parent);
    errno = error;
    return pid;
}

/* ---- other processes -------------------------------------------------------------------- */

/* The child of a real vfork would return through this frame, which the parent needs afterwards.  So
 * vfork is modelled by fork. */
HD_EXPORT pid_t vfork(void)
{
    return fork();
}

/* Call it before libc creates a child without a fork that can be interposed.  The child must be
 * able to read clocks freely (processor_clock.h, T3), and inherits this setting from here.  Returns
 * true if end_child must undo it. */
static bool begin_child(const char *why, uint64_t pc)
{
    if (hd.cur == NULL)
        return false;
    hd_child_process(why, pc);
    hd_processor_clock_allow();
    return true;
}

static void end_child(bool begun)
{
    if (begun)
        hd_processor_clock_ban();
}

HD_EXPORT int posix_spawn(pid_t *restrict pid, const char *restrict path,
                          const posix_spawn_file_actions_t *restrict actions,
                          const posix_spawnattr_t *restrict attr, char *const argv[restrict],
                          char *const envp[restrict])
{
    bool begun = begin_child("it starts a program (posix_spawn)", HD_PC);
    int result = HD_REAL(posix_spawn)(pid, path, actions, attr, argv, envp);

    end_child(begun);
    return result;
}

HD_EXPORT int posix_spawnp(pid_t *restrict pid, const char *restrict file,
                           const posix_spawn_file_actions_t *restrict actions,
                           const posix_spawnattr_t *restrict attr, char *const argv[restrict],
                           char *const envp[restrict])
{
    bool begun = begin_child("it starts a program (posix_spawnp)", HD_PC);
    int result = HD_REAL(posix_spawnp)(pid, file, actions, attr, argv, envp);

    end_child(begun);
    return result;
}

HD_EXPORT int system(const char *command)
{
    hd_cancel_point();
    bool begun = begin_child("it runs a command (system)", HD_PC);
    int result = HD_REAL(system)(command);

    end_child(begun);
    return result;
}

HD_EXPORT FILE *popen(const char *command, const char *mode)
{
    bool begun = begin_child("it runs a command (popen)", HD_PC);
    FILE *result = HD_REAL(popen)(command, mode);

    end_child(begun);
    return result;
}

/* Waiting for a child.  If the call waited in the kernel, it would block all fibers, including one
 * on which the child may depend.  But the moment of the child's end depends on real time, and a
 * search needs every execution to be the same.  So for a short time the thread waits in one step,
 * for children that end by themselves.  After that other threads run, as long as any of them
 * can. */
enum { PATIENCE_MS = 100 };

static bool others_can_run(void)
{
    struct hd_set others = hd.point.enabled;

    hd_set_remove(&others, hd.cur->tid);
    return !hd_set_is_empty(&others);
}

static void wait_more(unsigned tries, uint64_t pc)
{
    static const struct timespec ms = { 0, 1000000 };

    if (tries < PATIENCE_MS) {
        hd_sys(SYS_nanosleep, &ms, NULL, 0);
        return;
    }
    hd_fact(HD_FACT_IO);
    hd_entry.rsp = 0;
    hd_yield(pc);
    hd_cancel_point();
}

static long wait_4(pid_t pid, int *status, int options, struct rusage *usage, uint64_t pc)
{
    long r;

    hd_tx_calls_kernel(pc);
    hd_io_writes(status, sizeof *status);
    hd_io_writes(usage, sizeof *usage);
    if (hd.cur != NULL && (pid == -HD_VIRTUAL_PID || pid == -HD_VIRTUAL_PARENT))
        pid = 0; /* its own group */
    else if (hd.cur != NULL && hd_pid_real(pid) != pid)
        return -ECHILD; /* the process itself, or its parent */
    hd_cancel_point();
    if (hd.cur == NULL || (options & WNOHANG) != 0)
        return hd_sys6(SYS_wait4, pid, (long)status, options, (long)usage, 0, 0);
    for (unsigned tries = 0;; tries++) {
        bool last = !others_can_run();

        r = hd_sys6(SYS_wait4, pid, (long)status, last ? options : options | WNOHANG, (long)usage, 0, 0);
        if (r != 0 || last)
            return r;
        wait_more(tries, pc);
    }
}

static pid_t waited(long r)
{
    if (r >= 0)
        return (pid_t)r;
    errno = (int)-r;
    return -1;
}

static void note_child(const int *status, const struct rusage *usage, pid_t child, uint64_t pc)
{
    hd_range_of_call(status, child > 0 ? sizeof *status : 0, true, pc);
    hd_range_of_call(usage, child > 0 ? sizeof *usage : 0, true, pc);
}

/* Like wait_4, for waitid. si_pid stays 0 if no child has ended yet. */
static int wait_id(idtype_t what, id_t id, siginfo_t *info, int options, uint64_t pc)
{
    siginfo_t own;

    info = info != NULL ? info : &own;
    for (unsigned tries = 0;; tries++) {
        bool last = !others_can_run();

        info->si_pid = 0;
        int r = HD_REAL(waitid)(what, id, info, last ? options : options | WNOHANG);

        if (r != 0 || info->si_pid != 0 || last)
            return r;
        wait_more(tries, pc);
    }
}

HD_EXPORT int waitid(idtype_t what, id_t id, siginfo_t *info, int options)
{
    hd_io_writes(info, sizeof *info);
    if (hd.cur != NULL && (what == P_PID || what == P_PGID) && hd_pid_real((pid_t)id) != (pid_t)id) {
        errno = ECHILD;
        return -1;
    }
    if (hd.cur == NULL || (options & WNOHANG) != 0)
        return HD_REAL(waitid)(what, id, info, options);
    hd_cancel_point();
    return wait_id(what, id, info, options, HD_PC);
}

/* ---- shared memory -------------------------------------------------------------------- */

HD_COLD void hd_maps_shared_memory(void)
{
    hd_needs_fork("it maps shared memory");
}

void hd_maps_other_memory(void)
{
    if (hd_shared_may_conflict())
        hd_fact(HD_FACT_MAPPED);
}

static void *model_shmat(int id, const void *addr, int flags)
{
    hd_maps_shared_memory();
    struct shmid_ds ds;

    if (addr == NULL && hd_sys(SYS_shmctl, id, IPC_STAT, &ds) == 0)
        addr = hd_process_place(ds.shm_segsz);
    void *at = HD_REAL(shmat)(id, addr, flags);

    if (at != MAP_FAILED)
        hd_alias_mapped_segment((uintptr_t)at, id);
    return at;
}

HD_EXPORT int shmdt(const void *addr)
{
    if (hd.cur != NULL)
        hd_maps_other_memory();
    if (hd.cur != NULL && !hd_alias_may_detach((uintptr_t)addr))
        return 0;
    return HD_REAL(shmdt)(addr);
}

/* Returns the position of the virtual process id in a name, or NULL if it does not occur. */
static const char *find_own_id(const char *name, const char *id)
{
    for (; *name != '\0'; name++) {
        size_t n = 0;

        while (id[n] != '\0' && name[n] == id[n])
            n++;
        if (id[n] == '\0')
            return name;
    }
    return NULL;
}

/* Returns the name with the virtual process id replaced by the kernel's.  Programs put their
 * process id into names to make them unique, but all targets have the same virtual one. */
static const char *shared_name(const char *name, char *room, size_t cap)
{
    char id[16];
    size_t length = hd_format(id, sizeof id, "%d", HD_VIRTUAL_PID);
    const char *at = hd.cur != NULL ? find_own_id(name, id) : NULL;

    size_t before = at != NULL ? (size_t)(at - name) : cap;

    if (before >= cap)
        return name;
    hd_mem_copy(room, name, before);
    size_t rest = hd_format(room + before, cap - before, "%ld%s", hd_sys(SYS_getpid, 0, 0, 0), at + length);

    return before + rest < cap ? room : name;
}

/* Makes the undo entry for a name of shared memory, which is a file in /dev/shm. */
static void undo_shared(const char *name, bool changes)
{
    char path[NAME_MAX + sizeof "/dev/shm/"];

    while (*name == '/')
        name++;
    if (changes && hd_format(path, sizeof path, "/dev/shm/%s", name) < sizeof path)
        hd_undo_contents(AT_FDCWD, path);
}

HD_EXPORT int shm_unlink(const char *name)
{
    char room[NAME_MAX];

    name = shared_name(name, room, sizeof room);
    if (hd.cur != NULL)
        undo_shared(name, true);
    return HD_REAL(shm_unlink)(name);
}

HD_EXPORT int shm_open(const char *name, int flags, mode_t mode)
{
    char room[NAME_MAX];

    name = shared_name(name, room, sizeof room);
    if (hd.cur != NULL) {
        hd_changes.io = 1;
        hd_maps_shared_memory();
        undo_shared(name, (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0);
    }
    return HD_REAL(shm_open)(name, flags, mode);
}

/* ---- libraries ------------------------------------------------------------------------- */

/* The real dlopen uses its return address to find the library that calls it (RUNPATH, $ORIGIN).  So
 * it must be entered by a jump.  Compilers end this function with one when they optimise. */
HD_EXPORT void *dlopen(const char *file, int mode)
{
    if (hd.cur != NULL && file != NULL && (mode & RTLD_NOLOAD) == 0) {
        hd_tx_calls_kernel(HD_PC);
        hd_race_loads();
        hd_program_loads();
        hd_needs_fork("it loads a library (dlopen)");
    }
    return HD_REAL(dlopen)(file, mode);
}

HD_EXPORT int dlclose(void *library)
{
    if (hd.cur != NULL) {
        hd_probe_late();
        hd_needs_fork("it unloads a library (dlclose)");
    }
    return HD_REAL(dlclose)(library);
}

#define CALLS_PROCESS
#include "runtime/calls/calls.def"
