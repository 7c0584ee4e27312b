/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_suppress.c - `heddle suppress`: prints a suppression for a finding.  A schedule does not
 * contain stacks, so suppress runs it again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "campaign/rerun/recorded.h"
#include "campaign/rerun/witness.h"
#include "cli/registry.h"
#include "report/suppress/suppress_print.h"

static int print(struct hd_session *s, const struct hd_recorded *recorded)
{
    const struct hd_schedule *sch = &recorded->schedule;
    const struct hd_finding *f = hd_recorded_find(s, sch);
    struct hd_report r;

    if (f == NULL) {
        fprintf(stderr, "heddle: %s: the %s did not occur again; 'heddle replay %s' shows why\n",
                recorded->file, hd_finding_kind_text(sch->kind), recorded->file);
        return HD_EXIT_DIVERGED;
    }
    hd_report_open(&r, s->wire, f, hd_session_symbols(s));
    if (r.race != NULL)
        r.witness = hd_witness_find(s, &r, sch);
    struct hd_supp_names *names = hd_supp_names(&r);

    hd_supp_print(stdout, names);
    hd_supp_names_free(names);
    hd_witness_free(r.witness);
    return HD_EXIT_CLEAN;
}

int hd_cmd_suppress(const struct hd_options *o)
{
    struct hd_recorded recorded;
    struct hd_session s;
    int code = HD_EXIT_USAGE;

    if (!hd_recorded_read(&recorded, o)) {
        /* a message was printed */
    } else if (!hd_supp_allowed(recorded.schedule.kind)) {
        fputs("heddle: nondeterminism cannot be suppressed: a search over a program that does not "
              "repeat itself is worth nothing; remove its cause\n", stderr);
    } else {
        code = hd_recorded_open(&recorded, &s, o);
        if (code == HD_EXIT_CLEAN)
            code = hd_session_run(&s, 0);
        if (code == HD_EXIT_CLEAN)
            code = print(&s, &recorded);
        hd_session_close(&s);
    }
    hd_recorded_free(&recorded);
    return code;
}
