/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kinds.c - the table of the kinds of findings. */
#include "report/evidence/kinds.h"

#include <string.h>

#include "report/evidence/deadlock.h"
#include "report/evidence/describe.h"
#include "report/evidence/history.h"
#include "report/evidence/livelock.h"
#include "report/evidence/race.h"
#include "report/evidence/stopped.h"
#include "report/evidence/used_block.h"
#include "report/evidence/wrong_output.h"

#define FAILURE .message = hd_describe_message, .evidence = hd_failing_evidence

/* For findings about the end of the program: the message is what the program itself printed, if anything. */
#define TOLD .message = hd_failure_message, .evidence = hd_failing_evidence

/* For misuse of the heap: the message says where. */
#define MEMORY .message = hd_used_block_message, .evidence = hd_failing_evidence

static const struct hd_kind_report kinds[HD_FK_COUNT] = {
    [HD_FK_ASSERTION] = { FAILURE, .decisive = hd_decisive_conflict },
    [HD_FK_ABORT] = { TOLD, .decisive = hd_decisive_conflict },
    [HD_FK_CRASH] = { FAILURE, .decisive = hd_decisive_conflict },
    [HD_FK_EXIT_CODE] = { TOLD, .decisive = hd_decisive_conflict },
    [HD_FK_DEADLOCK] = { .message = hd_deadlock_message, .cause = hd_deadlock_text,
                         .evidence = hd_deadlock_evidence, .decisive = hd_decisive_deadlock,
                         .essential = hd_decisive_locks, .details = hd_deadlock_json,
                         .details_key = "deadlock" },
    [HD_FK_LIVELOCK] = { .message = hd_describe_message, .cause = hd_livelock_text,
                         .evidence = hd_stopped_evidence, .decisive = hd_decisive_livelock },
    [HD_FK_DATA_RACE] = { .message = hd_race_message, .cause = hd_race_text,
                          .evidence = hd_race_evidence, .details = hd_race_json,
                          .details_key = "race" },
    [HD_FK_USE_AFTER_FREE] = { MEMORY, .decisive = hd_decisive_in_memory },
    [HD_FK_HEAP_OVERFLOW] = { MEMORY, .decisive = hd_decisive_conflict },
    [HD_FK_DOUBLE_FREE] = { MEMORY, .decisive = hd_decisive_in_memory },
    [HD_FK_BAD_FREE] = { MEMORY, .decisive = hd_decisive_conflict },
    [HD_FK_LEAK] = { FAILURE, .decisive = hd_decisive_conflict },
    [HD_FK_LOCK_MISUSE] = { FAILURE, .decisive = hd_decisive_misuse,
                            .essential = hd_decisive_last_use },
    [HD_FK_TM_MISUSE] = { FAILURE, .decisive = hd_decisive_conflict },
    [HD_FK_CHECK_FAILED] = { FAILURE, .decisive = hd_decisive_conflict },
    [HD_FK_WRONG_OUTPUT] = { .message = hd_wrong_output_message, .cause = hd_wrong_output_text,
                             .evidence = hd_failing_evidence, .decisive = hd_decisive_conflict,
                             .details = hd_wrong_output_json, .details_key = "output" },
    [HD_FK_NOT_LINEARIZABLE] = { .message = hd_history_message, .cause = hd_history_text,
                                 .evidence = hd_failing_evidence, .decisive = hd_decisive_conflict,
                                 .details = hd_history_json, .details_key = "history" },
    [HD_FK_NONDETERMINISM] = { FAILURE },
};

/* Returns the functions for the kind of the finding.  A data race without its section comes from a
 * truncated record: it is reported as the failure of one thread. */
const struct hd_kind_report *hd_kind_report(const struct hd_report *r)
{
    static const struct hd_kind_report failure = { FAILURE };
    uint32_t kind = r->finding->kind;

    return kind >= HD_FK_COUNT || (kind == HD_FK_DATA_RACE && r->race == NULL) ? &failure : &kinds[kind];
}

/* ---- texts ---------------------------------------------------------------------------------- */

#define HD_RESERVED(id, name)
#define HD_FINDING(id, name, summary, help) { name, summary, help },
#define HD_WARNING(id, name, summary, help) { name, summary, help },
const struct hd_rule hd_rules[] = {
#include "model/finding_kinds.def"
};
const size_t hd_rule_count = sizeof hd_rules / sizeof *hd_rules;
const size_t hd_rule_findings = sizeof hd_rules / sizeof *hd_rules - (HD_WARN_COUNT - 1);

size_t hd_rule_find(const char *name)
{
    size_t i = 0;

    while (i < hd_rule_count && strcmp(hd_rules[i].name, name) != 0)
        i++;
    return i;
}
