/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unseen_watch.c - fills the runtime's table from the scan, and the ledger from the table. */
#include "campaign/session/unseen_watch.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/ledger.h"
#include "program/unseen.h"
#include "report/names/demangle.h"
#include "report/names/shorten.h"

struct hd_unseen_watch {
    struct hd_unseen_objects objects;
    /* First row of each object.  Kept here because the target may overwrite the table. */
    uint32_t first[HD_MAX_UNSEEN_OBJECTS];
    size_t nwatched;
    struct hd_result_unseen *list;
    size_t n;
    bool gathered;
};

static bool is_allowed(const struct hd_session *s, const struct hd_unseen_object *o, const char *name)
{
    char library[512];

    for (uint32_t i = 0; i < s->o->nallowed; i++) {
        const char *pattern = s->o->allowed[i];

        snprintf(library, sizeof library, "%s.so*", pattern);
        if (fnmatch(pattern, hd_base_name(o->path), 0) == 0 || fnmatch(library, hd_base_name(o->path), 0) == 0 ||
            fnmatch(pattern, name, 0) == 0)
            return true;
    }
    return false;
}

/* ---- before the search --------------------------------------------------------------- */

/* True if the function may order threads in a way that Heddle does not see.  False for the C++
 * library, which orders threads by intercepted calls, and for OpenMP's library, which the runtime
 * handles. */
static bool may_order(const struct hd_session *s, const struct hd_unseen_object *o, const struct hd_unseen *u)
{
    return (u->locked || o->quick) && !o->cplusplus && !o->openmp && !u->point && !u->trusted && !is_allowed(s, o, u->name);
}

/* Adds rows for the functions whose address is certain; the others cannot be watched.  Returns
 * false if the table is full. */
static bool add_rows(struct hd_session *s, const struct hd_unseen_object *o)
{
    struct hd_unseen_table *t = s->wires.common->unseen;
    struct hd_unseen_span *span = &t->span[t->nspans];

    if (t->nspans == HD_MAX_UNSEEN_OBJECTS)
        return o->scan.n == 0;
    snprintf(span->path, sizeof span->path, "%.255s", o->path);
    span->first = t->nrows;
    for (size_t i = 0; i < o->scan.n; i++) {
        const struct hd_unseen *u = &o->scan.list[i];

        if (!u->certain)
            continue;
        if (t->nrows == HD_MAX_UNSEEN || t->nresumes + u->nresumes > HD_MAX_RESUMES)
            return false;
        t->row[t->nrows++] = (struct hd_unseen_row){ .addr = u->addr, .size = (uint32_t)u->size,
                                                     .first_resume = t->nresumes, .nresumes = u->nresumes,
                                                     .orders = may_order(s, o, u) };
        for (uint32_t k = 0; k < u->nresumes; k++)
            t->resume[t->nresumes++] = o->scan.resumes[u->first_resume + k];
    }
    span->n = t->nrows - span->first;
    t->nspans++;
    return true;
}

void hd_unseen_begin(struct hd_session *s)
{
    struct hd_unseen_watch *w;

    if (!s->elf.instrumented)
        return;
    w = s->unseen = hd_zeroed(1, sizeof *w);
    hd_unseen_open(&w->objects, &s->elf);
    for (size_t i = 0; i < w->objects.n; i++) {
        if (i < HD_MAX_UNSEEN_OBJECTS)
            w->first[w->nwatched++] = s->wires.common->unseen->nrows;
        if (!w->objects.object[i].scan.readable || !add_rows(s, &w->objects.object[i]))
            hd_ledger_add(&s->ledger, HD_DENIES, "not all code could be scanned for what is not instrumented: "
                                                 "a library cannot be read, or there is too much of it");
    }
}

/* ---- after the search ---------------------------------------------------------------- */

/* True for functions of the C++ library that access only intercepted or thread-local data, or data
 * of their callers.  Functions without a name also match: these functions call them, as do libc and
 * the unwinder on their behalf. */
