/* SPDX-License-Identifier: BSD-2-Clause
 *
 * options_table.c - all options of all verbs.  A new option needs one row here and one field in
 * struct hd_options. */
#include "cli/options.h"

#include "model/point_class.h"
#include "report/evidence/describe.h"

#define V(verb) (1u << HD_VERB_##verb)
#define TESTING (V(RUN) | V(VERIFY))
#define SEARCHING (TESTING | V(LINEARIZE))
#define MEASURING (SEARCHING | V(ESTIMATE))
#define RUNNING (SEARCHING | V(REPLAY))
#define LAUNCHING (RUNNING | V(ESTIMATE))
#define RENDERING (RUNNING | V(REPORT))
#define IN(name) .group = HD_GROUP_##name
#define FIELD(name) offsetof(struct hd_options, name)

/* HD_TM_WEAK has no word: it is --tm-weak */
static const char *const tm_words[] = { "htm", "off", "stm", NULL };
static const char *const isolation_words[] = { "auto", "inproc", "fork", NULL };
static const char *const bound_words[] = { "iterate", NULL };
static const char *const kernel_races_words[] = { "off", "on", NULL };
static const char *const races_words[] = { "off", "on", "predict", NULL };
static const char *const criterion_words[] = { "linearizable", "quiescent", "sequential", NULL };
static const char *const minimize_words[] = { "off", "on", NULL };
static const char *const progress_words[] = { "auto", "plain", "none", NULL };
static const char *const color_words[] = { "auto", "always", "never", NULL };

_Static_assert(HD_TM_HTM == 0 && HD_TM_OFF == 1 && HD_TM_STM == 2, "tm_words is in the order of enum hd_tm");
_Static_assert(HD_RACES_OFF == 0 && HD_RACES_ON == 1 && HD_RACES_PREDICT == 2,
               "races_words is in the order of enum hd_races_mode");
_Static_assert(HD_ISO_AUTO == 0 && HD_ISO_INPROC == 1 && HD_ISO_FORK == 2,
               "isolation_words is in the order of enum hd_isolation");

