/* SPDX-License-Identifier: BSD-2-Clause
 *
 * registry.c - the table of all verbs and exit codes.  The list of strategies is in search/core/strategies.c, the
 * kinds of findings are in model/finding_kinds.def. */
#include "cli/registry.h"

#include <string.h>

#include "base/check.h"
#include "search/core/strategy.h"

#define CC_DESCRIPTION                                                                       \
    "Runs the compiler with the given arguments, unchanged, and adds what Heddle needs:\n"       \
    "the instrumentation of -fsanitize=thread and -g when compiling, and Heddle's runtime\n"     \
    "instead of the sanitizer's when linking. Works wherever a compiler's name is\n"             \
    "expected, for example: make CC=\"heddle cc\". Heddle does not see inline assembly\n"        \
    "that synchronises: with gcc a warning names file, line and function. --asm=point\n"         \
    "makes each such statement a scheduling point, like an atomic operation on one object\n"     \
    "shared by all of them; --asm=ignore suppresses the warning. Static linking is\n"            \
    "refused, because Heddle cannot interpose between a static program and the C library."

#define SEARCH_EXITS "0123457" /* the digit 7 means exit code 77: see exits_with in options_doc.c */

static const struct hd_example cc_examples[] = {
    { "heddle cc -o t t.c", "compile and link one file" },
    { "make CC=\"heddle cc\" CXX=\"heddle c++\"",
      "build a project whose Makefile honours CC and CXX" },
    { .command = NULL },
};

static const struct hd_example cxx_examples[] = {
    { "heddle c++ -std=c++20 -o t t.cc", "compile and link one file" },
    { "cmake -S . -B build-heddle -DCMAKE_TOOLCHAIN_FILE=/usr/lib/cmake/heddle/toolchain.cmake",
      "configure a CMake project for Heddle" },
    { .command = NULL },
};

static const struct hd_example run_examples[] = {
    { "heddle run ./t", "look for a bug in the test program t" },
    { "heddle run --budget 5m -j auto -- ./t --rounds 2",
      "search for five minutes on all processors; the words after -- belong to the program" },
    { "heddle run --each ./unit_tests",
      "search each test of a GoogleTest program separately" },
    { "heddle run --timeouts idle ./t",
      "timed waits and sleeps end only when no other thread can run" },
    { "heddle run --junit results.xml --html report.html ./t",
      "write reports for a CI system and for people" },
    { .command = NULL },
};

static const struct hd_example verify_examples[] = {
    { "heddle verify ./t", "explore all interleavings" },
    { "heddle verify --bound 2 ./t",
      "explore all interleavings that two preemptions can reach" },
    { "heddle verify --points races ./t",
      "also switch threads at plain accesses that race" },
    { .command = NULL },
};

static const struct hd_example linearize_examples[] = {
    { "heddle linearize ./queue_test", "compare all interleavings with all sequential orders" },
    { "heddle linearize --rule 'query cache=subset' ./server_test",
      "the query cache may hold less than after a sequential order" },
    { .command = NULL },
};

static const struct hd_example history_examples[] = {
    { "heddle history queue.txt", "the file names its model: 'model queue'" },
    { "heddle history --model register trace.txt", "name the model on the command line" },
    { .command = NULL },
};

static const struct hd_example replay_examples[] = {
    { "heddle replay", "run the newest finding again" },
    { "heddle replay --gdb 3f2a1c",
      "stop in gdb at the failure of the finding with this id" },
    { .command = NULL },
};

static const struct hd_example report_examples[] = {
    { "heddle report --html report.html", "write the newest finding as a page" },
    { .command = NULL },
};

static const struct hd_example minimize_examples[] = {
    { "heddle minimize --budget 5m",
      "look for a simpler schedule of the newest finding for up to five minutes" },
    { .command = NULL },
};

