/* SPDX-License-Identifier: BSD-2-Clause
 *
 * detectors.c - calls the detectors of detectors.def. */
#include "runtime/watch/detectors.h"

#include <stddef.h>

#include "runtime/core/state.h"

#define CALL_EACH(moment)                                                       \
    do {                                                                        \
        for (size_t i_ = 0; i_ < sizeof detectors / sizeof *detectors; i_++)    \
            if (detectors[i_]->moment != NULL)                                  \
                detectors[i_]->moment();                                        \
    } while (0)

static const struct hd_detector *const detectors[] = {
#define HD_DETECTOR(name) &hd_detector_##name,
#include "runtime/watch/detectors.def"
#undef HD_DETECTOR
};

void hd_detectors_start(void)
{
    CALL_EACH(start);
}

void hd_detectors_begin(void)
{
    CALL_EACH(begin);
}

void hd_detectors_stuck(void)
{
    CALL_EACH(stuck);
}

void hd_detectors_end(void)
{
    CALL_EACH(end);
}

void hd_detectors_judged(void)
{
    CALL_EACH(judged);
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
