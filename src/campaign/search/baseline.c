/* SPDX-License-Identifier: BSD-2-Clause
 *
 * baseline.c - runs native executions one after another, each in its own process.  They run in an
 * ordinary session, so limits, results and files work as in a search.  Only the source of totals
 * and findings differs: this file computes them, because no runtime writes them to the wire. */
#include "campaign/search/baseline.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/hash.h"
#include "campaign/session/libraries.h"
#include "campaign/setup/baselines.h"
#include "conductor/native.h"
#include "conductor/signals.h"
#include "program/paths.h"
#include "report/print/shell.h"
#include "search/core/strategy.h"

/* ---- classify the end of an execution ------------------------------------------------ */

struct failure {
    enum hd_finding_kind kind;
    char message[480];
};

/* Copies the line that assert has printed to buf.  Returns false if the output has no such line. */
static bool find_assertion(const char *output, char *buf, size_t cap)
{
    const char *mark = strstr(output, "Assertion ");

    if (mark == NULL)
        return false;
    const char *line = mark;

    while (line > output && line[-1] != '\n')
        line--;
    snprintf(buf, cap, "%.*s", (int)strcspn(line, "\n"), line);
    return true;
}

static void judge_signal(int sig, const char *output, struct failure *f)
{
    if (sig == SIGABRT && find_assertion(output, f->message, sizeof f->message)) {
        f->kind = HD_FK_ASSERTION;
        return;
    }
    f->kind = sig == SIGABRT ? HD_FK_ABORT : HD_FK_CRASH;
    snprintf(f->message, sizeof f->message, "killed by signal %d (%s)", sig, strsignal(sig));
}

/* Returns true and fills *f if the execution failed. */
static bool judge(const struct hd_native *n, uint64_t timeout_ms, struct failure *f)
{
    if (n->end == HD_NATIVE_HUNG) {
        f->kind = n->asleep ? HD_FK_DEADLOCK : HD_FK_LIVELOCK;
        snprintf(f->message, sizeof f->message, "it has not ended after %g s, and %s",
                 (double)timeout_ms / 1e3,
                 n->asleep ? "all its threads sleep" : "some thread still runs");
        return true;
    }
    if (WIFSIGNALED(n->status)) {
        judge_signal(WTERMSIG(n->status), n->output, f);
        return true;
    }
    f->kind = HD_FK_EXIT_CODE;
    snprintf(f->message, sizeof f->message, "exit code %d", WEXITSTATUS(n->status));
    return WEXITSTATUS(n->status) != 0;
}

/* ---- findings ----------------------------------------------------------------------------------- */

static bool is_known(const struct hd_findings *all, const struct failure *f)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->list[i].kind == f->kind && strcmp(all->list[i].message, f->message) == 0)
            return true;
    return false;
}

static void show(struct hd_session *s, const struct hd_result_finding *f, const char *output)
{
    FILE *out = s->text.out;

    hd_progress_clear(&s->progress);
    if (s->o->quiet)
        return;
    fprintf(out, "FOUND %s in execution %llu: %s\n", hd_finding_kind_text(f->kind),
            (unsigned long long)f->execution, f->message);
    if (output[0] != '\0') {
        fputs("The end of its output:\n", out);
        hd_text_output(&s->text, output, strlen(output), 10);
    }
    fputs("An uncontrolled run: it cannot be replayed; look for it with\n    heddle run", out);
    for (char *const *a = s->argv; *a != NULL; a++) {
        fputc(' ', out);
        hd_shell_word(out, *a);
    }
    fputs("\n\n", out);
    fflush(out);
}

static void add_finding(struct hd_findings *all, const struct failure *f, uint64_t execution,
                        const char *output)
{
    if (is_known(all, f))
        return;
    show(all->s, hd_findings_new_from_message(all, f->kind, execution, f->message), output);
}

/* ---- the loop over executions -------------------------------------------------------- */

struct loop {
    struct hd_session *s;
    struct hd_findings *findings;
    struct hd_totals *totals; /* on the wire, where the display and the result read them */
    struct hd_launch launch;
    double started, stop_at;
    uint64_t timeout_ms;
    int signals;
    char noise[64];
};

static uint64_t parameter(const struct hd_session *s, const char *key)
{
    return (uint64_t)hd_param_value(hd_baseline_find(s->o->strategy)->params, s->o->params, key);
}

