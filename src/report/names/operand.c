/* SPDX-License-Identifier: BSD-2-Clause
 *
 * operand.c - reads the operand of an operation in the source.  This is the last resort for a local variable whose
 * function has ended, because debug information finds only variables of live frames. */
#include "report/names/operand.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Names in the source whose operand is the object: functions that take it as first argument, types
 * whose constructor takes it, and its members.  GLib's locks are made of atomics. */
enum { LOCK = 1, ATOMIC = 2 };
static const struct {
    const char *word;
    unsigned kinds;
    bool member;
} words[] = {
    { "pthread_mutex_", LOCK, false }, { "pthread_cond_", LOCK, false },    { "pthread_rwlock_", LOCK, false },
    { "pthread_spin_", LOCK, false },  { "pthread_barrier_", LOCK, false }, { "mtx_", LOCK, false },
    { "cnd_", LOCK, false },           { "sem_", LOCK, false },             { "lock_guard", LOCK, false },
    { "unique_lock", LOCK, false },    { "scoped_lock", LOCK, false },      { "shared_lock", LOCK, false },
    { ".lock()", LOCK, true },         { ".unlock()", LOCK, true },         { ".try_lock()", LOCK, true },
    { ".wait(", LOCK, true },          { ".notify_", LOCK, true },          { "atomic_", ATOMIC, false },
    { ".load(", ATOMIC, true },        { ".store(", ATOMIC, true },         { ".fetch_", ATOMIC, true },
    { ".exchange(", ATOMIC, true },    { ".compare_exchange", ATOMIC, true },
    { "g_mutex_", LOCK | ATOMIC, false },    { "g_rec_mutex_", LOCK | ATOMIC, false },
    { "g_rw_lock_", LOCK | ATOMIC, false },  { "g_cond_", LOCK | ATOMIC, false },
    { "g_async_queue_", LOCK | ATOMIC, false },
};

static bool is_part(char c)
{
    return isalnum((unsigned char)c) || strchr("_.->[]:", c) != NULL;
}

static bool copy(const char *from, size_t n, char *buf, size_t cap)
{
    if (n == 0 || n >= cap)
        return false;
    snprintf(buf, cap, "%.*s", (int)n, from);
    return true;
}

static bool argument(const char *at, char *buf, size_t cap)
{
    size_t n = 0;

    at += strcspn(at, "(;");
    if (*at != '(')
        return false;
    at += 1 + strspn(at + 1, " &");
    while (is_part(at[n]))
        n++;
    return strchr(",)", at[n]) != NULL && copy(at, n, buf, cap);
}

static bool owner(const char *line, const char *at, char *buf, size_t cap)
{
    const char *from = at;

    while (from > line && is_part(from[-1]))
        from--;
    return copy(from, (size_t)(at - from), buf, cap);
}

bool hd_operand_of_line(const char *line, bool atomic, char *buf, size_t cap)
{
    char other[256];
    bool found = false;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *at = words[i].kinds & (atomic ? ATOMIC : LOCK) ? strstr(line, words[i].word) : NULL; at != NULL;
             at = strstr(at + 1, words[i].word)) {
            if (!(words[i].member ? owner(line, at, other, sizeof other) : argument(at, other, sizeof other)))
                continue;
            if (found && strcmp(buf, other) != 0)
                return false;
            found = true;
            snprintf(buf, cap, "%s", other);
        }
    return found;
}

/* ---- input and output --------------------------------------------------------------------------- */

static bool is_called_at(const char *line, const char *at, const char *name)
{
    const char *after = at + strlen(name);

    return (at == line || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')) && after[strspn(after, " ")] == '(';
}

static bool is_called(const char *line, const char *name)
{
    for (const char *at = strstr(line, name); at != NULL; at = strstr(at + 1, name))
        if (is_called_at(line, at, name))
            return true;
    return false;
}

const char *hd_io_call_of_line(const char *line)
{
    static const char *const names[] = {
        "read", "readv", "pread", "write", "writev", "pwrite", "send", "sendto", "sendmsg", "recv", "recvfrom", "recvmsg",
        "accept", "accept4", "connect", "listen", "bind", "socket", "socketpair", "shutdown", "pipe", "pipe2", "close", "dup",
        "dup2", "dup3", "poll", "ppoll", "select", "pselect", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait",
        "eventfd", "eventfd_read", "eventfd_write", "timerfd_create", "timerfd_settime", "signalfd", "inotify_init1",
        "fcntl", "flock", "lockf", "ioctl", "sendfile", "splice", "tee", "open", "openat", "fread", "fwrite", "fgets",
        "fputs", "fprintf", "fflush", "fclose", "getline", "waitpid", "wait", "kill",
    };
    const char *found = NULL;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_called(line, names[i])) {
            if (found != NULL)
                return NULL;
            found = names[i];
        }
    return found;
}
