/* SPDX-License-Identifier: BSD-2-Clause
 *
 * registry.h - the lists of verbs, exit codes and default strategies.  All code that enumerates
 * them (dispatch, help, `heddle list`, completions, man pages) uses these lists. */
#ifndef HD_CLI_REGISTRY_H
#define HD_CLI_REGISTRY_H

#include "cli/options.h"

struct hd_example {
    const char *command;
    const char *meaning; /* one sentence, no full stop */
};

struct hd_verb_info {
    const char *name;
    const char *synopsis;    /* what follows "heddle NAME" */
    const char *summary;     /* one line, no full stop */
    const char *description; /* a paragraph or two for help and man page */
    const char *exits;       /* exit codes that this verb uses, one digit each (7: 77) */
    const struct hd_example *examples; /* the last one has the command NULL; NULL: no examples */
    int min_args, max_args;  /* operands; max -1: any number */
    bool names_program;      /* the words after "--" are the program of a schedule */
    bool takes_program;      /* the first operand ends the options: the rest belongs to the program */
    bool hidden;
    int (*run)(const struct hd_options *o);   /* exactly one of run and run_raw is set */
    int (*run_raw)(int argc, char **argv);    /* gets the unparsed words; argv[0] is the verb */
};

extern const struct hd_verb_info hd_verb_table[HD_VERBS];

/* Returns the verb with this name, or HD_VERBS if there is none. */
enum hd_verb hd_verb_find(const char *name);

/* Returns the strategy that a verb uses by default, or "" for verbs without search. */
const char *hd_default_strategy(enum hd_verb verb);

/* Returns the strategy of `verify` with a bound. */
const char *hd_bounded_strategy(void);

struct hd_exit_info {
    int code;
    const char *meaning;
};

extern const struct hd_exit_info hd_exit_table[];
extern const size_t hd_exit_count;

/* One function per verb, in cmd_<verb>.c. */
int hd_cmd_cc(int argc, char **argv);
int hd_cmd_cxx(int argc, char **argv);
int hd_cmd_assemble(int argc, char **argv);
/* clang has started this program as its assembler, with these arguments. */
int hd_cmd_as(char **argv);
int hd_cmd_run(const struct hd_options *o);
int hd_cmd_verify(const struct hd_options *o);
int hd_cmd_linearize(const struct hd_options *o);
int hd_cmd_history(const struct hd_options *o);
int hd_cmd_campaign(const struct hd_options *o);
int hd_cmd_worker(const struct hd_options *o);
int hd_cmd_serve(const struct hd_options *o);
int hd_cmd_replay(const struct hd_options *o);
int hd_cmd_report(const struct hd_options *o);
int hd_cmd_minimize(const struct hd_options *o);
int hd_cmd_recheck(const struct hd_options *o);
int hd_cmd_suppress(const struct hd_options *o);
int hd_cmd_estimate(const struct hd_options *o);
int hd_cmd_status(const struct hd_options *o);
int hd_cmd_kernel(const struct hd_options *o);
int hd_cmd_study(const struct hd_options *o);
int hd_cmd_list(const struct hd_options *o);
int hd_cmd_doctor(const struct hd_options *o);
int hd_cmd_version(const struct hd_options *o);
int hd_cmd_options(const struct hd_options *o);
int hd_cmd_debuggee(const struct hd_options *o);

#endif
