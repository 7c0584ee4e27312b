/* SPDX-License-Identifier: BSD-2-Clause
 *
 * detectors.c - calls the detectors of detectors.def. */
#include "runtime/watch/detectors.h"

#include <stddef.h>

#include "runtime/core/state.h"

static inline void call(void (*moment)(void))
{
    if (moment != NULL)
        moment();
}

/* Row by row rather than in a loop: the compiler, which sees the detectors, then calls them directly. */
void hd_detectors_start(void)
{
#define HD_DETECTOR(name) call(hd_detector_##name.start);
#include "runtime/watch/detectors.def"
#undef HD_DETECTOR
}

void hd_detectors_begin(void)
{
#define HD_DETECTOR(name) call(hd_detector_##name.begin);
#include "runtime/watch/detectors.def"
#undef HD_DETECTOR
}

void hd_detectors_stuck(void)
{
#define HD_DETECTOR(name) call(hd_detector_##name.stuck);
#include "runtime/watch/detectors.def"
#undef HD_DETECTOR
}

void hd_detectors_end(void)
{
#define HD_DETECTOR(name) call(hd_detector_##name.end);
#include "runtime/watch/detectors.def"
#undef HD_DETECTOR
}

void hd_detectors_judged(void)
{
#define HD_DETECTOR(name) call(hd_detector_##name.judged);
#include "runtime/watch/detectors.def"
#undef HD_DETECTOR
}

bool hd_detectors_program_ended(void)
{
    const struct hd_execution *x = hd.exec;

    if (x->ending != HD_END_CLEAN || x->exit_code != 0 || x->assumed > 0)
        return false;
    for (unsigned i = 0; i < x->nthreads && !hd.exit_begun; i++)
        if (hd.thread[i].state != HD_TH_FINISHED)
            return false;
    return true;
}
