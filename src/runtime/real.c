/* SPDX-License-Identifier: BSD-2-Clause
 *
 * real.c - finding libc's own functions behind our interposers. */
#include "runtime/real.h"

#include <dlfcn.h>

#include "runtime/rt.h"

void *hd_real_find(void **slot, const char *name)
{
    /* dlsym may allocate and, through libc, come back to an interposer: R2 makes
     * such a call go straight to libc. */
    struct hd_thread *cur = hd.cur;

    hd.cur = NULL;
    void *p = dlsym(RTLD_NEXT, name);

    hd.cur = cur;
    HD_INVARIANT(p != NULL, name);
    *slot = p;
    return p;
}
