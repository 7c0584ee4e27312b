/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_recheck.c - `heddle recheck`: runs recorded schedules again after an edit of the program: those of a directory, or
 * those of the regression corpus of a store. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "campaign/search/rechecks.h"
#include "campaign/spread/pages.h"
#include "cli/registry.h"
#include "conductor/store.h"
#include "report/names/symbols.h"

struct copying {
    const char *dir;
    unsigned n;
    int error; /* errno of the first file that cannot be written; 0: none */
};

static void copy(void *ctx, const char *program, const struct hd_cluster_finding *f)
{
    struct copying *c = ctx;
    char name[160], path[4096];

    hd_pages_name_regression(program, f->signature, name, sizeof name);
    snprintf(path, sizeof path, "%s/%s", c->dir, name);
    if (hd_pages_save(path, &f->schedule))
        c->n++;
    else if (c->error == 0)
        c->error = errno;
}

/* Removes the schedules of an earlier call: some may have left the corpus. */
static void clear(const char *dir)
{
    char **files = NULL;
    size_t n = 0;

    hd_store_list(dir, &files, &n);
    for (size_t i = 0; i < n; i++) {
        unlink(files[i]);
        free(files[i]);
    }
    free(files);
}

static int fail(const char *message, const char *of)
{
    fprintf(stderr, "heddle: %s%s\n", message, of);
    return HD_EXIT_USAGE;
}

/* Writes the schedules of the corpus into the directory.  Returns HD_EXIT_CLEAN, or another exit code after a message. */
static int fetch(const struct hd_options *o, const char *dir)
{
    struct copying c = { .dir = dir };
    char error[512];
    const char *program = o->program == NULL || o->any_build ? NULL : hd_base_name(o->program);

    if (!hd_store_make(dir))
        return fail("cannot make a directory for schedules: ", strerror(errno));
    clear(dir);
    struct hd_cluster *st = hd_cluster_open(o->store, error, sizeof error);

    if (st == NULL)
        return fail(error, "");
    bool ok = hd_cluster_each_regression(st, program, copy, &c);

    snprintf(error, sizeof error, "%s", hd_cluster_error(st));
    hd_cluster_close(st);
    if (!ok)
        return fail(error, "");
    if (c.error != 0)
        return fail("cannot write schedules: ", strerror(c.error));
    if (c.n == 0)
        return fail("the regression corpus of the store has no schedule", program != NULL ? " of this program" : "");
    return HD_EXIT_CLEAN;
}

int hd_cmd_recheck(const struct hd_options *o)
{
    struct hd_options with = *o;
    char dir[4096];
    char *args[] = { dir, NULL };

    if (o->store == NULL)
        return hd_rechecks(o);
    if (o->nargs > 0)
        return fail("recheck: give either --store or schedules", "");
    snprintf(dir, sizeof dir, "%s/corpus", o->out_dir);
    with.args = args;
    with.nargs = 1;
    int code = fetch(o, dir);

    return code == HD_EXIT_CLEAN ? hd_rechecks(&with) : code;
}
