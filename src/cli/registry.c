/* SPDX-License-Identifier: BSD-2-Clause
 *
 * registry.c - the one place that names all verbs and exit codes.
 * The list of strategies is in search/core/strategies.c, the kinds of findings are in
 * report/verdict/rules.h. */
#include "cli/registry.h"

#include <string.h>

#include "base/check.h"
#include "search/core/strategy.h"

#define CC_DESCRIPTION                                                                       \
    "Runs the compiler with the arguments given, all of them unchanged, and adds what Heddle\n" \
    "needs: the compiler's own -fsanitize=thread instrumentation and -g when compiling,\n"   \
    "Heddle's runtime in place of the sanitizer's when linking. Works wherever a compiler's\n" \
    "name is expected, for example: make CC=\"heddle cc\".\n"                                 \
    "Inline assembly that synchronises is invisible to Heddle: gcc's is found and a warning\n" \
    "names file, line and function. --asm=point makes each such statement an operation that\n" \
    "has its turn like an atomic on one object for all of them; --asm=ignore says nothing.\n" \
    "Static linking is refused: Heddle steps in between a program and the C library, which\n" \
    "a static program does not allow."

#define SEARCH_EXITS "0123457" /* 7: 77, see exits_with in options_doc.c */

const struct hd_verb_info hd_verb_table[HD_VERBS] = {
    [HD_VERB_CC] = {
        .name = "cc", .synopsis = "COMPILER-ARGUMENTS...",
        .summary = "compile and link C for Heddle (compiler: HEDDLE_CC, else gcc)",
        .description = CC_DESCRIPTION, .exits = "1", .max_args = -1, .run_raw = hd_cmd_cc },
    [HD_VERB_CXX] = {
        .name = "c++", .synopsis = "COMPILER-ARGUMENTS...",
        .summary = "compile and link C++ for Heddle (compiler: HEDDLE_CXX, else g++)",
        .description = CC_DESCRIPTION, .exits = "1", .max_args = -1, .run_raw = hd_cmd_cxx },
    [HD_VERB_RUN] = {
        .name = "run", .synopsis = "[OPTIONS] [--] PROGRAM [ARGUMENTS...]",
        .summary = "look for a bug; stops at the first finding",
        .description =
            "Runs the program again and again, each time with its threads in another order,\n"
            "until an execution fails, the budget is used up or nothing is left to try. The\n"
            "schedule of a finding is kept, and 'heddle replay' runs exactly that one again.",
        .exits = SEARCH_EXITS, .min_args = 1, .max_args = -1, .takes_program = true,
        .run = hd_cmd_run },
    [HD_VERB_VERIFY] = {
        .name = "verify", .synopsis = "[OPTIONS] [--] PROGRAM [ARGUMENTS...]",
        .summary = "explore everything (or everything up to --bound)",
        .description =
            "As 'heddle run', with a strategy that explores systematically and no limit of\n"
            "time. Exits with 0 only when the exploration is complete and clean.",
        .exits = SEARCH_EXITS, .min_args = 1, .max_args = -1, .takes_program = true,
        .run = hd_cmd_verify },
    [HD_VERB_REPLAY] = {
        .name = "replay", .synopsis = "[OPTIONS] [FILE] [-- PROGRAM]",
        .summary = "run one recorded schedule again (the newest by default)",
        .description =
            "Runs the program of a finding once more in the order that was recorded, and\n"
            "prints the finding. Without FILE the newest schedule in the output directory is\n"
            "taken. With --gdb it runs in gdb and stops at the failure. The recorded program is run\n"
            "when it lies below the current directory; any other one only when PROGRAM names it.",
        .exits = "012357", .max_args = 1, .names_program = true,
        .run = hd_cmd_replay },
    [HD_VERB_REPORT] = {
        .name = "report", .synopsis = "[OPTIONS] [FILE] [-- PROGRAM]",
        .summary = "render a finding (the newest by default): text, HTML, JSON, JUnit, SARIF",
        .description =
            "Runs the schedule of a finding once more and writes its report: to the terminal, or\n"
            "into the files that --html, --json, --junit and --sarif name. FILE is a schedule or\n"
            "the id of a finding. Exits with 0 when the report was written: 'heddle replay' is for checking\n"
            "whether a finding is still there.",
        .exits = "01357", .max_args = 1, .names_program = true,
        .run = hd_cmd_report },
    [HD_VERB_MINIMIZE] = {
        .name = "minimize", .synopsis = "[OPTIONS] [FILE] [-- PROGRAM]",
        .summary = "make the schedule of a finding (the newest by default) as small as it goes",
        .description =
            "Runs the schedule of a finding in ever simpler variants, each of which must show the\n"
            "same finding: with fewer preemptions, then fewer switches between threads, then fewer\n"
            "steps. All schedules with fewer preemptions than are left are searched too, as far as\n"
            "the time allows. What comes of it is kept, and shown with the order of operations that\n"
            "makes it fail. FILE is a schedule or the id of a finding. Exits with 0 when no schedule\n"
            "with fewer preemptions fails like this, with 4 when that could not be made certain.",
        .exits = "013457", .max_args = 1, .names_program = true,
        .run = hd_cmd_minimize },
    [HD_VERB_SUPPRESS] = {
        .name = "suppress", .synopsis = "[OPTIONS] [FILE] [-- PROGRAM]",
        .summary = "print what keeps a finding (the newest by default) from being reported",
        .description =
            "Runs the schedule of a finding once more and prints a suppression that covers this\n"
            "finding and little else. Edit its first line, which says why the finding may stay,\n"
            "append it to a file, and give that to 'heddle run --suppressions'. FILE is a schedule\n"
            "or the id of a finding.",
        .exits = "01357", .max_args = 1, .names_program = true,
        .run = hd_cmd_suppress },
    [HD_VERB_ESTIMATE] = {
        .name = "estimate", .synopsis = "[OPTIONS] [--] PROGRAM [ARGUMENTS...]",
        .summary = "how many interleavings there are, and how long they would take",
        .description =
            "Measures the tree of all interleavings by random descents, and a reduced one by\n"
            "searching it for a while: how many executions, and how much time at the speed that\n"
            "was measured. Estimates of uneven trees are uncertain, and rather too small than too\n"
            "large; the spread of the descents is told. Failures on the way are counted only.",
        .exits = "01347", .min_args = 1, .max_args = -1, .takes_program = true,
        .run = hd_cmd_estimate },
    [HD_VERB_STATUS] = {
        .name = "status", .synopsis = "[OPTIONS] [DIR]",
        .summary = "how the searches stand that write into a directory (.heddle by default)",
        .description =
            "Reads what 'heddle run' and 'heddle verify' write into their output directory about\n"
            "once a second and at their end, and prints it; says whether the search still runs, has\n"
            "ended, or was killed. Where several run at the same time, each is shown. Exits with 1\n"
            "when there is nothing to read.",
        .exits = "01", .max_args = 1, .run = hd_cmd_status },
    [HD_VERB_STUDY] = {
        .name = "study", .synopsis = "[OPTIONS] LIST|DIR",
        .summary = "many programs times many strategies: tables and plots",
        .description =
            "Compiles the programs of a list (a table with tabs, whose first line names the columns:\n"
            "name and source are needed; DIR stands for its programs.tsv) and runs each with every\n"
            "strategy and seed, counting as the SCT study does (--convention study). Each such cell is\n"
            "a 'heddle run' of its own with the same limits. Results are kept in one SQLite file; a study\n"
            "that was ended or killed goes on from there, and one with more strategies or seeds adds\n"
            "them. Cells that failed are named in every table, and tried again by the next study. Numbers\n"
            "in published.tsv beside the list are compared, and deviations.tsv says why they differ.",
        .exits = "01347", .min_args = 1, .max_args = 1, .run = hd_cmd_study },
    [HD_VERB_LIST] = {
        .name = "list", .synopsis = "strategies|detectors|events",
        .summary = "what there is, one line each",
        .description = "Prints the names that options and reports use, with a line about each.",
        .exits = "01", .min_args = 1, .max_args = 1, .run = hd_cmd_list },
    [HD_VERB_DOCTOR] = {
        .name = "doctor", .synopsis = "[OPTIONS] [PROGRAM]",
        .summary = "do this machine, compiler and program suit Heddle",
        .description =
            "Checks what Heddle needs and prints every problem with its remedy. Exits with 1\n"
            "when the program cannot be run, with 77 when this machine cannot run any.",
        .exits = "017", .max_args = 1, .run = hd_cmd_doctor },
    [HD_VERB_VERSION] = {
        .name = "version", .synopsis = "[--json]", .summary = "print the version",
        .description = "Prints the version of Heddle and of its formats.",
        .exits = "01", .max_args = 0, .run = hd_cmd_version },
    [HD_VERB_OPTIONS] = {
        .name = "options", .synopsis = "--man VERB|--bash|--zsh|--fish",
        .summary = "print manual pages and completions", .hidden = true,
        .description = "Generates documents from the table of options.",
        .exits = "01", .max_args = 0, .run = hd_cmd_options },
    [HD_VERB_DEBUGGEE] = {
        .name = "debuggee", .synopsis = "[--output] FILE ...",
        .summary = "become the program of a schedule, ready for gdb", .hidden = true,
        .description = "What 'heddle replay --gdb' has gdb start.",
        .exits = "1", .min_args = 1, .max_args = -1, .takes_program = true,
        .run = hd_cmd_debuggee },
    [HD_VERB_ASSEMBLE] = {
        .name = "assemble", .synopsis = "warn|point TOOL ARGUMENTS...",
        .summary = "start a program of the compiler, and look at inline assembly", .hidden = true,
        .description = "What 'heddle cc' has gcc start its programs through.",
        .exits = "1", .max_args = -1, .run_raw = hd_cmd_assemble },
};