const struct hd_option hd_option_table[] = {
    /* the search */
    { .name = "strategy", .verbs = SEARCHING, .type = HD_OPT_STRATEGY, .field = FIELD(strategy),
      .value = "NAME[+cache][:KEY=VALUE,...]",
      .help = "how to choose the next thread; see 'heddle list strategies'. With +cache, dfs, ipb "
              "and idb skip states that they have already explored; cache=MB sets the memory for "
              "that (256)" },
    { .name = "strategy", .verbs = V(ESTIMATE), .type = HD_OPT_STRATEGY, .field = FIELD(strategy),
      .value = "NAME[:KEY=VALUE,...]",
      .help = "the strategy of the reduced search, which runs for a while so that its size can be estimated" },
    { .name = "bound", .verbs = SEARCHING, .type = HD_OPT_BOUND, .field = FIELD(bound),
      .value = "N|iterate", .choices = bound_words, .max = 1000000,
      .help = "explore only behaviours that can be reached with at most this many preemptions (idb: delays); "
              "iterate: increase the bound from 0 until all behaviours are explored. With --bound, verify uses "
              "bpor-lazy unless --strategy names another" },
    { .name = "points", .verbs = SEARCHING, .type = HD_OPT_CHOICE, .field = FIELD(points),
      .value = "sync|races|all|every", .choices = hd_points_words, .fallback = "sync",
      .help = "where Heddle may switch threads. sync: at synchronisation and atomic operations; "
              "races: also at plain accesses that race (a data race then does not end the "
              "search); all: at every plain access except those to the thread's own stack "
              "(practical for small programs only); every: also at accesses to the thread's own stack "
              "(required by dpor-lazy and +lazycache)" },
    { .name = "dry", .verbs = TESTING, .type = HD_OPT_FLAG, .field = FIELD(dry),
      .help = "run the program once and list the scheduling points of that execution by class, with their "
              "places in the source; search nothing" },
    { .name = "maximal", .verbs = TESTING, .type = HD_OPT_FLAG, .field = FIELD(maximal),
      .help = "with --strategy quicksand: search over all points only, to prove as much as the time allows: everything, "
              "or else all interleavings with few preemptions" },
    { .name = "no-points", .verbs = SEARCHING, .type = HD_OPT_WORDS, .field = FIELD(no_points),
      .value = "CLASS,...", .choices = hd_point_class_words,
      .help = "operations of these classes are not scheduling points: Heddle does not switch threads there unless "
              "the thread has to wait. The classes: lock, unlock (of mutexes, spin and read-write locks), cond, "
              "sem, barrier, once, atomic, thread (creation), access (plain accesses, with --points races or all). "
              "The search becomes smaller, and proves less" },
    { .name = "within", .verbs = SEARCHING, .type = HD_OPT_FILTER, .field = FIELD(filters),
      .value = "FUNCTION",
      .help = "there are scheduling points only inside this function and its callees: elsewhere Heddle does not "
              "switch threads unless one has to wait. May be repeated and combined with --without; if "
              "several options name functions on the call stack, the one given last applies. The search becomes "
              "smaller, and proves less" },
    { .name = "without", .verbs = SEARCHING, .type = HD_OPT_FILTER, .field = FIELD(filters),
      .value = "FUNCTION",
      .help = "inside this function and its callees there are no scheduling points, unless a thread has to wait" },
    { .name = "point-at", .verbs = SEARCHING, .type = HD_OPT_PLACE, .field = FIELD(point_at),
      .value = "FILE:LINE",
      .help = "make the plain accesses of this line scheduling points, as if they raced; implies --points races. May "
              "be repeated" },
    { .name = "seed", .verbs = MEASURING, .type = HD_OPT_U64, .field = FIELD(seed),
      .value = "N", .max = UINT64_MAX, .fallback = "1",
      .help = "seed of the random numbers; the same seed gives the same search" },
    { .name = "executions", .verbs = SEARCHING, .type = HD_OPT_U64, .field = FIELD(executions),
      .value = "N", .min = 1, .max = UINT64_MAX, .may_change = true,
      .help = "stop after this many executions; without this option and --budget, 'run' stops after at most 60s" },
    { .name = "budget", .verbs = SEARCHING, .type = HD_OPT_DURATION, .field = FIELD(budget_ms),
      .value = "30s|5m|2h", .may_change = true,
      .help = "stop after this time" },
    { .name = "resume", .verbs = TESTING, .type = HD_OPT_FLAG, .field = FIELD(resume), .may_change = true,
      .help = "continue the search that the same command began earlier, if it was interrupted, was killed or ran out of "
              "time. Its state is in the output directory (-o); if there is none, the search begins from the start" },
    { .name = "checkpoint", .verbs = TESTING, .type = HD_OPT_DURATION, .field = FIELD(checkpoint_ms),
      .value = "3s|1m|off", .zero = "off", .fallback = "3s", .may_change = true,
      .help = "how often to save the state of the search for --resume; Heddle saves it less often if saving would take "
              "more than 2% of the time. off: never" },
    { .name = "store", .verbs = SEARCHING | V(KERNEL) | V(CAMPAIGN) | V(WORKER) | V(SERVE), .type = HD_OPT_TEXT, .field = FIELD(store), .may_change = true,
      .value = "URL",
      .help = "the database of campaigns that many machines work on: postgresql://HOST/DATABASE, or sqlite:FILE for the "
              "processes of one machine (default: .heddle/store.sqlite, which 'heddle worker' does not use)" },
    { .name = "store", .verbs = V(RECHECK), .type = HD_OPT_TEXT, .field = FIELD(store), .value = "URL",
      .help = "run the schedules of the regression corpus of this store: one for each finding that a campaign has had in the "
              "program; without PROGRAM, those of all programs" },
    { .name = "campaign", .verbs = SEARCHING | V(KERNEL), .type = HD_OPT_TEXT, .field = FIELD(campaign), .may_change = true,
      .value = "NAME",
      .help = "create the campaign of this name in the store, or join it and work on it until it is over. --budget and "
              "--executions then limit the whole campaign" },
    { .name = "ship", .verbs = SEARCHING, .type = HD_OPT_FLAG, .field = FIELD(ship), .may_change = true,
      .help = "with --store: put the program into the store, with its arguments and options, so that 'heddle worker' can work on "
              "the campaign on machines that do not have it; prints the hash to give to 'heddle worker --allow'" },
    { .name = "allow", .verbs = V(WORKER), .type = HD_OPT_ALLOWED, .field = FIELD(allowed),
      .value = "HASH",
      .help = "work on the campaign with this hash, which --ship has printed; may be repeated. Nothing else is run" },
    { .name = "campaign", .verbs = V(WORKER), .type = HD_OPT_TEXT, .field = FIELD(campaign),
      .value = "NAME", .help = "work on this campaign only" },
    { .name = "wait", .verbs = V(WORKER), .type = HD_OPT_FLAG, .field = FIELD(waits),
      .help = "when no campaign is left, wait for new ones" },
    { .name = "lease", .verbs = SEARCHING | V(KERNEL) | V(WORKER), .type = HD_OPT_DURATION, .field = FIELD(lease_ms), .may_change = true,
      .value = "15s|1m", .fallback = "15s",
      .help = "with --store: if the store has not heard of this worker for so long, other workers repeat what it has not stored "
              "yet. A worker stores its results three times within this time" },
    { .name = "listen", .verbs = V(SERVE), .type = HD_OPT_TEXT, .field = FIELD(listen),
      .value = "ADDRESS:PORT", .fallback = "127.0.0.1:8421",
      .help = "address at which browsers reach the dashboard; port 0: any free port. An address that other machines can reach needs --token-file "
              "or --behind-proxy" },
    { .name = "token-file", .verbs = V(SERVE), .type = HD_OPT_TEXT, .field = FIELD(token_file),
      .value = "FILE",
      .help = "answer only requests that contain the token in this file. A browser asks its user for it as a password, with any "
              "user name; other programs send the header 'Authorization: Bearer TOKEN'" },
    { .name = "behind-proxy", .verbs = V(SERVE), .type = HD_OPT_TEXT, .field = FIELD(proxy),
      .value = "NAME",
      .help = "host name of a web server that forwards requests to this one. That server must decide who may see the dashboard, and "
              "must be the only one that can reach the address of --listen" },
    { .name = "budget", .verbs = V(CAMPAIGN), .type = HD_OPT_DURATION, .field = FIELD(budget_ms),
      .value = "30s|5m|2h", .help = "resume: end the campaign after this time (default: no limit)" },
    { .name = "executions", .verbs = V(ESTIMATE), .type = HD_OPT_U64, .field = FIELD(executions),
      .value = "N", .min = 2, .max = UINT64_MAX,
      .help = "number of random descents: executions in which each decision is random (default 10000)" },
    { .name = "budget", .verbs = V(ESTIMATE), .type = HD_OPT_DURATION, .field = FIELD(budget_ms),
      .value = "30s|5m|2h",
      .help = "time limit for the random schedules and, separately, for the reduced search "
              "(default 5s each)" },
    { .name = "budget", .verbs = V(MINIMIZE), .type = HD_OPT_DURATION, .field = FIELD(budget_ms),
      .value = "30s|5m|2h", .help = "time limit (default 60s)" },
    { .name = "executions", .verbs = V(RECHECK), .type = HD_OPT_U64, .field = FIELD(executions),
      .value = "N", .min = 1, .max = UINT64_MAX,
      .help = "if a recorded schedule no longer fails, try this many similar ones (default 300)" },
    { .name = "budget", .verbs = V(RECHECK), .type = HD_OPT_DURATION, .field = FIELD(budget_ms),
      .value = "30s|5m|2h", .help = "time limit for each schedule (default 10s)" },
    { IN(PROGRAM), .name = "max-steps", .verbs = MEASURING,
      .type = HD_OPT_U32, .field = FIELD(max_steps),
      .value = "N", .min = 1, .max = HD_MAX_STEPS, .fallback = "1000000",
      .help = "cut an execution after this many scheduling decisions and go on with others" },
    { IN(FINDINGS), .name = "livelock", .verbs = SEARCHING,
      .type = HD_OPT_U32, .field = FIELD(livelock),
      .value = "N", .min = 1, .max = HD_MAX_STEPS,
      .help = "report an execution as a livelock if it reaches this many scheduling decisions and every thread that "
              "could run has run, or if it makes no step for ten seconds. Without this option such an execution is "
              "cut and is not a finding" },
    { IN(PROGRAM), .name = "timeouts", .verbs = MEASURING, .type = HD_OPT_CHOICE,
      .field = FIELD(timeouts_idle), .value = "any|idle", .choices = hd_timeouts_words,
      .fallback = "any",
      .help = "when a timed wait may time out and a sleeping thread may wake up. any: at any moment; idle: "
              "only when no other thread can run, and then in the order of their deadlines" },
    { IN(PROGRAM), .name = "tm", .verbs = MEASURING, .type = HD_OPT_CHOICE,
      .field = FIELD(tm), .value = "htm|off|stm", .choices = tm_words, .fallback = "htm",
      .help = "what transactional instructions (xbegin) do. htm: each transaction succeeds or is aborted "
              "spuriously, as a choice of the search; off: each is aborted at once, so that only the program's "
              "fallback code runs; stm: no transaction is aborted spuriously, but conflicts with other threads abort "
              "it" },
    { IN(PROGRAM), .name = "tm-aborts", .verbs = MEASURING, .type = HD_OPT_CHOICE,
      .field = FIELD(tm_aborts), .value = "retry|all", .choices = hd_tm_aborts_words, .fallback = "retry",
      .help = "how transactions may be aborted. retry: spuriously, with the retry bit in the status; all: also spuriously "
              "with status 0, and by a conflict with a step of another thread, with or without the retry bit" },
    { IN(PROGRAM), .name = "tm-weak", .verbs = MEASURING, .type = HD_OPT_FLAG, .field = FIELD(tm_weak),
      .help = "transactions of GNU TM are weakly atomic: code outside of transactions may run between their accesses, and sees what they "
              "have written before they end. Transactions still exclude each other. Needs --tm stm" },
    { IN(PROGRAM), .name = "tm-retry-sets", .verbs = MEASURING, .type = HD_OPT_FLAG, .field = FIELD(tm_retry_sets),
      .help = "retry sets of Landslide: when the search reverses the order of two conflicting steps, it tries only the outcome of "
              "the transaction (success or abort) with which it has seen the conflict. That may miss bugs, so the "
              "search proves nothing. Only for "
              "--strategy dpor-classic, which it makes the default of verify, and not with --tm-aborts all" },
    { IN(PROGRAM), .name = "tm-capacity", .verbs = MEASURING, .type = HD_OPT_U32, .field = FIELD(tm_capacity),
      .value = "N", .min = 1, .max = 1 << 20,
      .help = "a transaction that touches more than N lines of memory is aborted with status capacity (default: no limit)" },
    { IN(PROGRAM), .name = "tm-line", .verbs = MEASURING, .type = HD_OPT_U32, .field = FIELD(tm_line),
      .value = "N", .min = 8, .max = 4096,
      .help = "memory is divided into lines of N bytes, a power of two: transactions and atomic operations that touch the same line "
              "conflict (false sharing). Default: they conflict if they touch the same 4 bytes, and lines for "
              "--tm-capacity have 64 bytes" },
    { IN(PROGRAM), .name = "faults", .verbs = TESTING,
      .type = HD_OPT_FAULTS, .field = FIELD(faults),
      .value = "NAME[=N],...", .choices = hd_fault_words,
      .help = "inject faults, each as an additional choice of the search. malloc: allocations in the program's own "
              "code fail; spurious-wakeup: condition waits end spuriously; trylock: try-locks and sem_trywait fail "
              "although they could succeed; eintr: semaphore waits, sleeps and blocking I/O end with EINTR; "
              "weak-cas: weak compare-exchanges fail spuriously. For programs with actors (heddle/actor.h): crash: "
              "a node crashes and starts again; drop, duplicate, delay: a message between nodes does not arrive, "
              "arrives twice, arrives late; partition: a node is cut off for a while; timer: only N timers expire, "
              "the others never do. N: the fault happens at most N times in one execution; those without N share "
              "--fault-bound" },
    { IN(PROGRAM), .name = "fault-bound", .verbs = TESTING,
      .type = HD_OPT_U32, .field = FIELD(fault_bound),
      .value = "N", .min = 1, .max = HD_MAX_FAULT_BOUND,
      .help = "with --faults: maximum number of faults in one execution (default 1)" },
    { .name = "count", .verbs = TESTING, .type = HD_OPT_WORDS, .field = FIELD(count),
      .value = "classes,lazy,states", .choices = hd_reached_words,
      .help = "count what the executions have reached. classes: different happens-before relations; lazy: different "
              "happens-before relations if the order of critical sections is ignored (needs --points every); states: "
              "different contents of the program's variables at the end" },
    { IN(FINDINGS), .name = "races", .verbs = SEARCHING,
      .type = HD_OPT_CHOICE, .field = FIELD(races),
      .value = "off|on|predict", .choices = races_words, .fallback = "on",
      .help = "on: report unordered conflicting accesses as data races; predict: also list pairs of accesses that "
              "were ordered only because critical sections came in a certain order, and that may therefore race" },
    { IN(PROGRAM), .name = "heap", .verbs = MEASURING,
      .type = HD_OPT_CHOICE, .field = FIELD(recycle),
      .value = "normal|recycle", .choices = hd_heap_words, .fallback = "normal",
      .help = "how malloc reuses addresses. normal: never within an execution, so every use after "
              "free is detected; recycle: malloc returns the small block of the same size that "
              "the thread freed last, so an address can recur (ABA)" },
    { IN(PROGRAM), .name = "loop-bound", .verbs = MEASURING,
      .type = HD_OPT_U32, .field = FIELD(loop_bound),
      .value = "N", .min = 1, .max = HD_MAX_LOOP_BOUND, .fallback = "3",
      .help = "stop scheduling a polling thread after this many idle rounds of its loop, until a "
              "value that it reads is written or no other thread can run" },
    { IN(PROGRAM), .name = "awaits", .verbs = MEASURING,
      .type = HD_OPT_CHOICE, .field = FIELD(awaits),
      .value = "on|off", .choices = hd_awaits_words, .fallback = "on",
      .help = "on: in a loop that waits for another thread, leave out the rounds that change nothing: the thread runs "
              "only when the value that it waits for has changed. off: such rounds are ordinary steps of the search" },
    { IN(PROGRAM), .name = "exit-grace", .verbs = MEASURING,
      .type = HD_OPT_U32, .field = FIELD(exit_grace),
      .value = "N", .max = UINT32_MAX, .fallback = "1000",
      .help = "number of operations that each other thread may still make after the program has "
              "begun to exit" },
    { IN(PROGRAM), .name = "convention", .verbs = MEASURING,
      .type = HD_OPT_CHOICE, .field = FIELD(study),
      .value = "default|study", .choices = hd_convention_words, .fallback = "default",
      .help = "study: count executions as the published study of systematic concurrency testing "
              "(SCT) does: thread start and exit are no scheduling points, a new thread runs up "
              "to its first operation inside pthread_create, and a failure ends the execution" },
    { .name = "jobs", .letter = 'j', .verbs = MEASURING | V(WORKER), .type = HD_OPT_U32, .field = FIELD(jobs),
      .may_change = true, /* only the resulting number of workers matters */
      .value = "N|auto", .max = HD_MAX_WORKERS, .zero = "auto", .fallback = "1",
      .help = "number of workers that search at the same time; auto or 0: one per available "
              "processor" },
    { .name = "jobs", .letter = 'j', .verbs = V(STUDY), .type = HD_OPT_U32, .field = FIELD(jobs),
      .value = "N|auto", .max = HD_MAX_WORKERS, .zero = "auto", .fallback = "1",
      .help = "number of cells (one program, strategy and seed each) to run at the same time; auto or 0: one per "
              "available processor" },
    { IN(FINDINGS), .name = "keep-going", .verbs = SEARCHING,
      .type = HD_OPT_FLAG, .field = FIELD(keep_going),
      .help = "do not stop at the first finding" },
    { .name = "each", .verbs = TESTING, .type = HD_OPT_FLAG, .field = FIELD(each),
      .help = "the program is a test program of GoogleTest, Catch2, Criterion, cmocka or <heddle/test.h>: "
              "list its tests and search each one separately; --executions and --budget then "
              "apply to each test" },
    { IN(FINDINGS), .name = "expect", .verbs = TESTING,
      .type = HD_OPT_TEXT, .field = FIELD(expect_file), .value = "FILE",
      .help = "report an execution whose output (standard output and error, in the order in which they are "
              "written) is not the contents of this file" },
    { IN(FINDINGS), .name = "expect-same", .verbs = TESTING,
      .type = HD_OPT_FLAG, .field = FIELD(expect_same),
      .help = "report an execution whose output is not that of the first execution" },
    { IN(FINDINGS), .name = "criterion", .verbs = V(LINEARIZE), .type = HD_OPT_CHOICE, .field = FIELD(criterion),
      .value = "linearizable|quiescent|sequential", .choices = criterion_words, .fallback = "linearizable",
      .help = "which sequential orders explain an execution. linearizable: those that respect real time; "
              "quiescent: also those that reorder operations of different clients, but not across a moment at which no "
              "operation was running (quiescent consistency); sequential: all that "
              "keep the order of each client's operations (sequential consistency)" },
    { IN(FINDINGS), .name = "rule", .verbs = V(LINEARIZE), .type = HD_OPT_RULE, .field = FIELD(rules),
      .value = "COMPONENT=equal|subset|superset|ignore",
      .help = "how the elements of this component of the final state must compare with those of a sequential "
              "order: equal: the same elements; subset: no additional ones; superset: none missing; ignore: any. "
              "Overrides the rule in the test. May be repeated" },
    { .name = "sample-orders", .verbs = V(LINEARIZE), .type = HD_OPT_U64, .field = FIELD(sample_orders), .value = "N", .min = 1,
      .max = 1000000,
      .help = "draw this many sequential executions at random instead of running all. This is for tests whose "
              "operations use other threads, such as those of a server, with too many interleavings. A sequential "
              "outcome may then be missing from the comparison, so a finding may be a false alarm" },
    { IN(OUTPUT), .name = "outcomes", .verbs = V(LINEARIZE), .type = HD_OPT_TEXT, .field = FIELD(outcomes_file),
      .value = "FILE",
      .help = "write every different outcome of the executions to this file, for --judge; with --keep-going also "
              "those after the first finding" },
    { .name = "split", .verbs = V(LINEARIZE), .type = HD_OPT_FLAG, .field = FIELD(splits),
      .help = "the test is a sequential script (heddle_script of <heddle/linear.h>): give its steps to two clients in every "
              "way that keeps their order, and search each; --budget limits all of them together" },
    { .name = "judge", .verbs = V(LINEARIZE), .type = HD_OPT_FLAG, .field = FIELD(judge),
      .help = "run nothing. The operand is a file that --outcomes has written: judge its outcomes again, by --rule "
              "and --criterion" },
    { IN(FINDINGS), .name = "recheck-with", .verbs = V(LINEARIZE), .type = HD_OPT_TEXT, .field = FIELD(recheck_with),
      .value = "PROGRAM",
      .help = "run the schedules of the findings again with this build of the program, for example one without "
              "optimisation; see 'heddle recheck'" },
    { IN(FINDINGS), .name = "minimize", .verbs = SEARCHING,
      .type = HD_OPT_SWITCH, .field = FIELD(minimize), .may_change = true,
      .value = "off|on", .choices = minimize_words, .fallback = "on",
      .help = "minimise a finding before it is reported and saved: fewest preemptions, then "
              "switches, then steps; also find the order of operations that makes it fail. "
              "--minimize-budget limits the time" },
    { IN(FINDINGS), .name = "minimize-budget", .verbs = SEARCHING, .type = HD_OPT_DURATION,
      .field = FIELD(minimize_ms), .value = "2s|1m", .fallback = "2s", .may_change = true,
      .help = "time limit for minimising one finding" },
    { IN(FINDINGS), .name = "suppressions", .verbs = SEARCHING,
      .type = HD_OPT_FILES, .field = FIELD(suppressions),
      .value = "FILE",
      .help = "count findings that match an entry of this file, but neither report them nor stop "
              "at them; 'heddle suppress' prints such an entry; may be repeated" },
    { IN(FINDINGS), .name = "mute", .verbs = SEARCHING,
      .type = HD_OPT_WORDS, .field = FIELD(mute), .value = "KIND,...", .choices = hd_finding_kind_words,
      .help = "findings of these kinds ('heddle list detectors') neither end the search nor count as bugs; they are "
              "listed as muted" },
    { IN(FINDINGS), .name = "allow-unseen", .verbs = SEARCHING,
      .type = HD_OPT_ALLOWED, .field = FIELD(allowed),
      .value = "NAME",
      .help = "allow uninstrumented code of this library, program or function (a shell pattern: "
              "'libfoo.so*') to run concurrently with other threads: the verdict keeps its "
              "guarantee and names the exception; may be repeated" },
    { IN(PROGRAM), .name = "isolation", .verbs = LAUNCHING | V(MINIMIZE) | V(RECHECK),
      .type = HD_OPT_CHOICE, .field = FIELD(isolation),
      .value = "auto|inproc|fork", .choices = isolation_words, .fallback = "auto",
      .help = "how executions are isolated from each other. inproc: restore the memory of one "
              "process; fork: one process per execution" },
    /* histories */
    { .name = "model", .verbs = V(HISTORY), .type = HD_OPT_TEXT, .field = FIELD(model),
      .value = "NAME",
      .help = "the model of files that have no line 'model NAME'" },
    { .name = "steps", .verbs = V(HISTORY), .type = HD_OPT_U64, .field = FIELD(steps),
      .value = "N", .min = 1, .max = INT64_MAX, .fallback = "10000000",
      .help = "stop judging an object, or one key of a map, after this many steps of the search; its verdict is "
              "then unknown" },
    /* studies */
    { .name = "strategies", .verbs = V(STUDY), .type = HD_OPT_TEXT, .field = FIELD(study_strategies),
      .value = "NAME[:KEY=VALUE,...],...",
      .fallback = "dfs,ipb:finish=1,idb:finish=1,random,pct:d=3,pos,surw",
      .help = "the strategies, spelled as for --strategy of 'heddle run', separated by commas or "
              "semicolons" },
    { .name = "seeds", .verbs = V(STUDY), .type = HD_OPT_TEXT, .field = FIELD(study_seeds),
      .value = "N|A..B", .fallback = "1",
      .help = "number of seeds, or a range; deterministic strategies use only the first seed" },
    { .name = "programs", .verbs = V(STUDY), .type = HD_OPT_TEXT, .field = FIELD(study_programs),
      .value = "PATTERN[+PATTERN],...",
      .help = "run only programs that match one of these patterns, by name, by suite or by a word "
              "in their notes; patterns joined by + must all match" },
    { .name = "executions", .verbs = V(STUDY), .type = HD_OPT_U64, .field = FIELD(executions),
      .value = "N", .min = 1, .max = INT64_MAX,
      .help = "end each search (one program, strategy and seed) after this many executions (default 100000)" },
    { .name = "budget", .verbs = V(STUDY), .type = HD_OPT_DURATION, .field = FIELD(budget_ms),
      .value = "30s|5m|2h", .help = "end each search after this time (default 60s)" },
    { IN(FINDINGS), .name = "keep-going", .verbs = V(STUDY),
      .type = HD_OPT_FLAG, .field = FIELD(keep_going),
      .help = "count all failing executions up to the limits, instead of ending each search at the "
              "first one" },
    { IN(OUTPUT), .name = "db", .verbs = V(STUDY),
      .type = HD_OPT_TEXT, .field = FIELD(study_db), .value = "FILE",
      .fallback = "study.db",
      .help = "SQLite database of the results; cells that it already holds with the same limits "
              "are not run again. FILE.d beside it holds the compiled programs" },
    { .name = "report-only", .verbs = V(STUDY), .type = HD_OPT_FLAG, .field = FIELD(report_only),
      .help = "run nothing; write the tables from the results that the database already holds" },
    { IN(OUTPUT), .name = "csv", .verbs = V(STUDY),
      .type = HD_OPT_TEXT, .field = FIELD(csv_file), .value = "FILE",
      .help = "write one row per cell as CSV ('-': standard output)" },
    { IN(OUTPUT), .name = "markdown", .verbs = V(STUDY),
      .type = HD_OPT_TEXT, .field = FIELD(markdown_file),
      .value = "FILE", .help = "write the tables as Markdown ('-': standard output)" },
    { IN(OUTPUT), .name = "html", .verbs = V(STUDY),
      .type = HD_OPT_TEXT, .field = FIELD(files[HD_FORMAT_html]), .value = "FILE",
      .help = "write tables and plots as one self-contained HTML page ('-': standard output)" },
    /* kernels */
    { .name = "multiboot", .verbs = V(KERNEL), .type = HD_OPT_TEXT, .field = FIELD(multiboot), .may_change = true, .value = "FILE",
      .help = "the kernel: a 32-bit multiboot ELF file with symbols; with replay: use it instead of the recorded one" },
    { .name = "kernel", .verbs = V(KERNEL), .type = HD_OPT_TEXT, .field = FIELD(kernel_image), .may_change = true, .value = "FILE",
      .help = "the kernel: a Linux image (vmlinuz) for 64-bit x86. The operands are the C files of the test that runs in "
              "it. With replay: use this kernel instead of the recorded one" },
    { .name = "modules", .verbs = V(KERNEL), .type = HD_OPT_TEXT, .field = FIELD(kernel_modules), .may_change = true, .value = "DIR",
      .help = "Linux: load the modules (*.ko) in this directory, in the order of their names" },
    { .name = "describe", .verbs = V(KERNEL), .type = HD_OPT_TEXT, .field = FIELD(describe), .value = "FILE",
      .help = "file that names the kernel's functions for threads, locks, memory and the timer (docs/kernel.md); "
              "default: a built-in description" },
    { .name = "strategy", .verbs = V(KERNEL), .type = HD_OPT_STRATEGY, .field = FIELD(strategy),
      .value = "NAME[:KEY=VALUE,...]",
      .help = "how to choose the instructions at which interrupts arrive. mix, random, pct, ppct, pos and surw "
              "sample; dfs, ipb and idb are exhaustive" },
    { .name = "bound", .verbs = V(KERNEL), .type = HD_OPT_BOUND, .field = FIELD(bound),
      .value = "N|iterate", .choices = bound_words, .max = 1000000,
      .help = "with an exhaustive strategy: at most this many interrupts in an execution" },
    { .name = "seed", .verbs = V(KERNEL), .type = HD_OPT_U64, .field = FIELD(seed),
      .value = "N", .max = UINT64_MAX, .fallback = "1",
      .help = "seed of the random numbers; the same seed gives the same search" },
    { .name = "executions", .verbs = V(KERNEL), .type = HD_OPT_U64, .field = FIELD(executions),
      .value = "N", .min = 1, .max = UINT64_MAX, .may_change = true,
      .help = "stop after this many executions; without this option and --budget, a sampling search stops after 60s" },
    { .name = "budget", .verbs = V(KERNEL), .type = HD_OPT_DURATION, .field = FIELD(budget_ms), .may_change = true,
      .value = "30s|5m|2h", .help = "stop after this time" },
    { .name = "within", .verbs = V(KERNEL), .type = HD_OPT_FILTER, .field = FIELD(filters), .value = "FUNCTION",
      .help = "interrupts arrive only inside this function and its callees. May be repeated and combined with "
              "--without; if several options name functions on the call stack, the one given last applies" },
    { .name = "without", .verbs = V(KERNEL), .type = HD_OPT_FILTER, .field = FIELD(filters), .value = "FUNCTION",
      .help = "no interrupts inside this function and its callees" },
    { .name = "memory", .verbs = V(KERNEL), .type = HD_OPT_U32, .field = FIELD(kernel_memory), .value = "MB",
      .min = 2, .max = 1024, .help = "memory of the virtual machine (16; for Linux 128)" },
    { .name = "max-instructions", .verbs = V(KERNEL), .type = HD_OPT_U32, .field = FIELD(kernel_instructions),
      .value = "N", .min = 1000, .max = UINT32_MAX,
      .help = "an execution with more instructions than this is reported as a hang (2,000,000; for Linux 20,000,000)" },
    { .name = "max-steps", .verbs = V(KERNEL), .type = HD_OPT_U32, .field = FIELD(kernel_points),
      .value = "N", .min = 1, .max = HD_MAX_STEPS - 1, .fallback = "20000",
      .help = "an execution with more places than this at which an interrupt could arrive is reported as a hang" },
    { .name = "repeat", .verbs = V(KERNEL), .type = HD_OPT_U32, .field = FIELD(kernel_repeats),
      .value = "N", .min = 1, .max = 1000000, .fallback = "1", .help = "replay: run the schedule this many times" },
    { IN(FINDINGS), .name = "races", .verbs = V(KERNEL), .type = HD_OPT_CHOICE, .field = FIELD(races),
      .value = "off|on", .choices = kernel_races_words, .fallback = "on",
      .help = "Linux: list data races, with the results of the calls in both orders of the accesses; data races are not "
              "findings" },
    { IN(FINDINGS), .name = "keep-going", .verbs = V(KERNEL), .type = HD_OPT_FLAG, .field = FIELD(keep_going),
      .help = "do not stop at the first finding" },
    { IN(FINDINGS), .name = "minimize", .verbs = V(KERNEL), .type = HD_OPT_SWITCH, .field = FIELD(minimize),
      .value = "off|on", .choices = minimize_words, .fallback = "on",
      .help = "remove from the schedule of a finding the interrupts that it does not need" },
    { IN(OUTPUT), .name = "json", .verbs = V(KERNEL), .type = HD_OPT_TEXT, .field = FIELD(files[HD_FORMAT_json]),
      .value = "FILE", .help = "write the result as JSON ('-': standard output)" },
    { IN(OUTPUT), .name = "html", .verbs = V(KERNEL), .type = HD_OPT_TEXT, .field = FIELD(files[HD_FORMAT_html]),
      .value = "FILE", .help = "write the result as an HTML page ('-': standard output)" },
    { .name = "kernel", .verbs = V(DOCTOR), .type = HD_OPT_FLAG, .field = FIELD(check_kernel),
      .help = "also check the requirements of 'heddle kernel'; loads the plugin into QEMU, but boots no kernel" },
    /* output */
    { IN(OUTPUT), .name = "out-dir", .letter = 'o', .verbs = RENDERING | V(MINIMIZE) | V(RECHECK) | V(SUPPRESS) | V(STATUS) | V(CAMPAIGN) | V(WORKER) | V(KERNEL),
      .type = HD_OPT_TEXT, .field = FIELD(out_dir), .value = "DIR", .fallback = HD_DEFAULT_OUT_DIR,
      .help = "directory for the schedules of findings and the state of the search (stats.json)" },
#define HD_FORMAT(option, on, text)                                                                  \
    { IN(OUTPUT), .name = #option, .verbs = on,\
      .type = HD_OPT_TEXT, .field = FIELD(files[HD_FORMAT_##option]), \
      .value = "FILE", .help = text },
#include "report/verdict/formats.def"
#undef HD_FORMAT
    { IN(OUTPUT), .name = "json", .verbs = V(VERSION) | V(STATUS) | V(CAMPAIGN),
      .type = HD_OPT_FLAG, .field = FIELD(json),
      .help = "print a JSON object" },
    { IN(OUTPUT), .name = "output", .verbs = V(REPLAY) | V(DEBUGGEE), .type = HD_OPT_FLAG,
      .field = FIELD(show_output), .help = "show the output of the program" },
    { IN(OUTPUT), .name = "test-name", .verbs = RENDERING | V(RECHECK), .type = HD_OPT_TEXT,
      .field = FIELD(test_name), .value = "NAME",
      .help = "name of the program in the JUnit report, instead of its file name" },
    { IN(OUTPUT), .name = "gdb", .verbs = V(REPLAY), .type = HD_OPT_FLAG, .field = FIELD(gdb),
      .help = "replay the schedule in gdb (or the debugger that HEDDLE_GDB names), stop at the "
              "failure and show the stack of every thread; in gdb, 'help heddle' lists the "
              "commands for stepping through the schedule" },
    { IN(OUTPUT), .name = "gdb-command", .verbs = V(REPLAY),
      .type = HD_OPT_COMMAND, .field = FIELD(gdb_commands),
      .value = "COMMAND",
      .help = "like --gdb, but execute this gdb command at the failure and exit; may be repeated" },
    { IN(OUTPUT), .name = "progress", .verbs = LAUNCHING,
      .type = HD_OPT_CHOICE, .field = FIELD(progress),
      .value = "auto|plain|none", .choices = progress_words, .fallback = "auto",
      .help = "how to show progress. auto: redrawn on a terminal, as a panel (run and verify) if "
              "there is room, otherwise as a line; plain: plain lines; none: nothing" },
    { IN(OUTPUT), .name = "color", .verbs = LAUNCHING | V(REPORT) | V(MINIMIZE) | V(RECHECK) | V(DOCTOR) | V(STATUS),
      .type = HD_OPT_CHOICE, .field = FIELD(color), .value = "auto|always|never", .choices = color_words, .fallback = "auto",
      .help = "whether to use colour; auto: on a terminal unless NO_COLOR is set" },
    { IN(OUTPUT), .name = "quiet", .letter = 'q', .verbs = LAUNCHING | V(HISTORY) | V(MINIMIZE) | V(RECHECK) | V(DOCTOR) | V(STUDY) | V(KERNEL) | V(WORKER),
      .type = HD_OPT_FLAG, .field = FIELD(quiet), .help = "print only problems" },
    { IN(OUTPUT), .name = "verbose", .letter = 'v', .verbs = LAUNCHING | V(REPORT) | V(MINIMIZE) | V(RECHECK) | V(KERNEL),
      .type = HD_OPT_COUNT,
      .field = FIELD(verbose), .help = "print more; may be repeated" },
    /* documents */
    { IN(OUTPUT), .name = "man", .verbs = V(OPTIONS), .type = HD_OPT_TEXT, .field = FIELD(man),
      .value = "VERB", .help = "print the manual page of a verb ('heddle': the main page)" },
    { IN(OUTPUT), .name = "bash", .verbs = V(OPTIONS), .type = HD_OPT_FLAG, .field = FIELD(bash),
      .help = "print completions for bash" },
    { IN(OUTPUT), .name = "zsh", .verbs = V(OPTIONS), .type = HD_OPT_FLAG, .field = FIELD(zsh),
      .help = "print completions for zsh" },
    { IN(OUTPUT), .name = "fish", .verbs = V(OPTIONS), .type = HD_OPT_FLAG, .field = FIELD(fish),
      .help = "print completions for fish" },
};

const size_t hd_option_count = sizeof hd_option_table / sizeof *hd_option_table;
