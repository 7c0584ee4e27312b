/* SPDX-License-Identifier: BSD-2-Clause
 *
 * session.h - one launch of one program under Heddle, with all that goes around
 * it: refusals, progress, findings saved and shown as they come, the result.
 * What run, verify and replay have in common. */
#ifndef HD_CAMPAIGN_SESSION_H
#define HD_CAMPAIGN_SESSION_H

#include "campaign/options.h"
#include "campaign/outputs.h"
#include "campaign/races.h"
#include "conductor/merge.h"
#include "conductor/watch.h"
#include "program/elf_info.h"
#include "report/suppress/suppress.h"
#include "report/verdict/result.h"
#include "status/progress.h"

/* Suppressions and what they have done; see judge.h. */
struct hd_suppression_state {
    struct hd_suppressions suppressions;
    struct hd_covered {
        const struct hd_finding *finding;
        struct hd_suppression *by;
        uint64_t race_key; /* of a race that was counted: hd_race_key; else 0 */
    } *covered; /* records that are suppressed */
    size_t ncovered;
    uint32_t nsuppressed; /* different findings */
    bool races, ended;    /* one is a data race; one ended its thread */
};

struct hd_unseen_watch;

struct hd_session {
    const struct hd_options *o;
    const char *program; /* as the user typed it */
    char *const *argv;   /* of the target */
    struct hd_elf_info elf;
    struct hd_wires wires;
    struct hd_wire *wire;      /* the first one; NULL: none were made */
    struct hd_target *targets; /* one for each wire */
    struct hd_merge merge;
    struct hd_suppression_state suppression;
    struct hd_watched watched;
    struct hd_symbols *symbols; /* opened when first needed */
    struct hd_progress_view progress;
    struct hd_text text;
    struct hd_outputs *outputs; /* NULL: nobody wants files */
    struct hd_live *live; /* NULL: progress is shown by a line, and nowhere else */
    const char *test;     /* of the program, that is searched; NULL: the program is the test */
    bool preloads_test;   /* libheddle-each.so picks it; else an argument does */
    const char *replayed; /* schedule file that is being replayed; NULL: a search */
    enum hd_finding_kind replayed_kind;
    uint64_t replayed_execution; /* of the search that found it */
    const struct hd_schedule *replayed_schedule;
    struct hd_unseen_watch *unseen; /* what is not instrumented; NULL: nobody asks */
    bool measures;        /* findings are counted, neither saved nor shown */
    bool own_time;        /* the budget is of time in which the target could run */
    bool deaf;            /* to signals: who asked for the run ends it */
    bool asked_from_outside; /* by tries.c, which also looks at the findings */

    struct hd_ledger ledger; /* of the tool, and that of every wire */
    const char *weak[HD_MAX_WEAK]; /* places of weak atomics; the strings are the symbols' */
    uint32_t nweak;
    const char *vain[HD_MAX_ASSUMPTIONS]; /* places of heddle_assume that nobody passed */
    uint32_t nvain;
    const char *loops[HD_MAX_LOOPS]; /* places of loops that were cut, likewise */
    uint32_t loop_rounds[HD_MAX_LOOPS]; /* after so many rounds each */
    uint32_t nloops;
    struct hd_result_finding *findings;
    size_t nfindings;
    double findings_until;  /* there is time for findings, in milliseconds; 0: none was dealt with yet */
    uint32_t stopped_early; /* findings that there was no time to make as small as they go ... */
    uint32_t not_looked_at; /* ... or to run again for what only that tells */
    struct hd_later { /* of a replay: what is not what the schedule was kept for */
        const struct hd_wire *wire;
        const struct hd_finding *finding;
    } *later;
    size_t nlater;
    bool later_come; /* it is their turn */
    struct hd_kept_warning *kept_warnings; /* warnings.h */
    size_t nkept_warnings;
    struct hd_result_warning *warnings;
    size_t nwarnings;
    struct hd_races_known races;
    char error[512];
};

/* What the program file says of itself.  False after having said why it cannot be run. */
bool hd_session_inspect(const char *program, struct hd_elf_info *elf);

/* Inspect the program, make the wire, set the configuration from the options.
 * Returns HD_EXIT_CLEAN, or the exit code after having said why. */
int hd_session_open(struct hd_session *s, const struct hd_options *o, const char *program,
                    char *const *argv);

/* Add --within or --without.  False after having said that there is no such function. */
bool hd_session_filter(struct hd_session *s, bool within, const char *function);

/* One execution by that schedule instead of a search. */
void hd_session_replays(struct hd_session *s, const struct hd_schedule *schedule);

/* Start the target and wait for its end.  Returns HD_EXIT_CLEAN when the target
 * ran, whatever it found, or the exit code after having said why it did not. */
int hd_session_run(struct hd_session *s, uint64_t budget_ms);

/* The schedule of what r reports, to be freed with hd_schedule_free. */
void hd_session_schedule(struct hd_session *s, const struct hd_report *r, struct hd_schedule *out);

/* The result so far; verdict and error are set for the cases that are the same
 * for every verb. */
void hd_session_result(struct hd_session *s, struct hd_result *r);

/* Hand the result over to the outputs, if there are any. */
void hd_session_deliver(const struct hd_session *s, const struct hd_result *r, int code);

/* Bring the ledger up to date with those of the targets. */
void hd_session_gather_ledger(struct hd_session *s);

struct hd_symbols *hd_session_symbols(struct hd_session *s);
/* The same, opened by what that target knows of its modules. */
struct hd_symbols *hd_session_symbols_from(struct hd_session *s, const struct hd_wire *w);

/* Gather the places that the verdict names. */
void hd_session_places(struct hd_session *s);

void hd_session_close(struct hd_session *s);

#endif
