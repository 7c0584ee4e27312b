/* SPDX-License-Identifier: BSD-2-Clause
 *
 * saved.c - writes and reads the state of a campaign.  The state passes through a memory file, like the state of a
 * search. */
#include "campaign/session/saved.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "campaign/session/resume.h"
#include "conductor/checkpoint.h"

enum { PAGE = 4096 };

/* Returns false with errno set. */
static bool make_image(struct hd_wires *w, size_t size)
{
    *w = (struct hd_wires){ .fd = memfd_create("campaign", MFD_CLOEXEC), .n = 1 };
    if (w->fd < 0 || ftruncate(w->fd, (off_t)((size + PAGE - 1) / PAGE * PAGE)) == 0)
        return w->fd >= 0;
    close(w->fd);
    return false;
}

static bool is_zero(const char *data, size_t n)
{
    while (n > 0 && data[n - 1] == '\0')
        n--;
    return n == 0;
}

/* Pages without data stay holes and take no room in the saved state. */
static bool fill(int fd, const char *data, size_t size)
{
    for (size_t at = 0; at < size; at += PAGE) {
        size_t n = size - at < PAGE ? size - at : PAGE;

        if (!is_zero(data + at, n) && pwrite(fd, data + at, n, (off_t)at) != (ssize_t)n)
            return false;
    }
    return true;
}

/* Opens the session only to collect the identity of the program; nothing runs. */
static void describe(struct hd_saved *f)
{
    struct hd_session s;

    if (f->identity.n > 0)
        return;
    if (hd_session_open(&s, f->o, f->argv[0], f->argv) == HD_EXIT_CLEAN) {
        s.test = f->test;
        hd_identity_describe(&f->identity, &s);
        hd_identity_add_file(&f->identity, s.elf.path);
        hd_identity_add_file(&f->identity, "/proc/self/exe");
    }
    hd_session_close(&s);
}

void hd_saved_write(struct hd_saved *f, const void *data, size_t size)
{
    struct hd_checkpoint c = { .fd = -1, .error = "no memory" };
    struct hd_wires w;
    size_t nnotes;
    bool copied = false, ok = false;

    if (!f->on)
        return;
    describe(f);
    if (make_image(&w, size)) {
        char *notes = hd_identity_text(&f->identity, &nnotes);

        copied = fill(w.fd, data, size) && hd_checkpoint_copy(&c, f->at.dir, notes, nnotes, &w);
        ok = copied && hd_kept_put(&f->at, &c);
        free(notes);
        close(w.fd);
    }
    if (!ok && !f->told)
        fprintf(stderr, "heddle: the state of the search is not saved: %s\n", copied ? f->at.error : c.error);
    f->told |= !ok;
}

static int refuse(const struct hd_saved *f, const char *why)
{
    fprintf(stderr, "heddle: the search cannot be continued from %s: %s\n", f->at.path, why);
    fputs("heddle: give the same command in the same circumstances, or start it again without --resume\n", stderr);
    return HD_EXIT_USAGE;
}

static const char *what_is_wrong(const struct hd_saved *f, enum hd_checkpoint_state state)
{
    return state == HD_CHECKPOINT_UNREADABLE ? f->at.error
         : state == HD_CHECKPOINT_FOREIGN    ? "it is not a saved search"
         : state == HD_CHECKPOINT_OTHER      ? "it was saved by another build of Heddle"
                                             : "it is damaged";
}

static int load(const struct hd_saved *f, const struct hd_checkpoint_file *c, void *data, size_t size)
{
    struct hd_identity was = { 0 };
    struct hd_wires w;
    char text[4096];
    int code = HD_EXIT_CLEAN;

    hd_identity_parse(&was, c->notes, c->size);
    if (hd_identity_compare(&was, &f->identity, text, sizeof text) > 0) {
        code = refuse(f, text);
    } else if (!make_image(&w, size)) {
        code = refuse(f, strerror(errno));
    } else {
        if (!hd_checkpoint_load(c, &w) || pread(w.fd, data, size, 0) != (ssize_t)size)
            code = refuse(f, "it cannot be read");
        close(w.fd);
    }
    hd_identity_free(&was);
    return code;
}

int hd_saved_read(struct hd_saved *f, void *data, size_t size, bool *found)
{
    struct hd_checkpoint_file c;
    enum hd_checkpoint_state state = hd_kept_open(&f->at, &c);
    int code = HD_EXIT_CLEAN;

    *found = state == HD_CHECKPOINT_GOOD;
    if (*found)
        describe(f);
    if (*found)
        code = load(f, &c, data, size);
    else if (state != HD_CHECKPOINT_ABSENT)
        code = refuse(f, what_is_wrong(f, state));
    hd_checkpoint_close(&c);
    return code;
}

int hd_saved_open(struct hd_saved *f, const struct hd_options *o, char *const *argv, const char *test, const char *suffix)
{
    struct hd_elf_info elf;

    *f = (struct hd_saved){ .o = o, .argv = argv, .test = test };
    if (!hd_session_inspect(argv[0], &elf))
        return HD_EXIT_USAGE;
    if (o->checkpoint_ms == 0 || !hd_can_fix_addresses())
        return HD_EXIT_CLEAN;
    hd_kept_at(&f->at, o, elf.path, argv, test, suffix);
    f->on = f->at.path[0] != '\0';
    return HD_EXIT_CLEAN;
}

bool hd_saved_has_part(const struct hd_saved *f, unsigned number)
{
    struct hd_kept part = hd_kept_part(&f->at, number);

    return f->on && hd_kept_is_there(&part);
}

void hd_saved_remove(const struct hd_saved *f)
{
    if (f->on)
        hd_kept_remove_all(&f->at);
}

void hd_saved_close(struct hd_saved *f)
{
    hd_identity_free(&f->identity);
}
