/* SPDX-License-Identifier: BSD-2-Clause
 *
 * options.h - everything that the user has requested, from the command line (cli/options.h,
 * src/cli) or from a test. */
#ifndef HD_CAMPAIGN_SETUP_OPTIONS_H
#define HD_CAMPAIGN_SETUP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "linear/record.h"
#include "report/verdict/formats.h"
#include "status/terminal.h"
#include "wire/wire.h"

enum hd_verb {
    HD_VERB_CC,
    HD_VERB_CXX,
    HD_VERB_RUN,
    HD_VERB_VERIFY,
    HD_VERB_LINEARIZE,
    HD_VERB_HISTORY,
    HD_VERB_REPLAY,
    HD_VERB_REPORT,
    HD_VERB_MINIMIZE,
    HD_VERB_RECHECK,
    HD_VERB_SUPPRESS,
    HD_VERB_ESTIMATE,
    HD_VERB_STATUS,
    HD_VERB_CAMPAIGN,
    HD_VERB_WORKER,
    HD_VERB_SERVE,
    HD_VERB_STUDY,
    HD_VERB_KERNEL,
    HD_VERB_LIST,
    HD_VERB_DOCTOR,
    HD_VERB_VERSION,
    HD_VERB_OPTIONS, /* hidden: prints man pages and completions */
    HD_VERB_DEBUGGEE, /* hidden: gdb starts it (gdb.c) */
    HD_VERB_ASSEMBLE, /* hidden: gcc starts it, for `heddle cc` */
    HD_VERBS
};

enum hd_progress { HD_PROGRESS_AUTO, HD_PROGRESS_PLAIN, HD_PROGRESS_NONE };

/* A value of `bound` during parsing only; no strategy receives it. */
#define HD_BOUND_ITERATE (-2)

#define HD_DEFAULT_OUT_DIR ".heddle"
#define HD_DEFAULT_STORE "sqlite:" HD_DEFAULT_OUT_DIR "/store.sqlite" /* used by campaigns without --store */
#define HD_MAX_ALLOWED 16
#define HD_MAX_POINT_AT 32
#define HD_MAX_RULES 16
#define HD_MAX_SUPPRESSION_FILES 32
#define HD_MAX_GDB_COMMANDS 64
#define HD_MAX_SPELLED 64

