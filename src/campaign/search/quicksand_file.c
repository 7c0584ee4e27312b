/* SPDX-License-Identifier: BSD-2-Clause
 *
 * quicksand_file.c - saves a campaign of Quicksand, in the format of checkpoints (conductor/checkpoint.h). */
#include "campaign/search/quicksand_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
#include "campaign/session/identity.h"
#include "campaign/session/resume.h"
#include "conductor/checkpoint.h"
#include "conductor/use.h"

#define SUFFIX ".quicksand"

/* What is saved of a search. */
struct saved_search {
    uint32_t begun, turns;
    uint64_t gained;
    uint32_t over, nplaces, nchosen, points;
    hd_cname places[HD_DEEP_PLACES];
    struct hd_job_status status;
};

struct saved {
    struct hd_job_list jobs;
    int64_t current;
    hd_cname place[HD_DEEP_PLACES];
    char site[HD_DEEP_PLACES][48];
    uint64_t nplaces, resumed;
    double seconds, used[HD_DEEP_KINDS];
    struct saved_search search[HD_DEEP_FIRST_JOB + HD_DEEP_JOBS]; /* sampling, the maximal job, the bounded one, the others */
};

/* ---- saving ------------------------------------------------------------------------------- */

static void put_search(struct saved_search *to, const struct hd_deep_search *s)
{
    to->begun = s->turns > 0;
    to->turns = s->turns;
    to->gained = s->gained;
    to->over = s->over;
    to->nplaces = s->o.nplaces;
    to->nchosen = s->o.nchosen;
    to->points = s->o.points;
    memcpy(to->places, s->places, sizeof to->places);
    to->status = s->status;
}

static void put(struct hd_quicksand *q, struct saved *to)
{
    to->jobs = q->jobs;
    to->current = q->current;
    memcpy(to->place, q->place, sizeof to->place);
    memcpy(to->site, q->site, sizeof to->site);
    to->nplaces = q->nplaces;
    to->resumed = q->table.resumed;
    to->seconds = q->seconds_before + hd_quicksand_now(q);
    memcpy(to->used, q->used, sizeof to->used);
    for (unsigned i = 0; i < HD_DEEP_FIRST_JOB + q->jobs.n; i++)
        if (hd_quicksand_search_of(q, i) != NULL)
            put_search(&to->search[i], hd_quicksand_search_of(q, i));
}

/* A memory file of that size; NULL with errno set. */
static struct saved *make_image(struct hd_wires *w)
{
    *w = (struct hd_wires){ .fd = memfd_create("campaign", MFD_CLOEXEC), .n = 1 };
    if (w->fd < 0)
        return NULL;
    void *at = ftruncate(w->fd, sizeof(struct saved)) == 0
                   ? mmap(NULL, sizeof(struct saved), PROT_READ | PROT_WRITE, MAP_SHARED, w->fd, 0) : MAP_FAILED;

    if (at != MAP_FAILED)
        return at;
    close(w->fd);
    return NULL;
}

static void free_image(struct saved *s, const struct hd_wires *w)
{
    munmap(s, sizeof *s);
    close(w->fd);
}

static bool write_file(struct hd_quicksand *q, char *error, size_t cap)
{
    struct hd_checkpoint c;
    struct hd_wires w;
    struct saved *image = make_image(&w);
    size_t size;
    bool ok = false;

    snprintf(error, cap, "no memory");
    if (image == NULL)
        return false;
    put(q, image);
    char *notes = hd_identity_text(&q->identity, &size);

    ok = hd_checkpoint_copy(&c, q->o->out_dir, notes, size, &w) && hd_checkpoint_keep(&c, q->o->out_dir, q->file);
    snprintf(error, cap, "%s", c.error);
    free(notes);
    free_image(image, &w);
    return ok;
}

void hd_quicksand_file_save(struct hd_quicksand *q, bool now)
{
    double at = hd_quicksand_now(q);
    char error[512];

    if (q->file[0] == '\0' || (!now && at < q->next_save))
        return;
    if (!write_file(q, error, sizeof error) && !q->told) {
        fprintf(stderr, "heddle: the state of the search is not saved: %s\n", error);
        q->told = true;
    }
    q->next_save = hd_quicksand_now(q) + (double)q->o->checkpoint_ms / 1e3;
}

/* Searches that had no turn since the campaign was continued have left their files, and so have those of a campaign that
 * is not continued. */
void hd_quicksand_file_remove(const struct hd_quicksand *q)
{
    char path[sizeof q->file + 32];

    if (q->file[0] == '\0')
        return;
    unlink(q->file);
    for (unsigned i = 0; i < HD_DEEP_FIRST_JOB + HD_DEEP_JOBS; i++) {
        snprintf(path, sizeof path, "%.*s-%u" HD_CHECKPOINT_SUFFIX, (int)(strlen(q->file) - strlen(SUFFIX)), q->file, i);
        unlink(path);
    }
}

/* ---- continuing --------------------------------------------------------------------------- */

