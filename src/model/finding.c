/* SPDX-License-Identifier: BSD-2-Clause
 *
 * finding.c - spelling of the kinds. */
#include "model/finding.h"

const char *hd_finding_kind_text(enum hd_finding_kind k)
{
    static const char *const text[HD_FK_COUNT] = {
#define X(id, t) [HD_FK_##id] = t,
        HD_FINDING_KINDS(X)
#undef X
    };

    return (unsigned)k < HD_FK_COUNT ? text[k] : "?";
}

const char *hd_warning_kind_text(enum hd_warning_kind k)
{
    static const char *const text[HD_WARN_COUNT] = {
        [HD_WARN_NONE] = "none",
        [HD_WARN_LOCK_ORDER] = "potential-deadlock",
        [HD_WARN_NOT_JOINED] = "thread-not-joined",
    };

    return (unsigned)k < HD_WARN_COUNT ? text[k] : "?";
}
