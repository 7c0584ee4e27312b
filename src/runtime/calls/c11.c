/* SPDX-License-Identifier: BSD-2-Clause
 *
 * c11.c - <threads.h>. The functions of libc call its internals and bypass all interposers.  So
 * each one is implemented here with the POSIX entry points of this library.  The types are those of
 * libc: mtx_t, cnd_t, tss_t, thrd_t and once_flag contain the POSIX object of the same kind.
 * thrd_create passes the function to pthread_create unchanged, so that reports name the user's
 * function as the start of the thread.  This works because an int is returned in the lower half of
 * the register that returns a pointer, and thrd_join reads that half only. */
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "runtime/calls/intercept.h"
#include "runtime/calls/time.h"
#include "runtime/core/early_threads.h"
#include "runtime/core/entry.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/sys/compiler.h"

static int thrd_result(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case ENOMEM:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    case EBUSY:
        return thrd_busy;
    default:
        return thrd_error;
    }
}

/* Calls a POSIX entry point on behalf of the target's code.  Evaluates to its result as a thrd_
 * value. */
#define POSIX(call)                    \
    (__extension__({                   \
        hd_act_for(HD_PC);             \
        int error_ = (call);           \
                                       \
        hd_act_for(0);                 \
        thrd_result(error_);           \
    }))

/* ---- threads ----------------------------------------------------------------------- */

HD_EXPORT int thrd_create(thrd_t *t, thrd_start_t fn, void *arg)
{
    if (hd.cur == NULL)
        return thrd_result(pthread_create(t, NULL, (void *(*)(void *))(void (*)(void))fn, arg));
    return POSIX(pthread_create(t, NULL, (void *(*)(void *))(void (*)(void))fn, arg));
}

HD_EXPORT _Noreturn void thrd_exit(int code)
{
    if (hd.cur == NULL)
        HD_REAL(thrd_exit)(code);
    pthread_exit((void *)(intptr_t)code);
}

HD_EXPORT int thrd_join(thrd_t t, int *code)
{
    void *value;
    int result = hd.cur == NULL ? thrd_result(pthread_join(t, &value)) : POSIX(pthread_join(t, &value));

    if (result == thrd_success && code != NULL)
        *code = (int)(intptr_t)value;
    return result;
}

HD_EXPORT int thrd_detach(thrd_t t)
{
    if (hd.cur == NULL)
        return thrd_result(pthread_detach(t));
    return POSIX(pthread_detach(t));
}

static int model_thrd_sleep(const struct timespec *t, struct timespec *left, uint64_t pc)
{
    int error = hd_sleep_with_rest(t, left, pc);

    return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

HD_POLL_ENTRY(thrd_yield);
void hd_impl_thrd_yield(void)
{
    if (hd.cur == NULL)
        HD_REAL_WAIT(thrd_yield)();
    else
        hd_yield(HD_PC);
}

/* ---- mutexes ------------------------------------------------------------------------- */

HD_EXPORT int mtx_init(mtx_t *m, int type)
{
    if (hd.cur == NULL)
        return HD_REAL(mtx_init)(m, type);
    if ((type & ~(mtx_timed | mtx_recursive)) != 0)
        return thrd_error;
    pthread_mutexattr_t attr;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE
                                                                 : PTHREAD_MUTEX_NORMAL);
    int result = POSIX(pthread_mutex_init((pthread_mutex_t *)m, &attr));

    pthread_mutexattr_destroy(&attr);
    return result;
}

/* ---- conditions ------------------------------------------------------------------------ */

HD_EXPORT int cnd_wait(cnd_t *c, mtx_t *m)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(cnd_wait)(c, m);
    return POSIX(pthread_cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m));
}

HD_EXPORT int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m,
                            const struct timespec *restrict until)
{
    if (hd.cur == NULL)
        return HD_REAL_WAIT(cnd_timedwait)(c, m, until);
    return POSIX(pthread_cond_timedwait((pthread_cond_t *)c, (pthread_mutex_t *)m, until));
}

/* ---- once and thread-specific data -------------------------------------------------------- */

HD_EXPORT void call_once(once_flag *flag, void (*routine)(void))
{
    if (hd.cur == NULL)
        HD_REAL(call_once)(flag, routine);
    else
        hd_once(&flag->__data, routine, HD_PC);
}

/* libc's tss_get accesses the calling thread's TCB only, so it needs no interposer. tss_set is in
 * key.c. tss_create is interposed before main too, because the runtime must know the key's
 * destructor. */
HD_EXPORT int tss_create(tss_t *key, tss_dtor_t destructor)
{
    return thrd_result(pthread_key_create(key, destructor));
}

HD_EXPORT void tss_delete(tss_t key)
{
    pthread_key_delete(key);
}

#define CALLS_C11
#include "runtime/calls/calls.def"
