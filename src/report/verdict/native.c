/* SPDX-License-Identifier: BSD-2-Clause
 *
 * native.c - the guarantee of native executions.  Heddle controlled nothing, so there is no
 * guarantee.  The sentence must say this clearly, so that no reader mistakes these executions for a
 * search. */
#include "report/verdict/native.h"

bool hd_native_is(const struct hd_result *r)
{
    return r->config->traits.native;
}

bool hd_native_guarantee(const struct hd_result *r, char *buf, size_t cap)
{
    static const char unseen[] = "data races, memory errors and leaks were not looked for";
    const char *how = hd_traits_samples(&r->config->traits) ? " with random delays" : "";
    const char *plural = r->totals.executions == 1 ? "" : "s";
    char buggy[32], all[32];

    if (!hd_native_is(r) || r->verdict == HD_VERDICT_ERROR)
        return false;
    hd_text_number(r->totals.buggy, buggy, sizeof buggy);
    hd_text_number(r->totals.executions, all, sizeof all);
    if (r->verdict == HD_VERDICT_BUG)
        snprintf(buf, cap, "%s of %s execution%s on native threads%s fail%s; nothing was controlled, so "
                           "nothing can be replayed; %s%s", buggy, all, plural, how,
                 r->totals.buggy == 1 ? "s" : "", unseen,
                 r->config->keep_going ? "" : "; it stopped there");
    else
        snprintf(buf, cap, "nothing proved: %s execution%s on native threads%s found nothing; nothing was "
                           "controlled; %s", all, plural, how, unseen);
    return true;
}
