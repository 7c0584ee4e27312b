/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race.c - describes the two accesses of a data race.  The locks that a thread held follow from the
 * events before the access.  They are computed here and not recorded with each access, because
 * races are rare and accesses are not. */
#include "report/evidence/race.h"

#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "model/heap.h"
#include "model/lock.h"
#include "report/evidence/describe.h"
#include "report/evidence/memory.h"
#include "report/evidence/place.h"
#include "report/evidence/stack.h"
#include "report/evidence/value.h"
#include "report/names/path.h"
#include "report/names/shorten.h"

enum { MAX_HELD = 16 };

/* ---- the memory ------------------------------------------------------------------------ */

static const char *site(const struct hd_report *r, uint64_t pc)
{
    const char *known = hd_symbols_site(r->symbols, pc);

    return known[0] != '\0' ? known : "?";
}

static const struct hd_capture *allocation(const struct hd_report *r)
{
    return r->witness != NULL && r->witness->allocation.pc != 0 ? &r->witness->allocation : NULL;
}

static const char *access_site(const struct hd_report *r, const struct hd_race_access *a)
{
    return site(r, hd_report_access_place(r, a));
}

/* Returns the text of the first of these places that is in the user's source, or of the first place
 * if none is. */
static const char *own_site(const struct hd_report *r, const uint64_t *pcs, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        struct hd_frame f[HD_MAX_FRAMES];
        const struct hd_frame *own = hd_symbols_own_frame(
            f, hd_symbols_frames(r->symbols, pcs[i], true, f, HD_MAX_FRAMES));

        if (own->line > 0 && !own->runtime && !hd_is_system_file(own->file))
            return site(r, pcs[i]);
    }
    return site(r, n > 0 ? pcs[0] : 0);
}

void hd_race_memory(const struct hd_report *r, struct hd_race_memory *m)
{
    hd_cname name = r->race->name;
    struct hd_memory found;
    bool known = hd_memory_name(r, name, r->race->race.addr, &found);
    char who[32];

    hd_describe_tid(hd_report_thread_of_slot(r, hd_cname_index(name)), who, sizeof who);
    snprintf(m->type, sizeof m->type, "%s", found.type);
    m->local = found.function[0] != '\0';
    if (m->local)
        snprintf(m->name, sizeof m->name, "%s (in %s)", found.name, found.function);
    else if (known || hd_cname_region(name) == HD_REG_OTHER)
        snprintf(m->name, sizeof m->name, "%s", found.name);
    else
        snprintf(m->name, sizeof m->name, hd_cname_region(name) == HD_REG_HEAP ? "a heap block of %s"
                                                                                : "the stack of %s", who);
}

void hd_race_variable(const struct hd_report *r, char *buf, size_t cap)
{
    struct hd_race_memory m;

    hd_race_memory(r, &m);
    snprintf(buf, cap, "%s", m.name);
}

static void memory_text(const struct hd_report *r, char *buf, size_t cap)
{
    const struct hd_race *race = &r->race->race;
    const struct hd_capture *made = allocation(r);
    struct hd_race_memory m;
    char who[64];

    hd_race_memory(r, &m);
    int n = snprintf(buf, cap, "%s, %u byte%s", m.name, race->size, race->size == 1 ? "" : "s");

    if (m.type[0] != '\0')
        n += snprintf(buf + n, cap - (size_t)n, " (%s)", m.type);
    if (m.local) {
        hd_describe_tid(hd_report_thread_of_slot(r, hd_cname_index(r->race->name)), who, sizeof who);
        n += snprintf(buf + n, cap - (size_t)n, " on the stack of %s", who);
    }
    if (made == NULL || (size_t)n >= cap)
        return;
    uint64_t pcs[HD_MAX_FRAMES];
    unsigned npcs = hd_stack_captured_pcs(r, made, pcs);

    hd_describe_thread(r, made->tid, who, sizeof who);
    snprintf(buf + n, cap - (size_t)n, " at offset %llu of %llu, allocated by %s at %s",
             (unsigned long long)(race->addr - r->witness->block),
             (unsigned long long)r->witness->block_size, who, own_site(r, pcs, npcs));
}

/* ---- locks ----------------------------------------------------------------------------- */

struct held {
    uint32_t obj[MAX_HELD];
    const struct hd_event *by[MAX_HELD]; /* the acquiring events */
    unsigned n;
};

static void take(struct held *h, const struct hd_event *e)
{
    if (h->n < MAX_HELD) {
        h->obj[h->n] = e->obj;
        h->by[h->n++] = e;
    }
}

