/* SPDX-License-Identifier: BSD-2-Clause
 *
 * states.c - see states.h.  A state may be larger than SQLite allows for one value, so it is stored in pieces. */
#include "store/states.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "store/schema.h"

enum { PIECE = 1 << 20, READER_PATIENCE_MS = 10000 };

/* Opens the store to write.  Returns NULL with a message. */
static struct hd_sql *open_store(const char *path, char *error, size_t cap)
{
    char *url = hd_formatted("sqlite:%s", path);
    struct hd_sql *q = hd_sql_open(url, error, cap);

    free(url);
    /* without FULL, the last transactions of a log may be lost when the machine stops */
    if (q != NULL && (!hd_schema_update(q, error, cap) || !hd_sql_run(q, NULL, "PRAGMA synchronous=FULL", ""))) {
        hd_sql_close(q);
        q = NULL;
    }
    return q;
}

/* ---- writing ---- */

/* Z4.  No connection is open, whose locks would end when this file is closed. */
static void hide(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    struct stat st;

    if (fd >= 0 && fstat(fd, &st) == 0 && (st.st_mode & 077) != 0)
        fchmod(fd, st.st_mode & 0700); /* fails if the store is somebody else's, who can read what is put into it */
    if (fd >= 0)
        close(fd);
}

/* Reads the next piece.  Returns its size, 0 at the end, or -1. */
static ssize_t next_piece(int fd, char *buffer, off_t at)
{
    size_t n = 0;

    while (n < PIECE) {
        ssize_t got = pread(fd, buffer + n, PIECE - n, at + (off_t)n);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        n += (size_t)got;
    }
    return (ssize_t)n;
}

/* Returns false with a message in hd_sql_error, or with errno set and *reading true. */
static bool put_pieces(struct hd_sql *q, const char *name, int fd, bool *reading)
{
    char *buffer = hd_zeroed(PIECE, 1);
    ssize_t n = 0;
    off_t at = 0;
    bool ok = true;

    while (ok && (n = next_piece(fd, buffer, at)) > 0) {
        ok = hd_sql_run(q, NULL, "INSERT INTO state (name, number, data) VALUES ($1, $2, $3)", "tib", name, (int64_t)(at / PIECE),
                        (const void *)buffer, (size_t)n);
        at += n;
    }
    *reading = n < 0;
    free(buffer);
    return ok && n == 0;
}

bool hd_states_put(const char *path, const char *name, int fd, char *error, size_t cap)
{
    hide(path);
    struct hd_sql *q = open_store(path, error, cap);
    bool reading = false;

    if (q == NULL)
        return false;
    bool ok = hd_sql_begin(q) && hd_sql_run(q, NULL, "DELETE FROM state WHERE name = $1", "t", name) &&
              put_pieces(q, name, fd, &reading) && hd_sql_commit(q);

    if (!ok) {
        snprintf(error, cap, "%s", reading ? strerror(errno) : hd_sql_error(q));
        hd_sql_rollback(q);
    }
    hd_sql_close(q);
    return ok;
}

/* ---- reading ---- */

/* Opens the store to read.  Returns NULL if there is none, with an empty message, or with a message.  What a killed
 * writer has left must be undone, and a connection that only reads cannot do that; but the store may be on a disk that
 * cannot be written. */
static struct hd_sql *open_to_read(const char *path, char *error, size_t cap)
{
    struct hd_sql_rows r = { 0 };
    char *url = hd_formatted("sqlite:%s", path);
    bool there = access(path, F_OK) == 0 || errno == EACCES;

    error[0] = '\0';
    struct hd_sql *q = there ? hd_sql_open(url, error, cap) : NULL;

    if (there && q == NULL)
        q = hd_sql_open_to_read(url, READER_PATIENCE_MS, error, cap);
    free(url);
    /* an older Heddle has made the tables, so there is no state */
    if (q != NULL && (!hd_sql_run(q, &r, "SELECT 1 FROM sqlite_schema WHERE name = 'state'", "") || r.n == 0)) {
        hd_sql_close(q);
        q = NULL;
    }
    hd_sql_free(&r);
    return q;
}

static bool write_all(int fd, const char *data, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, data, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        data += done;
        n -= (size_t)done;
    }
    return true;
}

static enum hd_states_got failed(char *error, size_t cap, const char *why)
{
    snprintf(error, cap, "%s", why);
    return HD_STATES_FAILED;
}

static enum hd_states_got get_pieces(struct hd_sql *q, const char *name, int fd, char *error, size_t cap)
{
    for (int64_t number = 0;; number++) {
        struct hd_sql_rows r;

        if (!hd_sql_run(q, &r, "SELECT data FROM state WHERE name = $1 AND number = $2", "ti", name, number))
            return failed(error, cap, hd_sql_error(q));
        bool more = r.n > 0, ok = !more || write_all(fd, r.cells[0].data, r.cells[0].size);

        hd_sql_free(&r);
        if (!ok)
            return failed(error, cap, strerror(errno));
        if (!more)
            return number > 0 ? HD_STATES_FOUND : HD_STATES_NONE;
    }
}

enum hd_states_got hd_states_get(const char *path, const char *name, int fd, char *error, size_t cap)
{
    struct hd_sql *q = open_to_read(path, error, cap);

    if (q == NULL)
        return error[0] != '\0' ? HD_STATES_FAILED : HD_STATES_NONE;
    enum hd_states_got got = hd_sql_begin(q) ? get_pieces(q, name, fd, error, cap) : failed(error, cap, hd_sql_error(q));

    hd_sql_rollback(q);
    hd_sql_close(q);
    return got;
}

/* ---- whether there is one, and removing ---- */

#define NAMED "name = $1"
#define BEGINS "substr(name, 1, length($1)) = $1"

static bool has_where(const char *path, const char *sql, const char *name)
{
    struct hd_sql_rows r = { 0 };
    char error[512];
    struct hd_sql *q = open_to_read(path, error, sizeof error);
    bool has = q != NULL && hd_sql_run(q, &r, sql, "t", name) && r.n > 0;

    hd_sql_free(&r);
    hd_sql_close(q);
    return has;
}

bool hd_states_has(const char *path, const char *name)
{
    return has_where(path, "SELECT 1 FROM state WHERE " NAMED " LIMIT 1", name);
}

/* The pages of the state go back to the file system. */
static bool remove_where(const char *path, const char *sql, const char *name)
{
    char error[512];
    struct hd_sql *q = open_store(path, error, sizeof error);
    bool ok = q != NULL && hd_sql_run(q, NULL, sql, "t", name) && hd_sql_run(q, NULL, "PRAGMA incremental_vacuum", "");

    hd_sql_close(q);
    return ok;
}

bool hd_states_remove(const char *path, const char *name)
{
    return !hd_states_has(path, name) || remove_where(path, "DELETE FROM state WHERE " NAMED, name);
}

bool hd_states_remove_all(const char *path, const char *prefix)
{
    return !has_where(path, "SELECT 1 FROM state WHERE " BEGINS " LIMIT 1", prefix) ||
           remove_where(path, "DELETE FROM state WHERE " BEGINS, prefix);
}
