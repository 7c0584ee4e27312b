/* SPDX-License-Identifier: BSD-2-Clause
 *
 * semname.c - named semaphores: sem_open, sem_close, sem_unlink.  A named semaphore lies in shared
 * memory of the kernel and would survive the execution.  So the program gets a private one from a
 * table that is empty at the beginning of an execution.  The name determines the place in the
 * table, not the order of opening: names of objects must not depend on the interleaving.
 * The result of sem_open depends on what other threads have opened and unlinked before.  So it is a
 * visible operation, a write of the whole table. */
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "runtime/calls/intercept.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/report/finding.h"
#include "runtime/sys/compiler.h"

#define MAX_NAMES 256
#define NAME_BYTES 252 /* NAME_MAX without glibc's "sem.", with the final zero byte */

struct named {
    sem_t sem;
    uint32_t opens;  /* sem_open minus sem_close; the row is free if 0 and not linked */
    bool linked;     /* sem_open finds it by its name */
    char name[NAME_BYTES];
};

static struct {
    uint32_t epoch;
    struct named row[MAX_NAMES];
} table;

static void begin(uint64_t pc)
{
    hd_mentioned("named semaphores (sem_open): private to the program, other processes do not "
                 "see them");
    hd_op(HD_EV_UNKNOWN, hd_object(&table, HD_OBJ_UNKNOWN), NULL, pc);
    if (table.epoch == hd.epoch)
        return;
    table.epoch = hd.epoch;
    for (unsigned i = 0; i < MAX_NAMES; i++) {
        table.row[i].opens = 0;
        table.row[i].linked = false;
    }
}

static int fail(int error)
{
    errno = error;
    return -1;
}

/* Skips leading slashes and returns the length of the name.  Returns 0 if the name is invalid;
 * *error is the reason then. */
static size_t name_length(const char **name, int *error)
{
    size_t n = 0;

    while (**name == '/')
        ++*name;
    while (n < NAME_BYTES && (*name)[n] != '\0') {
        if ((*name)[n] == '/') {
            *error = EINVAL;
            return 0;
        }
        n++;
    }
    *error = n == 0 ? EINVAL : ENAMETOOLONG;
    return n < NAME_BYTES ? n : 0;
}

static bool same_name(const struct named *s, const char *name, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s->name[i] != name[i])
            return false;
    return s->name[n] == '\0';
}

static struct named *find(const char *name, size_t n)
{
    for (unsigned i = 0; i < MAX_NAMES; i++)
        if (table.row[i].linked && same_name(&table.row[i], name, n))
            return &table.row[i];
    return NULL;
}

static struct named *create(const char *name, size_t n, unsigned value, uint64_t pc)
{
    unsigned first = (unsigned)hd_hash_bytes(0, name, n);

    for (unsigned i = 0; i < MAX_NAMES; i++) {
        struct named *s = &table.row[(first + i) % MAX_NAMES];

        if (s->opens != 0 || s->linked)
            continue;
        for (size_t k = 0; k < n; k++)
            s->name[k] = name[k];
        s->name[n] = '\0';
        s->linked = true;
        struct hd_obj *o = hd_object_fresh(&s->sem, HD_OBJ_SEM);

        hd_take_effect(o, HD_EV_SEM_INIT, value);
        hd_note(HD_EV_SEM_INIT, o, value, pc);
        return s;
    }
    return NULL;
}

static sem_t *open_named(const char *name, int flags, unsigned value, uint64_t pc)
{
    int error;
    size_t n = name_length(&name, &error);

    if (n == 0)
        return fail(error), SEM_FAILED;
    begin(pc);
    struct named *s = find(name, n);

    error = s == NULL ? ENOENT : EEXIST;
    if (s != NULL && (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) {
        s = NULL;
    } else if (s == NULL && (flags & O_CREAT) != 0) {
        error = value > SEM_VALUE_MAX ? EINVAL : ENFILE;
        s = value > SEM_VALUE_MAX ? NULL : create(name, n, value, pc);
    }
    if (s != NULL)
        s->opens++;
    hd_done(0, s == NULL ? HD_EVF_FAILED : 0);
    return s != NULL ? &s->sem : (fail(error), SEM_FAILED);
}

HD_EXPORT sem_t *sem_open(const char *name, int flags, ...)
{
    unsigned value = 0;
    mode_t mode = 0;

    if ((flags & O_CREAT) != 0) {
        va_list ap;

        va_start(ap, flags);
        mode = va_arg(ap, mode_t);
        value = va_arg(ap, unsigned);
        va_end(ap);
    }
    if (hd.cur == NULL)
        return HD_REAL(sem_open)(name, flags, mode, value);
    return open_named(name, flags, value, HD_PC);
}

HD_EXPORT int sem_close(sem_t *sem)
{
    struct named *s = (struct named *)(void *)sem; /* sem is the first member */

    if (hd.cur == NULL || s < table.row || s >= table.row + MAX_NAMES)
        return HD_REAL(sem_close)(sem);
    begin(HD_PC);
    bool open = s->opens > 0;

    if (open)
        s->opens--;
    else
        hd_misuse(HD_PC, "T%u closes a semaphore that is not open", hd.cur->tid);
    hd_done(0, open ? 0 : HD_EVF_FAILED);
    return open ? 0 : fail(EINVAL);
}

static int model_sem_unlink(const char *name, uint64_t pc)
{
    int error;
    size_t n = name_length(&name, &error);

    if (n == 0)
        return fail(error == EINVAL ? ENOENT : error);
    begin(pc);
    struct named *s = find(name, n);

    if (s != NULL)
        s->linked = false;
    hd_done(0, s == NULL ? HD_EVF_FAILED : 0);
    return s != NULL ? 0 : fail(ENOENT);
}

#define CALLS_SEMNAME
#include "runtime/calls/calls.def"
