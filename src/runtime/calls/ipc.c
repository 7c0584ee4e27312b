/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ipc.c - file locks, and queues and semaphores that processes share.  If these calls waited in the
 * kernel, they would block all fibers, including the one that would end the wait.  So the runtime
 * makes them with the flag that prevents waiting.  Each attempt is a visible operation.  If it
 * would block, other threads run and the thread tries again (see io.c). */
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <unistd.h>

#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/calls/time.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/core/time.h"
#include "runtime/kernel/channel.h"
#include "runtime/kernel/files.h"
#include "runtime/kernel/pids.h"
#include "runtime/sys/compiler.h"

/* The body of an interposer.  Repeats the non-blocking call until it succeeds or fails with an
 * error other than `busy`, which means that it would block.  Makes one attempt only if the target
 * does not wait. */
#define UNTIL_DONE(type, call, busy, waits)                  \
    type result;                                             \
                                                             \
    hd_cancel_point();                                       \
    hd_io_attempt(pc);                                    \
    while ((result = (call)) < 0 && (waits) && (busy)) {     \
        hd_io_retry(pc);                                  \
        hd_io_attempt(pc);                                \
    }                                                        \
    hd_io_end(true, (long)result);                           \
    return result

/* The body of an interposer of a call that only queries or sets, and never blocks. */
#define ONCE(call) UNTIL_DONE(int, call, false, false)

/* ---- file locks -------------------------------------------------------------------------- */

static uint32_t locks_epoch; /* the last execution that has locked a file */

bool hd_io_files_are_locked(void)
{
    return locks_epoch == hd.epoch;
}

static int model_flock(int fd, int how, uint64_t pc)
{
    locks_epoch = hd.epoch;
    UNTIL_DONE(int, HD_REAL(flock)(fd, how | LOCK_NB), errno == EWOULDBLOCK, (how & LOCK_NB) == 0);
}

static int model_lockf(int fd, int command, off_t n, uint64_t pc)
{
    locks_epoch = hd.epoch;
    UNTIL_DONE(int, HD_REAL(lockf)(fd, command == F_LOCK ? F_TLOCK : command, n),
               errno == EAGAIN || errno == EACCES, command == F_LOCK);
}

static int without_waiting(int command)
{
    return command == F_SETLKW ? F_SETLK : command == F_OFD_SETLKW ? F_OFD_SETLK : command;
}

/* True for commands that wait, and for those on locks that can make threads wait for each other.  A lock of
 * F_SETLK cannot: it belongs to the whole process. */
static bool is_lock(int command)
{
    return command == F_OFD_SETLK || command == F_OFD_GETLK || without_waiting(command) != command;
}

static int lock_range(int fd, int command, void *range, uint64_t pc)
{
    locks_epoch = hd.epoch;
    hd_io_writes(range, sizeof(struct flock)); /* F_GETLK writes its answer there */
    UNTIL_DONE(int, HD_REAL(fcntl)(fd, without_waiting(command), range),
               errno == EAGAIN || errno == EACCES, without_waiting(command) != command);
}

/* Copies fd to the lowest free number that is at least `arg`. */
static int copy(int fd, int command, void *arg, uint64_t pc)
{
    bool begun = hd_state_begin(HD_EV_STATE_WRITE, HD_STATE_DESCRIPTORS, pc);
    int result = HD_REAL(fcntl)(fd, command, arg);

    hd_io_descriptor();
    hd_shared_end(begun, result < 0);
    hd_files_copied(fd, result);
    return result;
}

/* Records the information flow: a thread that reads the flags of an open file has synchronised with
 * the thread that set them. */
static void note_flags(int fd, int command, uint64_t pc)
{
    struct hd_obj *o = hd.cur != NULL && hd_shared_may_conflict() ? hd_files_position(fd) : NULL;

    if (o != NULL)
        hd_note_channel(o, command == F_SETFL ? HD_FLOW_TELLS : HD_FLOW_LEARNS, pc);
}

