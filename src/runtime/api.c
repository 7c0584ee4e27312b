/* SPDX-License-Identifier: BSD-2-Clause
 *
 * api.c - what <heddle/heddle.h> calls when the program runs under Heddle.
 * That header refers to these weakly; it is not included here, since that would
 * make the definitions weak too. */
#include <stdint.h>

#include "runtime/rt.h"

unsigned heddle_rt_choose(unsigned n);
void heddle_rt_point(const char *name);
int heddle_rt_active(void);

HD_EXPORT unsigned heddle_rt_choose(unsigned n)
{
    if (hd.cur == NULL || n < 2)
        return 0;
    if (n > UINT16_MAX)
        hd_fail(HD_FK_CHECK_FAILED, HD_PC, "heddle_choose(%u): at most %u alternatives", n,
                (unsigned)UINT16_MAX);
    return hd_choose(n, HD_PC);
}

HD_EXPORT void heddle_rt_point(const char *name)
{
    if (hd.cur == NULL)
        return;
    static const char anything; /* what the point stands for is not known: one object for all */

    hd_op(HD_EV_USER_POINT, hd_object(&anything, HD_OBJ_UNKNOWN), NULL, HD_PC);
    hd_done((uint64_t)(uintptr_t)name, 0);
}

HD_EXPORT int heddle_rt_active(void)
{
    return hd.cur != NULL;
}
