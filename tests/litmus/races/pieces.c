/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pieces - data is handed over by one byte of a word.  One side stores the byte or loads it,
 * the other takes the whole word: C11 says nothing of that, but the processor does what one
 * expects, and locks rely on it (ck_bytelock).  The byte is not the first one, so that the
 * two are at different addresses. */
#include "races.h"

static union {
    uint64_t whole;
    unsigned char byte[8];
} flags;
static int data;

static void *sender(void *arg)
{
    PUT(data, 1);
    if (is("byte-to-word"))
        __atomic_store_n(&flags.byte[3], 1, __ATOMIC_RELEASE);
    else if (is("byte-to-word-relaxed"))
        __atomic_store_n(&flags.byte[3], 1, __ATOMIC_RELAXED);
    else
        __atomic_store_n(&flags.whole, ~UINT64_C(0), __ATOMIC_RELEASE);
    return arg;
}

static bool arrived(void)
{
    if (is("word-to-byte"))
        return __atomic_load_n(&flags.byte[3], __ATOMIC_ACQUIRE) != 0;
    if (is("word-to-byte-relaxed"))
        return __atomic_load_n(&flags.byte[3], __ATOMIC_RELAXED) != 0;
    return __atomic_load_n(&flags.whole, __ATOMIC_ACQUIRE) != 0;
}

static void *receiver(void *arg)
{
    if (arrived())
        (void)GET(data);
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, sender, receiver);
}
