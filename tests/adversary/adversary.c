/* SPDX-License-Identifier: BSD-2-Clause
 *
 * adversary.c - checks whether what Heddle reports about random small programs is true.
 *
 *     HEDDLE=path adversary [-n PROGRAMS] [-s FIRST-SEED] [-f FAMILIES] [-j JOBS] [-r RUNS] [-x KINDS] [-b BUDGET]
 *     HEDDLE=path adversary -t TEXT
 *
 * In the working directory are the player built by heddle cc (./player) and by the plain compiler
 * (./plain).  The model computes all outcomes of each program; then
 *   - a search that claims to be complete must have found exactly these outcomes;
 *   - no search may find any other outcome, whatever it claims;
 *   - a run without Heddle (RUNS times, with random delays) must have one of them.
 * dfs is left out where it would not end.  Programs with an operation of one of KINDS are left out.  A
 * program for which one of these does not hold is made as small as possible and printed.
 * Exit: 0 all hold, 1 some do not, 2 wrong use. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "generate.h"
#include "model.h"

extern char **environ;

static struct {
    const char *heddle, *text;
    uint64_t first, programs;
    unsigned jobs, runs;
    const char *families;
    const char *without; /* kinds of operations */
    const char *budget;  /* of a search */
} options = { .first = 1, .programs = 100, .jobs = 2, .runs = 4, .families = generate_families,
              .without = "", .budget = "10s" };

/* Kinds of waiting loops, with the operations that they consist of (text.h). */
static const struct loops {
    const char *name, *kinds;
} loops[] = { { "polling", "=~_" }, { "polling of two", "+|" }, { "exchange", "#:?" }, { "load and exchange", "-()" },
              { "trylock", "`" }, { "ticket", "[" }, { "MCS", ",." }, { "latch", ">" }, { "barrier", "$" },
              { "back-off", "\"" }, { "futex", "}" }, { "gives up", "<]" }, { "under a lock", "{" }, { "two locks", "2" } };
enum { KINDS = sizeof loops / sizeof loops[0] };

struct totals {
    uint64_t programs, left_out, searches, claims, outcomes, runs, failed;
    uint64_t with[KINDS]; /* programs with loops of that kind */
};

/* What one search says. */
struct answer {
    bool code[MODEL_CODES];
    bool stuck, complete;
    char other[64]; /* kind of a finding of another sort */
    int status;
};

enum { NATIVE_MILLISECONDS = 10000, STUCK_MILLISECONDS = 100, SEARCH_SECONDS = 900,
       DFS_ORDERS = 2000 /* with more of them, as the model counts, dfs hardly ever ends in time */ };

/* The model enumerates everything itself, and a search that must stop early claims nothing: `most`
 * executions are about the limit beyond which few searches still finish. */
struct strategy {
    const char *name, *most, *verb; /* NULL: verify */
};

static const struct strategy dfs = { "dfs", "4000", NULL }, dpor = { "dpor", "4000", NULL };
static const struct strategy further[] = {
    { "dpor-optimal", "4000", NULL }, { "dpor-classic", "4000", NULL }, { "dfs+cache", "300", NULL },
    { "bpor-lazy", "2500", NULL },    { "dpor-lazy", "2500", NULL },    { "bpor", "2500", NULL },
    { "bpor-source", "2500", NULL },  { "ipb", "1500", NULL },          { "idb", "1500", NULL },
    { "idb+cache", "300", NULL },     { "random", "300", "run" },       { "mix", "300", "run" },
};
enum { FURTHER = sizeof further / sizeof further[0] };

/* ---- processes -------------------------------------------------------------------- */

static pid_t start(char *const argv[])
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t pid;

    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "errors", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (posix_spawn(&pid, argv[0], &actions, &attributes, argv, environ) != 0)
        exit(2);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return pid;
}

