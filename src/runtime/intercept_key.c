/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept_key.c - keys of thread-specific data.
 *
 * Keys and values stay libc's: the values live in the TCB, which every logical
 * thread has, and the table of keys in libc's data, and the snapshot puts both
 * back; so pthread_getspecific and pthread_setspecific need no interposer.  What
 * libc cannot do is run the destructors, since no donor thread ever ends.  We
 * therefore remember each key's destructor and run it when a logical thread ends.
 *
 * Which number a new key gets depends on who came first: creating and deleting keys are
 * visible operations.  They give no order between threads. */
#include <limits.h>
#include <pthread.h>

#include "runtime/intercept.h"
#include "runtime/real.h"
#include "runtime/shared.h"

typedef void destructor(void *value);

/* A key as it was when the first execution began, and as it is now. */
struct key {
    destructor *before_main;
    destructor *now;
    uint32_t epoch; /* execution for which now is valid; else before_main is */
};

static struct key keys[PTHREAD_KEYS_MAX];
static unsigned keys_end; /* no key with this number or a higher one has a destructor */

static void remember(pthread_key_t key, destructor *fn)
{
    if (key >= PTHREAD_KEYS_MAX)
        return;
    if (fn != NULL && key >= keys_end)
        keys_end = key + 1;
    if (!hd.in_main) {
        keys[key].before_main = fn;
        return;
    }
    keys[key].now = fn;
    keys[key].epoch = hd.epoch;
}

static destructor *destructor_of(pthread_key_t key)
{
    return keys[key].epoch == hd.epoch ? keys[key].now : keys[key].before_main;
}

HD_EXPORT int pthread_key_create(pthread_key_t *key, void (*fn)(void *))
{
    hd_state_use(HD_EV_STATE_WRITE, HD_STATE_KEYS, HD_PC);
    int error = HD_REAL(pthread_key_create)(key, fn);

    if (error == 0 && hd.wire != NULL)
        remember(*key, fn);
    return error;
}

HD_EXPORT int pthread_key_delete(pthread_key_t key)
{
    hd_state_use(HD_EV_STATE_WRITE, HD_STATE_KEYS, HD_PC);
    int error = HD_REAL(pthread_key_delete)(key);

    if (error == 0 && hd.wire != NULL)
        remember(key, NULL);
    return error;
}

/* One pass over all keys; true when a destructor ran. */
static bool run_round(void)
{
    bool ran = false;

    for (pthread_key_t key = 0; key < keys_end; key++) {
        destructor *fn = destructor_of(key);
        void *value = fn != NULL ? pthread_getspecific(key) : NULL;

        if (value == NULL)
            continue;
        pthread_setspecific(key, NULL);
        ran = true;
        fn(value);
    }
    return ran;
}

void hd_keys_run_destructors(void)
{
    for (int i = 0; i < PTHREAD_DESTRUCTOR_ITERATIONS && run_round(); i++)
        continue;
}
