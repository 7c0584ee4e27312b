/* SPDX-License-Identifier: BSD-2-Clause
 *
 * options.h - the command line as one struct, and the table that defines it.
 *
 * Every option is a row of hd_option_table: spelling, verbs, value, default, help.
 * Parsing, --help, the man pages and the shell completions all use that table, so they
 * cannot disagree.
 *
 * Precedence: default of the table, then HEDDLE_OPTIONS, then the command line. */
#ifndef HD_CLI_OPTIONS_H
#define HD_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "campaign/setup/options.h"

/* The result of parsing. */
enum hd_parse {
    HD_PARSE_OK,
    HD_PARSE_HELP, /* --help was printed: exit HD_EXIT_CLEAN */
    HD_PARSE_BAD,  /* the message was printed: exit HD_EXIT_USAGE */
};

/* Parses the arguments after the verb.  Precondition: argv[argc] is NULL.  The result points to the
 * strings of argv. */
enum hd_parse hd_options_parse(enum hd_verb verb, int argc, char **argv, struct hd_options *out);

/* ---- the table ------------------------------------------------------------- */

enum hd_option_type {
    HD_OPT_FLAG,     /* no value; bool */
    HD_OPT_COUNT,    /* no value; uint32_t counts occurrences */
    HD_OPT_U32,
    HD_OPT_U64,
    HD_OPT_BOUND,    /* a number, or the word in `choices`: HD_BOUND_ITERATE; int64_t */
    HD_OPT_DURATION, /* 30s, 5m, 2h; uint64_t milliseconds */
    HD_OPT_CHOICE,   /* one of `choices`; an enum */
    HD_OPT_SWITCH,   /* one of two `choices`; bool, true for the second */
    HD_OPT_WORDS,    /* some of `choices`, separated by commas; uint32_t, one bit each in their
                      * order */
    HD_OPT_FAULTS,   /* like HD_OPT_WORDS, but each word may have a budget: crash=1 */
    HD_OPT_STRATEGY, /* NAME[:k=v,…] */
    HD_OPT_FILTER,   /* a function; may be repeated */
    HD_OPT_FILES,    /* a file; may be repeated */
    HD_OPT_ALLOWED,  /* a library or function; may be repeated */
    HD_OPT_PLACE,    /* FILE:LINE; may be repeated */
    HD_OPT_RULE,     /* COMPONENT=RULE; may be repeated */
    HD_OPT_COMMAND,  /* a gdb command; may be repeated */
    HD_OPT_TEXT,     /* const char *, not empty */
};

/* The headings of --help and of the manual pages, in their order. */
enum hd_option_group {
    HD_GROUP_SEARCH,
    HD_GROUP_PROGRAM,
    HD_GROUP_FINDINGS,
    HD_GROUP_OUTPUT,
    HD_GROUPS,
};

struct hd_option {
    enum hd_option_group group;
    const char *name;       /* long spelling without "--"; NULL if there is none */
    char letter;            /* short spelling; 0 if there is none */
    unsigned verbs;         /* bits 1 << enum hd_verb */
    enum hd_option_type type;
    size_t field;           /* offset in struct hd_options */
    const char *value;      /* placeholder of the value in the help; NULL for flags */
    const char *const *choices; /* HD_OPT_CHOICE, HD_OPT_WORDS: NULL-terminated, in order of the enum */
    uint64_t min, max;      /* numbers: smallest and largest value */
    const char *zero;       /* numbers: a word for 0; NULL: none */
    const char *fallback;   /* the default, as the user would write it; NULL: none */
    const char *help;       /* one sentence, no full stop */
    bool may_change;        /* the value may differ when a search is continued, because it does not
                             * affect what is searched; true for all options of the group OUTPUT as
                             * well */
};

extern const struct hd_option hd_option_table[];
extern const size_t hd_option_count;

static inline bool hd_option_applies(const struct hd_option *o, enum hd_verb verb)
{
    return (o->verbs >> verb) & 1;
}

/* True if the option decides what is searched. */
static inline bool hd_option_decides(const struct hd_option *o)
{
    return o->group != HD_GROUP_OUTPUT && !o->may_change;
}

/* Returns the options of that verb that must be the same when a search is continued, as lines of name, tab and
 * value.  The caller frees the text. */
char *hd_options_of_search(const struct hd_options *from, enum hd_verb verb);

/* ---- generated documents --------------------------------------------------- */

void hd_options_help(enum hd_verb verb, FILE *to);
void hd_options_man(enum hd_verb verb, FILE *to);
void hd_options_man_overview(FILE *to);
void hd_options_bash(FILE *to);
void hd_options_zsh(FILE *to);
void hd_options_fish(FILE *to);

#endif
