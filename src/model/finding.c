/* SPDX-License-Identifier: BSD-2-Clause
 *
 * finding.c - the names of the kinds of findings and warnings. */
#include "model/finding.h"

#define HD_FINDING(id, name, summary, help) [HD_FK_##id] = name,
#define HD_RESERVED(id, name) [HD_FK_##id] = name,
#define HD_WARNING(id, name, summary, help)
const char *const hd_finding_kind_words[HD_FK_COUNT + 1] = {
#include "model/finding_kinds.def"
};
#undef HD_FINDING
#undef HD_RESERVED
#undef HD_WARNING

#define HD_FINDING(id, name, summary, help)
#define HD_RESERVED(id, name)
#define HD_WARNING(id, name, summary, help) [HD_WARN_##id] = name,
static const char *const warning_names[HD_WARN_COUNT] = {
    [HD_WARN_NONE] = "none",
#include "model/finding_kinds.def"
};
#undef HD_FINDING
#undef HD_RESERVED
#undef HD_WARNING

const char *hd_finding_kind_text(enum hd_finding_kind k)
{
    return (unsigned)k < HD_FK_COUNT ? hd_finding_kind_words[k] : "?";
}

const char *hd_warning_kind_text(enum hd_warning_kind k)
{
    return (unsigned)k < HD_WARN_COUNT ? warning_names[k] : "?";
}