/* Removes the last acquisition of the object: the list contains a recursive lock once for each
 * acquisition. */
static void drop(struct held *h, uint32_t obj)
{
    unsigned i = h->n;

    while (i > 0 && h->obj[i - 1] != obj)
        i--;
    if (i == 0)
        return;
    for (h->n--; i <= h->n; i++) {
        h->obj[i - 1] = h->obj[i];
        h->by[i - 1] = h->by[i];
    }
}

static void follow(struct held *h, const struct hd_event *e)
{
    enum hd_lock_effect lock = hd_lock_effect(e);

    if (lock == HD_LOCK_GIVES)
        drop(h, e->obj);
    else if (lock != HD_LOCK_NONE)
        take(h, e);
}

static void locks_at(const struct hd_report *r, const struct hd_race_access *a, struct held *h)
{
    uint32_t skipped = r->race->nskipped;

    h->n = 0;
    for (uint32_t i = 0; i < r->nevents && skipped + i < a->position; i++)
        if (r->events[i].tid == a->tid)
            follow(h, &r->events[i]);
}

/* ---- accesses -------------------------------------------------------------------------- */

struct hd_race_access hd_race_first(const struct hd_report *r)
{
    struct hd_race_access a = r->race->race.first;

    if (r->witness != NULL)
        a.position = r->witness->first.position;
    return a;
}

static const char *verb(const struct hd_race_access *a)
{
    return a->frees ? "frees" : a->write ? "writes" : "reads";
}

static const char *noun(const struct hd_race_access *a)
{
    return a->frees ? "free" : a->write ? "write" : "read";
}

static const char *participle(const struct hd_race_access *a)
{
    return a->frees ? "freed" : a->write ? "written" : "read";
}

static bool frees(const struct hd_report *r)
{
    return r->race->race.first.frees || r->race->race.second.frees;
}

/* Names what the access touches: for a free the block, otherwise the memory of the race. */
static void memory_of(const struct hd_report *r, const struct hd_race_access *a, struct hd_race_memory *m)
{
    const struct hd_block_info *block = a->frees ? hd_memory_block(r, r->race->race.addr) : NULL;
    struct hd_memory whole;

    hd_race_memory(r, m);
    if (block != NULL && hd_memory_name(r, r->race->name, block->addr - HD_BLOCK_LIFE, &whole))
        snprintf(m->name, sizeof m->name, "%s", whole.name);
}

void hd_race_operation(const struct hd_report *r, const struct hd_race_access *a,
                       struct hd_operation *o)
{
    struct hd_race_memory m;

    memory_of(r, a, &m);
    if (m.local) /* omit " (in FUNCTION)", because the cells of the table are narrow */
        strrchr(m.name, '(')[-1] = '\0';
    size_t article = strncmp(m.name, "the ", 4) == 0 ? 4 : strncmp(m.name, "a ", 2) == 0 ? 2 : 0;

    snprintf(o->verb, sizeof o->verb, "%s", verb(a));
    snprintf(o->object, sizeof o->object, "%s", m.name + article);
    o->value[0] = '\0';
    unsigned which = a->tid == r->race->race.second.tid; /* the threads always differ; comparing pointers
                                                          * fails for a copy */

    if (r->witness != NULL && r->witness->valued[which])
        hd_describe_value(r, r->race->name, r->race->race.addr, r->witness->value[which], r->race->race.size,
                          o->value, sizeof o->value);
    o->outcome = a->atomic ? " (atomic)" : "";
}

void hd_race_message(const struct hd_report *r, char *buf, size_t cap)
{
    const struct hd_race_access *a = &r->race->race.first, *b = &r->race->race.second;
    struct hd_race_memory m;
    char first[64], second[64];

    hd_describe_thread(r, a->tid, first, sizeof first);
    hd_describe_thread(r, b->tid, second, sizeof second);
    memory_of(r, b, &m);
    const char *here = access_site(r, b), *there = access_site(r, a);
    bool same = strcmp(here, there) == 0 && here[0] != '?';

    snprintf(buf, cap, "%s %s%s %s at %s, and nothing orders this after the %s%s of %s %s%s",
             second, verb(b), b->atomic ? " atomically" : "", m.name, here,
             a->atomic ? "atomic " : "", noun(a), first, same ? "there" : "at ", same ? "" : there);
}

static uint64_t hash_text(uint64_t h, const char *text)
{
    for (; *text != '\0'; text++)
        h = hd_hash_mix(h, (unsigned char)*text);
    return h;
}