/* True if the strategy delays threads.  Those are the native strategies that draw random numbers. */
static bool makes_noise(const struct hd_session *s)
{
    return hd_traits_samples(&s->wire->config.traits);
}

/* Sets the libraries of the launch.  A program that is linked with the runtime needs it to start;
 * without a wire the runtime does nothing.  Returns false, after a message, if a library is
 * missing. */
static bool set_libraries(struct loop *l, struct hd_libraries *lib)
{
    if (!hd_libraries_set(lib, &l->s->elf, NULL, &l->launch))
        return false;
    l->launch.preload = NULL;
    if (!makes_noise(l->s))
        return true;
    if (!hd_path_of(HD_LIB_NOISE, lib->preload, sizeof lib->preload) || access(lib->preload, R_OK) != 0) {
        fprintf(stderr, "heddle: the library %s is missing; is the installation complete?\n", HD_LIB_NOISE);
        return false;
    }
    l->launch.preload = lib->preload;
    l->launch.noise = l->noise;
    return true;
}

static void count(struct loop *l, bool failed)
{
    struct hd_totals *t = l->totals;

    t->begun++;
    t->executions++;
    t->buggy += failed;
    if (failed && t->first_buggy == 0)
        t->first_buggy = t->executions;
}

/* Runs one execution.  Returns false if it was the last one; *code is set if the program could not
 * be started. */
static bool next(struct loop *l, int *code)
{
    struct hd_session *s = l->s;
    struct hd_native n;
    struct failure f;

    if (makes_noise(s))
        snprintf(l->noise, sizeof l->noise, "%llu:%llu:%llu",
                 (unsigned long long)parameter(s, "p"), (unsigned long long)parameter(s, "us"),
                 (unsigned long long)hd_hash_mix(s->o->seed, l->totals->begun));
    hd_native_run(&l->launch, hd_seconds_now() + (double)l->timeout_ms / 1e3, l->stop_at, l->signals, &n);
    if (n.end == HD_NATIVE_NOT_STARTED) {
        fprintf(stderr, "heddle: %s: %s: %s\n", s->program, n.what, strerror(errno));
        *code = HD_EXIT_USAGE;
        return false;
    }
    if (n.end == HD_NATIVE_STOPPED)
        return false;
    bool failed = judge(&n, l->timeout_ms, &f);

    count(l, failed);
    if (failed)
        add_finding(l->findings, &f, l->totals->executions, n.output);
    hd_session_look(s, l->totals, hd_seconds_now() - l->started);
    return (!failed || s->o->keep_going) && hd_seconds_now() < l->stop_at &&
           (s->o->executions == 0 || l->totals->executions < s->o->executions);
}

int hd_baseline_run(struct hd_findings *all, uint64_t budget_ms)
{
    struct hd_session *s = all->s;
    struct rlimit no_core = { 0, 0 };
    struct hd_libraries lib;
    struct loop l = { .s = s, .findings = all, .totals = &s->wire->campaign.totals[0],
                      .launch = { .path = s->elf.path, .argv = s->argv, .native = true },
                      .timeout_ms = parameter(s, "timeout"),
                      .started = hd_seconds_now() };
    sigset_t ours, before;
    int code = HD_EXIT_CLEAN;

    l.stop_at = budget_ms != 0 ? l.started + (double)budget_ms / 1e3 : DBL_MAX;
    l.totals->bound = -1;
    s->wire->forked = 1; /* as with fork isolation: one process per execution */
    if (!set_libraries(&l, &lib))
        return HD_EXIT_USAGE;
    fcntl(s->wires.fd, F_SETFD, FD_CLOEXEC);
    setrlimit(RLIMIT_CORE, &no_core);
    hd_signals_ours(&ours);
    hd_signals_hold(&before);
    l.signals = signalfd(-1, &ours, SFD_NONBLOCK | SFD_CLOEXEC);
    fflush(NULL);
    while (next(&l, &code))
        ;
    s->watched.interrupted = hd_signals_take();
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (l.signals >= 0)
        close(l.signals);
    s->watched.seconds = s->watched.searching = hd_seconds_now() - l.started;
    hd_progress_clear(&s->progress);
    hd_ledger_add(&s->ledger, HD_DENIES,
                  "everything: native threads; data races, memory errors and leaks were not looked for");
    return code;
}
