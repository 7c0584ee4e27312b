/* SPDX-License-Identifier: BSD-2-Clause
 *
 * operand.c - reads the operand of an operation in the source.  The last resort for a local variable whose
 * function has ended: debug information finds variables of live frames only. */
#include "report/names/operand.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Functions whose first argument is the object, types whose constructor has it, and its members. */
static const struct {
    const char *word;
    bool atomic, member;
} words[] = {
    { "pthread_mutex_", false, false }, { "pthread_cond_", false, false }, { "pthread_rwlock_", false, false },
    { "pthread_spin_", false, false },  { "pthread_barrier_", false, false }, { "mtx_", false, false },
    { "cnd_", false, false },           { "sem_", false, false },          { "lock_guard", false, false },
    { "unique_lock", false, false },    { "scoped_lock", false, false },   { "shared_lock", false, false },
    { ".lock()", false, true },         { ".unlock()", false, true },      { ".try_lock()", false, true },
    { ".wait(", false, true },          { ".notify_", false, true },       { "atomic_", true, false },
    { ".load(", true, true },           { ".store(", true, true },         { ".fetch_", true, true },
    { ".exchange(", true, true },       { ".compare_exchange", true, true },
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
        for (const char *at = strstr(line, words[i].word); at != NULL && words[i].atomic == atomic;
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