enum hd_verb hd_verb_find(const char *name)
{
    for (int v = 0; v < HD_VERBS; v++)
        if (strcmp(hd_verb_table[v].name, name) == 0)
            return (enum hd_verb)v;
    return HD_VERBS;
}

const struct hd_exit_info hd_exit_table[] = {
    { HD_EXIT_CLEAN, "clean, and what was asked for was done completely" },
    { HD_EXIT_USAGE, "a mistake in usage, configuration or environment" },
    { HD_EXIT_FINDING, "a finding" },
    { HD_EXIT_INTERNAL, "internal error of Heddle" },
    { HD_EXIT_BUDGET, "budget used up, nothing found, not complete" },
    { HD_EXIT_DIVERGED, "the program did not repeat itself" },
    { HD_EXIT_SKIPPED, "this machine cannot run it" },
};
const size_t hd_exit_count = sizeof hd_exit_table / sizeof *hd_exit_table;

/* The best first; the first one that this build has is taken. */
static const char *const verify_defaults[] = { "dpor", "dfs", NULL };

const char *hd_default_strategy(enum hd_verb verb)
{
    if (verb == HD_VERB_RUN)
        return hd_strategies[0]->name;
    if (verb == HD_VERB_ESTIMATE)
        return "dpor-optimal";
    for (int i = 0; verb == HD_VERB_VERIFY && verify_defaults[i] != NULL; i++)
        if (hd_strategy_find(verify_defaults[i]) != NULL)
            return verify_defaults[i];
    return "";
}

/* By measurement: of the strategies that miss nothing up to a bound, bpor-lazy runs each
 * class in bound once and cuts off a fraction more; bpor and bpor-source run classes
 * several times, the more so the more threads there are (four threads with a few
 * accesses each, bounds 0 to 3: 1.2 against 2.7 executions per class, see
 * docs/strategies.md), and ipb every schedule. */
const char *hd_bounded_strategy(void)
{
    return "bpor-lazy";
}
