/* SPDX-License-Identifier: BSD-2-Clause
 *
 * object.c - names of object types. */
#include "model/object.h"

const char *hd_object_type_text(enum hd_object_type t)
{
    static const char *const text[HD_OBJ_TYPES] = {
        [HD_OBJ_NONE] = "nothing",         [HD_OBJ_THREAD] = "thread",
        [HD_OBJ_MUTEX] = "mutex",          [HD_OBJ_COND] = "condition",
        [HD_OBJ_COND_TOKENS] = "condition", [HD_OBJ_RWLOCK] = "rwlock",
        [HD_OBJ_SPIN] = "spinlock",        [HD_OBJ_SEM] = "semaphore",
        [HD_OBJ_BARRIER] = "barrier",      [HD_OBJ_ONCE] = "once",
        [HD_OBJ_MEMORY] = "memory",        [HD_OBJ_FILE] = "stream",
        [HD_OBJ_FUTEX] = "futex",          [HD_OBJ_FUTEX_TOKENS] = "futex",
        [HD_OBJ_TIMER] = "timer",
        [HD_OBJ_PROCESS] = "process",      [HD_OBJ_STATE] = "state",
        [HD_OBJ_UNKNOWN] = "unknown",      [HD_OBJ_MAILBOX] = "mailbox",
        [HD_OBJ_MESSAGE] = "message",      [HD_OBJ_ACTORS] = "actors",
    };

    return (unsigned)t < HD_OBJ_TYPES ? text[t] : "?";
}
