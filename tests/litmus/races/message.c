/* SPDX-License-Identifier: BSD-2-Clause
 *
 * message - data is handed over by a flag, with every combination of memory orders that
 * matters.  Where the flag is seen, the data is read: a race unless release meets
 * acquire. */
#include "races.h"

static int data, flag;

static void *sender(void *arg)
{
    PUT(data, 1);
    if (is("fences") || is("release-fence"))
        __atomic_thread_fence(__ATOMIC_RELEASE);
    if (is("seq-cst-fences"))
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (is("seq-cst"))
        __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
    else if (is("release-acquire") || is("release-relaxed") || is("release-consume") ||
             is("acquire-fence-late"))
        __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    else
        __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    return arg;
}

static int receive(void)
{
    int seen;

    if (is("seq-cst"))
        return __atomic_load_n(&flag, __ATOMIC_SEQ_CST);
    if (is("release-acquire") || is("relaxed-acquire"))
        return __atomic_load_n(&flag, __ATOMIC_ACQUIRE);
    if (is("release-consume"))
        return __atomic_load_n(&flag, __ATOMIC_CONSUME);
    seen = __atomic_load_n(&flag, __ATOMIC_RELAXED);
    if (is("fences") || is("acquire-fence"))
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (is("seq-cst-fences"))
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return seen;
}

static void *receiver(void *arg)
{
    if (receive() != 0) {
        (void)GET(data);
        if (is("acquire-fence-late")) /* too late for the read above */
            __atomic_thread_fence(__ATOMIC_ACQUIRE);
    }
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, sender, receiver);
}