/* The options.  Those that the user has not given have their default values. */
struct hd_options {
    /* the search */
    char strategy[64];   /* name[+reducer] without parameters; for run and verify it is known to exist */
    char params[128];    /* "k=v,k=v" after the name, or "" */
    bool strategy_named; /* the user has named the strategy */
    int64_t bound;       /* -1: no bound, or increasing bounds */
    uint64_t seed;
    uint64_t executions; /* 0: no limit */
    bool in_stages;      /* sample and prove in turn (search/stages.h); `strategy` is that of the sampling stages */
    uint64_t first_index; /* for a stage that continues sampling: number of executions sampled before */
    bool past_races;     /* data races do not end the search */
    uint64_t budget_ms;  /* 0: no limit */
    HD_SETTINGS_EMBEDDED;
    uint32_t jobs;       /* 0: one for each usable processor */
    bool points_named;   /* the user has given --points */
    bool deepens;        /* quicksand: many searches over sets of points (search/quicksand.h); `strategy` is
                          * that of the jobs */
    bool maximal;        /* quicksand: only the search of all points */
    bool dry;            /* run once, and list the scheduling points */
    bool tm_weak;        /* sets tm to HD_TM_WEAK */
    bool tm_retry_sets;  /* uses retry sets (search/por/retry_sets.h) */
    const hd_cname *places; /* racing places that are known already */
    uint32_t nplaces, nchosen; /* see hd_common.nchosen */
    struct {
        bool within; /* false: --without */
        const char *function;
    } filters[HD_MAX_FILTERS]; /* in the order of the command line */
    uint32_t nfilters;
    const char *point_at[HD_MAX_POINT_AT]; /* "FILE:LINE" */
    uint32_t npoint_at;
    enum hd_isolation isolation;
    enum hd_races_mode races;
    bool keep_going;
    bool resume;         /* continue an interrupted search */
    uint64_t checkpoint_ms; /* how often to save the state of the search; 0: never */
    const char *search_options; /* options that a continued search must share: lines of name, tab, value; NULL: none */
    const char *store, *campaign; /* the search is a campaign of that store (spread/spread.h); NULL: none */
    uint64_t lease_ms;   /* how long a worker of a campaign may be silent */
    bool ship;           /* copy the program into the store, for `heddle worker` */
    bool waits;          /* worker: when no campaign is left, wait for new ones */
    const char *listen, *token_file, *proxy; /* serve (serve/serve.h); the last two may be NULL */
    struct {
        const char *name, *value; /* value: NULL if it has none */
    } spelled[HD_MAX_SPELLED]; /* options that decide what is searched, as the user wrote them */
    uint32_t nspelled;   /* HD_MAX_SPELLED: some may be missing */
    bool each;           /* search every test of the program separately */
    bool minimize;       /* minimise findings before they are shown */
    uint64_t minimize_ms; /* time limit of minimising, per finding */
    const char *suppressions[HD_MAX_SUPPRESSION_FILES]; /* in the order of the command line */
    uint32_t nsuppressions;
    uint32_t count;          /* --count: bits of enum hd_reached_kind */
    uint32_t mute;           /* kinds of findings, as bits */
    const char *expect_file; /* --expect; NULL: none */
    bool expect_same;
    struct {
        const char *component; /* begins with the name of the component, which has `size` letters */
        int size;
        enum hd_lin_rule rule;
    } rules[HD_MAX_RULES]; /* --rule */
    uint32_t nrules;
    enum hd_lin_criterion criterion;
    uint64_t sample_orders;    /* number of sequential executions to draw; 0: all */
    const char *outcomes_file; /* --outcomes; NULL: none */
    bool splits;         /* --split */
    bool judge;          /* the operand is a file of --outcomes, to be judged again */
    bool any_build;      /* rechecks: the program may have another file name than the recorded one */
    const char *recheck_with; /* another build of the program; NULL: none */
    bool linear_repeats;     /* the search ends at an operation that does not return, and is repeated with more orders */
    const char *linear_book; /* the sequential outcomes that executions are compared with; NULL: none */
    const char *allowed[HD_MAX_ALLOWED]; /* --allow-unseen */
    uint32_t nallowed;

    /* output */
    const char *out_dir;   /* never NULL */
    const char *files[HD_FORMATS]; /* report files, by format; NULL: not requested; "-": standard output */
    const char *test_name;     /* name of the test in the JUnit report; NULL: the program's name */
    const char *csv_file;      /* for study, like markdown_file */
    const char *markdown_file;
    enum hd_progress progress;
    enum hd_color color;   /* use hd_terminal_color, which considers NO_COLOR and the terminal */
    bool quiet;
    uint32_t verbose;      /* number of -v options */
    bool show_output;      /* replay --output */
    bool gdb;              /* replay --gdb */
    const char *gdb_commands[HD_MAX_GDB_COMMANDS]; /* in the order of the command line */
    uint32_t ngdb_commands;

    /* study */
    const char *study_strategies, *study_seeds;
    const char *study_programs; /* NULL: all */
    const char *study_db;
    bool report_only;

    /* history */
    const char *model;     /* NULL: the file names it */
    uint64_t steps;

    /* kernel */
    const char *multiboot, *describe; /* NULL: not given */
    const char *kernel_image, *kernel_modules;
    uint32_t kernel_memory, kernel_instructions, kernel_points, kernel_repeats;
    bool check_kernel;                /* doctor --kernel */

    /* version --json, status --json, and the selectors of the hidden verb */
    bool json;
    const char *man;       /* verb of the requested man page; NULL: none */
    bool bash, zsh, fish;

    /* Remaining arguments: PROG and its ARGS (run, verify, doctor), the schedule FILE (replay), DIR or FILE
     * (recheck), the name of the list (list), DIR (status), LIST (study).  NULL-terminated; nargs may be 0. */
    char **args;
    int nargs;
    enum hd_verb verb;
    const char *verb_name; /* as the user types it */
    const char *program; /* PROGRAM of `replay FILE -- PROGRAM`; NULL: run the recorded program */
};

#endif
