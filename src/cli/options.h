/* SPDX-License-Identifier: BSD-2-Clause
 *
 * options.h - the command line as one struct, and the one table it comes from.
 *
 * Every option is a row of hd_option_table: spelling, verbs, value, default,
 * help.  Parsing, --help, the man pages and the shell completions all read that
 * table, so they cannot disagree.
 *
 * Precedence: default of the table, then HEDDLE_OPTIONS, then the command line. */
#ifndef HD_CLI_OPTIONS_H
#define HD_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "wire/wire.h"

enum hd_verb {
    HD_VERB_CC,
    HD_VERB_CXX,
    HD_VERB_RUN,
    HD_VERB_VERIFY,
    HD_VERB_REPLAY,
    HD_VERB_REPORT,
    HD_VERB_MINIMIZE,
    HD_VERB_SUPPRESS,
    HD_VERB_ESTIMATE,
    HD_VERB_STATUS,
    HD_VERB_STUDY,
    HD_VERB_LIST,
    HD_VERB_DOCTOR,
    HD_VERB_VERSION,
    HD_VERB_OPTIONS, /* hidden: man pages and completions */
    HD_VERB_DEBUGGEE, /* hidden: what gdb starts */
    HD_VERB_ASSEMBLE, /* hidden: what gcc starts, for `heddle cc` */
    HD_VERBS
};

enum hd_progress { HD_PROGRESS_AUTO, HD_PROGRESS_PLAIN, HD_PROGRESS_NONE };
enum hd_color { HD_COLOR_AUTO, HD_COLOR_ALWAYS, HD_COLOR_NEVER };

/* While parsing only: no strategy gets to see it. */
#define HD_BOUND_ITERATE (-2)

#define HD_DEFAULT_OUT_DIR ".heddle"
#define HD_MAX_ALLOWED 16
#define HD_MAX_SUPPRESSION_FILES 32
#define HD_MAX_GDB_COMMANDS 64

/* What the user asked for, complete: absent options hold their defaults. */
struct hd_options {
    /* the search */
    char strategy[64];   /* name[+reducer] without parameters; a known one for run and verify */
    char params[128];    /* "k=v,k=v" after the name, or "" */
    bool strategy_named; /* by the user */
    int64_t bound;       /* -1: none, or one after the other */
    uint64_t seed;
    uint64_t executions; /* 0: no limit */
    uint64_t budget_ms;  /* 0: no limit */
    uint32_t max_steps;
    uint32_t loop_bound;
    uint32_t exit_grace;
    uint32_t jobs;       /* 0: one for each usable processor */
    enum hd_points points;
    bool points_named;   /* by the user */
    struct {
        bool within; /* else without */
        const char *function;
    } filters[HD_MAX_FILTERS]; /* in the order of the command line */
    uint32_t nfilters;
    enum hd_isolation isolation;
    bool timeouts_idle;  /* --timeouts idle */
    uint32_t faults;     /* enum hd_fault, of --faults */
    uint32_t fault_bound;
    enum hd_races_mode races;
    bool recycle;        /* --heap recycle */
    bool study;          /* --convention study */
    bool keep_going;
    bool each;           /* every test of the program is a search of its own */
    bool minimize;       /* what is found, before it is shown ... */
    uint64_t minimize_ms; /* ... for so long, each */
    const char *suppressions[HD_MAX_SUPPRESSION_FILES]; /* in the order of the command line */
    uint32_t nsuppressions;
    const char *allowed[HD_MAX_ALLOWED]; /* --allow-unseen */
    uint32_t nallowed;

    /* what comes out */
    const char *out_dir;   /* never NULL */
    const char *json_file; /* NULL: none; "-": standard output; so the next ones */
    const char *junit_file;
    const char *sarif_file;
    const char *html_file;
    const char *csv_file;      /* study */
    const char *markdown_file;
    enum hd_progress progress;
    enum hd_color color;   /* ask hd_options_color, which knows NO_COLOR and the terminal */
    bool quiet;
    uint32_t verbose;      /* how many -v */
    bool show_output;      /* replay --output */
    bool gdb;              /* replay --gdb */
    const char *gdb_commands[HD_MAX_GDB_COMMANDS]; /* in the order of the command line */
    uint32_t ngdb_commands;