static bool is_modelled(const char *name)
{
    static const char *const patterns[] = {
        "_ZNSt6thread*", "_ZNSt18condition_variable*", "_ZNSt3_V2*", "_ZNSt6chrono*", "_ZNSt13__future_base*",
        "_ZNSt28__atomic_futex_unsigned_base*", "__once_proxy", "_ZSt*throw*", "__cxa_*", "__gxx_*", "_Zn*", "_Zd*",
        "_ZSt9terminatev", "_ZNSt9exception*", "_ZNKSt9exception*", "_ZNSt5mutex*", "_ZNSt11this_thread*",
        "_ZSt17current_exceptionv", "_ZSt17rethrow_exception*", "_ZNSt15__exception_ptr*", "_ZNKSt15__exception_ptr*",
        "_ZSt18uncaught_exception*", "_ZSt19uncaught_exceptions*", "_ZNSt10lock_error*", "_ZNSt12future_error*",
        "_ZNSt12system_error*", "_ZNSt13runtime_error*", "_ZNSt11logic_error*", "_ZNSt12out_of_range*", "_ZNSt14error_*",
        "_ZNKSt14error_*", "_ZNSt9bad_alloc*", "_ZNSt10bad_*", "_ZSt13get_terminatev", "_ZSt15get_new_handlerv",
        "_ZNSt16invalid_argument*", "_ZNSt14overflow_error*", "_ZNSt12domain_error*", "_ZNSt12length_error*",
        "_ZSt20__throw_*", "__dynamic_cast", "_ZNK10__cxxabiv1*", "_ZN10__cxxabiv1*", "_ZNSt12__basic_file*", "_ZSt11_Hash_bytes*",
        "_ZSt14get_unexpectedv", "_ZNKSt9type_info*", "_ZNSt9type_info*", "_ZNSs4_Rep9_S_create*", "_ZNKSt*4whatEv",
        "_ZN9__gnu_cxx27__verbose_terminate_handlerEv", "_ZNKSt8__detail20_Prime_rehash_policy*", "_ZSt15set_new_handler*", "_ZNSt13random_device*", "_ZNSt3pmr*", "code at *", NULL
    };

    for (const char *const *p = patterns; *p != NULL; p++)
        if (fnmatch(*p, name, 0) == 0)
            return true;
    return false;
}

/* True for a member of std::string that the program, or a library of the user, calls in the C++ library.  It accesses an
 * object of the program.  Those that only the library itself calls work on strings of its own. */
static bool is_string_of_user(const struct hd_session *s, const struct hd_unseen_object *o, const struct hd_unseen *u)
{
    const struct hd_unseen_objects *all = &s->unseen->objects;

    for (size_t i = 0; o->cplusplus && i < all->n; i++)
        if (!all->object[i].system && hd_scan_calls_string(&all->object[i].scan, u->name))
            return true;
    return false;
}

static enum hd_ledger_effect effect_of(const struct hd_session *s, const struct hd_unseen_object *o, const struct hd_unseen *u,
                                       bool allowed)
{
    return allowed ? HD_QUALIFIES : is_string_of_user(s, o, u) ? HD_DENIES : hd_unseen_effect(o, u);
}

/* Functions that share a ledger entry: those of one object with the same effect and reason.  The
 * entry names a few of them.  If no name fits, it contains the beginning of one. */
struct group {
    char names[160];
    bool cut; /* names contains only the beginning of a name */
    size_t n, shown;
};

static void name_in(struct group *g, const struct hd_unseen *u, const char *name)
{
    enum { SHOWN = 3, LINE = 72 };
    size_t at = g->cut ? 0 : strlen(g->names);
    char demangled[400], plain[400], whole[460];

    g->n++;
    if (g->shown >= SHOWN)
        return;
    hd_demangle_into(name, demangled, sizeof demangled);
    hd_name_shorten(demangled, plain, sizeof plain);
    hd_name_fold_parameters(plain);
    snprintf(whole, sizeof whole, "%s%s%.40s%s", plain, u->place != NULL ? " (" : "", u->place != NULL ? u->place : "",
             u->place != NULL ? ")" : "");
    if (g->n == 1 && strlen(whole) > LINE) {
        snprintf(g->names, sizeof g->names, "%.*s...", LINE - 4, whole);
        g->cut = true;
        g->shown = 1;
    }
    if (strlen(whole) > LINE || at + strlen(whole) + 2 >= sizeof g->names)
        return;
    snprintf(g->names + at, sizeof g->names - at, "%s%s", at > 0 ? ", " : "", whole);
    g->shown = g->cut ? 1 : g->shown + 1;
    g->cut = false;
}

