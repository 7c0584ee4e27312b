/* SPDX-License-Identifier: BSD-2-Clause
 *
 * resume.c - saves the state of a search, and continues from it. */
#include "campaign/session/resume.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/vec.h"
#include "base/version.h"
#include "campaign/session/identity.h"
#include "conductor/checkpoint.h"

/* Saving may take at most this fraction (1/N) of the time: REST_SHARE while the workers are
 * stopped, SYNC_SHARE while they run and the state goes to the disk. */
enum { REST_SHARE = 50, SYNC_SHARE = 10 };

/* A file of the program, when the search began. */
struct file {
    char *path;
    dev_t device;
    ino_t inode;
    struct timespec modified;
};

struct hd_resume {
    struct hd_kept at;
    double every; /* seconds */
    struct hd_rest rest;
    struct hd_identity identity;
    bool started;
    struct file *file;
    size_t nfiles;
    size_t nhashed; /* number of files in the identity */
    struct hd_checkpoint checkpoint;
    bool copied;      /* checkpoint contains a copy that is not yet durable */
    double rested;    /* seconds that the last copy took */
    bool told;        /* the user has been told that the state cannot be saved */
    bool unsaved;     /* the search has had a turn since its state was saved */
    double due;       /* for a search in turns: time of the next save */
    bool kept;        /* the last state that was to be saved is kept */
    bool mine;        /* this search has written the state or continued from it */
    char **environment;
};

void hd_resume_place(const struct hd_session *s, int part, struct hd_kept *at)
{
    hd_kept_at(at, s->o, s->elf.path, s->argv, s->test, "");
    if (part >= 0)
        *at = hd_kept_part(at, (unsigned)part);
}

/* ---- the files of the program ----------------------------------------------------------- */

static void note_file(struct hd_resume *m, const char *path)
{
    struct stat st;

    for (size_t i = 0; i < m->nfiles; i++)
        if (strcmp(m->file[i].path, path) == 0)
            return;
    if (path[0] == '/' && stat(path, &st) == 0) /* the kernel's own object has no file */
        *HD_PUSH(m->file, m->nfiles) = (struct file){ hd_copied(path), st.st_dev, st.st_ino, st.st_mtim };
}

static void note_modules(struct hd_resume *m, const struct hd_wire *w)
{
    for (uint32_t i = 0; i < w->nmodules && i < HD_MAX_MODULES; i++)
        note_file(m, w->modules[i].path);
    for (uint32_t i = 0; i < w->nlate && i < HD_MAX_LATE; i++)
        note_file(m, w->late[i]);
}

static void note_path(struct hd_resume *m, const char *path)
{
    char real[4096];

    if (path != NULL && realpath(path, real) != NULL)
        note_file(m, real);
}

void hd_resume_started(struct hd_session *s)
{
    struct hd_resume *m = s->resume;

    if (m == NULL || m->started || __atomic_load_n(&s->wire->phase, __ATOMIC_ACQUIRE) == HD_PHASE_START)
        return;
    m->started = true;
    note_modules(m, s->wire);
    note_path(m, "/proc/self/exe");
    note_path(m, s->o->expect_file);
    for (uint32_t i = 0; i < s->o->nsuppressions; i++)
        note_path(m, s->o->suppressions[i]);
}

/* Adds the contents of the files to the identity.  Returns the path of a file that is not the one with which the
 * search began, or NULL. */
static const char *hash_files(struct hd_session *s)
{
    struct hd_resume *m = s->resume;
    struct stat st;

    hd_resume_started(s);
    note_modules(m, s->wire); /* includes the modules that were loaded later */
    for (; m->nhashed < m->nfiles; m->nhashed++) {
        const struct file *f = &m->file[m->nhashed];

        if (stat(f->path, &st) != 0 || st.st_dev != f->device || st.st_ino != f->inode ||
            memcmp(&st.st_mtim, &f->modified, sizeof f->modified) != 0)
            return f->path;
        hd_identity_add_file(&m->identity, f->path);
    }
    return NULL;
}

/* ---- saving ------------------------------------------------------------------------------- */

/* R3: tells the user once that the state cannot be saved. */
static void tell(struct hd_resume *m, const char *why)
{
    if (!m->told)
        fprintf(stderr, "heddle: %s; the search goes on, but if it is interrupted, it can%s\n", why,
                m->mine ? " only be continued from its last saved state" : "not be continued");
    m->told = true;
}

static void add_double(struct hd_identity *id, const char *name, double value)
{
    char text[64];

    snprintf(text, sizeof text, "%.6f", value);
    hd_identity_add(id, "search", name, text);
}

/* Returns the notes of a checkpoint: how far the search has come, then its identity. */
static char *notes_of(const struct hd_session *s, double seconds, size_t *size)
{
    struct hd_identity now = { 0 };
    size_t n, m;

    add_double(&now, "started", s->continued.started);
    add_double(&now, "seconds", s->seconds_before + seconds);
    add_double(&now, "times", s->continued.times + 1);
    char *first = hd_identity_text(&now, &n), *second = hd_identity_text(&s->resume->identity, &m);
    char *notes = hd_resized(first, n + m, 1);

    memcpy(notes + n, second, m);
    free(second);
    hd_identity_free(&now);
    *size = n + m;
    return notes;
}