static const struct hd_example recheck_examples[] = {
    { "heddle recheck", "run all schedules in .heddle again, after an edit and a build" },
    { "heddle recheck tests/schedules -- build/t",
      "run the schedules that are kept in the repository, with this build of their program" },
    { "heddle recheck --store postgresql://heddle@db/heddle -- build/t", "run the schedules that campaigns have found" },
    { .command = NULL },
};

static const struct hd_example suppress_examples[] = {
    { "heddle suppress >>heddle.supp",
      "append an entry for the newest finding to a file" },
    { .command = NULL },
};

static const struct hd_example estimate_examples[] = {
    { "heddle estimate ./t", "how long would 'heddle verify ./t' take" },
    { .command = NULL },
};

static const struct hd_example status_examples[] = {
    { "heddle status", "the search that writes to .heddle" },
    { "heddle status -o results", "the searches that write to the directory results" },
    { .command = NULL },
};

static const struct hd_example campaign_examples[] = {
    { "heddle campaign list --store postgresql://db/heddle", "the campaigns of a store" },
    { "heddle campaign stop --store postgresql://db/heddle queue", "make all workers commit what they have done and leave the campaign" },
    { .command = NULL },
};

static const struct hd_example worker_examples[] = {
    { "heddle worker -j auto --store postgresql://db/heddle --allow HASH", "work on the campaign for which --ship has printed this hash" },
    { .command = NULL },
};

static const struct hd_example serve_examples[] = {
    { "heddle serve", "the campaigns of this directory, in .heddle/store.sqlite, at http://127.0.0.1:8421/" },
    { "heddle serve --store postgresql://viewer@db/heddle --listen 0.0.0.0:8421 --token-file token",
      "other machines can reach it, too, but must send the token in this file" },
    { .command = NULL },
};

static const struct hd_example study_examples[] = {
    { "heddle study --strategies mix,pct,dpor --seeds 5 bench/programs",
      "compare three strategies on the programs of a directory" },
    { .command = NULL },
};

static const struct hd_example kernel_examples[] = {
    { "heddle kernel run --multiboot kernel.elf", "look for a bug in a kernel" },
    { "heddle kernel run --multiboot kernel.elf --strategy ipb --bound 2 -- wait-simple",
      "try every set of at most two interrupts; the kernel's command line is 'wait-simple'" },
    { "heddle kernel run --kernel vmlinuz --modules DIR test.c", "test Linux, with modules of one's own" },
    { "heddle kernel pintos ~/pintos priority-sema", "test a student's Pintos" },
    { "heddle kernel replay --repeat 20", "run the newest finding again, twenty times" },
    { .command = NULL },
};

static const struct hd_example doctor_examples[] = {
    { "heddle doctor", "check this machine and the compiler" },
    { "heddle doctor ./t", "check a program as well" },
    { .command = NULL },
};

