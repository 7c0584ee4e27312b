/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_status.c - `heddle status`: shows the state of the searches that write to a
 * directory.  It only reads their files, so it can run anywhere and disturbs no search. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/json.h"
#include "base/vec.h"
#include "campaign/search/live.h"
#include "cli/registry.h"
#include "report/verdict/result.h"
#include "status/panel.h"

struct run {
    char path[4096];
    struct hd_stats stats;
    bool alive;
};

struct runs {
    struct run *run;
    size_t n;
    bool broken; /* a file could not be read; a message was printed */
};

static void add(struct runs *all, const char *dir, const char *name)
{
    all->run = hd_vec_room(all->run, all->n, sizeof *all->run);
    struct run *r = &all->run[all->n];

    snprintf(r->path, sizeof r->path, "%.3000s/%.255s", dir, name);
    if (hd_stats_read(r->path, &r->stats)) {
        r->alive = hd_stats_alive(&r->stats);
        all->n++;
    } else if (errno != ENOENT) { /* a search that ends may remove its file */
        fprintf(stderr, "heddle: cannot read %s: %s\n", r->path,
                errno == EBADMSG ? "it does not contain the state of a search" : strerror(errno));
        all->broken = true;
    }
}

/* Orders running searches first, then by start time, the latest first. */
static int compare(const void *pa, const void *pb)
{
    const struct run *a = pa, *b = pb;

    if (a->alive != b->alive)
        return a->alive ? -1 : 1;
    return (a->stats.started < b->stats.started) - (a->stats.started > b->stats.started);
}

static bool find(struct runs *all, const char *dir)
{
    DIR *d = opendir(dir);

    if (d == NULL)
        return false;
    for (const struct dirent *e; (e = readdir(d)) != NULL;)
        if (strcmp(e->d_name, HD_STATS_FILE) == 0 || hd_live_is_second(e->d_name))
            add(all, dir, e->d_name);
    closedir(d);
    if (all->n > 1)
        qsort(all->run, all->n, sizeof *all->run, compare);
    errno = 0;
    return all->n > 0;
}

/* ---- output ------------------------------------------------------------------------------- */

static const char *state_of(const struct run *r)
{
    if (!r->stats.running)
        return "ended";
    return r->alive ? "running" : "killed";
}

static void tell(const struct hd_text *t, const struct run *r)
{
    struct hd_panel panel;
    struct hd_stats s = r->stats;
    int width = hd_text_width(t);

    hd_text_ink(t, r->alive ? HD_INK_GOOD : HD_INK_HEAD, state_of(r));
    if (!s.running)
        printf(": %s (exit code %.0f)", s.verdict, s.exit_code);
    else if (r->alive)
        printf(" (process %llu)", (unsigned long long)s.pid);
    else
        printf(": process %llu has ended without storing a result, or runs on another machine",
               (unsigned long long)s.pid);
    putchar('\n');
    s.running = r->alive;
    if (!r->alive)
        s.advice[0] = '\0';
    hd_panel_lay(&panel, &s, width < HD_PANEL_NARROWEST ? HD_PANEL_NARROWEST : width);
    hd_panel_print(stdout, &panel, t->color, false);
}

static void write_json(FILE *out, const struct runs *all)
{
    struct hd_json j;

    hd_json_open(&j, out, 0);
    hd_json_object(&j);
    hd_json_put_uint(&j, "version", 1);
    hd_json_put_array(&j, "runs");
    for (size_t i = 0; i < all->n; i++) {
        hd_json_object(hd_json_line(&j));
        hd_json_put_string(&j, "file", all->run[i].path);
        hd_json_put_string(&j, "state", state_of(&all->run[i]));
        hd_json_key(&j, "stats");
        hd_stats_json(&j, &all->run[i].stats);
        hd_json_end(&j);
    }
    hd_json_end(&j);
    hd_json_end(&j);
    fputc('\n', out);
}

int hd_cmd_status(const struct hd_options *o)
{
    const char *dir = o->nargs > 0 ? o->args[0] : o->out_dir;
    struct hd_text text = { .out = stdout, .color = hd_terminal_color(o->color, stdout),
                            .width = hd_terminal_width(stdout) };
    struct runs all = { .n = 0 };
    bool found = find(&all, dir);

    if (!found && !all.broken)
        fprintf(stderr, "heddle: no search has written into %s%s%s; 'heddle run' and 'heddle verify' do "
                        "after a second, into the directory that -o names\n", dir,
                errno != 0 && errno != ENOENT ? ": " : "",
                errno != 0 && errno != ENOENT ? strerror(errno) : "");
    if (o->json && found)
        write_json(stdout, &all);
    for (size_t i = 0; !o->json && i < all.n; i++) {
        fputs(i > 0 ? "\n" : "", stdout);
        tell(&text, &all.run[i]);
    }
    free(all.run);
    return found ? HD_EXIT_CLEAN : HD_EXIT_USAGE;
}