/* Hashes the name without the numbers of array elements and of equal blocks: a race is the same for each of them. */
static uint64_t hash_name(uint64_t h, const char *name)
{
    for (; *name != '\0'; name++) {
        h = hd_hash_mix(h, (unsigned char)*name);
        if (*name == '[' || *name == '#')
            name += strspn(name + 1, "0123456789");
    }
    return h;
}

static uint64_t access_key(const struct hd_report *r, const struct hd_race_access *a)
{
    return hash_text(2u * a->write + a->atomic, site(r, a->pc));
}

uint64_t hd_race_key(const struct hd_report *r)
{
    uint64_t a = access_key(r, &r->race->race.first), b = access_key(r, &r->race->race.second);
    struct hd_race_memory m;

    hd_race_memory(r, &m);
    uint64_t places = a < b ? hd_hash_mix(a, b) : hd_hash_mix(b, a);

    return (hd_cname_region(r->race->name) == HD_REG_HEAP ? hash_name(places, m.name)
                                                           : hash_text(places, m.name)) | 1;
}

const char *hd_race_function(const struct hd_report *r, uint64_t pc)
{
    struct hd_frame f[HD_MAX_FRAMES];
    unsigned n = hd_symbols_frames(r->symbols, pc, true, f, HD_MAX_FRAMES);

    return hd_symbols_own_frame(f, n)->function;
}

/* True if the locks at the access are known.  For the first access, only a replay yields its exact
 * position. */
static bool locks_known(const struct hd_report *r, bool first)
{
    return !first || r->witness != NULL;
}

/* Names the function of the library that makes the access, with its place there. */
static int say_inner(const struct hd_report *r, const struct hd_race_access *a, char *buf, size_t cap)
{
    char function[400];

    hd_name_shorten(hd_race_function(r, a->pc), function, sizeof function);
    hd_name_fold_parameters(function);
    return snprintf(buf, cap, ", by way of %s (%s)", function, site(r, a->pc));
}

static void say_access(const struct hd_text *t, const struct hd_report *r,
                       const struct hd_race_access *a, bool first)
{
    char who[64], line[1200], lock[300], function[400];
    struct held h;
    uint64_t place = hd_report_access_place(r, a);

    hd_describe_thread(r, a->tid, who, sizeof who);
    hd_name_shorten(hd_race_function(r, place), function, sizeof function);
    int n = snprintf(line, sizeof line, "%s: %s %s%s at %s in %s", first ? "first" : "second", who,
                     verb(a), a->atomic ? " (atomic)" : "", site(r, place), function);

    if (place != a->pc)
        n += say_inner(r, a, line + n, sizeof line - (size_t)n);

    if (locks_known(r, first)) {
        locks_at(r, a, &h);
        if (h.n == 0)
            n += snprintf(line + n, sizeof line - (size_t)n, ", holding no lock");
        for (unsigned i = 0; i < h.n && (size_t)n < sizeof line - 400; i++) {
            hd_describe_typed_object(r, h.obj[i], lock, sizeof lock);
            const char *where = hd_describe_site(r, h.by[i]);

            n += snprintf(line + n, sizeof line - (size_t)n, "%s%s (taken at %s)",
                          i == 0 ? ", holding " : ", ", lock, where[0] != '\0' ? where : "?");
        }
    }
    fputs("  ", t->out);
    hd_text_wrap(t, 2, 4, line);
}

static const struct {
    enum hd_race_label label;
    const char *name, *text;
} labels[] = {
    { HD_RACE_SAME_VALUE, "same-value", "here a write stores the value that is there already; "
                                        "it is a race all the same" },
    { HD_RACE_COUNTER, "counter", "both sides change it in place, like a counter: updates can "
                                  "get lost" },
    { HD_RACE_FLAG, "flag", "one side sets a flag and the other looks at it, as if it were atomic: "
                            "it is a race all the same" },
    { HD_RACE_VOLATILE, "volatile", "it is volatile, as if that were atomic: volatile orders "
                                    "nothing" },
    { HD_RACE_TRANSACTION, "weak-atomicity", "one access is in a transaction and the other is not (weak atomicity): "
                                             "transactions are one step only for each other, and for atomic operations; "
                                             "they may come between two accesses of plain code" },
};

static bool is_volatile(const struct hd_report *r)
{
    struct hd_race_memory m;

    hd_race_memory(r, &m);
    return strncmp(m.type, "volatile ", 9) == 0 || strstr(m.type, "* volatile") != NULL;
}

