/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_worker.c - `heddle worker` works on campaigns whose programs are in the store.  Each campaign runs in a child
 * process: this tool again, with the command from the store. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sha256.h"
#include "base/vec.h"
#include "campaign/rerun/child_session.h"
#include "campaign/search/exits.h"
#include "campaign/spread/shipping.h"
#include "cli/options.h"
#include "cli/registry.h"
#include "conductor/signals.h"

struct worker {
    const struct hd_options *o;
    struct hd_cluster *st;
    struct hd_cluster_campaign *open; /* open campaigns */
    size_t nopen;
    int64_t *seen;                    /* campaigns that were refused or have failed */
    size_t nseen;
    unsigned worked, refused;
    int code;
    bool interrupted;
};

/* ---- which campaigns --------------------------------------------------------------------- */

static void add_open(void *ctx, const struct hd_cluster_campaign *c)
{
    struct worker *w = ctx;

    if (strcmp(c->state, "open") != 0 || (w->o->campaign != NULL && strcmp(w->o->campaign, c->name) != 0))
        return;
    for (size_t i = 0; i < w->nseen; i++)
        if (w->seen[i] == c->id)
            return;
    struct hd_cluster_campaign *to = HD_PUSH(w->open, w->nopen);

    *to = *c;
    to->spec = NULL; /* the caller keeps the text and frees it */
}

static void give_up(struct worker *w, const struct hd_cluster_campaign *c, const char *why)
{
    *HD_PUSH(w->seen, w->nseen) = c->id;
    if (why == NULL)
        return;
    w->refused++;
    fprintf(stderr, "heddle: campaign %s: %s\n", c->name, why);
}

static bool is_allowed(const struct worker *w, const char *hash)
{
    for (uint32_t i = 0; i < w->o->nallowed; i++)
        if (strcmp(w->o->allowed[i], hash) == 0)
            return true;
    return false;
}

/* Returns the reason why this worker must not run the campaign, or NULL if it may. */
static const char *refusal(const struct worker *w, const struct hd_cluster_campaign *c, const struct hd_cluster_program *p)
{
    static char why[512];
    char hash[65], program_hash[65];

    hd_shipping_hash(c->hash, &p->command, hash);
    hd_sha256(p->content.data != NULL ? p->content.data : "", p->content.size, program_hash);
    if (strcmp(program_hash, c->hash) != 0)
        return "the program in the store is not that of the campaign: somebody has changed it";
    if (is_allowed(w, hash))
        return NULL;
    if (is_allowed(w, program_hash))
        snprintf(why, sizeof why, "--allow has the hash of its program only, and arguments and options can do harm, too; if --ship "
                                  "has printed this one, give --allow %s", hash);
    else
        snprintf(why, sizeof why, "not allowed here; if --ship has printed this hash, give --allow %s", hash);
    return why;
}

/* ---- one campaign -------------------------------------------------------------------------- */

/* The file name comes from the database.  It must not lead to another directory. */
static void make_harmless(char *name)
{
    for (char *c = name; *c != '\0'; c++)
        if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.", *c) == NULL || (c == name && *c == '.'))
            *c = '_';
    if (*name == '\0')
        strcpy(name, "program");
}

static bool write_program(const char *path, const struct hd_bytes *content)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool ok = f != NULL && fwrite(content->data, 1, content->size, f) == content->size;

    return f != NULL && fclose(f) == 0 && ok;
}

struct words {
    char **at;
    size_t n;
};

static void add(struct words *w, char *word)
{
    *HD_PUSH(w->at, w->n) = word;
}

/* Returns the shipped command with this worker's options after the verb and the path of the program after "--". */
static struct words make_words(const struct worker *w, const struct hd_cluster_campaign *c, const struct hd_cluster_program *p,
                               const char *path)
{
    struct words words = { NULL, 0 };
    const char *text = p->command.data, *end = text + p->command.size;
    bool over = false;

    add(&words, hd_copied("heddle"));
    for (const char *at = text; at < end; at += strlen(at) + 1) {
        add(&words, hd_copied(at));
        if (at == text) {
            add(&words, hd_formatted("--store=%s", w->o->store));
            add(&words, hd_formatted("--campaign=%s", c->name));
            add(&words, hd_formatted("--lease=%llums", (unsigned long long)w->o->lease_ms));
            add(&words, hd_formatted("--jobs=%u", w->o->jobs));
            add(&words, hd_formatted("--out-dir=%s", w->o->out_dir));
            if (w->o->quiet)
                add(&words, hd_copied("--quiet"));
        } else if (!over && strcmp(at, "--") == 0) {
            over = true;
            add(&words, hd_copied(path));
        }
    }
    add(&words, NULL);
    return words;
}

static void free_words(struct words *w)
{
    for (size_t i = 0; i < w->n; i++)
        free(w->at[i]);
    free(w->at);
}

