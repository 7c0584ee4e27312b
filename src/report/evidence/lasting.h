/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lasting.h - names of operations that stay valid when the program is edited: function and object instead of
 * addresses and lines.  They depend on nothing but the operation, so they are the same for the execution of a
 * finding and for one that passes. */
#ifndef HD_REPORT_EVIDENCE_LASTING_H
#define HD_REPORT_EVIDENCE_LASTING_H

#include "report/evidence/report.h"

/* The strings are valid until hd_symbols_close. */
struct hd_lasting {
    const char *function; /* innermost in the user's source; "": unknown */
    const char *object;   /* in the form of hd_schedule_lasting; "": none */
    uint8_t region;       /* enum hd_region of the object */
};

void hd_lasting_name(const struct hd_wire *w, struct hd_symbols *symbols, const struct hd_event *e,
                     struct hd_lasting *out);

/* Returns the lasting name of the memory. */
const char *hd_lasting_memory(struct hd_symbols *symbols, hd_cname name);

#endif
