/* SPDX-License-Identifier: BSD-2-Clause
 *
 * schedule.h - files of schedules: text with one item per line.  Places are written as symbol+offset, so that a
 * schedule can be tried on a new build of the kernel. */
#ifndef HD_KERNEL_DRIVE_SCHEDULE_H
#define HD_KERNEL_DRIVE_SCHEDULE_H

#include "kernel/drive/session.h"

#define HD_K_SCHEDULE_FIRST_LINE "heddle kernel schedule 1"

struct hd_k_schedule {
    char kernel[1024], words[1024], describe[1024], qemu[160], kind[24];
    uint64_t kernel_hash, hash, signature;
    char modules[1024];
    const char *test[HD_K_TESTS];
    uint32_t ntests, windows;
    uint32_t megabytes, max_instructions, max_points;
    char *text; /* contents of the file; names of filters and places point into it */
    struct {
        bool within;
        const char *function;
    } filter[HD_K_FILTERS];
    uint32_t nfilters;
    const char **site;
    uint32_t nsites;
    struct hd_k_saved {
        struct hd_k_tick tick;
        const char *place;
    } *tick;
    uint32_t nticks;
};

/* Writes the schedule of the link to the output directory and sets f->schedule to its path ("": failed). */
void hd_kschedule_save(const struct hd_ksession *s, struct hd_kernel_finding *f);
/* Returns false after setting `why`. */
bool hd_kschedule_load(struct hd_k_schedule *k, const char *path, char *why, size_t cap);
void hd_kschedule_free(struct hd_k_schedule *k);

#endif
