/* SPDX-License-Identifier: BSD-2-Clause
 *
 * noise.c - libheddle-noise.so, preloaded by `--strategy noise` into a program that runs on
 * native threads: with some probability a thread waits for a random time before an
 * operation that other threads may notice.  The interposers are in noise_x86_64.S.
 *
 * The delays have no other effect, so the program could behave in the same way without the library.  They use a
 * raw system call, because nanosleep would be a cancellation point. */
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/noise.h"
#include "base/rng.h"

struct hd_noise_point {
    void *real; /* NULL: not looked up yet */
    char name[];
};

static struct {
    uint32_t percent, most_us;
    uint64_t seed;
} settings;

static uint32_t nthreads;
static __thread struct hd_rng rng __attribute__((tls_model("initial-exec")));
static __thread uint32_t number __attribute__((tls_model("initial-exec"))); /* number of the thread,
                                                                             * from 1 */

__attribute__((constructor)) static void read_settings(void)
{
    const char *text = getenv(HD_NOISE_ENV);
    unsigned percent, most_us;
    unsigned long long seed;

    if (text == NULL || sscanf(text, "%u:%u:%llu", &percent, &most_us, &seed) != 3)
        return;
    settings.most_us = most_us;
    settings.seed = seed;
    settings.percent = percent;
}

static void wait_for(uint32_t us)
{
    struct timespec t = { us / 1000000, (long)(us % 1000000) * 1000 };

    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &t, NULL);
}

static void disturb(void)
{
    int saved = errno;

    if (number == 0) {
        number = __atomic_add_fetch(&nthreads, 1, __ATOMIC_RELAXED);
        rng = hd_rng_for(settings.seed, number);
    }
    if (hd_rng_below(&rng, 100) < settings.percent) {
        if (settings.most_us == 0)
            sched_yield();
        else
            wait_for(hd_rng_below(&rng, settings.most_us + 1));
    }
    errno = saved;
}

/* Called before a function; returns the address of the real one. */
__attribute__((visibility("hidden"))) void *hd_noise_point(struct hd_noise_point *p);

void *hd_noise_point(struct hd_noise_point *p)
{
    void *real = __atomic_load_n(&p->real, __ATOMIC_ACQUIRE);

    if (real == NULL) {
        real = dlsym(RTLD_NEXT, p->name);
        if (real == NULL) {
            fprintf(stderr, "heddle: no function %s behind libheddle-noise.so\n", p->name);
            abort();
        }
        __atomic_store_n(&p->real, real, __ATOMIC_RELEASE);
    }
    if (settings.percent > 0)
        disturb();
    return real;
}
