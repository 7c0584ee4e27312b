/* SPDX-License-Identifier: BSD-2-Clause
 *
 * real.h - the original libc entry points behind our interposers.  Looked up on
 * first use, by name; the default version is what dlsym gives on glibc 2.36.
 *
 * Under Heddle a call goes through a thunk that lets libc make its system calls (dispatch.h, E2). */
#ifndef HD_RUNTIME_REAL_H
#define HD_RUNTIME_REAL_H

/* What calls libc's own `name`; never NULL (a missing one ends the process
 * with a message).  *slot caches it. */
void *hd_real_find(void **slot, const char *name);

/* In an interposer:  return HD_REAL(pthread_mutex_lock)(m);  */
#define HD_REAL(name)                                                       \
    (__extension__({                                                        \
        static void *slot_;                                                 \
        (__typeof__(&name))(slot_ != 0 ? slot_ : hd_real_find(&slot_, #name)); \
    }))

#endif