/* Sets the process that gets SIGIO.  The kernel needs its real pid (pids.h). */
static int own_signals(int fd, pid_t pid)
{
    int result = 0;

    if (pid != 0 && !hd_pid_signal(&pid, SIGIO, &result))
        return result;
    return HD_REAL(fcntl)(fd, F_SETOWN, pid);
}

/* Interposed before main too.  The argument is passed on unchanged, whatever its type. */
#define FCNTL(name)                                                            \
    HD_EXPORT int name(int fd, int command, ...)                               \
    {                                                                          \
        va_list ap;                                                            \
                                                                               \
        va_start(ap, command);                                                 \
        void *arg = va_arg(ap, void *);                                        \
        va_end(ap);                                                            \
        if (hd.cur != NULL && is_lock(command))                                \
            return lock_range(fd, command, arg, HD_PC);                        \
        if (hd.cur != NULL && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) \
            return copy(fd, command, arg, HD_PC);                              \
        if (hd.cur != NULL && command == F_SETOWN)                             \
            return own_signals(fd, (pid_t)(intptr_t)arg);                      \
        if (command == F_SETPIPE_SZ ||                                         \
            (command == F_SETFL && ((uintptr_t)arg & O_DIRECT) != 0))          \
            hd_channel_narrow(fd);                                             \
        if (command == F_GETLK)                                                \
            hd_io_writes(arg, sizeof(struct flock));                           \
        if (command == F_SETFL || command == F_GETFL)                          \
            note_flags(fd, command, HD_PC);                                    \
        return HD_REAL(fcntl)(fd, command, arg);                               \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

/* ---- System V ------------------------------------------------------------------------ */

static int model_msgsnd(int queue, const void *message, size_t n, int flags, uint64_t pc)
{
    UNTIL_DONE(int, HD_REAL(msgsnd)(queue, message, n, flags | IPC_NOWAIT), errno == EAGAIN,
               (flags & IPC_NOWAIT) == 0);
}

static ssize_t model_msgrcv(int queue, void *message, size_t n, long type, int flags, uint64_t pc)
{
    hd_io_writes(message, n + sizeof(long));
    UNTIL_DONE(ssize_t, HD_REAL(msgrcv)(queue, message, n, type, flags | IPC_NOWAIT),
               errno == ENOMSG || errno == EAGAIN, (flags & IPC_NOWAIT) == 0);
}

/* Records the information flow: a query depends on earlier sends; removing or changing a queue
 * affects threads that wait on it. */
static int model_msgctl(int queue, int command, struct msqid_ds *state, uint64_t pc)
{
    hd_io_writes(state, sizeof *state);
    ONCE(HD_REAL(msgctl)(queue, command, state));
}

/* The last argument is passed on unchanged, whatever its type. */
HD_EXPORT int semctl(int set, int number, int command, ...)
{
    va_list ap;

    va_start(ap, command);
    void *arg = va_arg(ap, void *);
    va_end(ap);
    if (hd.cur == NULL)
        return HD_REAL(semctl)(set, number, command, arg);
    uint64_t pc = HD_PC;

    if (command == IPC_STAT || command == SEM_STAT)
        hd_io_writes(arg, sizeof(struct semid_ds));
    ONCE(HD_REAL(semctl)(set, number, command, arg));
}

enum { MAX_SEM_OPS = 500 }; /* SEMOPM: the limit of the kernel */

/* Returns a copy of the operations in which none waits.  Sets *waits to true if all of the original
 * ones wait. */
static struct sembuf *sem_ops(const struct sembuf *ops, size_t n, bool *waits)
{
    static struct sembuf copy[MAX_SEM_OPS];

    *waits = true;
    for (size_t i = 0; i < n; i++) {
        copy[i] = ops[i];
        *waits = *waits && (ops[i].sem_flg & IPC_NOWAIT) == 0;
        copy[i].sem_flg |= IPC_NOWAIT;
    }
    return copy;
}

HD_EXPORT int semop(int set, struct sembuf *ops, size_t n)
{
    bool waits;

    if (hd.cur == NULL || n > MAX_SEM_OPS)
        return HD_REAL(semop)(set, ops, n);
    uint64_t pc = HD_PC;

    UNTIL_DONE(int, HD_REAL(semop)(set, sem_ops(ops, n, &waits), n), errno == EAGAIN, waits);
}

/* Makes one attempt.  If it would block, other threads run until the limit; then makes a second
 * attempt, whose result is final. */
HD_EXPORT int semtimedop(int set, struct sembuf *ops, size_t n, const struct timespec *limit)
{
    bool waits;

    if (hd.cur == NULL || n > MAX_SEM_OPS)
        return HD_REAL(semtimedop)(set, ops, n, limit);
    if (limit == NULL)
        return semop(set, ops, n);
    hd_io_attempt(HD_PC);
    int result = HD_REAL(semop)(set, sem_ops(ops, n, &waits), n);

    hd_io_end(true, result);
    if (result == 0 || errno != EAGAIN || !waits || hd_sleep_for(limit, HD_PC) != 0)
        return result;
    hd_io_attempt(HD_PC);
    result = HD_REAL(semop)(set, sem_ops(ops, n, &waits), n);
    hd_io_end(true, result);
    return result;
}

/* ---- POSIX message queues --------------------------------------------------------------- */

/* A time limit that has already passed: the call does not block. */
static const struct timespec long_ago = { 0, 0 };

static int model_mq_send(mqd_t queue, const char *message, size_t n, unsigned priority, uint64_t pc)
{
    UNTIL_DONE(int, HD_REAL(mq_timedsend)(queue, message, n, priority, &long_ago),
               errno == ETIMEDOUT, true);
}

static ssize_t model_mq_receive(mqd_t queue, char *message, size_t n, unsigned *priority, uint64_t pc)
{
    hd_io_writes(message, n);
    hd_io_writes(priority, sizeof *priority);
    UNTIL_DONE(ssize_t, HD_REAL(mq_timedreceive)(queue, message, n, priority, &long_ago),
               errno == ETIMEDOUT, true);
}

static int model_mq_getattr(mqd_t queue, struct mq_attr *state, uint64_t pc)
{
    hd_io_writes(state, sizeof *state);
    ONCE(HD_REAL(mq_getattr)(queue, state));
}

/* For a call with a time limit, between its two attempts: lets other threads run until the limit.
 * Returns false if the limit is invalid. */
static bool sleeps_until(const struct timespec *until, uint64_t pc)
{
    if (!hd_time_valid(until))
        return false;
    uint64_t now = hd_time_of(CLOCK_REALTIME), at = hd_time_ns(until);

    hd_sleep_until(at > now ? hd_now_ns + (at - now) : hd_now_ns, pc);
    return true;
}

static int model_mq_timedsend(mqd_t queue, const char *message, size_t n, unsigned priority,
                              const struct timespec *until, uint64_t pc)
{
    int result, tries = 0;

    do {
        hd_io_attempt(pc);
        result = HD_REAL(mq_timedsend)(queue, message, n, priority, &long_ago);
        hd_io_end(true, result);
    } while (result < 0 && errno == ETIMEDOUT && tries++ == 0 && sleeps_until(until, pc));
    return result;
}

static ssize_t model_mq_timedreceive(mqd_t queue, char *restrict message, size_t n, unsigned *restrict priority,
                                     const struct timespec *restrict until, uint64_t pc)
{
    ssize_t result;
    int tries = 0;

    hd_io_writes(message, n);
    hd_io_writes(priority, sizeof *priority);
    do {
        hd_io_attempt(pc);
        result = HD_REAL(mq_timedreceive)(queue, message, n, priority, &long_ago);
        hd_io_end(true, (long)result);
    } while (result < 0 && errno == ETIMEDOUT && tries++ == 0 && sleeps_until(until, pc));
    return result;
}

static void note_received(const char *message, const unsigned *priority, ssize_t result, uint64_t pc)
{
    hd_range_of_call(message, result > 0 ? (size_t)result : 0, true, pc);
    hd_range_of_call(priority, result >= 0 ? sizeof *priority : 0, true, pc);
}

#define CALLS_IPC
#include "runtime/calls/calls.def"