static bool is_in_transaction(const struct hd_report *r, const struct hd_race_access *a)
{
    for (uint32_t i = 0; i < r->nevents; i++) {
        const struct hd_event *e = &r->events[i];

        if ((e->kind == HD_EV_TX_READ || e->kind == HD_EV_TX_WRITE) && e->tid == a->tid && e->pc == a->pc)
            return true;
    }
    return false;
}

/* True if the label applies.  `volatile` follows from the declaration, a transaction from the events, all others need a
 * replay. An access that frees the memory stores no value, so no label applies. */
static bool labelled(const struct hd_report *r, unsigned i)
{
    const struct hd_race *race = &r->race->race;

    if (labels[i].label == HD_RACE_TRANSACTION)
        return is_in_transaction(r, &race->first) != is_in_transaction(r, &race->second);
    if (frees(r))
        return false;
    if (labels[i].label == HD_RACE_VOLATILE)
        return is_volatile(r);
    return r->witness != NULL && r->witness->labels & labels[i].label;
}

void hd_race_places(const struct hd_report *r, char *buf, size_t cap)
{
    const struct hd_race_access *a = &r->race->race.first, *b = &r->race->race.second;
    struct hd_race_memory m;
    int order = strcmp(access_site(r, a), access_site(r, b));
    bool swap = order > 0 || (order == 0 && a->write && !b->write); /* sort, so that the text does not depend on
                                                                     * which access came first */

    if (swap) {
        const struct hd_race_access *other = a;

        a = b;
        b = other;
    }
    hd_race_memory(r, &m);
    if (order == 0 && strcmp(participle(a), participle(b)) == 0)
        snprintf(buf, cap, "%.80s, %s by both at %.50s", m.name, participle(a), access_site(r, a));
    else if (order == 0)
        snprintf(buf, cap, "%.80s, %s and %s at %.50s", m.name, participle(a), participle(b),
                 access_site(r, a));
    else
        snprintf(buf, cap, "%.80s, %s at %.50s and %s at %.50s", m.name, participle(a),
                 access_site(r, a), participle(b), access_site(r, b));
}

void hd_race_text(const struct hd_text *t, const struct hd_report *r)
{
    struct hd_race_access first = hd_race_first(r);
    char line[900];

    hd_race_message(r, line, sizeof line);
    hd_path_shorten(line);
    hd_text_wrap(t, 0, 2, line);
    snprintf(line, sizeof line, "memory: ");
    memory_text(r, line + strlen(line), sizeof line - strlen(line));
    fputs("  ", t->out);
    hd_text_wrap(t, 2, 4, line);
    say_access(t, r, &first, true);
    say_access(t, r, &r->race->race.second, false);
    for (unsigned i = 0; i < sizeof labels / sizeof *labels; i++)
        if (labelled(r, i)) {
            fputs("  ", t->out);
            hd_text_wrap(t, 2, 4, labels[i].text);
        }
    if (r->race->race.second.frees)
        fputs("  in the other order this is a use after free\n", t->out);
}

/* ---- stacks ---------------------------------------------------------------------------- */

static const struct hd_capture *creation(const struct hd_report *r, bool first)
{
    const struct hd_capture *c = r->witness != NULL ? &r->witness->created[!first] : NULL;

    return c != NULL && c->pc != 0 ? c : NULL;
}

static void add_creation(struct hd_evidence_list *l, const struct hd_report *r, bool first)
{
    const struct hd_capture *c = creation(r, first);
    char who[64], by[64], title[200];

    if (c == NULL)
        return;
    hd_describe_thread(r, first ? r->race->race.first.tid : r->race->race.second.tid, who, sizeof who);
    hd_describe_thread(r, c->tid, by, sizeof by);
    snprintf(title, sizeof title, "Creation of %s, by %s", who, by);
    struct hd_evidence item = hd_evidence_titled(HD_ROLE_CREATED, c->tid, title);

    hd_evidence_captured(l, r, &item, c);
}

static struct hd_evidence access_of(const struct hd_report *r, const struct hd_race_access *a,
                                    bool first)
{
    const char *which = first ? "First" : "Second";
    struct hd_evidence e = { .role = first ? HD_ROLE_FIRST_ACCESS : HD_ROLE_SECOND_ACCESS,
                             .tid = a->tid, .blamed = true };
    struct hd_operation o;
    char who[64], what[300];

    hd_describe_thread(r, a->tid, who, sizeof who);
    hd_race_operation(r, a, &o);
    hd_describe_join(&o, what, sizeof what);
    snprintf(e.heading, sizeof e.heading, "%s access, by %s", which, who);
    snprintf(e.title, sizeof e.title, "%s access: %s %s", which, who, what);
    return e;
}

