/* SPDX-License-Identifier: BSD-2-Clause
 *
 * result.h - what a run came to, for the summary, for JSON and for the exit code. */
#ifndef HD_REPORT_VERDICT_RESULT_H
#define HD_REPORT_VERDICT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "report/evidence/report.h"
#include "report/print/text.h"
#include "report/suppress/suppress.h"
#include "report/verdict/formats.h"
#include "report/verdict/race_outcome.h"
#include "wire/wire.h"

struct hd_minimized;

/* In the order of the words in result.c. */
enum hd_verdict { HD_VERDICT_CLEAN, HD_VERDICT_BUG, HD_VERDICT_BUDGET, HD_VERDICT_DIVERGED,
                  HD_VERDICT_ERROR };

/* Did it show again when its schedule was run once more, in another process? */
enum hd_confirm { HD_CONFIRMED_UNKNOWN, HD_CONFIRMED_YES, HD_CONFIRMED_NO };

/* A finding of a run. */
struct hd_result_finding {
    char id[13];
    enum hd_finding_kind kind;
    char message[512];
    uint64_t execution;
    uint32_t preemptions;
    char schedule[4096]; /* empty when it could not be saved */
    uint64_t race_key;   /* of a race: hd_race_key; else 0 ... */
    uint32_t seen;       /* ... enum hd_race_seen; HD_RACE_BOTH only when at the same memory */
    enum hd_race_outcome fate;
    char places[200];    /* ... hd_race_places */
    enum hd_confirm again;
    struct hd_explanation why; /* sentence empty: it is not known */
    char *kept[HD_FORMATS];    /* what each format has kept of it (format.h); NULL: nothing */

    /* while the session works on it (campaign/findings.c) */
    const struct hd_finding *record; /* as it was found; NULL: there is no record ... */
    const struct hd_wire *wire;      /* ... and where */
    struct hd_minimized *minimized;  /* NULL: it was not minimised */
    bool waits;                      /* to be shown when the search is over */
    bool was_there;                  /* its schedule was in the directory before */
};

#define HD_WARNINGS_SHOWN 5 /* with details, and in the summary; JSON has all */

struct hd_result_warning {
    enum hd_warning_kind kind;
    char message[1024];
    char *details; /* lines; NULL or empty: none */
    struct hd_report report;
};

/* A function that is not instrumented. */
struct hd_result_unseen {
    const char *object, *function;
    const char *kind;  /* "plain", "entry", "assembly", "returned" */
    const char *place; /* of inline assembly, "file.c:12"; NULL: not known */
    bool ran;          /* beside other threads */
    bool allowed;      /* by --allow-unseen */
};

struct hd_result {
    const char *program;
    const char *test;   /* of --each: which one; NULL: the program is the test */
    const struct hd_config *config;
    struct hd_totals totals;
    enum hd_verdict verdict;
    const char *error;  /* verdict ERROR: one sentence; else NULL */
    bool plain;         /* the program is not instrumented; the ledger names that too */
    bool interrupted;
    uint32_t hangs;
    bool forked;
    const char *fork_reason;
    uint32_t workers_lost;
    uint64_t discarded; /* executions begun before the search began anew */
    double seconds;
    double searching;
    const struct hd_result_unseen *unseen;
    size_t nunseen;
    const struct hd_ledger *ledger; /* what is not known to be controlled; NULL: nothing */
    uint32_t untried; /* enum hd_untried */
    const char *const *weak; /* places of atomics weaker than seq_cst, each once */
    uint32_t nweak;
    const char *const *vain; /* places of heddle_assume that no thread has passed */
    uint32_t nvain;
    const char (*predicted)[HD_PREDICTION_TEXT]; /* races that were not seen */
    size_t npredicted;
    const char *const *loops; /* places of polling loops that were cut, each once */
    const uint32_t *loop_rounds; /* after how many rounds each of them was, at least */
    uint32_t nloops;
    const struct hd_result_finding *findings;
    size_t nfindings;
    uint32_t stopped_early; /* of them, such that minimising them took too long */
    uint32_t not_looked_at; /* of them, such that there was no time to run them again for their stacks */
    const struct hd_suppressions *suppressions; /* NULL: none were given */
    uint32_t nsuppressed; /* different findings that are not in findings ... */
    bool suppressed_race; /* ... one of them is a data race ... */
    bool suppressed_end;  /* ... one of them ended its thread */
    const struct hd_result_warning *warnings;
    size_t nwarnings;
};

const char *hd_verdict_text(enum hd_verdict v);
int hd_verdict_exit_code(enum hd_verdict v);

/* Whether what was asked for was explored completely, as far as can be claimed. */
bool hd_result_complete(const struct hd_result *r);

double hd_result_rate(const struct hd_result *r);

#define HD_GUARANTEE_TEXT 4096

/* The one sentence that says what is now known. */
void hd_result_guarantee(const struct hd_result *r, char *buf, size_t cap);

/* The end of the terminal's output. */
void hd_result_summary(const struct hd_text *t, const struct hd_result *r);

/* One object and a newline. */
void hd_result_json(FILE *out, const struct hd_result *r);

#endif