static void list(struct hd_unseen_watch *w, const struct hd_unseen_object *o, const struct hd_unseen *u,
                 const char *name, bool ran, bool allowed)
{
    *HD_PUSH(w->list, w->n) = (struct hd_result_unseen){ .object = hd_base_name(o->path), .function = name,
                                                         .kind = hd_unseen_word(u->kind), .place = u->place,
                                                         .ran = ran, .allowed = allowed };
}

enum reason { RAN, RAN_STRING, RAN_ASSEMBLY, RAN_RETURNED, UNWATCHED, ALLOWED, TRUSTED, IDLE, REASONS };

static void enter(struct hd_session *s, const struct hd_unseen_object *o, const struct group *g,
                  enum hd_ledger_effect effect, enum reason reason)
{
    static const char *const words[REASONS] = {
        [RAN] = "not instrumented, and ran beside other threads",
        [RAN_STRING] = "strings are not instrumented (compile with heddle c++), and ran beside other threads",
        [RAN_ASSEMBLY] = "inline assembly, which is not seen, ran beside other threads",
        [RAN_RETURNED] = "an access that gcc does not announce ran beside other threads",
        [UNWATCHED] = "not instrumented, and without a symbol to watch it by",
        [ALLOWED] = "not instrumented, and ran beside other threads, which --allow-unseen lets it",
        [TRUSTED] = "not instrumented, and ran beside other threads, which HEDDLE_TRUSTED in the source lets it",
        [IDLE] = "not instrumented, but did not run beside other threads",
    };
    char text[HD_LEDGER_TEXT];
    char more[32] = "";

    if (g->n == 0)
        return;
    if (g->n > g->shown)
        snprintf(more, sizeof more, " and %zu more", g->n - g->shown);
    snprintf(text, sizeof text, "%s: %.*s%s (in %.60s%s)", words[reason], (int)strlen(g->names), g->names, more, hd_base_name(o->path),
             o->openmp ? ", OpenMP: " HD_UNSEEN_OPENMP : "");
    hd_ledger_add(&s->ledger, effect, text);
}

static enum reason reason_of(const struct hd_session *s, const struct hd_unseen_object *o, const struct hd_unseen *u, bool allowed)
{
    bool assembly = u->kind == HD_UNSEEN_ASSEMBLY || u->kind == HD_UNSEEN_NOTED;

    if (u->trusted)
        return TRUSTED;
    if (allowed || !u->certain)
        return allowed ? ALLOWED : UNWATCHED;
    if (is_string_of_user(s, o, u))
        return RAN_STRING;
    return u->kind == HD_UNSEEN_RETURNED ? RAN_RETURNED : assembly ? RAN_ASSEMBLY : RAN;
}

/* True if the function accesses memory.  In an object without instrumentation a function is
 * analysed only after it has run. */
static bool touches(const struct hd_unseen_object *o, struct hd_unseen *u)
{
    return !o->quick || hd_scan_function(o->path, u);
}

/* Enters a function into the list and, if it matters, into a group.  name: the readable name. */
static void judge(struct hd_session *s, struct hd_unseen_object *o, struct hd_unseen *u, bool ran,
                  struct group group[HD_LEDGER_NEFFECTS][REASONS], const char *name)
{
    bool allowed = u->trusted || is_allowed(s, o, name) || is_allowed(s, o, u->name);

    if (!ran && o->system)
        return;
    if (ran && (!touches(o, u) || (o->cplusplus && is_modelled(u->name))))
        return;
    list(s->unseen, o, u, name, ran, allowed);
    if (ran)
        name_in(&group[effect_of(s, o, u, allowed)][reason_of(s, o, u, allowed)], u, name);
    else if (u->kind != HD_UNSEEN_RETURNED) /* the rest of a RETURNED function is instrumented */
        name_in(&group[HD_MENTIONS][IDLE], u, name);
}

