/* SPDX-License-Identifier: BSD-2-Clause
 *
 * options_table.c - every option of every verb.  A new option is one row here
 * and one field in struct hd_options. */
#include "cli/options.h"

#include "report/evidence/describe.h"

#define V(verb) (1u << HD_VERB_##verb)
#define SEARCHING (V(RUN) | V(VERIFY))
#define MEASURING (SEARCHING | V(ESTIMATE))
#define RUNNING (SEARCHING | V(REPLAY))
#define LAUNCHING (RUNNING | V(ESTIMATE))
#define RENDERING (RUNNING | V(REPORT))
#define FIELD(name) offsetof(struct hd_options, name)

static const char *const isolation_words[] = { "auto", "inproc", "fork", NULL };
static const char *const bound_words[] = { "iterate", NULL };
static const char *const races_words[] = { "off", "on", "predict", NULL };
static const char *const minimize_words[] = { "off", "on", NULL };
static const char *const progress_words[] = { "auto", "plain", "none", NULL };
static const char *const color_words[] = { "auto", "always", "never", NULL };

_Static_assert(HD_RACES_OFF == 0 && HD_RACES_ON == 1 && HD_RACES_PREDICT == 2,
               "races_words is in the order of enum hd_races_mode");
_Static_assert(HD_ISO_AUTO == 0 && HD_ISO_INPROC == 1 && HD_ISO_FORK == 2,
               "isolation_words is in the order of enum hd_isolation");

