/* SPDX-License-Identifier: BSD-2-Clause
 *
 * checkpoint.c - writes and reads the state of a search.  The memory file is sparse, and only its data is copied. */
#include "conductor/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/version.h"
#include "conductor/store.h"

#define MAGIC "heddlecp"
#define END UINT64_MAX /* offset that marks the end of the ranges; the size of that entry is the
                        * checksum */

enum { FORMAT = 1, CHUNK = 1 << 20, MAX_NOTES = 1 << 24 };

struct head {
    char magic[8];
    uint32_t format, wire_version;
    char version[32];
    uint64_t wire_bytes, common_bytes; /* sizes of the structs; a build with other limits has other sizes */
    uint32_t nworkers, pad;
    uint64_t notes; /* bytes, without padding */
};

struct range {
    uint64_t at, bytes;
};

static uint64_t padded(uint64_t n)
{
    return (n + 7) & ~UINT64_C(7);
}

/* ---- writing ------------------------------------------------------------------------------ */

struct writer {
    int fd;
    uint64_t sum;
};

static bool put(struct writer *w, const void *data, size_t n)
{
    const char *p = data;

    w->sum = hd_hash_words(w->sum, data, n / 8);
    while (n > 0) {
        ssize_t done = write(w->fd, p, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        p += done;
        n -= (size_t)done;
    }
    return true;
}

static bool put_head(struct writer *w, const char *notes, size_t size, uint32_t nworkers)
{
    struct head h = { .magic = MAGIC, .format = FORMAT, .wire_version = HD_WIRE_VERSION, .version = HD_VERSION_TEXT,
                      .wire_bytes = sizeof(struct hd_wire), .common_bytes = sizeof(struct hd_common),
                      .nworkers = nworkers, .notes = size };
    char *room = hd_zeroed(padded(size) + 1, 1);

    memcpy(room, notes, size);
    bool ok = put(w, &h, sizeof h) && put(w, room, padded(size));

    free(room);
    return ok;
}

/* Copies through a buffer, because the heartbeat of a resting worker may change between the checksum and the
 * write. */
static bool put_range(struct writer *w, int memory, struct range r, void *buffer)
{
    bool ok = put(w, &r, sizeof r);

    while (ok && r.bytes > 0) {
        size_t n = r.bytes < CHUNK ? (size_t)r.bytes : CHUNK;

        ok = pread(memory, buffer, n, (off_t)r.at) == (ssize_t)n && put(w, buffer, n);
        r.at += n;
        r.bytes -= n;
    }
    return ok;
}

static bool put_ranges(struct writer *w, int memory, void *buffer)
{
    off_t at = 0, end;

    while ((at = lseek(memory, at, SEEK_DATA)) >= 0) {
        end = lseek(memory, at, SEEK_HOLE);
        if (end < 0 || !put_range(w, memory, (struct range){ (uint64_t)at, (uint64_t)(end - at) }, buffer))
            return false;
        at = end;
    }
    if (errno != ENXIO) /* no data after that */
        return false;
    struct range last = { END, w->sum };

    return put(w, &last, sizeof last);
}

static bool failed(struct hd_checkpoint *c, const char *doing, const char *path)
{
    snprintf(c->error, sizeof c->error, "%s %.300s: %s", doing, path, strerror(errno));
    hd_checkpoint_drop(c);
    return false;
}

/* Returns a new file in the directory, or -1 with errno set.  Only the owner can read it while it has a name, because
 * it contains parts of the environment. */
static int open_unnamed(const char *dir)
{
    char path[4096];

    if ((size_t)snprintf(path, sizeof path, "%s/.saving-XXXXXX", dir) >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = mkostemp(path, O_CLOEXEC);

    if (fd >= 0)
        unlink(path);
    return fd;
}

bool hd_checkpoint_copy(struct hd_checkpoint *c, const char *dir, const char *notes, size_t size,
                        const struct hd_wires *ws)
{
    *c = (struct hd_checkpoint){ .fd = -1 };
    HD_INVARIANT(size <= MAX_NOTES, "notes of a checkpoint");
    if (!hd_store_make(dir))
        return failed(c, "cannot make the directory", dir);
    c->fd = open_unnamed(dir);
    if (c->fd < 0)
        return failed(c, "cannot write into", dir);
    struct writer w = { .fd = c->fd };
    void *buffer = hd_zeroed(CHUNK, 1);
    bool ok = put_head(&w, notes, size, ws->n) && put_ranges(&w, ws->fd, buffer);
    int saved = errno;

    free(buffer);
    errno = saved;
    return ok || failed(c, "cannot write into", dir);
}

void hd_checkpoint_drop(struct hd_checkpoint *c)
{
    if (c->fd >= 0)
        close(c->fd);
    c->fd = -1;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Reads n bytes at an offset.  Returns false with errno set; errno is 0 at the end of the file. */
static bool get(int fd, void *to, size_t n, uint64_t at)
{
    char *p = to;

    while (n > 0) {
        ssize_t done = pread(fd, p, n, (off_t)at);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            errno = done < 0 ? errno : 0;
            return false;
        }
        p += done;
        at += (uint64_t)done;
        n -= (size_t)done;
    }
    return true;
}

/* Calls `each` for the contents of all ranges, in pieces, after they were added to the sum.
 * Returns false if the file ends before the last range, or `each` returns false. */
static bool each_piece(const struct hd_checkpoint_file *f, uint64_t sum, uint64_t *wanted, uint64_t *got,
                       bool (*each)(const void *ctx, const void *data, size_t n, uint64_t at), const void *ctx)
{
    void *buffer = hd_zeroed(CHUNK, 1);
    uint64_t from = f->at;
    struct range r;
    bool ok;

    while ((ok = get(f->fd, &r, sizeof r, from)) && r.at != END) {
        sum = hd_hash_words(sum, &r, sizeof r / 8);
        from += sizeof r;
        while (ok && r.bytes > 0) {
            size_t n = r.bytes < CHUNK ? (size_t)r.bytes : CHUNK;

            ok = get(f->fd, buffer, n, from) && (each == NULL || each(ctx, buffer, n, r.at));
            sum = ok ? hd_hash_words(sum, buffer, n / 8) : sum;
            from += n;
            r.at += n;
            r.bytes -= n;
        }
        if (!ok)
            break;
    }
    int saved = errno;

    free(buffer);
    errno = saved;
    *wanted = ok ? r.bytes : 0;
    *got = sum;
    return ok;
}

static enum hd_checkpoint_state look(struct hd_checkpoint_file *f)
{
    struct head h;
    uint64_t sum, wanted, got;

    if (!get(f->fd, &h, sizeof h, 0))
        return errno == 0 ? HD_CHECKPOINT_FOREIGN : HD_CHECKPOINT_UNREADABLE;
    if (memcmp(h.magic, MAGIC, sizeof h.magic) != 0)
        return HD_CHECKPOINT_FOREIGN;
    snprintf(f->version, sizeof f->version, "%.*s", (int)sizeof h.version - 1, h.version);
    if (h.format != FORMAT || h.wire_version != HD_WIRE_VERSION || strcmp(f->version, HD_VERSION_TEXT) != 0 ||
        h.wire_bytes != sizeof(struct hd_wire) || h.common_bytes != sizeof(struct hd_common))
        return HD_CHECKPOINT_OTHER;
    if (h.notes > MAX_NOTES || h.nworkers < 1 || h.nworkers > HD_MAX_WORKERS)
        return HD_CHECKPOINT_DAMAGED;
    f->nworkers = h.nworkers;
    f->size = h.notes;
    f->notes = hd_zeroed(padded(h.notes) + 1, 1);
    f->at = sizeof h + padded(h.notes);
    if (!get(f->fd, f->notes, padded(h.notes), sizeof h))
        return errno == 0 ? HD_CHECKPOINT_DAMAGED : HD_CHECKPOINT_UNREADABLE;
    sum = hd_hash_words(hd_hash_words(0, &h, sizeof h / 8), f->notes, padded(h.notes) / 8);
    errno = 0;
    if (!each_piece(f, sum, &wanted, &got, NULL, NULL))
        return errno == 0 ? HD_CHECKPOINT_DAMAGED : HD_CHECKPOINT_UNREADABLE;
    return wanted == got ? HD_CHECKPOINT_GOOD : HD_CHECKPOINT_DAMAGED;
}

enum hd_checkpoint_state hd_checkpoint_open(struct hd_checkpoint_file *f, int fd)
{
    *f = (struct hd_checkpoint_file){ .fd = fd };
    return look(f);
}

void hd_checkpoint_close(struct hd_checkpoint_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    free(f->notes);
    *f = (struct hd_checkpoint_file){ .fd = -1 };
}

static bool load(const void *ctx, const void *data, size_t n, uint64_t at)
{
    const struct hd_wires *ws = ctx;

    return pwrite(ws->fd, data, n, (off_t)at) == (ssize_t)n;
}

/* Empties the memory file of the wires first, so that it contains only what the checkpoint contains. */
bool hd_checkpoint_load(const struct hd_checkpoint_file *f, struct hd_wires *ws)
{
    uint64_t wanted, got;
    struct stat st;

    HD_INVARIANT(f->nworkers == ws->n, "a checkpoint for another number of workers");
    return fstat(ws->fd, &st) == 0 && ftruncate(ws->fd, 0) == 0 && ftruncate(ws->fd, st.st_size) == 0 &&
           each_piece(f, 0, &wanted, &got, load, ws);
}
