/* SPDX-License-Identifier: BSD-2-Clause
 *
 * finding.h - kinds of findings and warnings (finding_kinds.def).
 *
 * A finding is an error that occurred.  A warning is something that may become an error, or is merely untidy;
 * it does not end a search and does not change a verdict. */
#ifndef HD_MODEL_FINDING_H
#define HD_MODEL_FINDING_H

#define HD_FINDING(id, name, summary, help) HD_FK_##id,
#define HD_RESERVED(id, name) HD_FK_##id,
#define HD_WARNING(id, name, summary, help)
enum hd_finding_kind {
#include "model/finding_kinds.def"
    HD_FK_COUNT
};
#undef HD_FINDING
#undef HD_RESERVED
#undef HD_WARNING

extern const char *const hd_finding_kind_words[]; /* NULL-terminated, in the order of the kinds */
const char *hd_finding_kind_text(enum hd_finding_kind k);

#define HD_FINDING(id, name, summary, help)
#define HD_RESERVED(id, name)
#define HD_WARNING(id, name, summary, help) HD_WARN_##id,
enum hd_warning_kind {
    HD_WARN_NONE, /* it is a finding, not a warning */
#include "model/finding_kinds.def"
    HD_WARN_COUNT
};
#undef HD_FINDING
#undef HD_RESERVED
#undef HD_WARNING

const char *hd_warning_kind_text(enum hd_warning_kind k);

#endif
