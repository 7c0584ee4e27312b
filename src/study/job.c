/* SPDX-License-Identifier: BSD-2-Clause
 *
 * job.c - starts and watches one cell and reads its result. */
#include "study/job.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/memory.h"
#include "conductor/launch.h"

#define GRACE 10.0 /* seconds after the budget, to end an execution and to write the result */

static bool path_in(const struct hd_study_job *j, const char *name, char *path, size_t cap)
{
    return (size_t)snprintf(path, cap, "%s/%s", j->dir, name) < cap;
}

/* ---- its directory ---------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type;
    return at->level > 0 ? remove(path) : 0;
}

void hd_study_job_clear(const struct hd_study_job *j)
{
    nftw(j->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- starting --------------------------------------------------------------------------------- */

struct texts {
    char seed[24], limit[24], budget[32];
    char json[PATH_MAX + 16], log[PATH_MAX + 16], out[PATH_MAX + 16];
    char options[128], arguments[1024];
};

static bool command(const struct hd_study_job *j, const char *program, struct texts *t, char *words[])
{
    const struct hd_cell_key *k = &j->cell.key;
    size_t n = 0;

    snprintf(t->seed, sizeof t->seed, "%llu", (unsigned long long)k->seed);
    snprintf(t->limit, sizeof t->limit, "%llu", (unsigned long long)k->limit);
    snprintf(t->budget, sizeof t->budget, "%llums", (unsigned long long)k->budget_ms);
    snprintf(t->options, sizeof t->options, "%s", k->options);
    snprintf(t->arguments, sizeof t->arguments, "%s", j->program->arguments);
    path_in(j, "result.json", t->json, sizeof t->json);
    path_in(j, "log", t->log, sizeof t->log);
    path_in(j, "out", t->out, sizeof t->out);
    const char *const fixed[] = { "heddle", "run", "--convention", "study", "--minimize", "off", "--progress",
                                  "none", "--checkpoint", "off", "-q", "--strategy", k->strategy, "--seed", t->seed,
                                  "--executions", t->limit, "--budget", t->budget, "--json", t->json, "-o", t->out,
                                  k->keep_going ? "--keep-going" : NULL };

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed && fixed[i] != NULL; i++)
        words[n++] = (char *)fixed[i];
    if (!hd_study_words(t->options, words, &n) || n + 3 >= HD_STUDY_WORDS)
        return false;
    words[n++] = "--";
    words[n++] = (char *)program;
    return hd_study_words(t->arguments, words, &n);
}

bool hd_study_job_start(struct hd_study_job *j, const struct hd_study_built *built)
{
    char *words[HD_STUDY_WORDS];
    struct texts t;

    hd_study_job_clear(j);
    j->killed = false;
    j->deadline = hd_seconds_now() + (double)j->cell.key.budget_ms / 1000 + GRACE;
    j->pid = command(j, built->program, &t, words) ? hd_study_spawn(words, built->root, t.log) : -1;
    if (j->pid > 0)
        return true;
    j->pid = 0;
    j->cell.state = HD_CELL_REFUSED;
    snprintf(j->cell.detail, sizeof j->cell.detail, "it could not be started");
    return false;
}

void hd_study_job_watch(struct hd_study_job *j)
{
    if (j->pid == 0 || j->killed || hd_seconds_now() < j->deadline)
        return;
    j->killed = true;
    kill(-j->pid, SIGKILL); /* its targets die with it (PR_SET_PDEATHSIG) */
}

void hd_study_job_stop(struct hd_study_job *j)
{
    if (j->pid == 0)
        return;
    kill(-j->pid, SIGKILL);
    while (waitpid(j->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    j->pid = 0;
    hd_study_job_clear(j);
}

/* ---- reading the result ----------------------------------------------------------------------------- */

/* True if the exit code and the verdict agree, so that they are a result. */
static bool is_result(const struct hd_cell *c, int code)
{
    return (code == HD_EXIT_CLEAN && strcmp(c->verdict, "clean") == 0) ||
           (code == HD_EXIT_FINDING && strcmp(c->verdict, "bug") == 0) ||
           (code == HD_EXIT_BUDGET && strcmp(c->verdict, "budget") == 0);
}

static void take_failure(struct hd_study_job *j, int status)
{
    char log[PATH_MAX + 16], line[300];
    struct hd_cell *c = &j->cell;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;

    path_in(j, "log", log, sizeof log);
    hd_study_log_line(log, line, sizeof line);
    c->state = code == HD_EXIT_USAGE ? HD_CELL_REFUSED : code == HD_EXIT_DIVERGED ? HD_CELL_DIVERGED
                                                                                  : HD_CELL_CRASHED;
    if (j->killed) {
        c->state = HD_CELL_KILLED;
        snprintf(c->detail, sizeof c->detail, "still running %.0f s after its budget", GRACE);
    } else if (WIFSIGNALED(status)) {
        snprintf(c->detail, sizeof c->detail, "signal %d (%s)%s%s", WTERMSIG(status),
                 strsignal(WTERMSIG(status)), line[0] != '\0' ? ": " : "", line);
    } else {
        snprintf(c->detail, sizeof c->detail, "exit code %d%s%s", code, line[0] != '\0' ? ": " : "", line);
    }
}

bool hd_study_job_end(struct hd_study_job *j, int status, struct hd_study_db *db)
{
    char path[PATH_MAX + 16];
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;

    path_in(j, "result.json", path, sizeof path);
    char *json = j->killed ? NULL : hd_text_of_file(path);

    j->cell.state = HD_CELL_DONE;
    if (json == NULL || !hd_study_db_parse(db, json, j->program->kinds, &j->cell) || !is_result(&j->cell, code))
        take_failure(j, status);
    free(json);
    j->pid = 0;
    hd_study_job_clear(j);
    return code != HD_EXIT_SKIPPED;
}
