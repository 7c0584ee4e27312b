/* SPDX-License-Identifier: BSD-2-Clause
 *
 * key.c - keys of thread-specific data.
 *
 * Keys and values remain in libc: the values lie in the TCB, which every logical thread has, and
 * the table of keys lies in libc's data.  The snapshot restores both.  But libc cannot run the
 * destructors, since no donor thread ever ends.  So the runtime remembers the destructor of each
 * key and runs it when a logical thread ends.
 *
 * The number of a new key depends on the order of the threads, so creating and deleting keys are
 * visible operations.  They create no happens-before order between threads.
 *
 * K1  A thread that ends with a value checks whether the key still exists.  In programs that can delete keys
 *     (known before main) this check is an operation on the key, and so is setting a value.  libc forgets the
 *     values of a deleted key.  But whether a thread makes the check must depend only on its own past, so this
 *     file remembers that there was a value. */
#include <limits.h>
#include <pthread.h>
#include <threads.h>

#include "runtime/calls/intercept.h"
#include "runtime/core/imports.h"
#include "runtime/core/ledger.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/sys/compiler.h"

typedef void destructor(void *value);

/* The destructor of a key, as it was before the first execution and as it is now. */
struct key {
    destructor *before_main;
    destructor *now;
    uint32_t epoch; /* the execution to which `now` belongs; in any other one `before_main` is the destructor */
};

static struct key keys[PTHREAD_KEYS_MAX];
static unsigned keys_end; /* keys from this number on have no destructor */

static bool deletes; /* K1: the program can delete keys */

/* K1: by tid, the keys for which the thread has set a value. */
static struct {
    uint32_t epoch;
    uint64_t keys[PTHREAD_KEYS_MAX / 64];
} has_value[HD_MAX_THREADS];
_Static_assert(PTHREAD_KEYS_MAX == HD_STATE_KEY_NUMBERS, "a place for each key");

void hd_keys_init(void)
{
    static const char *const names[] = { "pthread_key_delete", "tss_delete", NULL };

    deletes = hd_imports_may(names);
}

static uint64_t *values_of_thread(void)
{
    if (has_value[hd.cur->tid].epoch != hd.epoch) {
        has_value[hd.cur->tid].epoch = hd.epoch;
        for (unsigned i = 0; i < PTHREAD_KEYS_MAX / 64; i++)
            has_value[hd.cur->tid].keys[i] = 0;
    }
    return has_value[hd.cur->tid].keys;
}

static int set_value(pthread_key_t key, const void *value, uint64_t pc)
{
    if (hd.cur != NULL && deletes && key < PTHREAD_KEYS_MAX) {
        uint64_t *word = &values_of_thread()[key / 64], bit = UINT64_C(1) << key % 64;

        hd_state_use(HD_EV_STATE_READ, HD_STATE_FIRST_KEY + key, pc);
        *word = value != NULL ? *word | bit : *word & ~bit;
    }
    return HD_REAL(pthread_setspecific)(key, value);
}

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

static void use_number(bool begun, pthread_key_t key, uint64_t pc)
{
    if (deletes && key < PTHREAD_KEYS_MAX)
        hd_state_also(begun, HD_STATE_FIRST_KEY + key, true, pc);
}

HD_EXPORT int pthread_key_create(pthread_key_t *key, void (*fn)(void *))
{
    bool begun = hd_state_begin(HD_EV_STATE_WRITE, HD_STATE_KEYS, HD_PC);
    int error = HD_REAL(pthread_key_create)(key, fn);

    if (error == 0 && hd.wire != NULL)
        remember(*key, fn);
    hd_shared_end(begun, false);
    if (error == 0)
        use_number(begun, *key, HD_PC);
    return NOTED(error, hd_range_of_call(key, error == 0 ? sizeof *key : 0, true, pc));
}

HD_EXPORT int pthread_key_delete(pthread_key_t key)
{
    bool begun = hd_state_begin(HD_EV_STATE_WRITE, HD_STATE_KEYS, HD_PC);
    int error = HD_REAL(pthread_key_delete)(key);

    if (error == 0 && hd.wire != NULL)
        remember(key, NULL);
    hd_shared_end(begun, false);
    use_number(begun, key, HD_PC);
    if (hd.cur != NULL && !deletes && hd_shared_may_conflict())
        hd_fact(HD_FACT_STATE); /* a library was loaded that was not known before main */
    return error;
}

/* K1: makes the check an operation if the thread has set a value for key. */
static void look_at(pthread_key_t key)
{
    if (deletes && (values_of_thread()[key / 64] >> key % 64 & 1) != 0) {
        hd_state_use(HD_EV_STATE_READ, HD_STATE_FIRST_KEY + key, 0);
        values_of_thread()[key / 64] &= ~(UINT64_C(1) << key % 64);
    }
}

/* Makes one pass over all keys.  Returns true if a destructor ran. */
static bool run_round(void)
{
    bool ran = false;

    for (pthread_key_t key = 0; key < keys_end; key++) {
        look_at(key);
        destructor *fn = destructor_of(key);
        void *value = fn != NULL ? pthread_getspecific(key) : NULL;

        if (value == NULL)
            continue;
        HD_REAL(pthread_setspecific)(key, NULL);
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

#define CALLS_KEY
#include "runtime/calls/calls.def"