    /* study */
    const char *study_strategies, *study_seeds;
    const char *study_programs; /* NULL: all */
    const char *study_db;
    bool report_only;

    /* version --json, status --json, and the selectors of the hidden verb */
    bool json;
    const char *man;       /* verb whose man page is wanted; NULL none */
    bool bash, zsh, fish;

    /* the rest: PROG and its ARGS (run, verify, doctor), the schedule FILE
     * (replay), the list's name (list), DIR (status), LIST (study); NULL-terminated, nargs may be 0 */
    char **args;
    int nargs;
    enum hd_verb verb;
    const char *program; /* replay FILE -- PROGRAM: the one to run; NULL: the recorded one */
};

/* What parsing came to. */
enum hd_parse {
    HD_PARSE_OK,
    HD_PARSE_HELP, /* --help was printed: exit HD_EXIT_CLEAN */
    HD_PARSE_BAD,  /* the message was printed: exit HD_EXIT_USAGE */
};

/* Parse what follows the verb.  argv[argc] is NULL; strings are kept, not copied. */
enum hd_parse hd_options_parse(enum hd_verb verb, int argc, char **argv, struct hd_options *out);

/* Whether output to f is to be coloured. */
bool hd_options_color(const struct hd_options *o, FILE *f);

/* How many columns there are for output to f: COLUMNS, the terminal's, or 100. */
int hd_options_width(FILE *f);

/* ---- the table ------------------------------------------------------------- */

enum hd_option_type {
    HD_OPT_FLAG,     /* no value; bool */
    HD_OPT_COUNT,    /* no value; uint32_t counts how often */
    HD_OPT_U32,
    HD_OPT_U64,
    HD_OPT_BOUND,    /* a number, or the word in `choices`: HD_BOUND_ITERATE; int64_t */
    HD_OPT_DURATION, /* 30s, 5m, 2h; uint64_t milliseconds */
    HD_OPT_CHOICE,   /* one of `choices`; an enum */
    HD_OPT_SWITCH,   /* one of two `choices`; bool, true for the second */
    HD_OPT_WORDS,    /* some of `choices`, with commas; uint32_t, a bit for each in their order */
    HD_OPT_STRATEGY, /* NAME[:k=v,…] */
    HD_OPT_FILTER,   /* a function; may be repeated */
    HD_OPT_FILES,    /* a file; may be repeated */
    HD_OPT_ALLOWED,  /* a library or function; may be repeated */
    HD_OPT_COMMAND,  /* of gdb; may be repeated */
    HD_OPT_TEXT,     /* const char *, not empty */
};

struct hd_option {
    const char *name;       /* long spelling without "--"; NULL when there is none */
    char letter;            /* short spelling, 0 when there is none */
    unsigned verbs;         /* bits 1 << enum hd_verb */
    enum hd_option_type type;
    size_t field;           /* offset in struct hd_options */
    const char *value;      /* how the value is written in help; NULL for flags */
    const char *const *choices; /* HD_OPT_CHOICE, HD_OPT_WORDS: NULL-terminated, in order of the enum */
    uint64_t min, max;      /* numbers: smallest and largest value */
    const char *zero;       /* numbers: a word for 0; NULL none */
    const char *fallback;   /* the default, as the user would write it; NULL none */
    const char *help;       /* one sentence, no full stop */
};

extern const struct hd_option hd_option_table[];
extern const size_t hd_option_count;

static inline bool hd_option_applies(const struct hd_option *o, enum hd_verb verb)
{
    return (o->verbs >> verb) & 1;
}

/* ---- generated documents --------------------------------------------------- */

void hd_options_help(enum hd_verb verb, FILE *to);
void hd_options_man(enum hd_verb verb, FILE *to);
void hd_options_man_overview(FILE *to);
void hd_options_bash(FILE *to);
void hd_options_zsh(FILE *to);
void hd_options_fish(FILE *to);

#endif