const struct hd_option hd_option_table[] = {
    /* the search */
    { .name = "strategy", .verbs = SEARCHING, .type = HD_OPT_STRATEGY, .field = FIELD(strategy),
      .value = "NAME[+cache][:KEY=VALUE,...]",
      .help = "how to choose the next thread; see 'heddle list strategies'. With +cache, dfs, "
              "ipb and idb leave a state that they have explored before; cache=MB sets the "
              "memory for that (256)" },
    { .name = "strategy", .verbs = V(ESTIMATE), .type = HD_OPT_STRATEGY, .field = FIELD(strategy),
      .value = "NAME[:KEY=VALUE,...]",
      .help = "the reduced search whose size is estimated by running it for a while" },
    { .name = "bound", .verbs = SEARCHING, .type = HD_OPT_BOUND, .field = FIELD(bound),
      .value = "N|iterate", .choices = bound_words, .max = 1000000,
      .help = "largest number of preemptions (or of delays, for idb) that a behaviour may need; "
              "iterate: 0, 1, 2 ... until nothing is left. verify uses bpor-lazy then, unless "
              "--strategy names another" },
    { .name = "points", .verbs = SEARCHING, .type = HD_OPT_CHOICE, .field = FIELD(points),
      .value = "sync|races|all|every", .choices = hd_points_words, .fallback = "sync",
      .help = "where threads may be switched: at synchronisation and atomics; also at plain accesses "
              "that race, and data races then do not end the search; at every plain access outside "
              "the own stack (small programs); there, too, as dpor-lazy and +lazycache need it" },
    { .name = "within", .verbs = SEARCHING, .type = HD_OPT_FILTER, .field = FIELD(filters),
      .value = "FUNCTION",
      .help = "with --points races or all: plain accesses are points only inside this function and "
              "what it calls; may be repeated, together with --without: the last that names a "
              "function on the call stack decides" },
    { .name = "without", .verbs = SEARCHING, .type = HD_OPT_FILTER, .field = FIELD(filters),
      .value = "FUNCTION",
      .help = "with --points races or all: plain accesses inside this function and what it calls "
              "are no points" },
    { .name = "seed", .verbs = MEASURING, .type = HD_OPT_U64, .field = FIELD(seed),
      .value = "N", .max = UINT64_MAX, .fallback = "1",
      .help = "start of the random numbers; the same seed gives the same search" },
    { .name = "executions", .verbs = SEARCHING, .type = HD_OPT_U64, .field = FIELD(executions),
      .value = "N", .min = 1, .max = UINT64_MAX,
      .help = "stop after this many executions; 'run' without this and --budget stops after "
              "100000 or after 60s" },
    { .name = "budget", .verbs = SEARCHING, .type = HD_OPT_DURATION, .field = FIELD(budget_ms),
      .value = "30s|5m|2h",
      .help = "stop after this time" },
    { .name = "executions", .verbs = V(ESTIMATE), .type = HD_OPT_U64, .field = FIELD(executions),
      .value = "N", .min = 2, .max = UINT64_MAX,
      .help = "how many random descents; 10000 when this is not given" },
    { .name = "budget", .verbs = V(ESTIMATE), .type = HD_OPT_DURATION, .field = FIELD(budget_ms),
      .value = "30s|5m|2h",
      .help = "at most this time for the descents, and again for the reduced search; 5s when this "
              "is not given" },
    { .name = "budget", .verbs = V(MINIMIZE), .type = HD_OPT_DURATION, .field = FIELD(budget_ms),
      .value = "30s|5m|2h", .help = "at most this time; 60s when this is not given" },
    { .name = "max-steps", .verbs = MEASURING, .type = HD_OPT_U32, .field = FIELD(max_steps),
      .value = "N", .min = 1, .max = HD_MAX_STEPS, .fallback = "1000000",
      .help = "an execution of more scheduling decisions is given up as too long" },
    { .name = "timeouts", .verbs = MEASURING, .type = HD_OPT_CHOICE,
      .field = FIELD(timeouts_idle), .value = "any|idle", .choices = hd_timeouts_words,
      .fallback = "any",
      .help = "when a timed wait may time out: at any moment, or only when nothing else can run" },
    { .name = "faults", .verbs = SEARCHING, .type = HD_OPT_WORDS, .field = FIELD(faults),
      .value = "malloc,spurious-wakeup,trylock,eintr,weak-cas", .choices = hd_fault_words,
      .help = "what may go wrong, each time it could, as one more thing to explore: allocations of "
              "the program's own code fail, waits on conditions end for no reason, attempts "
              "to lock (also sem_trywait) fail although they could succeed, waits for semaphores, "
              "sleeps and blocking input and output end with EINTR, weak compare-exchanges fail "
              "for no reason" },
    { .name = "fault-bound", .verbs = SEARCHING, .type = HD_OPT_U32, .field = FIELD(fault_bound),
      .value = "N", .min = 1, .max = HD_MAX_FAULT_BOUND,
      .help = "with --faults: at most this many in one execution; 1 when this is not given" },
    { .name = "races", .verbs = SEARCHING, .type = HD_OPT_CHOICE, .field = FIELD(races),
      .value = "off|on|predict", .choices = races_words, .fallback = "on",
      .help = "whether two accesses that nothing orders are reported as a data race; predict: also "
              "list accesses that only the order of critical sections kept apart, which may race "
              "or not" },
    { .name = "heap", .verbs = MEASURING, .type = HD_OPT_CHOICE, .field = FIELD(recycle),
      .value = "normal|recycle", .choices = hd_heap_words, .fallback = "normal",
      .help = "normal: no address is given out twice in an execution, so that every use after free "
              "is seen; recycle: a thread is given the block first that it freed last, so that "
              "an address comes back (ABA)" },
    { .name = "loop-bound", .verbs = MEASURING, .type = HD_OPT_U32, .field = FIELD(loop_bound),
      .value = "N", .min = 1, .max = HD_MAX_LOOP_BOUND, .fallback = "3",
      .help = "idle rounds of a polling loop before its thread is stopped" },
    { .name = "exit-grace", .verbs = MEASURING, .type = HD_OPT_U32, .field = FIELD(exit_grace),
      .value = "N", .max = UINT32_MAX, .fallback = "1000",
      .help = "operations that other threads may still do after the program has begun to exit" },
    { .name = "convention", .verbs = MEASURING, .type = HD_OPT_CHOICE, .field = FIELD(study),
      .value = "default|study", .choices = hd_convention_words, .fallback = "default",
      .help = "study: count as the SCT study does: no scheduling point at thread start and exit, "
              "a child runs inside create up to its first operation, a failure ends the run" },
    { .name = "jobs", .letter = 'j', .verbs = SEARCHING, .type = HD_OPT_U32, .field = FIELD(jobs),
      .value = "N|auto", .max = HD_MAX_WORKERS, .zero = "auto", .fallback = "1",
      .help = "workers that search at the same time; auto or 0: one for each processor that may be used" },
    { .name = "jobs", .letter = 'j', .verbs = V(STUDY), .type = HD_OPT_U32, .field = FIELD(jobs),
      .value = "N|auto", .max = HD_MAX_WORKERS, .zero = "auto", .fallback = "1",
      .help = "cells that are worked on at the same time; auto or 0: one for each processor that may be used" },
    { .name = "keep-going", .verbs = SEARCHING, .type = HD_OPT_FLAG, .field = FIELD(keep_going),
      .help = "do not stop at the first finding" },
    { .name = "each", .verbs = SEARCHING, .type = HD_OPT_FLAG, .field = FIELD(each),
      .help = "the program is a test program of GoogleTest, Criterion, cmocka or <heddle/test.h>: list its "
              "tests, and search each of them by itself; --executions and --budget are then for each test" },
    { .name = "minimize", .verbs = SEARCHING, .type = HD_OPT_SWITCH, .field = FIELD(minimize),
      .value = "off|on", .choices = minimize_words, .fallback = "on",
      .help = "make what is found as small as it goes before it is shown and kept: fewest "
              "preemptions, then switches, then steps, and say which order of operations makes it "
              "fail; --minimize-budget is how long that may take" },
    { .name = "minimize-budget", .verbs = SEARCHING, .type = HD_OPT_DURATION,
      .field = FIELD(minimize_ms), .value = "2s|1m", .fallback = "2s",
      .help = "how long making one finding smaller may take" },
    { .name = "suppressions", .verbs = SEARCHING, .type = HD_OPT_FILES, .field = FIELD(suppressions),
      .value = "FILE",
      .help = "findings that this file describes are counted, and neither reported nor a reason to "
              "stop; 'heddle suppress' prints what to put there; may be repeated" },
    { .name = "allow-unseen", .verbs = SEARCHING, .type = HD_OPT_ALLOWED, .field = FIELD(allowed),
      .value = "NAME",
      .help = "code that is not instrumented may run beside other threads when it belongs to this "
              "library, program or function (a pattern as of the shell: 'libfoo.so*'): the claim "
              "stays, and says so; may be repeated" },
    { .name = "isolation", .verbs = LAUNCHING | V(MINIMIZE), .type = HD_OPT_CHOICE, .field = FIELD(isolation),
      .value = "auto|inproc|fork", .choices = isolation_words, .fallback = "auto",
      .help = "how executions are kept apart: restored in process, or a process each" },
    /* studies */
    { .name = "strategies", .verbs = V(STUDY), .type = HD_OPT_TEXT, .field = FIELD(study_strategies),
      .value = "NAME[:KEY=VALUE,...],...",
      .fallback = "dfs,ipb:finish=1,idb:finish=1,random,pct:d=3,pos,surw",
      .help = "the strategies, as --strategy of 'heddle run' takes them, with commas or semicolons between" },
    { .name = "seeds", .verbs = V(STUDY), .type = HD_OPT_TEXT, .field = FIELD(study_seeds),
      .value = "N|A..B", .fallback = "1",
      .help = "how many seeds, or which; a strategy that draws no lots is run with the first one only" },
    { .name = "programs", .verbs = V(STUDY), .type = HD_OPT_TEXT, .field = FIELD(study_programs),
      .value = "PATTERN[+PATTERN],...",
      .help = "only programs whose name, suite or a word of whose notes fits one of these patterns; of several "
              "with + between, all" },
    { .name = "executions", .verbs = V(STUDY), .type = HD_OPT_U64, .field = FIELD(executions),
      .value = "N", .min = 1, .max = INT64_MAX,
      .help = "end a cell after this many executions; 100000 when this is not given" },
    { .name = "budget", .verbs = V(STUDY), .type = HD_OPT_DURATION, .field = FIELD(budget_ms),
      .value = "30s|5m|2h", .help = "end a cell after this time; 60s when this is not given" },
    { .name = "keep-going", .verbs = V(STUDY), .type = HD_OPT_FLAG, .field = FIELD(keep_going),
      .help = "count all executions that fail, up to the limits, instead of ending a cell at the first" },
    { .name = "db", .verbs = V(STUDY), .type = HD_OPT_TEXT, .field = FIELD(study_db), .value = "FILE",
      .fallback = "study.db",
      .help = "the results, in SQLite's format; cells that are there with the same limits are not run "
              "again. FILE.d beside it has the compiled programs" },
    { .name = "report-only", .verbs = V(STUDY), .type = HD_OPT_FLAG, .field = FIELD(report_only),
      .help = "run nothing: write what the database has" },
    { .name = "csv", .verbs = V(STUDY), .type = HD_OPT_TEXT, .field = FIELD(csv_file), .value = "FILE",
      .help = "write one row per cell, with commas ('-': standard output)" },
    { .name = "markdown", .verbs = V(STUDY), .type = HD_OPT_TEXT, .field = FIELD(markdown_file),
      .value = "FILE", .help = "write the tables as Markdown ('-': standard output)" },
    { .name = "html", .verbs = V(STUDY), .type = HD_OPT_TEXT, .field = FIELD(files[HD_FORMAT_html]), .value = "FILE",
      .help = "write tables and plots as a page for a browser; one file that needs nothing else ('-': "
              "standard output)" },
    /* what comes out */
    { .name = "out-dir", .letter = 'o', .verbs = RENDERING | V(MINIMIZE) | V(SUPPRESS),
      .type = HD_OPT_TEXT, .field = FIELD(out_dir), .value = "DIR", .fallback = HD_DEFAULT_OUT_DIR,
      .help = "where schedules of findings are kept, and how a search stands (stats.json)" },
#define HD_FORMAT(option, on, text)                                                                  \
    { .name = #option, .verbs = on, .type = HD_OPT_TEXT, .field = FIELD(files[HD_FORMAT_##option]), \
      .value = "FILE", .help = text },
#include "report/verdict/formats.def"
#undef HD_FORMAT
    { .name = "json", .verbs = V(VERSION) | V(STATUS), .type = HD_OPT_FLAG, .field = FIELD(json),
      .help = "print a JSON object" },
    { .name = "output", .verbs = V(REPLAY) | V(DEBUGGEE), .type = HD_OPT_FLAG,
      .field = FIELD(show_output), .help = "show what the program printed" },
    { .name = "gdb", .verbs = V(REPLAY), .type = HD_OPT_FLAG, .field = FIELD(gdb),
      .help = "run it in gdb (HEDDLE_GDB names another one) and stop at the failure, every thread "
              "with its stack; 'help heddle' there lists the commands that know of the schedule" },
    { .name = "gdb-command", .verbs = V(REPLAY), .type = HD_OPT_COMMAND, .field = FIELD(gdb_commands),
      .value = "COMMAND",
      .help = "as --gdb, but gdb carries out this command at the failure and leaves; may be "
              "repeated" },
    { .name = "progress", .verbs = LAUNCHING, .type = HD_OPT_CHOICE, .field = FIELD(progress),
      .value = "auto|plain|none", .choices = progress_words, .fallback = "auto",
      .help = "how progress is shown: redrawn on a terminal, as a panel by run and verify where there is "
              "room and else as a line; plain lines; not at all" },
    { .name = "color", .verbs = LAUNCHING | V(REPORT) | V(MINIMIZE) | V(DOCTOR) | V(STATUS),
      .type = HD_OPT_CHOICE, .field = FIELD(color), .value = "auto|always|never", .choices = color_words, .fallback = "auto",
      .help = "whether to use colour; auto: on a terminal unless NO_COLOR is set" },
    { .name = "quiet", .letter = 'q', .verbs = LAUNCHING | V(MINIMIZE) | V(DOCTOR) | V(STUDY),
      .type = HD_OPT_FLAG, .field = FIELD(quiet), .help = "say only what is wrong" },
    { .name = "verbose", .letter = 'v', .verbs = LAUNCHING | V(REPORT) | V(MINIMIZE), .type = HD_OPT_COUNT,
      .field = FIELD(verbose), .help = "say more; may be repeated" },
    /* documents */
    { .name = "man", .verbs = V(OPTIONS), .type = HD_OPT_TEXT, .field = FIELD(man),
      .value = "VERB", .help = "print the manual page of a verb ('heddle': of the whole)" },
    { .name = "bash", .verbs = V(OPTIONS), .type = HD_OPT_FLAG, .field = FIELD(bash),
      .help = "print completions for bash" },
    { .name = "zsh", .verbs = V(OPTIONS), .type = HD_OPT_FLAG, .field = FIELD(zsh),
      .help = "print completions for zsh" },
    { .name = "fish", .verbs = V(OPTIONS), .type = HD_OPT_FLAG, .field = FIELD(fish),
      .help = "print completions for fish" },
};

const size_t hd_option_count = sizeof hd_option_table / sizeof *hd_option_table;
