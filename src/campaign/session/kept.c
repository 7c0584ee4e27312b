/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kept.c - see kept.h. */
#include "campaign/session/kept.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "store/states.h"

enum { DIGITS = 12 };

void hd_kept_at(struct hd_kept *k, const struct hd_options *o, const char *program, char *const *argv, const char *test,
                const char *suffix)
{
    char file[4096];
    const char *real = realpath(program, file) != NULL ? file : program;
    uint64_t h = hd_hash_bytes(0, real, strlen(real));

    for (char *const *a = argv + 1; *a != NULL; a++)
        h = hd_hash_bytes(h, *a, strlen(*a) + 1);
    if (test != NULL)
        h = hd_hash_bytes(~h, test, strlen(test));
    *k = (struct hd_kept){ .path = "" };
    if ((size_t)snprintf(k->dir, sizeof k->dir, "%s", o->out_dir) < sizeof k->dir)
        snprintf(k->path, sizeof k->path, "%s/store.sqlite", k->dir);
    snprintf(k->name, sizeof k->name, "%0*llx%.32s", DIGITS, (unsigned long long)(h >> 16), suffix);
}

struct hd_kept hd_kept_part(const struct hd_kept *k, unsigned number)
{
    struct hd_kept part = *k;

    snprintf(part.name + DIGITS, sizeof part.name - DIGITS, "-%u", number);
    return part;
}

bool hd_kept_put(struct hd_kept *k, struct hd_checkpoint *c)
{
    bool ok = hd_states_put(k->path, k->name, c->fd, k->error, sizeof k->error);

    hd_checkpoint_drop(c);
    return ok;
}

enum hd_checkpoint_state hd_kept_open(struct hd_kept *k, struct hd_checkpoint_file *f)
{
    int fd = memfd_create("state", MFD_CLOEXEC);
    enum hd_states_got got = HD_STATES_FAILED;

    *f = (struct hd_checkpoint_file){ .fd = fd };
    if (fd < 0)
        snprintf(k->error, sizeof k->error, "%s", strerror(errno));
    else
        got = hd_states_get(k->path, k->name, fd, k->error, sizeof k->error);
    if (got != HD_STATES_FOUND)
        return got == HD_STATES_NONE ? HD_CHECKPOINT_ABSENT : HD_CHECKPOINT_UNREADABLE;
    enum hd_checkpoint_state state = hd_checkpoint_open(f, fd);

    if (state == HD_CHECKPOINT_UNREADABLE)
        snprintf(k->error, sizeof k->error, "%s", strerror(errno));
    return state;
}

bool hd_kept_is_there(const struct hd_kept *k)
{
    return k->path[0] != '\0' && hd_states_has(k->path, k->name);
}

bool hd_kept_remove(const struct hd_kept *k)
{
    return k->path[0] != '\0' && hd_states_remove(k->path, k->name);
}

void hd_kept_remove_all(const struct hd_kept *k)
{
    char prefix[DIGITS + 2];

    if (k->path[0] == '\0')
        return;
    snprintf(prefix, sizeof prefix, "%.*s-", DIGITS, k->name);
    hd_states_remove_all(k->path, prefix);
    hd_states_remove(k->path, k->name);
}
