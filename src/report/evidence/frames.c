/* SPDX-License-Identifier: BSD-2-Clause
 *
 * frames.c - folds the frames of libraries around the user's own. */
#include "report/evidence/frames.h"

#include <stdio.h>
#include <string.h>

#include "report/names/rust.h"

bool hd_frame_is_users(const struct hd_frame *f)
{
    return f->line > 0 && !hd_is_system_file(f->file);
}

/* Returns the number of frames from `i` on that are not the user's. */
static unsigned library_run(const struct hd_evidence *e, unsigned i)
{
    unsigned n = 0;

    while (i + n < e->n && !hd_frame_is_users(&e->frames[i + n]))
        n++;
    return n;
}

unsigned hd_frames_folded(const struct hd_evidence *e, unsigned i)
{
    unsigned n = library_run(e, i), called = i == 0;

    return library_run(e, 0) < e->n && n >= 2 + called ? n - called : 0;
}

/* Writes the name of the library or framework.  A statically linked one is recognised by its namespace. */
static void origin_of(const struct hd_frame *f, char *buf, size_t cap)
{
    static const struct {
        const char *namespace, *name;
    } frameworks[] = { { "testing::", "GoogleTest" }, { "Catch::", "Catch2" } };
    static const char includes[] = "/usr/include/";
    const char *name = f->module;

    for (size_t i = 0; i < sizeof frameworks / sizeof *frameworks; i++)
        if (strncmp(f->function, frameworks[i].namespace, strlen(frameworks[i].namespace)) == 0)
            name = frameworks[i].name;
    if (name == f->module && hd_rust_is_library_file(f->file))
        name = "the Rust library";
    else if (name == f->module && (strstr(f->file, "/c++/") != NULL || strncmp(f->function, "std::", 5) == 0))
        name = "the C++ library";
    else if (name == f->module && strncmp(f->file, includes, sizeof includes - 1) == 0 &&
             strchr(f->file + sizeof includes - 1, '/') != NULL) {
        const char *from = f->file + sizeof includes - 1;

        snprintf(buf, cap, "%.*s", (int)strcspn(from, "/"), from);
        return;
    }
    snprintf(buf, cap, "%s", name);
}

/* True if one of the frames before the last one has the same origin. */
static bool is_named(const struct hd_evidence *e, unsigned i, unsigned last, const char *origin)
{
    char other[64];

    for (; i < last; i++) {
        origin_of(&e->frames[i], other, sizeof other);
        if (strcmp(other, origin) == 0)
            return true;
    }
    return false;
}

void hd_frames_origin(const struct hd_evidence *e, unsigned i, unsigned n, char *buf, size_t cap)
{
    size_t used = (size_t)snprintf(buf, cap, "%u frame%s of", n, n == 1 ? "" : "s");

    for (unsigned k = i; k < i + n; k++) {
        char origin[64];

        origin_of(&e->frames[k], origin, sizeof origin);
        if (!is_named(e, i, k, origin) && used < cap)
            used += (size_t)snprintf(buf + used, cap - used, "%s %s", k > i ? "," : "", origin);
    }
}
