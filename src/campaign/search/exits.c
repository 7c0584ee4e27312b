/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exits.c - one exit code for several results. */
#include "campaign/search/exits.h"

#include "base/check.h"
#include "report/verdict/result.h"

static int rank(int code)
{
    static const int order[] = { HD_EXIT_CLEAN, HD_EXIT_SKIPPED, HD_EXIT_BUDGET, HD_EXIT_DIVERGED,
                                 HD_EXIT_USAGE, HD_EXIT_INTERNAL, HD_EXIT_FINDING };
    int i = 0;

    while (order[i] != code && order[i] != HD_EXIT_FINDING)
        i++;
    return i;
}

int hd_exit_worse(int a, int b)
{
    return rank(b) > rank(a) ? b : a;
}

const char *hd_exit_verdict(int code)
{
    switch (code) {
    case HD_EXIT_CLEAN:
        return hd_verdict_text(HD_VERDICT_CLEAN);
    case HD_EXIT_FINDING:
        return hd_verdict_text(HD_VERDICT_BUG);
    case HD_EXIT_BUDGET:
        return hd_verdict_text(HD_VERDICT_BUDGET);
    case HD_EXIT_DIVERGED:
        return hd_verdict_text(HD_VERDICT_DIVERGED);
    default:
        return hd_verdict_text(HD_VERDICT_ERROR);
    }
}
