/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ipc_make.c - creates System V objects and POSIX message queues.  They belong to the machine and
 * outlive a process.  Objects that an execution creates are removed after it, however it ends
 * (undo.h).  Objects that existed before belong to other programs: changes to them are not undone,
 * and the verdict says so. */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdarg.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>

#include "base/hash.h"
#include "base/sys.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/core/ledger.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/restore/file_turns.h"
#include "runtime/restore/process.h"
#include "runtime/restore/undo.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/text.h"
#include "wire/undo_log.h"

/* The objects that this execution has created. */
enum { MAX_OURS = 256 };
static struct {
    unsigned kind; /* enum hd_undo_kind */
    uint64_t number;
} ours[MAX_OURS];
static unsigned nours;
static uint32_t ours_epoch;

static void note_ours(unsigned kind, uint64_t number)
{
    if (ours_epoch != hd.epoch)
        nours = 0;
    ours_epoch = hd.epoch;
    if (nours == MAX_OURS)
        return;
    ours[nours].kind = kind;
    ours[nours++].number = number;
}

static bool is_ours(unsigned kind, uint64_t number)
{
    for (unsigned i = 0; i < nours && ours_epoch == hd.epoch; i++)
        if (ours[i].kind == kind && ours[i].number == number)
            return true;
    return false;
}

static HD_COLD void names_anothers(unsigned kind)
{
    static const char *const names[] = { "System V shared memory", "a System V set of semaphores",
                                         "a System V queue", "a message queue" };
    char text[120];

    hd_format(text, sizeof text, "%s that was there before: what is done to it is not undone",
              names[kind - HD_UNDO_SEGMENT]);
    hd_uncontrolled(text);
}

/* ---- System V -------------------------------------------------------------------------- */

/* Begins the operation.  Once the object has been created, Heddle can no longer abandon the
 * execution (undo.h, U4). */
static void begin(uint64_t pc)
{
    hd_io_attempt(pc);
    hd_turn_for_files();
}

/* Ends the operation. `before` is the result of a query that does not create the object, below 0 if
 * it did not exist.  The number differs in each execution, so the event records only whether there
 * is one.  Returns number; preserves errno. */
static int got(unsigned kind, long before, int number)
{
    int error = errno;

    if (number >= 0 && before < 0) {
        hd_undo_object(kind, number);
        note_ours(kind, (uint64_t)number);
    } else if (number >= 0 && !is_ours(kind, (uint64_t)number)) {
        names_anothers(kind);
    }
    hd_io_end(true, number < 0 ? -1 : 0);
    errno = error;
    return number;
}

static int model_shmget(key_t key, size_t n, int flags, uint64_t pc)
{
    begin(pc);
    long before = key == IPC_PRIVATE ? -ENOENT : hd_sys(SYS_shmget, key, 0, 0);

    return got(HD_UNDO_SEGMENT, before, HD_REAL(shmget)(key, n, flags));
}

static int model_semget(key_t key, int n, int flags, uint64_t pc)
{
    begin(pc);
    long before = key == IPC_PRIVATE ? -ENOENT : hd_sys(SYS_semget, key, 0, 0);

    return got(HD_UNDO_SEMAPHORES, before, HD_REAL(semget)(key, n, flags));
}

static int model_msgget(key_t key, int flags, uint64_t pc)
{
    begin(pc);
    long before = key == IPC_PRIVATE ? -ENOENT : hd_sys(SYS_msgget, key, 0, 0);

    return got(HD_UNDO_MESSAGES, before, HD_REAL(msgget)(key, flags));
}

/* ---- POSIX message queues --------------------------------------------------------------- */

static uint64_t hash_of(const char *name)
{
    size_t n = 0;

    while (name[n] != '\0')
        n++;
    return hd_hash_bytes(0, name, n);
}

static bool is_absent(const char *name)
{
    long fd = name[0] == '/' ? hd_sys(SYS_mq_open, name + 1, O_RDONLY | O_CLOEXEC, 0) : -EINVAL;

    if (fd >= 0)
        hd_sys(SYS_close, fd, 0, 0);
    return fd == -ENOENT;
}

static mqd_t open_queue(const char *name, int flags, mode_t mode, struct mq_attr *attr, uint64_t pc)
{
    if (hd.cur == NULL)
        return HD_REAL(mq_open)(name, flags, mode, attr);
    hd_changes.io = 1;
    hd_io_attempt(pc);
    bool absent = is_absent(name);

    if (absent && (flags & O_CREAT) != 0) {
        hd_undo_queue(name);
        note_ours(HD_UNDO_QUEUE, hash_of(name));
    }
    mqd_t queue = HD_REAL(mq_open)(name, flags, mode, attr);
    int error = errno;

    if (queue >= 0 && !absent && !is_ours(HD_UNDO_QUEUE, hash_of(name)))
        names_anothers(HD_UNDO_QUEUE);
    hd_io_end(true, queue < 0 ? -1 : 0);
    errno = error;
    return queue;
}

HD_EXPORT mqd_t mq_open(const char *name, int flags, ...)
{
    va_list ap;

    va_start(ap, flags);
    mode_t mode = va_arg(ap, mode_t);
    struct mq_attr *attr = va_arg(ap, struct mq_attr *);
    va_end(ap);
    return open_queue(name, flags, (flags & O_CREAT) != 0 ? mode : 0, (flags & O_CREAT) != 0 ? attr : NULL, HD_PC);
}

mqd_t __mq_open_2(const char *name, int flags);

static int model_mq_unlink(const char *name, uint64_t pc)
{
    hd_io_attempt(pc);
    int rc = HD_REAL(mq_unlink)(name), error = errno;

    if (rc == 0 && !is_ours(HD_UNDO_QUEUE, hash_of(name)))
        names_anothers(HD_UNDO_QUEUE);
    hd_io_end(true, rc);
    errno = error;
    return rc;
}

#define CALLS_IPC_MAKE
#include "runtime/calls/calls.def"