/* Waits for the child and forwards the user's signals to it. Signals of the terminal reach the child without help. */
static int wait_for(struct worker *w, pid_t pid)
{
    int status;
    sigset_t ours;

    hd_signals_ours(&ours);
    sigaddset(&ours, SIGCHLD);
    while (waitpid(pid, &status, WNOHANG) == 0) {
        siginfo_t info;
        int sig = sigwaitinfo(&ours, &info);

        if (sig <= 0 || sig == SIGCHLD)
            continue;
        w->interrupted = true;
        if (info.si_code != SI_KERNEL)
            kill(pid, sig);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : HD_EXIT_INTERNAL;
}

static int start(struct worker *w, char *const *words, const sigset_t *mask)
{
    fflush(NULL);
    pid_t pid = hd_child_session_fork();

    if (pid == 0) {
        unsetenv("HEDDLE_OPTIONS"); /* the command from the store is complete */
        sigprocmask(SIG_SETMASK, mask, NULL);
        execv("/proc/self/exe", words);
        fprintf(stderr, "heddle: cannot start heddle again: %s\n", strerror(errno));
        _exit(HD_EXIT_USAGE);
    }
    if (pid < 0) {
        fprintf(stderr, "heddle: cannot start a process: %s\n", strerror(errno));
        return HD_EXIT_USAGE;
    }
    return wait_for(w, pid);
}

static void run_program(struct worker *w, const struct hd_cluster_campaign *c, struct hd_cluster_program *p, const sigset_t *mask)
{
    const char *tmp = getenv("TMPDIR");
    char dir[256], path[512];

    snprintf(dir, sizeof dir, "%.200s/heddle-worker-XXXXXX", tmp != NULL && tmp[0] != '\0' ? tmp : "/tmp");
    if (mkdtemp(dir) == NULL) {
        give_up(w, c, strerror(errno));
        return;
    }
    make_harmless(p->name);
    snprintf(path, sizeof path, "%s/%s", dir, p->name);
    if (!write_program(path, &p->content)) {
        give_up(w, c, strerror(errno));
    } else {
        struct words words = make_words(w, c, p, path);
        int code = start(w, words.at, mask);

        free_words(&words);
        w->worked++;
        w->code = hd_exit_worse(w->code, code);
        if (code != HD_EXIT_CLEAN && code != HD_EXIT_FINDING && code != HD_EXIT_BUDGET)
            give_up(w, c, NULL);
    }
    unlink(path);
    rmdir(dir);
}

/* Returns false if the program may come later: who begins a campaign ships its program after the reference execution. */
static bool work_on(struct worker *w, const struct hd_cluster_campaign *c, const sigset_t *mask)
{
    struct hd_cluster_program p;

    if (!hd_cluster_shipped(w->st, c->id, true, &p)) {
        const char *error = hd_cluster_error(w->st);

        if (error[0] == '\0' && w->o->waits)
            return false;
        give_up(w, c, error[0] != '\0' ? error : "the store does not carry its program; begin it with --ship");
        return true;
    }
    const char *why = refusal(w, c, &p);

    if (why != NULL)
        give_up(w, c, why);
    else
        run_program(w, c, &p, mask);
    hd_cluster_program_free(&p);
    return true;
}

/* ---- all campaigns ----------------------------------------------------------------------------- */

/* Works until nothing is left.  Returns false if the store does not answer. */
static bool work(struct worker *w, const sigset_t *mask)
{
    enum { PAUSE_S = 2 };
    sigset_t ours;

    hd_signals_ours(&ours);
    while (!w->interrupted) {
        w->nopen = 0;
        if (!hd_cluster_each_campaign(w->st, add_open, w))
            return false;
        bool idle = true;

        for (size_t i = 0; i < w->nopen && !w->interrupted; i++)
            idle &= !work_on(w, &w->open[i], mask);
        if (w->nopen == 0 && !w->o->waits)
            break;
        if (idle && sigtimedwait(&ours, NULL, &(struct timespec){ .tv_sec = PAUSE_S }) > 0)
            w->interrupted = true;
    }
    return true;
}

static int fail(const char *message)
{
    fprintf(stderr, "heddle: %s\n", message);
    return HD_EXIT_USAGE;
}

static int conclude(const struct worker *w, bool ok)
{
    if (!ok)
        return fail(hd_cluster_error(w->st));
    if (w->worked > 0)
        return w->code;
    if (w->refused > 0 || w->interrupted)
        return w->refused > 0 ? HD_EXIT_USAGE : HD_EXIT_BUDGET;
    if (!w->o->quiet)
        puts("no campaign of the store is open");
    return HD_EXIT_CLEAN;
}

int hd_cmd_worker(const struct hd_options *o)
{
    struct worker w = { .o = o };
    char error[512];
    sigset_t before, child;

    if (o->store == NULL)
        return fail("worker: name the database with --store");
    for (uint32_t i = 0; i < o->nallowed; i++)
        if (strlen(o->allowed[i]) != 64 || strspn(o->allowed[i], "0123456789abcdef") != 64)
            return fail("worker: --allow wants the 64 hexadecimal digits that --ship has printed");
    w.st = hd_cluster_open(o->store, error, sizeof error);
    if (w.st == NULL)
        return fail(error);
    hd_signals_hold(&before);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL); /* sigwaitinfo needs the signal blocked */
    bool ok = work(&w, &before);
    int code = conclude(&w, ok);

    sigprocmask(SIG_SETMASK, &before, NULL);
    hd_cluster_close(w.st);
    free(w.open);
    free(w.seen);
    return code;
}