/* Its exit code, or -1 when it was killed or takes longer.  It is the only child. */
static int finish(pid_t pid, unsigned milliseconds)
{
    struct timespec limit = { milliseconds / 1000, milliseconds % 1000 * 1000000L };
    sigset_t ends;
    int status = 0;

    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    if (sigtimedwait(&ends, NULL, &limit) < 0) { /* no thread sends another signal */
        kill(pid, SIGKILL);
        sigwaitinfo(&ends, NULL);
        waitpid(pid, &status, 0);
        return -1;
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- searches --------------------------------------------------------------------- */

static char *contents(const char *path)
{
    static char text[1 << 20];
    FILE *in = fopen(path, "r");

    if (in == NULL)
        return NULL;
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    return text;
}

static void read_findings(struct answer *a, const char *json)
{
    static const char mark[] = "\", \"kind\": \"", told[] = "ended with exit code ";
    const char *at = strstr(json, "\"findings\":"), *last = strstr(json, "\n \"warnings\"");

    while (at != NULL && (at = strstr(at, mark)) != NULL && (last == NULL || at < last)) {
        char kind[64] = "";

        sscanf(at + sizeof mark - 1, "%63[^\"]", kind);
        at++;
        if (strcmp(kind, "exit-code") == 0) {
            const char *code = strstr(at, told);

            a->code[code != NULL ? atoi(code + sizeof told - 1) & 255 : 0] = true;
        } else if (strcmp(kind, "deadlock") == 0 || strcmp(kind, "livelock") == 0) {
            a->stuck = true;
        } else {
            snprintf(a->other, sizeof a->other, "%s", kind);
        }
    }
}

static void search(struct answer *a, const struct strategy *s, const char *text)
{
    char *argv[] = { (char *)options.heddle, (char *)(s->verb != NULL ? s->verb : "verify"), "--strategy", (char *)s->name,
                     "--keep-going", "-q", "--progress", "none", "--executions", (char *)s->most, "--budget", (char *)options.budget, "-o", "store",
                     "--json", "result.json", "--", "../player", (char *)text, NULL };
    const char *json;

    memset(a, 0, sizeof *a);
    unlink("result.json");
    a->status = finish(start(argv), SEARCH_SECONDS * 1000);
    json = contents("result.json");
    if (json == NULL || (a->status != 0 && a->status != 2 && a->status != 4)) {
        snprintf(a->other, sizeof a->other, "no result, exit status %d", a->status);
        return;
    }
    a->complete = strstr(json, "\"complete\": true") != NULL;
    read_findings(a, json);
}

/* ---- judging ---------------------------------------------------------------------- */

static bool complain(char *why, size_t size, const char *who, const char *what, int code)
{
    if (code >= 0)
        snprintf(why, size, "%s: %s %d", who, what, code);
    else
        snprintf(why, size, "%s: %s", who, what);
    return false;
}

static bool search_agrees(const struct outcomes *truth, const struct strategy *s, const char *text,
                          struct totals *totals, char *why, size_t size)
{
    const char *strategy = s->name;
    struct answer a;

    search(&a, s, text);
    totals->searches++;
    totals->claims += a.complete;
    if (a.other[0] != '\0')
        return complain(why, size, strategy, a.other, -1);
    for (int c = 0; c < MODEL_CODES; c++) {
        if (a.code[c] && !truth->code[c])
            return complain(why, size, strategy, "finds what cannot be, outcome", c);
        if (a.complete && truth->code[c] && !a.code[c])
            return complain(why, size, strategy, "claims to be complete and misses outcome", c);
    }
    if (a.stuck && !truth->stuck && !truth->may_cycle)
        return complain(why, size, strategy, "finds a deadlock that cannot be", -1);
    if (a.complete && truth->stuck && !a.stuck)
        return complain(why, size, strategy, "claims to be complete and misses a deadlock", -1);
    if (a.complete && truth->must_cycle && !a.stuck)
        return complain(why, size, strategy, "claims to be complete and misses a livelock", -1);
    return true;
}

/* One processor or all of them, by turns. */
static bool runs_agree(const struct outcomes *truth, const char *text, struct totals *totals, char *why, size_t size)
{
    cpu_set_t all, one;

    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&one);
    for (int c = 0; c < CPU_SETSIZE && CPU_COUNT(&one) == 0; c++)
        if (CPU_ISSET(c, &all))
            CPU_SET(c, &one);
    for (unsigned i = 1; i <= options.runs; i++) {
        char delay[16];
        char *argv[] = { "../plain", (char *)text, delay, NULL };

        snprintf(delay, sizeof delay, "%u", i * 31 + (unsigned)strlen(text));
        if (i % 3 == 0)
            sched_setaffinity(0, sizeof one, &one);
        int code = finish(start(argv), truth->stuck || truth->may_cycle ? STUCK_MILLISECONDS : NATIVE_MILLISECONDS);

        sched_setaffinity(0, sizeof all, &all);
        totals->runs++;
        if (code < 0 ? !truth->stuck && !truth->may_cycle : !truth->code[code])
            return complain(why, size, "without Heddle", code < 0 ? "does not end" : "outcome", code);
        if (code < 0) /* each such run costs all the time that there is */
            break;
    }
    return true;
}

static bool contains(const struct text *p, const char *kinds)
{
    for (unsigned t = 0; t < p->threads; t++)
        for (unsigned i = 0; i < p->n[t]; i++)
            if (strchr(kinds, p->op[t][i].kind) != NULL)
                return true;
    return false;
}

/* Of a model that knows a choice: the plain program always takes the first alternative, which is
 * one of them. */
static bool holds(const struct text *p, uint64_t seed, struct totals *totals, char *why, size_t size)
{
    struct outcomes truth, of_libc;
    char text[TEXT_LENGTH];

    model_outcomes(p, false, &truth);
    if (truth.misused || truth.large) {
        totals->left_out++;
        return true;
    }
    text_print(p, text);
    totals->programs++;
    for (unsigned k = 0; k < KINDS; k++)
        totals->with[k] += contains(p, loops[k].kinds);
    for (int c = 0; c < MODEL_CODES; c++)
        totals->outcomes += truth.code[c];
    if ((options.text != NULL || truth.orders <= DFS_ORDERS) &&
        !search_agrees(&truth, &dfs, text, totals, why, size))
        return false;
    if (!search_agrees(&truth, &dpor, text, totals, why, size) ||
        !search_agrees(&truth, &further[seed % FURTHER], text, totals, why, size))
        return false;
    if (options.text != NULL)
        for (unsigned i = 0; i < FURTHER; i++)
            if (!search_agrees(&truth, &further[i], text, totals, why, size))
                return false;
    model_outcomes(p, true, &of_libc);
    return of_libc.large || runs_agree(&of_libc, text, totals, why, size);
}

/* ---- making it smaller ------------------------------------------------------------ */

static void without(struct text *p, unsigned t, unsigned i)
{
    memmove(&p->op[t][i], &p->op[t][i + 1], (TEXT_OPS - 1 - i) * sizeof p->op[t][0]);
    p->n[t]--;
    for (unsigned k = 0; k < i && k < p->n[t]; k++) /* what was skipped with it */
        if (k + (unsigned)p->op[t][k].skip >= i && p->op[t][k].skip > 0)
            p->op[t][k].skip--;
}

/* The same thing goes wrong, but for its number. */
static bool same(const char *a, const char *b)
{
    return strncmp(a, b, strcspn(a, "0123456789")) == 0;
}

static void shrink(struct text *p, uint64_t seed, char *why, size_t size)
{
    bool smaller = true;

    while (smaller) {
        smaller = false;
        for (unsigned t = 0; t < p->threads; t++)
            for (unsigned i = p->n[t]; i-- > 0;) {
                struct text less = *p;
                struct totals unused = { 0 };
                char reason[200] = "";

                without(&less, t, i);
                if (!holds(&less, seed, &unused, reason, sizeof reason) && same(why, reason)) {
                    *p = less;
                    snprintf(why, size, "%s", reason);
                    smaller = true;
                }
            }
    }
}

static void judge(const struct text *p, uint64_t seed, struct totals *totals)
{
    char why[200] = "", text[TEXT_LENGTH];
    struct text least = *p;

    if (holds(p, seed, totals, why, sizeof why))
        return;
    totals->failed++;
    text_print(p, text);
    printf("FAIL seed %llu: %s: %s\n", (unsigned long long)seed, text, why);
    fflush(stdout);
    shrink(&least, seed, why, sizeof why);
    text_print(&least, text);
    printf("     least:  adversary -t '%s' (%s)\n", text, why);
    fflush(stdout);
}

/* ---- the whole -------------------------------------------------------------------- */

static void work(unsigned job, struct totals *totals)
{
    char directory[32];

    snprintf(directory, sizeof directory, "job%u", job);
    mkdir(directory, 0755);
    if (chdir(directory) != 0)
        exit(2);
    for (uint64_t i = job; i < options.programs; i += options.jobs) {
        struct text p;

        generate(&p, options.first + i, options.families);
        if (contains(&p, options.without))
            totals->left_out++;
        else
            judge(&p, options.first + i, totals);
    }
}

static void add(struct totals *to, const struct totals *from)
{
    uint64_t *a = (uint64_t *)to;
    const uint64_t *b = (const uint64_t *)from;

    for (size_t i = 0; i < sizeof *to / sizeof *a; i++)
        a[i] += b[i];
}

static struct totals all_jobs(void)
{
    struct totals sum = { 0 };
    int results[2];

    if (pipe(results) != 0)
        exit(2);
    for (unsigned j = 0; j < options.jobs; j++)
        if (fork() == 0) {
            struct totals mine = { 0 };

            work(j, &mine);
            if (write(results[1], &mine, sizeof mine) != sizeof mine)
                _exit(2);
            exit(0);
        }
    close(results[1]);
    for (struct totals one; read(results[0], &one, sizeof one) == sizeof one;)
        add(&sum, &one);
    while (wait(NULL) > 0)
        ;
    return sum;
}

static bool parse(int argc, char **argv)
{
    int o;

    while ((o = getopt(argc, argv, "n:s:f:j:r:t:x:b:")) != -1)
        switch (o) {
        case 'n': options.programs = strtoull(optarg, NULL, 10); break;
        case 's': options.first = strtoull(optarg, NULL, 10); break;
        case 'f': options.families = optarg; break;
        case 'j': options.jobs = (unsigned)atoi(optarg); break;
        case 'r': options.runs = (unsigned)atoi(optarg); break;
        case 't': options.text = optarg; break;
        case 'x': options.without = optarg; break;
        case 'b': options.budget = optarg; break;
        default: return false;
        }
    options.heddle = getenv("HEDDLE");
    return options.heddle != NULL && optind == argc && options.jobs > 0 &&
           options.families[0] != '\0' && options.families[strspn(options.families, generate_families)] == '\0';
}

int main(int argc, char **argv)
{
    struct totals sum = { 0 };
    struct text p;
    sigset_t ends;

    if (!parse(argc, argv) || (options.text != NULL && text_parse(&p, options.text) != 0)) {
        fprintf(stderr, "usage: HEDDLE=path %s [-n PROGRAMS] [-s SEED] [-f FAMILIES] [-j JOBS] [-r RUNS] [-x KINDS] [-b BUDGET] [-t TEXT]\n",
                argv[0]);
        return 2;
    }
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, NULL); /* for finish */
    setenv("HEDDLE_OPTIONS", "minimize=off", 1); /* how small a finding can be made is no matter here */
    if (options.text != NULL) {
        struct outcomes truth;

        mkdir("job0", 0755);
        if (chdir("job0") != 0)
            return 2;
        model_outcomes(&p, false, &truth);
        printf("%u states%s%s%s%s, outcomes:", truth.states, truth.stuck ? ", stuck" : "",
               truth.must_cycle ? ", livelock" : truth.may_cycle ? ", perhaps a livelock" : "", truth.large ? ", too large" : "",
               truth.misused ? ", misused" : "");
        for (int c = 0; c < MODEL_CODES; c++)
            if (truth.code[c])
                printf(" %d", c);
        printf("\n");
        judge(&p, 0, &sum);
    } else {
        sum = all_jobs();
    }
    printf("%llu programs (%llu left out), %llu outcomes, %llu searches, %llu claims, %llu runs without Heddle: %llu failed\n",
           (unsigned long long)sum.programs, (unsigned long long)sum.left_out, (unsigned long long)sum.outcomes,
           (unsigned long long)sum.searches, (unsigned long long)sum.claims, (unsigned long long)sum.runs,
           (unsigned long long)sum.failed);
    for (unsigned k = 0; k < KINDS; k++)
        printf("%s%s %llu", k == 0 ? "programs with waiting loops: " : ", ", loops[k].name, (unsigned long long)sum.with[k]);
    printf("\n");
    return sum.failed > 0 || sum.programs == 0;
}
