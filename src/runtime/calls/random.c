/* SPDX-License-Identifier: BSD-2-Clause
 *
 * random.c - random numbers from outside the program.  Every thread has a stream of its own, which
 * depends on the seed of the execution, the thread's slot and the number of earlier draws, but not
 * on the interleaving.
 * rand, random and drand48 keep their state in libc's data.  The snapshot restores it, so they are
 * repeatable without help. */
#include <sys/random.h>
#include <unistd.h>

#include "runtime/calls/intercept.h"
#include "runtime/calls/random.h"
#include "runtime/core/state.h"
#include "runtime/watch/transaction.h"

struct stream {
    uint32_t epoch;
    struct hd_rng rng;
};
static struct stream streams[HD_MAX_THREADS];

static uint64_t draw(void)
{
    struct stream *s = &streams[hd.cur->tid];

    if (s->epoch != hd.epoch) {
        s->epoch = hd.epoch;
        s->rng = hd_rng_for(hd_rng_for(0, 0).state, hd.cur->slot);
    }
    return hd_rng_next(&s->rng);
}

void hd_random_fill(void *buf, size_t n)
{
    unsigned char *p = buf;

    for (size_t i = 0; i < n; i += 8) {
        uint64_t v = draw();

        for (size_t k = i; k < n && k < i + 8; k++, v >>= 8)
            p[k] = (unsigned char)v;
    }
}

static ssize_t model_getrandom(void *buf, size_t n, unsigned flags)
{
    if ((flags & ~(unsigned)(GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE)) != 0) {
        errno = EINVAL;
        return -1;
    }
    hd_random_fill(buf, n);
    return (ssize_t)n;
}

static int model_getentropy(void *buf, size_t n)
{
    if (n > 256) {
        errno = EIO;
        return -1;
    }
    hd_random_fill(buf, n);
    return 0;
}

/* std::random_device::operator() of libstdc++. The original uses an instruction of the processor,
 * which no interposer of libc sees. */
unsigned _ZNSt13random_device9_M_getvalEv(void *self);

#define CALLS_RANDOM
#include "runtime/calls/calls.def"
