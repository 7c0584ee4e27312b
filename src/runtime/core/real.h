/* SPDX-License-Identifier: BSD-2-Clause
 *
 * real.h - libc's own functions, for the interposers that replace them.
 *
 * The runtime finds them by name with dlsym, which returns the default version on glibc 2.36.
 * Under Heddle it looks up all of them before main: otherwise the loader would leave its frames on
 * the stack of the thread that first needs a function, in the first execution only.  Without Heddle
 * it looks them up on first use.
 *
 * Under Heddle a call goes through a thunk that allows libc to make system calls (hooks/dispatch.h, E2).  In a
 * transaction the thunk does not allow that, because a system call aborts the transaction. */
#ifndef HD_RUNTIME_CORE_REAL_H
#define HD_RUNTIME_CORE_REAL_H

/* Returns a function that calls libc's own `name`, and stores it in *slot.  Never returns NULL: if
 * the function is missing, the process ends with a message. */
void *hd_real_find(void **slot, const char *name);

/* Looks up the functions of all uses of HD_REAL.  A function that libc lacks stays NULL. */
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
