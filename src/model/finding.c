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
