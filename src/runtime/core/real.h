/* SPDX-License-Identifier: BSD-2-Clause
 *
 * real.h - the original libc entry points behind our interposers.  Looked up by name, under Heddle all
 * of them before main: the loader would leave its frames on the stack of the thread that is the first to
 * need one, in the first execution and in no other.  Without Heddle on first use.  The default version
 * is what dlsym gives on glibc 2.36.
 *
 * Under Heddle a call goes through a thunk that lets libc make its system calls (dispatch.h, E2). */
#ifndef HD_RUNTIME_CORE_REAL_H
#define HD_RUNTIME_CORE_REAL_H

/* What calls libc's own `name`; never NULL (a missing one ends the process
 * with a message).  *slot caches it. */
void *hd_real_find(void **slot, const char *name);

/* Look up all that are used anywhere, as far as there are such functions. */
void hd_real_find_all(void);

/* One use of HD_REAL. */
struct hd_real_use {
    void **slot;
    const char *name;
};

/* In an interposer:  return HD_REAL(pthread_mutex_lock)(m);  */
#define HD_REAL(name)                                                       \
    (__extension__({                                                        \
        static void *slot_;                                                 \
        static const struct hd_real_use use_                                \
            __attribute__((section("hd_real_uses"), used)) = { &slot_, #name }; \
        (__typeof__(&name))(slot_ != 0 ? slot_ : hd_real_find(&slot_, #name)); \
    }))

#endif