static void copy(void *ctx, double seconds)
{
    struct hd_session *s = ctx;
    struct hd_resume *m = s->resume;
    double from = hd_seconds_now();
    const char *changed = hash_files(s);
    char text[4400];
    size_t size;

    m->copied = false;
    if (changed == NULL) {
        char *notes = notes_of(s, seconds, &size);

        m->copied = hd_checkpoint_copy(&m->checkpoint, m->at.dir, notes, size, &s->wires);
        free(notes);
        snprintf(text, sizeof text, "%s", m->checkpoint.error);
    } else {
        snprintf(text, sizeof text, "the file %s has changed while the search runs", changed);
    }
    if (!m->copied)
        tell(m, text);
    m->rested = hd_seconds_now() - from;
}

static double keep(void *ctx, bool same)
{
    struct hd_session *s = ctx;
    struct hd_resume *m = s->resume;
    double from = hd_seconds_now(), most = m->every;

    if (m->copied && !same)
        hd_checkpoint_drop(&m->checkpoint);
    else if (m->copied && !hd_kept_put(&m->at, &m->checkpoint))
        tell(m, m->at.error);
    else if (m->copied)
        m->mine = m->kept = true;
    m->copied = false;
    double synced = hd_seconds_now() - from;

    most = m->rested * REST_SHARE > most ? m->rested * REST_SHARE : most;
    return synced * SYNC_SHARE > most ? synced * SYNC_SHARE : most;
}

const struct hd_rest *hd_resume_rest(struct hd_session *s)
{
    return s->resume != NULL ? &s->resume->rest : NULL;
}

char *const *hd_resume_environment(const struct hd_session *s)
{
    return s->resume != NULL ? s->resume->environment : NULL;
}

/* ---- the end ------------------------------------------------------------------------------ */

bool hd_resume_is_over(const struct hd_session *s)
{
    const struct hd_config *c = &s->wire->config;
    const struct hd_watched *w = &s->watched;
    struct hd_totals t;

    hd_session_totals(s, &t);
    if (t.exhausted || (s->merge.stopped && !c->keep_going))
        return true;
    return !w->interrupted && (!w->out_of_time || hd_traits_samples(&c->traits));
}

static void save(struct hd_session *s)
{
    struct hd_resume *m = s->resume;

    m->told = m->kept = false; /* print the message again: this time the state is lost */
    copy(s, s->watched.seconds);
    m->due = hd_seconds_now() + keep(s, true);
    m->unsaved = false;
}

bool hd_resume_park(struct hd_session *s)
{
    if (s->resume == NULL)
        return false;
    if (s->resume->unsaved)
        save(s);
    return s->resume->kept;
}

void hd_resume_ended(struct hd_session *s)
{
    struct hd_resume *m = s->resume;
    struct hd_totals t;

    if (m == NULL || s->watched.end != HD_WATCH_DONE || (!s->in_turns && hd_resume_is_over(s)))
        return;
    hd_session_totals(s, &t);
    if (t.begun == 0)
        return;
    m->unsaved = true;
    if (s->in_turns && !s->watched.interrupted && hd_seconds_now() < m->due)
        return;
    save(s);
    if (m->mine && s->watched.interrupted && !s->o->quiet && !s->in_turns) {
        hd_progress_clear(&s->progress);
        fputs("heddle: interrupted; the same command with --resume continues the search\n", stderr);
    }
}

void hd_resume_remove(struct hd_session *s)
{
    struct hd_resume *m = s->resume;

    if (m != NULL && m->mine && hd_kept_remove(&m->at))
        m->mine = false;
}

void hd_resume_close(struct hd_session *s)
{
    struct hd_resume *m = s->resume;

    if (m == NULL)
        return;
    for (size_t i = 0; i < m->nfiles; i++)
        free(m->file[i].path);
    free(m->file);
    hd_identity_free(&m->identity);
    hd_identity_environment_free(m->environment);
    free(m);
    s->resume = NULL;
}

/* ---- continuing --------------------------------------------------------------------------- */

static double number_in(const struct hd_identity *id, const char *name)
{
    const char *value = hd_identity_get(id, "search", name);

    return value != NULL ? strtod(value, NULL) : 0;
}

static int refuse(const struct hd_session *s, const char *why)
{
    fprintf(stderr, "heddle: the search cannot be continued from %s: %s\n", s->resume->at.path, why);
    fputs("heddle: give the same command in the same circumstances, or start it again without --resume\n", stderr);
    return HD_EXIT_USAGE;
}

