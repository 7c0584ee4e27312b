/* SPDX-License-Identifier: BSD-2-Clause
 *
 * live.c - updates the panel and the file when they are due. */
#include "campaign/search/live.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "campaign/search/gather.h"
#include "conductor/store.h"
#include "report/print/file.h"
#include "status/panel.h"

#define DRAW_AFTER 0.5 /* short campaigns show no panel */
#define DRAW_EVERY 0.25
#define WRITE_EVERY 1.0

/* ---- the file ----------------------------------------------------------------------------------- */

static bool path_in(const char *dir, const char *name, char *path, size_t cap)
{
    return (size_t)snprintf(path, cap, "%s/%s", dir, name) < cap;
}

bool hd_live_is_second(const char *name)
{
    size_t n = strlen(name), start = strlen(HD_STATS_PREFIX), end = strlen(".json");

    return n > start + end && strncmp(name, HD_STATS_PREFIX, start) == 0 &&
           strcmp(name + n - end, ".json") == 0;
}

/* Removes files stats-<pid>.json whose process has ended. */
static void sweep(const char *dir)
{
    DIR *d = opendir(dir);
    struct hd_stats s;
    char path[4096];

    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        if (hd_live_is_second(e->d_name) && path_in(dir, e->d_name, path, sizeof path) &&
            hd_stats_read(path, &s) && !hd_stats_alive(&s))
            unlink(path);
    if (d != NULL)
        closedir(d);
}

static void choose_path(struct hd_live *l, const char *dir)
{
    struct hd_stats other;
    char second[40];

    if (!path_in(dir, HD_STATS_FILE, l->path, sizeof l->path)) {
        l->path[0] = '\0';
        return;
    }
    if (!hd_stats_read(l->path, &other) || other.pid == l->stats.pid || !hd_stats_alive(&other))
        return;
    snprintf(second, sizeof second, HD_STATS_PREFIX "%llu.json", (unsigned long long)l->stats.pid);
    if (!path_in(dir, second, l->path, sizeof l->path))
        l->path[0] = '\0';
}

static void write_file(struct hd_live *l)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    l->stats.updated = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
    /* a failure is not reported here: saving a finding in the same directory reports it */
    if (l->path[0] != '\0')
        hd_file_write(l->path, hd_stats_write, &l->stats);
}

/* Claims a file name.  Two runs that start together must not both find stats.json free, so this
 * locks the directory; closing the descriptor releases the lock. */
static void claim(struct hd_live *l, const char *dir)
{
    int lock = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (lock < 0)
        return;
    flock(lock, LOCK_EX);
    sweep(dir);
    choose_path(l, dir);
    write_file(l);
    close(lock);
}

static void save(struct hd_live *l, const char *dir)
{
    if (l->path[0] == '\0')
        claim(l, dir);
    else
        write_file(l);
}

/* ---- the panel ---------------------------------------------------------------------------------- */

/* Returns the number of rows of the terminal, and its columns in *cols.  Returns 0 if no panel may
 * be drawn. */
static int room_for_panel(const struct hd_live *l, int *cols)
{
    int rows;

    if (l->view->style != HD_PROGRESS_LIVE || !hd_screen_size(cols, &rows))
        return 0;
    *cols -= 1; /* writing to the last column makes some terminals start a new line */
    return *cols >= HD_PANEL_NARROWEST ? rows : 0;
}

static void draw(struct hd_live *l, const struct hd_panel *panel)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return;
    hd_panel_print(out, panel, hd_terminal_color(l->o->color, stderr), true);
    fclose(out);
    hd_screen_draw(&l->view->panel, text, size, panel->n);
    free(text);
}

/* Draws the panel if it is due.  Returns false if there is no room, so that the progress line must
 * be shown. */
static bool show_panel(struct hd_live *l, bool due)
{
    struct hd_panel panel;
    int cols, rows = room_for_panel(l, &cols);

    if (rows == 0)
        return false;
    hd_panel_lay(&panel, &l->stats, cols);
    if (panel.n >= rows)
        return false;
    if (due && hd_screen_is_ours()) {
        if (l->view->on_screen)
            hd_progress_clear(l->view);
        draw(l, &panel);
    }
    return true;
}