void hd_race_evidence(struct hd_evidence_list *l, const struct hd_report *r)
{
    struct hd_race_access first = hd_race_first(r);
    const struct hd_race_access *second = &r->race->race.second;
    struct hd_evidence item = access_of(r, second, false);

    hd_evidence_stopped(l, r, &item, second->pc);
    item = access_of(r, &first, true);
    if (r->witness != NULL)
        hd_evidence_captured(l, r, &item, &r->witness->first);
    else
        hd_evidence_calls(l, r, &item, &first.pc, 1);
    if (allocation(r) != NULL) {
        item = hd_evidence_titled(HD_ROLE_ALLOCATED, allocation(r)->tid, "Allocation of the block");
        hd_evidence_captured(l, r, &item, allocation(r));
    }
    add_creation(l, r, true);
    add_creation(l, r, false);
}

/* ---- JSON ------------------------------------------------------------------------------ */

static void json_locks(struct hd_json *j, const struct hd_report *r, const struct hd_race_access *a)
{
    struct held h;
    char lock[300];

    locks_at(r, a, &h);
    hd_json_put_array(j, "locks");
    for (unsigned i = 0; i < h.n; i++) {
        hd_describe_typed_object(r, h.obj[i], lock, sizeof lock);
        hd_json_string(j, lock);
    }
    hd_json_end(j);
}

/* Prints an array with "function file:line" for each frame, innermost first. */
static void json_stack(struct hd_json *j, const struct hd_report *r, const char *key, const uint64_t *pcs,
                       unsigned n)
{
    hd_json_put_array(j, key);
    for (unsigned i = 0; i < n; i++) {
        struct hd_frame f[HD_MAX_FRAMES];
        unsigned nf = hd_symbols_frames(r->symbols, pcs[i], true, f, HD_MAX_FRAMES);

        for (unsigned k = 0; k < nf && !f[0].runtime; k++) {
            char line[600];

            snprintf(line, sizeof line, "%.400s %.150s:%d", f[k].function,
                     hd_base_name(f[k].line > 0 ? f[k].file : f[k].module), f[k].line);
            hd_json_string(j, line);
        }
    }
    hd_json_end(j);
}

static void json_access(struct hd_json *j, const struct hd_report *r, const struct hd_race_access *a,
                        bool first)
{
    char who[64];
    uint64_t pcs[HD_MAX_FRAMES];
    unsigned n = 0;

    hd_describe_thread(r, a->tid, who, sizeof who);
    hd_json_object(j);
    hd_json_put_string(j, "thread", who);
    if (a->tid != 0 && a->tid < r->nthreads)
        hd_json_put_string(j, "created_at", site(r, r->threads[a->tid].create_pc));
    hd_json_put_string(j, "operation", noun(a));
    hd_json_put_bool(j, "atomic", a->atomic);
    hd_json_put_string(j, "site", access_site(r, a));
    hd_json_put_string(j, "function", hd_race_function(r, hd_report_access_place(r, a)));
    if (locks_known(r, first))
        json_locks(j, r, a);
    if (!first)
        n = hd_stack_pcs(r, a->tid, a->pc, pcs);
    else if (r->witness != NULL)
        n = hd_stack_captured_pcs(r, &r->witness->first, pcs);
    if (n > 0)
        json_stack(j, r, "stack", pcs, n);
    if (creation(r, first) != NULL)
        json_stack(j, r, "creation_stack", pcs, hd_stack_captured_pcs(r, creation(r, first), pcs));
    hd_json_end(j);
}

void hd_race_json(struct hd_json *j, const struct hd_report *r)
{
    struct hd_race_access first = hd_race_first(r);
    struct hd_race_memory m;
    char text[900];

    hd_race_memory(r, &m);
    hd_json_object(j);
    hd_json_put_string(j, "variable", m.name);
    if (m.type[0] != '\0')
        hd_json_put_string(j, "type", m.type);
    hd_json_put_uint(j, "bytes", r->race->race.size);
    memory_text(r, text, sizeof text);
    hd_json_put_string(j, "memory", text);
    hd_json_put_array(j, "labels");
    for (unsigned i = 0; i < sizeof labels / sizeof *labels; i++)
        if (labelled(r, i))
            hd_json_string(j, labels[i].name);
    hd_json_end(j);
    hd_json_put_array(j, "accesses");
    json_access(j, r, &first, true);
    json_access(j, r, &r->race->race.second, false);
    hd_json_end(j);
    hd_json_end(j);
}