const struct hd_verb_info hd_verb_table[HD_VERBS] = {
    [HD_VERB_CC] = {
        .name = "cc", .examples = cc_examples, .synopsis = "COMPILER-ARGUMENTS...",
        .summary = "compile and link C for Heddle (compiler: HEDDLE_CC, else gcc)",
        .description = CC_DESCRIPTION, .exits = "1", .max_args = -1, .run_raw = hd_cmd_cc },
    [HD_VERB_CXX] = {
        .name = "c++", .examples = cxx_examples, .synopsis = "COMPILER-ARGUMENTS...",
        .summary = "compile and link C++ for Heddle (compiler: HEDDLE_CXX, else g++)",
        .description = CC_DESCRIPTION, .exits = "1", .max_args = -1, .run_raw = hd_cmd_cxx },
    [HD_VERB_RUN] = {
        .name = "run", .examples = run_examples, .synopsis = "[OPTIONS] [--] PROGRAM [ARGUMENTS...]",
        .summary = "look for a bug, or prove that there is none",
        .description =
            "Runs the program repeatedly, each time with another interleaving of its threads,\n"
            "until an execution fails, the budget is used up or nothing is left to try. Without\n"
            "--strategy it samples interleavings and tries to prove that none fails, in turn. For\n"
            "a small program the proof succeeds, and the verdict is CLEAN. A data race does not\n"
            "end such a search. The schedule of a finding is saved, and 'heddle replay' runs\n"
            "exactly that schedule again.",
        .exits = SEARCH_EXITS, .min_args = 1, .max_args = -1, .takes_program = true,
        .run = hd_cmd_run },
    [HD_VERB_VERIFY] = {
        .name = "verify", .examples = verify_examples, .synopsis = "[OPTIONS] [--] PROGRAM [ARGUMENTS...]",
        .summary = "explore all interleavings (or all up to --bound)",
        .description =
            "Like 'heddle run', but with a systematic strategy and without a time limit. Exits\n"
            "with 0 only if the exploration is complete and clean.",
        .exits = SEARCH_EXITS, .min_args = 1, .max_args = -1, .takes_program = true,
        .run = hd_cmd_verify },
    [HD_VERB_LINEARIZE] = {
        .name = "linearize", .examples = linearize_examples, .synopsis = "[OPTIONS] [--] PROGRAM [ARGUMENTS...]",
        .summary = "check that concurrent operations act like sequential ones",
        .description =
            "Runs a test of <heddle/linear.h>: clients that use an object at the same time. First\n"
            "the clients' operations are run one after the other, in every order. Then the\n"
            "clients run concurrently, in every interleaving unless --strategy names a sampler:\n"
            "the results of all operations and the state at the end must be those of one\n"
            "sequential order that respects real time. No specification is needed. Exits with 0\n"
            "only if the exploration is complete and all executions are linearizable.",
        .exits = SEARCH_EXITS, .min_args = 1, .max_args = -1, .takes_program = true,
        .run = hd_cmd_linearize },
    [HD_VERB_HISTORY] = {
        .name = "history", .examples = history_examples, .synopsis = "[OPTIONS] FILE...",
        .summary = "check whether recorded histories are linearizable",
        .description =
            "Reads operations with the times of their calls and returns, recorded anywhere, and\n"
            "looks for an order that a model of the object explains. A line is: CLIENT CALLED\n"
            "RETURNED OPERATION [ARGUMENT...] [-> RESULT], with '-' in place of RETURNED if the\n"
            "operation has not returned. 'jobs.enqueue 1' is an operation on the object jobs. The\n"
            "models: register (read -> V, write V), cas-register (also cas OLD NEW -> true|false),\n"
            "counter (add N [-> SUM], read -> SUM), queue (enqueue V, dequeue -> V|empty), stack\n"
            "(push V, pop -> V|empty), set (add V, remove V, contains V -> true|false, size), map\n"
            "(put K V, get K, remove K -> V|none, size). FILE '-' is standard input. Exits with 2\n"
            "if a history is not linearizable, with 4 if one could not be judged.",
        .exits = "01234", .min_args = 1, .max_args = -1, .run = hd_cmd_history },
    [HD_VERB_REPLAY] = {
        .name = "replay", .examples = replay_examples, .synopsis = "[OPTIONS] [FILE] [-- PROGRAM]",
        .summary = "run one recorded schedule again (the newest by default)",
        .description =
            "Runs the program of a finding once more with the recorded schedule and prints the\n"
            "finding. Without FILE it uses the newest schedule in the output directory. With\n"
            "--gdb it runs in gdb and stops at the failure. The recorded program is run if it\n"
            "lies below the current directory; any other program only if PROGRAM names it.",
        .exits = "012357", .max_args = 1, .names_program = true,
        .run = hd_cmd_replay },
    [HD_VERB_REPORT] = {
        .name = "report", .examples = report_examples, .synopsis = "[OPTIONS] [FILE] [-- PROGRAM]",
        .summary = "render a finding (the newest by default): text, HTML, JSON, JUnit, SARIF",
        .description =
            "Runs the schedule of a finding once more and writes its report: to the terminal, or\n"
            "to the files that --html, --json, --junit and --sarif name. FILE is a schedule or\n"
            "the id of a finding. Exits with 0 if the report was written; to check whether a\n"
            "finding still occurs, use 'heddle replay'.",
        .exits = "01357", .max_args = 1, .names_program = true,
        .run = hd_cmd_report },
    [HD_VERB_MINIMIZE] = {
        .name = "minimize", .examples = minimize_examples, .synopsis = "[OPTIONS] [FILE] [-- PROGRAM]",
        .summary = "minimise the schedule of a finding (the newest by default)",
        .description =
            "Runs simpler and simpler variants of the schedule of a finding that show the same\n"
            "finding: with fewer preemptions, then fewer switches between threads, then fewer\n"
            "steps. Then searches all schedules with even fewer preemptions, as far as the time\n"
            "allows. The result is saved and shown with the order of operations that makes it\n"
            "fail. FILE is a schedule or the id of a finding. Exits with 0 if no schedule with\n"
            "fewer preemptions fails in this way, with 4 if that is not certain.",
        .exits = "013457", .max_args = 1, .names_program = true,
        .run = hd_cmd_minimize },
    [HD_VERB_RECHECK] = {
        .name = "recheck", .examples = recheck_examples, .synopsis = "[OPTIONS] [DIR|FILE] [-- PROGRAM]",
        .summary = "run recorded schedules again after an edit of the program",
        .description =
            "Follows every schedule of a directory (the output directory by default) in the\n"
            "program as it is now. Operations are recognised by thread, function, kind and\n"
            "object, not by address and line. Reports for each schedule whether it fails as\n"
            "before, passes now, or does not apply any more. Unless the program makes exactly the\n"
            "recorded operations, executions near the schedule are run as well. Exits with 2 if\n"
            "one fails, with 0 if all pass, with 4 if one does not apply any more. The recorded\n"
            "program is run if it lies below the current directory; any other program only if\n"
            "PROGRAM names it, and then schedules of programs with another file name are left out.\n"
            "With --store, the schedules come from the regression corpus of a store of campaigns.",
        .exits = "012347", .max_args = 1, .names_program = true,
        .run = hd_cmd_recheck },
    [HD_VERB_SUPPRESS] = {
        .name = "suppress", .examples = suppress_examples, .synopsis = "[OPTIONS] [FILE] [-- PROGRAM]",
        .summary = "print a suppression for a finding (the newest by default)",
        .description =
            "Runs the schedule of a finding once more and prints a suppression that matches this\n"
            "finding and little else. Edit its first line, which gives the reason, append it to a\n"
            "file, and pass that file to 'heddle run --suppressions'. FILE is a schedule or the\n"
            "id of a finding.",
        .exits = "01357", .max_args = 1, .names_program = true,
        .run = hd_cmd_suppress },
    [HD_VERB_ESTIMATE] = {
        .name = "estimate", .examples = estimate_examples, .synopsis = "[OPTIONS] [--] PROGRAM [ARGUMENTS...]",
        .summary = "estimate the number of interleavings and the time to explore them",
        .description =
            "Measures the tree of all interleavings by random descents, and a reduced tree by\n"
            "searching it for a while: the number of executions, and the time at the measured\n"
            "speed. Estimates of uneven trees are uncertain, and more often too small than too\n"
            "large; the output shows the spread of the descents. Failures on the way are only\n"
            "counted.",
        .exits = "01347", .min_args = 1, .max_args = -1, .takes_program = true,
        .run = hd_cmd_estimate },
    [HD_VERB_STATUS] = {
        .name = "status", .examples = status_examples, .synopsis = "[OPTIONS] [DIR]",
        .summary = "show the state of the searches that write to a directory (.heddle by default)",
        .description =
            "Prints the state that 'heddle run' and 'heddle verify' write to their output\n"
            "directory about once a second and at the end, and whether the search is still\n"
            "running, has ended or was killed. If several searches run at the same time, all are\n"
            "shown. Exits with 1 if there is nothing to read.",
        .exits = "01", .max_args = 1, .run = hd_cmd_status },
    [HD_VERB_CAMPAIGN] = {
        .name = "campaign", .examples = campaign_examples,
        .synopsis = "list|show|stop|resume|export|delete|forget --store URL [NAME]",
        .summary = "list, show, stop, resume, export or delete campaigns of a store",
        .description =
            "list: the campaigns of a store. show: one campaign, with its totals and findings. stop:\n"
            "its workers commit what they have done and end; resume lets others go on. export: writes\n"
            "the schedules of its findings into the output directory. delete: removes it with its\n"
            "results; its schedules stay in the regression corpus ('heddle recheck --store'). forget:\n"
            "removes a finding from that corpus. 'heddle run' and 'heddle verify' with --store and\n"
            "--campaign create campaigns and work on them.",
        .exits = "01", .min_args = 1, .max_args = 2, .run = hd_cmd_campaign },
    [HD_VERB_WORKER] = {
        .name = "worker", .examples = worker_examples, .synopsis = "[OPTIONS] --store URL --allow HASH",
        .summary = "work on campaigns whose programs are in the store (--ship)",
        .description =
            "Takes the programs of open campaigns from the store and works on them, one after the\n"
            "other, until none is left. It runs nothing but campaigns that --allow names: the hash,\n"
            "which --ship has printed, covers the program, its arguments and the options of the\n"
            "search. Before it begins, it runs a reference execution and compares it with that of\n"
            "the machine which has shipped the program.",
        .exits = SEARCH_EXITS, .max_args = 0, .run = hd_cmd_worker },
    [HD_VERB_SERVE] = {
        .name = "serve", .examples = serve_examples, .synopsis = "[OPTIONS]",
        .summary = "a dashboard over the campaigns of a store, for browsers",
        .description =
            "Shows the campaigns with their progress, rate, workers and findings, each with its report,\n"
            "until it is ended by SIGINT or SIGTERM. It only reads: it changes nothing in the store, for\n"
            "which the right to read is enough, and runs no program. Unless --listen names another\n"
            "address, only this machine can reach it. The same data is there as JSON (/api/campaigns).",
        .exits = "01", .max_args = 0, .run = hd_cmd_serve },
    [HD_VERB_STUDY] = {
        .name = "study", .examples = study_examples, .synopsis = "[OPTIONS] LIST|DIR",
        .summary = "run many programs with many strategies: tables and plots",
        .description =
            "Compiles the programs of a list (a tab-separated table whose first line names the\n"
            "columns; name and source are required; DIR stands for its programs.tsv) and runs\n"
            "each one with every strategy and seed, counting as the SCT study does (--convention\n"
            "study). Each such cell is a separate 'heddle run' with the same limits. The results\n"
            "are stored in one SQLite file; an interrupted study continues from there, and one\n"
            "with more strategies or seeds adds them. Failed cells are named in every table and\n"
            "run again by the next study. Results are compared with the numbers in published.tsv\n"
            "beside the list; deviations.tsv explains differences.",
        .exits = "01347", .min_args = 1, .max_args = 1, .run = hd_cmd_study },
    [HD_VERB_KERNEL] = {
        .name = "kernel", .examples = kernel_examples, .synopsis = "run|replay|pintos [OPTIONS] [--] [WORDS...|FILES|DIR [TEST...]]",
        .summary = "test Linux or a teaching kernel: timer interrupts at chosen instructions",
        .description =
            "run: boots a 32-bit multiboot kernel for one processor in QEMU, takes a snapshot when\n"
            "the function 'begin' of its description is called, and runs its test again and again\n"
            "from there, each time with timer interrupts at other instructions. The strategies of\n"
            "'heddle run' decide where; without --strategy it is pct, with depth 5. WORDS are the\n"
            "kernel's command line. Findings: panic, exception, deadlock, hang, use of freed memory.\n"
            "With --kernel the kernel is Linux, and FILES are the C files of a test (heddle/kernel.h):\n"
            "its threads make system calls, inside which they are preempted. Findings: oops, BUG,\n"
            "WARNING, complaints of the allocator, deadlock, hang, wrong result. pintos: builds the\n"
            "tree in DIR (a copy of it) and runs tests of its project 'threads' in the same way.\n"
            "replay: runs the schedule of a finding again (the newest by default). Needs the package qemu-system-x86;\n"
            "HEDDLE_QEMU names another QEMU.",
        .exits = SEARCH_EXITS, .min_args = 1, .max_args = -1, .run = hd_cmd_kernel },
    [HD_VERB_LIST] = {
        .name = "list", .synopsis = "strategies|detectors|events",
        .summary = "list strategies, detectors or events",
        .description = "Prints the names that options and reports use, one line each.",
        .exits = "01", .min_args = 1, .max_args = 1, .run = hd_cmd_list },
    [HD_VERB_DOCTOR] = {
        .name = "doctor", .examples = doctor_examples, .synopsis = "[OPTIONS] [PROGRAM]",
        .summary = "check this machine, the compiler and a program",
        .description =
            "Checks the requirements of Heddle and prints every problem with its remedy. Exits\n"
            "with 1 if the program cannot be run, with 77 if this machine cannot run any program.",
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
        .description = "Started by gdb for 'heddle replay --gdb'.",
        .exits = "1", .min_args = 1, .max_args = -1, .takes_program = true,
        .run = hd_cmd_debuggee },
    [HD_VERB_ASSEMBLE] = {
        .name = "assemble", .synopsis = "warn|point TOOL ARGUMENTS...",
        .summary = "start a program of the compiler and check its inline assembly", .hidden = true,
        .description = "Used by gcc to start its programs under 'heddle cc'.",
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
    { HD_EXIT_CLEAN, "clean, and the requested exploration is complete" },
    { HD_EXIT_USAGE, "an error in usage, configuration or environment" },
    { HD_EXIT_FINDING, "a finding" },
    { HD_EXIT_INTERNAL, "internal error of Heddle" },
    { HD_EXIT_BUDGET, "budget used up, nothing found, not complete" },
    { HD_EXIT_DIVERGED, "the program did not repeat itself" },
    { HD_EXIT_SKIPPED, "this machine cannot run it" },
};
const size_t hd_exit_count = sizeof hd_exit_table / sizeof *hd_exit_table;

/* In order of preference.  The first one that this build contains is used. */
static const char *const verify_defaults[] = { "dpor", "dfs", NULL };

const char *hd_default_strategy(enum hd_verb verb)
{
    if (verb == HD_VERB_RUN)
        return hd_strategies[0]->name;
    if (verb == HD_VERB_KERNEL)
        return "pct";
    if (verb == HD_VERB_ESTIMATE)
        return "dpor-optimal";
    for (int i = 0; (verb == HD_VERB_VERIFY || verb == HD_VERB_LINEARIZE) && verify_defaults[i] != NULL; i++)
        if (hd_strategy_find(verify_defaults[i]) != NULL)
            return verify_defaults[i];
    return "";
}

/* Chosen by measurement among the strategies that miss nothing up to a bound.  bpor-lazy runs each class within
 * the bound once, plus a few executions that it cuts off.  bpor and bpor-source run classes several times, and
 * more often with more threads.  With four threads, a few accesses each and bounds 0 to 3, bpor-lazy needs 1.2
 * executions per class, bpor 2.7 (docs/strategies.md).  ipb runs every schedule. */
const char *hd_bounded_strategy(void)
{
    return "bpor-lazy";
}