/* ---- updating the display ------------------------------------------------------------ */

static void open_view(struct hd_live *l, const struct hd_options *o, struct hd_progress_view *view)
{
    memset(l, 0, sizeof *l);
    l->o = o;
    l->view = view;
    l->next_draw = DRAW_AFTER;
    l->next_write = WRITE_EVERY;
    if (view->style == HD_PROGRESS_LIVE)
        hd_screen_begin();
}

void hd_live_open(struct hd_live *l, struct hd_findings *f)
{
    open_view(l, f->s->o, &f->s->progress);
    l->f = f;
    hd_gather_begin(&l->stats, f->s);
}

void hd_live_open_facts(struct hd_live *l, const struct hd_options *o, struct hd_progress_view *view, const char *program,
                        const char *test)
{
    open_view(l, o, view);
    hd_gather_command(&l->stats, o, program, test);
}

static void measure_rate(struct hd_live *l, uint64_t begun, double seconds)
{
    double span = seconds - l->rate_at;

    if (span < DRAW_EVERY)
        return;
    l->stats.rate_now = begun >= l->rate_begun ? (double)(begun - l->rate_begun) / span : 0;
    l->rate_at = seconds;
    l->rate_begun = begun;
}

static void note_news(struct hd_live *l)
{
    struct hd_stats *s = &l->stats;
    uint64_t known = s->findings + s->races + s->races_confirmed;

    if (s->findings > l->findings) {
        s->last_finding_seconds = s->seconds;
        s->last_finding_execution = (double)s->executions;
    }
    if (known > l->known) {
        s->last_new_seconds = s->seconds;
        s->last_new_execution = (double)s->executions;
    }
    l->findings = s->findings;
    l->known = known;
}

static void bring_up_to_date(struct hd_live *l, const struct hd_totals *t, double seconds)
{
    measure_rate(l, t->begun, seconds);
    hd_gather(&l->stats, l->f, t, seconds);
    note_news(l);
    hd_gather_advice(&l->stats, l->f->s, t);
}

/* Returns false if no panel can be shown. */
static bool show(struct hd_live *l, double seconds)
{
    bool drawn = seconds >= l->next_draw, panel = show_panel(l, drawn);

    if (!panel && l->view->panel.lines > 0) /* the terminal became smaller */
        hd_progress_clear(l->view);
    if (drawn)
        l->next_draw = seconds + DRAW_EVERY;
    if (seconds >= l->next_write) {
        l->next_write = seconds + WRITE_EVERY;
        if (l->path[0] != '\0' || hd_store_make(l->o->out_dir))
            save(l, l->o->out_dir);
    }
    return panel;
}

void hd_live_look(struct hd_live *l, const struct hd_totals *t, double seconds)
{
    if (hd_live_is_due(l, seconds) || l->f->n > l->findings)
        bring_up_to_date(l, t, seconds);
    if (!show(l, seconds))
        hd_progress_show(l->view, t, l->f->n, seconds);
}

bool hd_live_is_due(const struct hd_live *l, double seconds)
{
    return seconds >= l->next_draw || seconds >= l->next_write;
}

void hd_live_show_facts(struct hd_live *l, double seconds)
{
    show(l, seconds);
}

static void close_with(struct hd_live *l, const char *verdict, int code)
{
    l->stats.running = false;
    l->stats.workers_alive = 0;
    l->stats.advice[0] = '\0';
    l->stats.seconds_left_low = l->stats.seconds_left_high = l->stats.limit_seconds_left = 0;
    snprintf(l->stats.verdict, sizeof l->stats.verdict, "%s", verdict);
    l->stats.exit_code = code;
    save(l, l->o->out_dir);
}

void hd_live_close_facts(struct hd_live *l, const char *verdict, int code)
{
    hd_progress_clear(l->view);
    close_with(l, verdict, code);
}

void hd_live_close(struct hd_live *l, const struct hd_totals *t, const char *verdict, int code)
{
    bring_up_to_date(l, t, l->f->s->watched.seconds);
    close_with(l, verdict, code);
}
