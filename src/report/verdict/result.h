/* SPDX-License-Identifier: BSD-2-Clause
 *
 * result.h - the result of a run, for the summary, for the report files and for the exit code. */
#ifndef HD_REPORT_VERDICT_RESULT_H
#define HD_REPORT_VERDICT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "report/evidence/race_phase.h"
#include "report/evidence/report.h"
#include "report/print/text.h"
#include "report/suppress/suppress.h"
#include "report/verdict/formats.h"
#include "report/verdict/linear.h"
#include "report/verdict/race_outcome.h"
#include "wire/wire.h"

struct hd_minimized;

/* Same order as the tables in result.c. */
enum hd_verdict { HD_VERDICT_CLEAN, HD_VERDICT_BUG, HD_VERDICT_BUDGET, HD_VERDICT_DIVERGED,
                  HD_VERDICT_ERROR };

/* Whether the finding occurred again when its schedule was replayed in another process. */
enum hd_confirm { HD_CONFIRMED_UNKNOWN, HD_CONFIRMED_YES, HD_CONFIRMED_NO };

/* A finding of a run. */
struct hd_result_finding {
    char id[13];
    enum hd_finding_kind kind;
    char message[512];
    uint64_t execution;
    uint32_t preemptions;
    char schedule[4096]; /* path; empty if it could not be saved */
    uint64_t race_key;   /* hd_race_key; 0 if it is no race */
    uint64_t race_pc[2]; /* races: addresses of the two accesses in the code */
    uint32_t seen;       /* races: enum hd_race_seen; HD_RACE_BOTH only for the same memory */
    enum hd_race_outcome race_outcome;
    enum hd_race_phase phase;
    char places[200];    /* races: hd_race_places */
    enum hd_confirm again;
    struct hd_explanation why; /* not known if the sentence is empty */
    char *kept[HD_FORMATS];    /* text that each format has kept (format.h); NULL: none */

    /* Valid while the session works on the finding (campaign/findings/findings.c). */
    const struct hd_finding *record; /* record of its first occurrence; NULL: none */
    const struct hd_wire *wire;      /* wire with the record */
    struct hd_minimized *minimized;  /* NULL: not minimised */
    bool waits;                      /* shown only when the search is over */
    bool was_there;                  /* its schedule was in the directory before this search */
};

/* A finding of a kind that the user has muted. */
struct hd_result_muted {
    enum hd_finding_kind kind;
    uint64_t execution;
    char message[512];
};

#define HD_WARNINGS_SHOWN 5 /* shown with details in the summary; JSON contains all */

struct hd_result_warning {
    enum hd_warning_kind kind;
    char message[1024];
    char *details; /* several lines; NULL or empty: none */
    struct hd_report report;
};

/* A function that is not instrumented. */
struct hd_result_unseen {
    const char *object, *function;
    const char *kind;  /* "plain", "entry", "assembly", "returned" */
    const char *place; /* place of inline assembly, "file.c:12"; NULL: not known */
    bool ran;          /* ran concurrently with other threads */
    bool allowed;      /* allowed by --allow-unseen or HEDDLE_TRUSTED */
};

/* A search in stages (campaign/search/stages.h): one of its stages. */
struct hd_result_stage {
    char strategy[64];
    uint64_t executions;
    double seconds;
    bool proves;   /* it can be complete; otherwise it samples */
    bool ended;    /* the stage left nothing to explore */
    bool complete; /* the stage has ended and is a proof */
};

#define HD_RESULT_JOBS 260      /* number of searches: sets of points, the maximal set, sampling */
#define HD_RESULT_OPEN_RACES 64

/* One of the searches of Quicksand (campaign/search/quicksand.h). */
struct hd_result_job {
    char kind[12];     /* "sampling", "maximal", "bounded", "set" */
    char state[32];
    char points[256];
    bool begun;
    uint64_t executions;
    double seconds;    /* seconds that it has run */
    double cpu;        /* seconds of processor time of all its processes */
    double left;       /* estimate of the seconds that it still needs; < 0: not known, or over */
    double left_least; /* the same by the smaller of the two estimates; equal if there is only one */
    unsigned parked;   /* how often it was saved to disk and its process ended, in this run */
    bool holds;        /* the estimate has not grown much during the last half of the executions */
};

/* A race that no search of Quicksand has explored to the end. */
struct hd_result_open_race {
    uint64_t key;
    bool both; /* seen in both orders */
    bool failed; /* an execution in which it occurs fails; such races are not in the list */
    bool told; /* the result that is shown already lists it */
    char places[200];
};

struct hd_result_quicksand {
    struct hd_result_job job[HD_RESULT_JOBS];
    size_t njobs;
    struct hd_result_open_race race[HD_RESULT_OPEN_RACES];
    size_t nraces;
    double seconds, cpu; /* sums over all searches */
    double manager;      /* seconds of processor time for choosing among the searches */
    uint32_t resumed;    /* how often the campaign was interrupted and continued */
    bool interrupted;    /* a signal has ended it; the search whose result is shown may have had no turn then */
};