/* Returns the demangled name if the debug information or the symbols have it, otherwise the symbol. */
static const char *readable(struct hd_session *s, const struct hd_unseen_object *o, const struct hd_unseen *u)
{
    const struct hd_wire *w = s->wire;

    for (uint32_t i = 0; strncmp(u->name, "_Z", 2) == 0 && i < w->nmodules && i < HD_MAX_MODULES; i++) {
        struct hd_frame f[HD_MAX_FRAMES];
        unsigned n;

        if (strcmp(hd_base_name(w->modules[i].path), hd_base_name(o->path)) != 0)
            continue;
        n = hd_symbols_frames(hd_session_symbols(s), w->modules[i].bias + u->addr, false, f, HD_MAX_FRAMES);
        if (n > 0 && strcmp(f[n - 1].function, "?") != 0)
            return f[n - 1].function;
    }
    return u->name;
}

static void gather_object(struct hd_session *s, struct hd_unseen_object *o, uint32_t row)
{
    const struct hd_unseen_table *t = s->wires.common->unseen;
    struct group group[HD_LEDGER_NEFFECTS][REASONS] = { 0 };

    for (size_t i = 0; i < o->scan.n; i++) {
        struct hd_unseen *u = &o->scan.list[i];
        bool ran = !u->certain ? !o->system : row < HD_MAX_UNSEEN && t->row[row].ran != 0;
        const char *name = ran ? readable(s, o, u) : u->name;

        row += u->certain;
        judge(s, o, u, ran, group, name);
    }
    for (unsigned e = 0; e < HD_LEDGER_NEFFECTS; e++)
        for (unsigned r = 0; r < REASONS; r++)
            enter(s, o, &group[e][r], (enum hd_ledger_effect)e, (enum reason)r);
}

/* ---- objects loaded during the run --------------------------------------------------- */

static bool is_scanned(const struct hd_unseen_watch *w, const char *path)
{
    for (size_t i = 0; i < w->objects.n; i++)
        if (strcmp(w->objects.object[i].path, path) == 0)
            return true;
    return false;
}

static void enter_late(struct hd_session *s, const char told[256])
{
    struct hd_unseen_object o = { 0 };
    char text[HD_LEDGER_TEXT], names[120], path[256];

    snprintf(path, sizeof path, "%.255s", told);
    if (path[0] == '\0' || hd_unseen_is_known(path) || is_scanned(s->unseen, path))
        return;
    o.path = hd_copied(path);
    hd_scan_object(path, true, &o.scan);
    hd_unseen_names(&o.scan, names, sizeof names);
    if (!o.scan.readable || o.scan.n > 0) {
        snprintf(text, sizeof text, "%.60s was loaded while the program ran and is not instrumented%s%s", hd_base_name(path),
                 o.scan.readable && o.scan.instrumented ? " throughout: " : "",
                 o.scan.readable && o.scan.instrumented ? names : "");
        hd_ledger_add(&s->ledger, is_allowed(s, &o, "") ? HD_QUALIFIES : HD_DENIES, text);
    }
    hd_scan_free(&o.scan);
    free(o.path);
}

static void gather_late(struct hd_session *s)
{
    for (uint32_t k = 0; k < s->wires.n; k++) {
        const struct hd_wire *w = s->wires.wire[k];

        for (uint32_t i = 0; i < w->nlate && i < HD_MAX_LATE; i++)
            enter_late(s, w->late[i]);
        for (uint32_t i = 1; i < w->nmodules && i < HD_MAX_MODULES; i++)
            enter_late(s, w->modules[i].path);
    }
}

void hd_unseen_gather(struct hd_session *s)
{
    struct hd_unseen_watch *w = s->unseen;

    if (w == NULL || w->gathered || hd_config_runs_once(&s->wire->config))
        return;
    w->gathered = true;
    for (size_t i = 0; i < w->nwatched; i++)
        gather_object(s, &w->objects.object[i], w->first[i]);
    gather_late(s);
}

void hd_unseen_again(struct hd_session *s)
{
    if (s->unseen == NULL)
        return;
    free(s->unseen->list);
    s->unseen->list = NULL;
    s->unseen->n = 0;
    s->unseen->gathered = false;
}

void hd_unseen_result(const struct hd_session *s, struct hd_result *r)
{
    if (s->unseen == NULL)
        return;
    r->unseen = s->unseen->list;
    r->nunseen = s->unseen->n;
}

void hd_unseen_end(struct hd_session *s)
{
    if (s->unseen == NULL)
        return;
    hd_unseen_close(&s->unseen->objects);
    free(s->unseen->list);
    free(s->unseen);
    s->unseen = NULL;
}
