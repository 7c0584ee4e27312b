/* SPDX-License-Identifier: BSD-2-Clause
 *
 * knowledge.c - see knowledge.h. */
#include "campaign/spread/knowledge.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/version.h"
#include "campaign/spread/part.h"

struct head {
    char version[32]; /* version of Heddle */
    uint32_t wire_version, pass;
    uint32_t nslots, nobjects, nwatched, nwaits;
    uint32_t ends_since, nmodules;
};

/* Returns a hash that differs between files.  Objects that are loaded at run time come last. */
static uint64_t module_hash(const struct hd_module *m)
{
    return hd_hash_bytes(m->build_id_len, m->build_id, m->build_id_len);
}

static uint32_t count_slots(const struct hd_common *c)
{
    uint32_t n = 0;

    while (n < HD_MAX_THREADS && c->slots[n] != 0)
        n++;
    return n;
}

static uint32_t count_watched(const struct hd_common *c)
{
    uint32_t n = 0;

    while (n < HD_MAX_WATCHED && c->watched[n] != 0)
        n++;
    return n;
}

static uint32_t count_waits(const struct hd_common *c)
{
    uint32_t n = 0;

    while (n < HD_MAX_WAITS && c->waits[n].name != 0)
        n++;
    return n;
}

static struct head head_of(const struct hd_wires *ws)
{
    const struct hd_common *c = ws->common;

    return (struct head){ .version = HD_VERSION_TEXT, .wire_version = HD_WIRE_VERSION, .pass = ws->wire[0]->restarts,
                          .nslots = count_slots(c), .nobjects = c->nobjects, .nwatched = count_watched(c),
                          .nwaits = count_waits(c), .ends_since = c->ends_since,
                          .nmodules = ws->wire[0]->nmodules < HD_MAX_MODULES ? ws->wire[0]->nmodules : HD_MAX_MODULES };
}

/* True if the row of the object is in the index.  A worker that lost the race to add an object leaves a row that the
 * index does not contain (runtime/core/object.c). */
static bool is_used(const struct hd_common *c, uint32_t id)
{
    const struct hd_object_info *o = &c->objects[id];
    size_t at = (size_t)(hd_hash_mix(o->name, o->type) % HD_OBJECT_INDEX);

    if (o->type == HD_OBJ_COND_TOKENS || o->type == HD_OBJ_FUTEX_TOKENS)
        return true;
    while (c->object_index[at] != 0 && c->object_index[at] != id)
        at = (at + 1) % HD_OBJECT_INDEX;
    return c->object_index[at] == id;
}

static void add_objects(struct hd_bytes *out, const struct hd_common *c, uint32_t n)
{
    const struct hd_object_info none = { .type = HD_OBJ_NONE };

    for (uint32_t id = 0; id < n; id++)
        hd_bytes_add(out, id > 0 && is_used(c, id) ? &c->objects[id] : &none, sizeof none);
}

struct hd_bytes hd_knowledge_of(const struct hd_wires *ws, bool again)
{
    const struct hd_common *c = ws->common;
    struct head h = head_of(ws);
    struct hd_bytes out = { NULL, 0 };

    h.pass += again;
    hd_bytes_add(&out, &h, sizeof h);
    hd_bytes_add(&out, c->slots, h.nslots * sizeof *c->slots);
    add_objects(&out, c, h.nobjects);
    hd_bytes_add(&out, c->watched, h.nwatched * sizeof *c->watched);
    hd_bytes_add(&out, c->waits, h.nwaits * sizeof *c->waits);
    for (uint32_t i = 0; i < h.nmodules; i++) {
        uint64_t hash = module_hash(&ws->wire[0]->modules[i]);

        hd_bytes_add(&out, &hash, sizeof hash);
    }
    return out;
}

/* Builds the index in which runtime/core/object.c looks up rows.  The second row of a pair has no entry of its own. */
static void index_objects(struct hd_common *c)
{
    for (uint32_t id = 1; id < c->nobjects; id++) {
        const struct hd_object_info *o = &c->objects[id];
        size_t at = (size_t)(hd_hash_mix(o->name, o->type) % HD_OBJECT_INDEX);

        if (o->type == HD_OBJ_NONE || o->type == HD_OBJ_COND_TOKENS || o->type == HD_OBJ_FUTEX_TOKENS)
            continue;
        while (c->object_index[at] != 0)
            at = (at + 1) % HD_OBJECT_INDEX;
        c->object_index[at] = id;
    }
}

static const char *take(const char *from, void *to, size_t size)
{
    memcpy(to, from, size);
    return from + size;
}

bool hd_knowledge_load(struct hd_wires *ws, const struct hd_bytes *from)
{
    struct hd_common *c = ws->common;
    const char *p = from->data;
    struct head h;

    if (p == NULL)
        return true;
    if (from->size < sizeof h)
        return false;
    p = take(p, &h, sizeof h);
    if (strncmp(h.version, HD_VERSION_TEXT, sizeof h.version) != 0 || h.wire_version != HD_WIRE_VERSION ||
        h.nslots > HD_MAX_THREADS || h.nobjects > HD_MAX_OBJECTS || h.nwatched > HD_MAX_WATCHED || h.nwaits > HD_MAX_WAITS ||
        from->size != sizeof h + h.nslots * sizeof *c->slots + h.nobjects * sizeof *c->objects +
                          h.nwatched * sizeof *c->watched + h.nwaits * sizeof *c->waits + h.nmodules * sizeof(uint64_t))
        return false;
    p = take(p, c->slots, h.nslots * sizeof *c->slots);
    p = take(p, c->objects, h.nobjects * sizeof *c->objects);
    p = take(p, c->watched, h.nwatched * sizeof *c->watched);
    take(p, c->waits, h.nwaits * sizeof *c->waits);
    c->nobjects = h.nobjects;
    c->ends_since = h.ends_since;
    c->pass = h.pass;
    for (uint32_t i = 0; i < ws->n; i++)
        ws->wire[i]->restarts = h.pass;
    index_objects(c);
    return true;
}

const char *hd_knowledge_other_file(const struct hd_wires *ws, const struct hd_bytes *from)
{
    const struct hd_wire *w = ws->wire[0];
    struct head h;

    if (from->data == NULL)
        return NULL;
    take(from->data, &h, sizeof h);
    const char *p = (const char *)from->data + from->size - h.nmodules * sizeof(uint64_t);

    for (uint32_t i = 0; i < h.nmodules && i < w->nmodules; i++) {
        uint64_t hash;

        p = take(p, &hash, sizeof hash);
        if (hash != module_hash(&w->modules[i]))
            return w->modules[i].path;
    }
    return NULL;
}

bool hd_knowledge_is_void(const struct hd_wires *ws)
{
    const struct hd_wire *w = ws->wire[0];
    const struct hd_common *c = ws->common;

    return c->waits_wanted > w->restarts || (c->pass_wanted > w->restarts && hd_traits_reduces(&w->config.traits));
}
