/* SPDX-License-Identifier: BSD-2-Clause
 *
 * real.c - looks up libc's own functions for the interposers. */

#include "runtime/core/real.h"

#include <dlfcn.h>
#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "runtime/core/attach.h"
#include "runtime/core/state.h"

enum { HD_REAL_THUNKS = 1024, THUNK_BYTES = 16 }; /* as in real_x86_64.S */

extern const char hd_real_thunks[] __attribute__((visibility("hidden")));
void *hd_real_targets[HD_REAL_THUNKS] __attribute__((visibility("hidden")));
static unsigned ntargets;

/* Returns true for functions that must not be called through a thunk.  Inside a thunk system calls do not trap, but
 * those of the program must.  So functions that call the program back, return twice or never return are excluded.  So
 * are those that look at their return address. */
static bool stays_closed(const char *name)
{
    static const char *const names[] = {
        "exit", "quick_exit", "pthread_exit", "thrd_exit", "pthread_once", "call_once", "dlopen",
        "dlclose", "raise", "__sigsetjmp", "siglongjmp", "longjmp", "_longjmp", "__longjmp_chk",
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Returns the thunk that calls p with the selector open (hooks/dispatch.h, E2). */
static void *opening(void *p)
{
    unsigned i = 0;

    while (i < ntargets && hd_real_targets[i] != p)
        i++;
    HD_INVARIANT(i < HD_REAL_THUNKS, "more functions of libc than thunks");
    if (i == ntargets)
        hd_real_targets[ntargets++] = p;
    return (void *)(hd_real_thunks + (size_t)i * THUNK_BYTES);
}

static void *look_up(void **slot, const char *name)
{
    /* dlsym may allocate and thereby call an interposer of the runtime.  With hd.cur == NULL such a
     * call goes straight to libc (R2). */
    struct hd_thread *cur = hd.cur;

    hd.cur = NULL;
    void *p = dlsym(RTLD_NEXT, name);

    hd.cur = cur;
    if (p != NULL && hd_under_heddle() && !stays_closed(name))
        p = opening(p);
    *slot = p;
    return p;
}

void *hd_real_find(void **slot, const char *name)
{
    HD_INVARIANT(look_up(slot, name) != NULL, name);
    return *slot;
}

extern const struct hd_real_use __start_hd_real_uses[] __attribute__((visibility("hidden")));
extern const struct hd_real_use __stop_hd_real_uses[] __attribute__((visibility("hidden")));

/* Several uses may name the same function.  It is looked up once. */
void hd_real_find_all(void)
{
    enum { NAMES = 2048 };
    static const struct hd_real_use *found[NAMES]; /* by hash of the name, open addressing */

    for (const struct hd_real_use *u = __start_hd_real_uses; u < __stop_hd_real_uses; u++) {
        size_t n = strlen(u->name);
        uint32_t i = (uint32_t)hd_hash_bytes(0, u->name, n) % NAMES;

        while (found[i] != NULL && strcmp(found[i]->name, u->name) != 0)
            i = (i + 1) % NAMES;
        if (found[i] != NULL)
            *u->slot = *found[i]->slot;
        else if (*u->slot == NULL)
            look_up(u->slot, u->name);
        found[i] = u;
    }
}