static int refuse_state(const struct hd_session *s, enum hd_checkpoint_state state, const char *version)
{
    char text[512];

    switch (state) {
    case HD_CHECKPOINT_UNREADABLE:
        return refuse(s, s->resume->at.error);
    case HD_CHECKPOINT_FOREIGN:
        return refuse(s, "it is not a saved search");
    case HD_CHECKPOINT_OTHER:
        snprintf(text, sizeof text, "it was saved by another build of Heddle (version %s; this is " HD_VERSION_TEXT ")",
                 version);
        return refuse(s, text);
    default:
        return refuse(s, "it is damaged");
    }
}

/* Compares the identity with that of this search, except for the files, which the caller has
 * compared.  Returns false after a message. */
static bool is_same(struct hd_session *s, const struct hd_identity *was)
{
    struct hd_identity is = { 0 };
    char text[4096];

    hd_identity_describe(&is, s);
    for (size_t i = 0; i < was->n; i++)
        if (strcmp(was->fact[i].kind, "file") == 0)
            hd_identity_add_file(&is, was->fact[i].name);
    unsigned n = hd_identity_compare(was, &is, text, sizeof text);

    hd_identity_free(&is);
    if (n > 0)
        refuse(s, text);
    return n == 0;
}

/* Loads the state.  The settings must be the same except for the limit of executions. */
static int load(struct hd_session *s, const struct hd_checkpoint_file *f)
{
    struct hd_config *fresh = hd_zeroed(s->wires.n, sizeof *fresh);
    bool same = true;

    for (uint32_t i = 0; i < s->wires.n; i++)
        fresh[i] = s->wires.wire[i]->config;
    bool loaded = hd_checkpoint_load(f, &s->wires);

    for (uint32_t i = 0; loaded && i < s->wires.n; i++) {
        struct hd_wire *w = s->wires.wire[i];

        w->config.max_executions = fresh[i].max_executions;
        same &= memcmp(&w->config, &fresh[i], sizeof fresh[i]) == 0;
        w->continued = 1;
    }
    free(fresh);
    if (!loaded)
        return refuse(s, strerror(errno));
    if (!same)
        return refuse(s, "its settings are different");
    hd_wires_renew(&s->wires);
    return HD_EXIT_CLEAN;
}

/* Keeps the identity of the first run: its environment variables were those of the program. */
static void copy_facts(struct hd_identity *to, const struct hd_identity *from)
{
    for (size_t i = 0; i < from->n; i++)
        if (strcmp(from->fact[i].kind, "search") != 0)
            hd_identity_add(to, from->fact[i].kind, from->fact[i].name, from->fact[i].value);
}

static int continue_from(struct hd_session *s, const struct hd_checkpoint_file *f)
{
    struct hd_resume *m = s->resume;
    struct hd_identity was = { 0 };
    struct hd_totals t;
    int code = HD_EXIT_USAGE;

    hd_identity_parse(&was, f->notes, f->size);
    if (is_same(s, &was))
        code = load(s, f);
    if (code == HD_EXIT_CLEAN) {
        m->mine = true;
        m->environment = hd_identity_environment(&was);
        hd_identity_free(&m->identity);
        copy_facts(&m->identity, &was);
        s->continued.started = number_in(&was, "started");
        s->seconds_before = s->searching_before = number_in(&was, "seconds");
        s->continued.times = (uint32_t)number_in(&was, "times");
        hd_session_totals(s, &t);
        if (!s->o->quiet && !s->in_turns)
            fprintf(stderr, "heddle: the search continues after %llu executions\n", (unsigned long long)t.executions);
    }
    hd_identity_free(&was);
    return code;
}

int hd_resume_continue(struct hd_session *s)
{
    struct hd_checkpoint_file f;

    if (s->resume == NULL) {
        fputs("heddle: --resume: address randomisation cannot be switched off here, so the state of a search has no "
              "meaning in another process\n", stderr);
        return HD_EXIT_USAGE;
    }
    enum hd_checkpoint_state state = hd_kept_open(&s->resume->at, &f);
    int code = HD_EXIT_CLEAN;

    if (state == HD_CHECKPOINT_GOOD)
        code = continue_from(s, &f);
    else if (state != HD_CHECKPOINT_ABSENT)
        code = refuse_state(s, state, f.version);
    else if (!s->o->quiet && !s->in_turns)
        fprintf(stderr, "heddle: there is no interrupted search of this program in %s: it begins from the start\n",
                s->o->out_dir);
    hd_checkpoint_close(&f);
    return code;
}

void hd_resume_open(struct hd_session *s, const struct hd_kept *at, double every)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    s->continued.started = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
    if (!hd_can_fix_addresses() || every <= 0 || at->path[0] == '\0')
        return;
    struct hd_resume *m = hd_zeroed(1, sizeof *m);

    m->at = *at;
    m->every = every;
    m->due = hd_seconds_now() + every;
    m->rest = (struct hd_rest){ .first = every, .copy = copy, .keep = keep, .ctx = s };
    m->checkpoint.fd = -1;
    s->resume = m;
    hd_identity_describe(&m->identity, s);
}
