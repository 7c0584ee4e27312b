/* SPDX-License-Identifier: BSD-2-Clause
 *
 * use.c - reads a process's processor time from /proc. */
#include "conductor/use.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct hd_use hd_processor_use(int32_t pid)
{
    char path[40];
    unsigned long long ran = 0, waited = 0;

    snprintf(path, sizeof path, "/proc/%d/schedstat", (int)pid);
    FILE *in = fopen(path, "re");

    if (in == NULL)
        return (struct hd_use){ 0, 0 };
    if (fscanf(in, "%llu %llu", &ran, &waited) != 2)
        ran = waited = 0;
    fclose(in);
    return (struct hd_use){ (double)ran / 1e9, (double)waited / 1e9 };
}

/* The letter that proc(5) gives for the process's state; 0: there is no such process.  It follows the name, which is in
 * brackets and may contain brackets. */
static char state_of(int32_t pid)
{
    char path[40], text[256];

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *in = fopen(path, "re");
    size_t n = in != NULL ? fread(text, 1, sizeof text - 1, in) : 0;

    if (in != NULL)
        fclose(in);
    text[n] = '\0';
    const char *end = strrchr(text, ')');

    return end != NULL && strncmp(end, ") ", 2) == 0 ? end[2] : '\0';
}

bool hd_use_has_ended(int32_t pid)
{
    return state_of(pid) == 'Z';
}

bool hd_use_is_starved(int32_t pid, double ran, double seconds)
{
    return hd_processor_use(pid).ran - ran < seconds && state_of(pid) == 'R' &&
           hd_processor_use((int32_t)getpid()).ran > 0; /* otherwise the kernel does not say how long processes ran */
}

double hd_use_wait_time(const struct hd_wire *w, double elapsed_ms)
{
    int32_t worker = __atomic_load_n(&w->worker_pid, __ATOMIC_ACQUIRE);
    int32_t zygote = __atomic_load_n(&w->zygote_pid, __ATOMIC_ACQUIRE);
    double waited = hd_processor_use((int32_t)getpid()).waited, most = elapsed_ms / 1e3 * 0.9;

    if (zygote > 0)
        waited += hd_processor_use(zygote).waited;
    if (worker > 0 && worker != zygote)
        waited += hd_processor_use(worker).waited;
    return waited < most ? waited : most;
}
