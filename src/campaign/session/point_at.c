/* SPDX-License-Identifier: BSD-2-Clause
 *
 * point_at.c - finds the plain accesses of a line.
 *
 * The compiler inserts a call of a hook before an access, and the place of the access is the address to which that
 * call returns (runtime/watch/points.h).  This file takes every call in the code of the line.  The calls that are
 * not hooks do no harm: no access has their return address. */
#include "campaign/session/point_at.h"

#include <stdlib.h>
#include <string.h>

#include "report/names/symbols.h"
#include "scan/image.h"

enum { RANGES = 64 };

/* Adds the place to which a call returns. */
static void add_place(struct hd_session *s, uint64_t returns_to)
{
    struct hd_common *c = s->wires.common;
    hd_cname name = hd_cname_make(HD_REG_MODULE, 0, returns_to);
    uint64_t n = s->wire->campaign.totals[0].sites;

    for (uint64_t i = 0; i < n; i++)
        if (c->sites[i].name == name)
            return;
    if (n == HD_MAX_SITES)
        return;
    c->sites[n] = (struct hd_site){ .name = name, .from = 1 };
    for (uint32_t i = 0; i < s->wires.n; i++)
        s->wires.wire[i]->campaign.totals[0].sites = n + 1;
}

/* Adds the calls in a range of code: "call rel32", and "call *slot(%rip)" in code without PLT stubs.  Returns
 * their number. */
static unsigned add_calls(struct hd_session *s, const struct hd_image *im, uint64_t lo, uint64_t hi)
{
    enum { NEAR = 5, BY_SLOT = 6 };
    const struct hd_image_section *section = hd_image_section(im, lo);
    unsigned n = 0;

    if (section == NULL || section->bytes == NULL || hi > section->addr + section->size)
        return 0;
    const uint8_t *code = section->bytes + (lo - section->addr);

    for (uint64_t i = 0; i + NEAR <= hi - lo; i++) {
        bool slot = code[i] == 0xff && code[i + 1] == 0x15 && i + BY_SLOT <= hi - lo;

        if (code[i] != 0xe8 && !slot)
            continue;
        add_place(s, lo + i + (slot ? BY_SLOT : NEAR));
        n++;
    }
    return n;
}

static unsigned add_line(struct hd_session *s, const struct hd_image *im, const char *file, int line)
{
    uint64_t code[RANGES][2];
    struct hd_module module = { .bias = 0 };
    char path[4096]; /* PATH_MAX, as realpath requires */
    bool usable = realpath(s->elf.path, path) != NULL &&
                  (size_t)snprintf(module.path, sizeof module.path, "%s", path) < sizeof module.path;
    struct hd_symbols *symbols = hd_symbols_open(&module, usable);
    unsigned n = hd_symbols_line(symbols, file, line, code, RANGES), calls = 0;

    hd_symbols_close(symbols);
    for (unsigned i = 0; i < n; i++)
        calls += add_calls(s, im, code[i][0], code[i][1]);
    return calls;
}

/* Adds one place, "FILE:LINE", whose form was checked when it was parsed. */
static bool add_point(struct hd_session *s, const struct hd_image *im, const char *text)
{
    const char *colon = strrchr(text, ':');
    char *file = strndup(text, (size_t)(colon - text));
    bool found = file != NULL && add_line(s, im, file, atoi(colon + 1)) > 0;

    free(file);
    if (!found)
        fprintf(stderr, "heddle: --point-at %s: %s has no access there; give a line of its code that reads or writes "
                        "memory, and compile it with 'heddle cc -g'\n", text, s->program);
    return found;
}

bool hd_point_at(struct hd_session *s, const struct hd_options *o)
{
    struct hd_image im;
    bool ok = true;

    if (o->npoint_at == 0)
        return true;
    if (!hd_image_open(&im, s->elf.path)) {
        fprintf(stderr, "heddle: --point-at: the code of %s cannot be read\n", s->program);
        return false;
    }
    for (uint32_t i = 0; i < o->npoint_at && ok; i++)
        ok = add_point(s, &im, o->point_at[i]);
    hd_image_close(&im);
    return ok;
}
