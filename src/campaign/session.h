/* SPDX-License-Identifier: BSD-2-Clause
 *
 * session.h - one launch of one program under Heddle: checks whether it can run, shows progress,
 * saves and shows findings, computes the result.  run, verify and replay share this. */
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

/* The suppressions and the findings that they have suppressed; see suppression.h. */
struct hd_suppression_state {
    struct hd_suppressions suppressions;
    struct hd_covered {
        const struct hd_finding *finding;
        struct hd_suppression *by;
        uint64_t race_key; /* hd_race_key if it is a race that was counted; otherwise 0 */
    } *covered; /* the suppressed records */
    size_t ncovered;
    uint32_t nsuppressed; /* number of distinct suppressed findings */
    bool races, ended;    /* one of them is a data race; one of them ended its thread */
};

struct hd_unseen_watch;

struct hd_session {
    const struct hd_options *o;
    const char *program; /* as the user typed it */
    char *const *argv;   /* arguments of the target */
    struct hd_elf_info elf;
    struct hd_wires wires;
    struct hd_wire *wire;      /* the first wire; NULL: no wires exist */
    struct hd_target *targets; /* one per wire */
    struct hd_merge merge;
    struct hd_suppression_state suppression;
    struct hd_watched watched;
    struct hd_symbols *symbols; /* opened when first needed */
    struct hd_progress_view progress;
    struct hd_text text;
    struct hd_outputs *outputs; /* NULL: no report files */
    struct hd_live *live; /* NULL: only a progress line is shown, no panel and no stats.json */
    const char *test;     /* name of the test that is searched; NULL: the program is the test */
    bool preloads_test;   /* libheddle-each.so selects the test; otherwise an argument does */
    const char *replayed; /* schedule file that is being replayed; NULL: a search */
    enum hd_finding_kind replayed_kind;
    uint64_t replayed_execution; /* number of the execution in the search that found it */
    const struct hd_schedule *replayed_schedule;
    struct hd_unseen_watch *unseen; /* uninstrumented code; NULL: not watched */
    bool measures;        /* findings are only counted, neither saved nor shown */
    bool own_time;        /* the budget counts only time in which the target could run */
    bool deaf;            /* leave the user's signals pending for the caller, who ends the run */
    bool asked_from_outside; /* plan_runner.c requests the executions and reads the findings */

    struct hd_ledger ledger; /* entries of this process and of all wires */
    const char *weak[HD_MAX_WEAK]; /* places of weak atomics; the symbols own the strings */
    uint32_t nweak;
    const char *vain[HD_MAX_ASSUMPTIONS]; /* places of heddle_assume that no execution satisfied */
    uint32_t nvain;
    const char *loops[HD_MAX_LOOPS]; /* places of loops that were cut; the symbols own the strings */
    uint32_t loop_rounds[HD_MAX_LOOPS]; /* rounds after which each was cut */
    uint32_t nloops;
    struct hd_result_finding *findings;
    size_t nfindings;
    double findings_until;  /* end of the time for findings, in ms; 0: not set yet */
    uint32_t stopped_early; /* findings whose minimising was not finished in time */
    uint32_t not_looked_at; /* findings that there was no time to replay for more details */
    struct hd_later { /* replay only: findings other than the recorded one, shown last */
        const struct hd_wire *wire;
        const struct hd_finding *finding;
    } *later;
    size_t nlater;
    bool later_come; /* the run is over: show the other findings, too */
    struct hd_kept_warning *kept_warnings; /* warnings.h */
    size_t nkept_warnings;
    struct hd_result_warning *warnings;
    size_t nwarnings;
    struct hd_races_known races;
    char error[512];
};

/* Reads the program file.  Returns false, after a message, if the program cannot be run. */
bool hd_session_inspect(const char *program, struct hd_elf_info *elf);

/* Inspects the program, creates the wires, sets the configuration from the options.  Returns
 * HD_EXIT_CLEAN, or another exit code after a message. */
int hd_session_open(struct hd_session *s, const struct hd_options *o, const char *program,
                    char *const *argv);

/* Adds a --within or --without.  Returns false, after a message, if there is no such function. */
bool hd_session_filter(struct hd_session *s, bool within, const char *function);

/* Configures the session to run this schedule once, instead of a search. */
void hd_session_replays(struct hd_session *s, const struct hd_schedule *schedule);

/* Starts the targets and waits for their end.  Returns HD_EXIT_CLEAN if they ran, whatever they
 * found; otherwise the exit code, after a message. */
int hd_session_run(struct hd_session *s, uint64_t budget_ms);

/* Creates the schedule of the finding that r reports.  The caller frees it with hd_schedule_free. */
void hd_session_schedule(struct hd_session *s, const struct hd_report *r, struct hd_schedule *out);

/* Computes the result so far.  Sets verdict and error for the cases that all verbs share. */
void hd_session_result(struct hd_session *s, struct hd_result *r);

/* Gives the result to the report files, if there are any. */
void hd_session_deliver(const struct hd_session *s, const struct hd_result *r, int code);

/* Adds the current ledger entries of all targets to the ledger of the session. */
void hd_session_gather_ledger(struct hd_session *s);

struct hd_symbols *hd_session_symbols(struct hd_session *s);
/* Like hd_session_symbols, but uses the list of modules of this wire if the symbols are not open
 * yet. */
struct hd_symbols *hd_session_symbols_from(struct hd_session *s, const struct hd_wire *w);

/* Collects the places that the verdict names. */
void hd_session_places(struct hd_session *s);

void hd_session_close(struct hd_session *s);

#endif