static void get_search(const struct saved_search *from, struct hd_deep_search *s)
{
    s->turns = from->turns;
    s->gained = from->gained;
    s->over = from->over;
    s->status = from->status;
    s->cpu_before = from->status.cpu;
    memcpy(s->places, from->places, sizeof s->places);
    s->o.nplaces = from->nplaces;
    s->o.nchosen = from->nchosen;
    s->o.points = (uint8_t)from->points;
    s->o.resume = true;
}

static void get(struct hd_quicksand *q, const struct saved *from)
{
    q->jobs = from->jobs;
    q->current = (int)from->current;
    memcpy(q->place, from->place, sizeof q->place);
    memcpy(q->site, from->site, sizeof q->site);
    q->nplaces = (unsigned)from->nplaces;
    memcpy(q->used, from->used, sizeof q->used);
    q->seconds_before = from->seconds;
    q->table.resumed = (uint32_t)from->resumed + 1;
    for (unsigned i = 0; i < HD_DEEP_FIRST_JOB + from->jobs.n; i++) {
        if (!from->search[i].begun)
            continue;
        if (i >= HD_DEEP_FIRST_JOB)
            q->job[i - HD_DEEP_FIRST_JOB] = hd_quicksand_new_job(q, q->jobs.job[i - HD_DEEP_FIRST_JOB].set, i);
        get_search(&from->search[i], hd_quicksand_search_of(q, i));
    }
}

static int refuse(const struct hd_quicksand *q, const char *why)
{
    fprintf(stderr, "heddle: the search cannot be continued from %s: %s\n", q->file, why);
    fputs("heddle: give the same command in the same circumstances, or start it again without --resume\n", stderr);
    return HD_EXIT_USAGE;
}

static int refuse_file(const struct hd_quicksand *q, enum hd_checkpoint_state state)
{
    switch (state) {
    case HD_CHECKPOINT_UNREADABLE:
        return refuse(q, strerror(errno));
    case HD_CHECKPOINT_FOREIGN:
        return refuse(q, "it is not a saved search");
    case HD_CHECKPOINT_OTHER:
        return refuse(q, "it was saved by another build of Heddle");
    default:
        return refuse(q, "it is damaged");
    }
}

static int load(struct hd_quicksand *q, const struct hd_checkpoint_file *f)
{
    struct hd_wires w;
    struct saved *image = make_image(&w);
    int code = HD_EXIT_CLEAN;

    if (image == NULL)
        return refuse(q, strerror(errno));
    if (!hd_checkpoint_load(f, &w))
        code = refuse(q, strerror(errno));
    else if (image->jobs.n > HD_DEEP_JOBS)
        code = refuse(q, "it is damaged");
    else
        get(q, image);
    free_image(image, &w);
    return code;
}

static int continue_from(struct hd_quicksand *q)
{
    struct hd_checkpoint_file f;
    struct hd_identity was = { 0 };
    char text[4096];
    enum hd_checkpoint_state state = hd_checkpoint_open(&f, q->file);
    int code = HD_EXIT_CLEAN;

    if (state == HD_CHECKPOINT_GOOD) {
        hd_identity_parse(&was, f.notes, f.size);
        code = hd_identity_compare(&was, &q->identity, text, sizeof text) > 0 ? refuse(q, text) : load(q, &f);
        hd_identity_free(&was);
        if (code == HD_EXIT_CLEAN && !q->o->quiet)
            fprintf(stderr, "heddle: the search continues after %.0f s\n", q->seconds_before);
    } else if (state != HD_CHECKPOINT_ABSENT) {
        code = refuse_file(q, state);
    } else if (!q->o->quiet) {
        fprintf(stderr, "heddle: there is no interrupted search of this program in %s: it begins from the start\n",
                q->o->out_dir);
    }
    hd_checkpoint_close(&f);
    return code;
}

/* The session is opened for what it knows of the program; it does not run. */
static int describe(struct hd_quicksand *q)
{
    struct hd_session s;
    char path[sizeof q->file];
    int code = hd_session_open(&s, q->o, q->one->argv[0], q->one->argv);

    s.test = q->one->test;
    if (code == HD_EXIT_CLEAN && hd_resume_path(&s, path, sizeof path) && hd_can_fix_addresses() &&
        (size_t)snprintf(q->file, sizeof q->file, "%.*s" SUFFIX, (int)(strlen(path) - strlen(HD_CHECKPOINT_SUFFIX)), path) >=
            sizeof q->file)
        q->file[0] = '\0';
    if (code == HD_EXIT_CLEAN) {
        hd_identity_describe(&q->identity, &s);
        hd_identity_add_file(&q->identity, s.elf.path);
        hd_identity_add_file(&q->identity, "/proc/self/exe");
    }
    hd_session_close(&s);
    return code;
}

int hd_quicksand_file_open(struct hd_quicksand *q)
{
    if (q->o->checkpoint_ms == 0)
        return HD_EXIT_CLEAN;
    int code = describe(q);

    if (code != HD_EXIT_CLEAN)
        return code;
    q->next_save = (double)q->o->checkpoint_ms / 1e3;
    if (q->o->resume && q->file[0] != '\0')
        return continue_from(q);
    hd_quicksand_file_remove(q); /* F3 */
    return HD_EXIT_CLEAN;
}

void hd_quicksand_file_close(struct hd_quicksand *q)
{
    hd_identity_free(&q->identity);
}