/* The place where a long execution takes most of its steps. */
struct hd_result_longest {
    const char *place; /* "f.c:12"; "" if it is unknown */
    uint32_t times;    /* steps there */
    uint32_t steps;    /* steps of the whole execution; 0: no execution is long */
};

/* A recorded schedule that was run again after an edit (campaign/search/rechecks.h). */
struct hd_result_recheck {
    const char *schedule; /* path of its file */
    const char *outcome;  /* "fails", "fails-otherwise", "passes", "does-not-apply", "unknown" */
    char sentence[800];
    uint32_t switches, followed, held;
    bool near; /* an execution near the schedule fails */
};

struct hd_result {
    const char *program;
    const char *test;   /* with --each: name of the test; NULL: the program is the test */
    unsigned suite;     /* length of the part of `test` that names its suite; 0: none */
    const char *name;   /* the user's name of the program in JUnit; NULL: its file name */
    const struct hd_config *config;
    struct hd_totals totals;
    enum hd_verdict verdict;
    const char *error;  /* verdict ERROR: one sentence; otherwise NULL */
    bool plain;         /* the program is not instrumented; the ledger has an entry for this, too */
    bool interrupted;
    uint32_t resumed;   /* how often the search was interrupted and continued (--resume) */
    uint32_t hangs;
    bool forked;
    const char *fork_reason;
    uint32_t workers_lost;
    uint64_t discarded; /* executions before a restart of the search, which do not count */
    uint64_t for_waits; /* those of `discarded` that came before a restart for which a waiting loop was the
                         * only reason; the summary does not mention them */
    double seconds;
    double searching;
    const struct hd_result_unseen *unseen;
    size_t nunseen;
    const struct hd_ledger *ledger; /* what Heddle did not see or control; NULL: nothing */
    uint32_t untried; /* enum hd_untried, as bits */
    const char *const *weak; /* places of atomics weaker than seq_cst, each once */
    uint32_t nweak;
    const char *const *unsatisfied; /* places of heddle_assume that no execution satisfied */
    uint32_t nunsatisfied;
    const char *const *never_aborted; /* places of transactions that no execution has aborted */
    uint32_t nnever_aborted;
    const char (*predicted)[HD_PREDICTION_TEXT]; /* races that were predicted but not seen */
    size_t npredicted;
    const char *const *loops; /* places of polling loops that were cut, each once */
    const uint32_t *loop_rounds; /* smallest number of rounds after which each was cut */
    uint32_t nloops;
    struct hd_result_longest longest;
    const struct hd_result_finding *findings;
    size_t nfindings;
    uint32_t stopped_early; /* number of findings whose minimising was not finished in time */
    uint32_t not_looked_at; /* number of findings that there was no time to replay for their stacks */
    const struct hd_suppressions *suppressions; /* NULL: none were given */
    uint32_t nsuppressed; /* number of distinct suppressed findings; findings[] does not contain them */
    const struct hd_result_muted *muted; /* those that --mute suppressed */
    size_t nmuted;
    uint32_t mutes; /* kinds of --mute, as bits */
    bool suppressed_race; /* a suppressed finding is a data race */
    bool suppressed_end;  /* a suppressed finding ended its thread */
    const struct hd_result_warning *warnings;
    size_t nwarnings;
    const struct hd_result_stage *stages; /* all stages, the last one is this result's; NULL: there is one search */
    size_t nstages;
    const struct hd_result_quicksand *quicksand; /* NULL: there is one search, or there are stages */
    const struct hd_reached *reached; /* --count; NULL: nothing was counted */
    const struct hd_result_linear *linear; /* NULL: nothing was compared with sequential executions */
    const struct hd_result_recheck *recheck; /* NULL: the command is not recheck */
};

const char *hd_verdict_text(enum hd_verdict v);
int hd_verdict_exit_code(enum hd_verdict v);

/* True if the requested space was explored completely and Heddle may claim this. */
bool hd_result_complete(const struct hd_result *r);

/* Returns the largest bound up to which a search with growing bounds has explored everything, if it may claim that;
 * otherwise -1. */
int64_t hd_result_verified_bound(const struct hd_result *r);

double hd_result_rate(const struct hd_result *r);

#define HD_GUARANTEE_TEXT 4096

/* Writes the one sentence that states what is known after the run. */
void hd_result_guarantee(const struct hd_result *r, char *buf, size_t cap);

/* Prints the end of the terminal output: counts, notes, verdict, warnings. */
void hd_result_summary(const struct hd_text *t, const struct hd_result *r);

/* Prints one JSON object and a newline. */
void hd_result_json(FILE *out, const struct hd_result *r);

#endif
