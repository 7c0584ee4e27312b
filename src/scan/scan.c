/* SPDX-License-Identifier: BSD-2-Clause
 *
 * scan.c - finds the functions of an object that Heddle does not see. */
#include "scan/scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "scan/code.h"
#include "scan/noted.h"

const char *hd_unseen_word(enum hd_unseen_kind kind)
{
    static const char *const words[] = { "plain", "entry", "assembly", "assembly", "returned" };

    return words[kind];
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* True for functions that compiler, linker and libc add to every object.  They run before or after main, or
 * only adjust the object pointer of a virtual call and then read its table. */
static bool is_helper(const char *name)
{
    static const char *const whole[] = {
        "_start", "_init", "_fini", "_dl_relocate_static_pie", "deregister_tm_clones",
        "register_tm_clones", "__do_global_dtors_aux", "frame_dummy", "__libc_csu_init",
        "__libc_csu_fini", "atexit", "at_quick_exit", "pthread_atfork", "__pthread_atfork",
        "__clang_call_terminate", "stat", "fstat", "lstat", "fstatat", "mknod", "mknodat",
        "__stack_chk_fail_local", NULL
    };
    static const char *const prefix[] = { "_sub_I_00099_", "_sub_D_00099_", "tsan.module_ctor",
                                          "_ZTv", "_ZTc", "__x86.get_pc_thunk", NULL };

    for (const char *const *w = whole; *w != NULL; w++)
        if (strcmp(name, *w) == 0)
            return true;
    for (const char *const *p = prefix; *p != NULL; p++)
        if (begins(name, *p))
            return true;
    return false;
}

/* True for functions of the C++ standard headers, which are always instrumented. */
static bool is_standard(const char *name)
{
    static const char *const prefix[] = { "_ZNSt", "_ZNKSt", "_ZSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx", NULL };

    for (const char *const *p = prefix; name != NULL && *p != NULL; p++)
        if (begins(name, *p))
            return true;
    return false;
}

static bool is_clangs(const struct hd_image *im)
{
    size_t size = 0;
    const uint8_t *comment = hd_image_bytes(im, ".comment", &size);

    return comment == NULL || memmem(comment, size, "clang", 5) != NULL;
}

/* ---- a growing list ------------------------------------------------------------------------ */

static struct hd_unseen *add(struct hd_scan *s, uint64_t addr, uint64_t size, const char *name)
{
    struct hd_unseen *u;
    char text[64];

    u = HD_PUSH(s->list, s->n);
    snprintf(text, sizeof text, "code at 0x%llx", (unsigned long long)addr);
    *u = (struct hd_unseen){ .addr = addr, .size = size, .name = hd_copied(name != NULL ? name : text) };
    return u;
}

static void add_resume(uint64_t addr, void *arg)
{
    struct hd_scan *s = arg;

    *HD_PUSH(s->resumes, s->nresumes) = addr;
}

/* ---- one function ---------------------------------------------------------------------------- */

/* Decides whether the function is unseen.  If instrumentation is switched off for a function, gcc omits its
 * entry and exit hooks, too.  So if gcc has inserted these hooks but no others, the function is instrumented,
 * and its access is one that gcc never announces (an object passed by value). */
static bool judge(const struct hd_code_facts *f, bool clang, const char *name, struct hd_unseen *u)
{
    bool alone = f->locked || f->syscall;
    bool left_out = f->entries && (!clang || is_standard(name));

    u->locked = f->locked;
    u->syscall = f->syscall;
    u->point = f->point;
    if (f->runtime_helper && !f->hooks && !f->entries)
        return false;
    u->kind = f->hooks ? HD_UNSEEN_ASSEMBLY : f->entries ? HD_UNSEEN_ENTRY : HD_UNSEEN_PLAIN;
    return alone || (!f->hooks && !left_out && f->accesses);
}

/* Finds the part of a function that is rarely executed, which gcc moves to name.cold. */
static const struct hd_image_function *cold_part(const struct hd_image *im, const char *name)
{
    size_t n = name != NULL ? strlen(name) : 0;

    for (size_t i = 0; n > 0 && i < im->nfunctions; i++) {
        const char *other = im->function[i].name;

        if (other != NULL && strncmp(other, name, n) == 0 && strcmp(other + n, ".cold") == 0)
            return &im->function[i];
    }
    return NULL;
}

static bool is_cold(const char *name)
{
    size_t n = name != NULL ? strlen(name) : 0;

    return n > 5 && strcmp(name + n - 5, ".cold") == 0;
}

struct pass {
    struct hd_image im;
    struct hd_code *code;
    struct hd_scan *to;
    bool has_cold;
    bool clang; /* some of the object may have been compiled by clang */
};

static void look(struct pass *p, const struct hd_image_function *f)
{
    struct hd_code_range range[2] = { { f->addr, f->size } };
    const struct hd_image_function *cold = p->has_cold ? cold_part(&p->im, f->name) : NULL;
    uint32_t first = (uint32_t)p->to->nresumes;
    struct hd_code_facts facts;
    struct hd_unseen seen = { 0 }, *u;

    if (cold != NULL)
        range[1] = (struct hd_code_range){ cold->addr, cold->size };
    hd_code_look(p->code, range, cold != NULL ? 2 : 1, &facts, add_resume, p->to);
    p->to->nfunctions++;
    p->to->instrumented |= facts.hooks || facts.entries;
    if (!judge(&facts, p->clang, f->name, &seen)) {
        p->to->nresumes = first;
        return;
    }
    u = add(p->to, f->addr, f->size, f->name);
    u->certain = f->certain;
    u->kind = seen.kind;
    u->locked = seen.locked;
    u->syscall = seen.syscall;
    u->point = seen.point;
    u->first_resume = first;
    u->nresumes = (uint32_t)p->to->nresumes - first;
}

/* ---- code without symbols ---- */

static bool is_padding(uint8_t byte)
{
    return byte == 0 || byte == 0xcc || byte == 0x90;
}

/* Examines code between functions that has neither a name nor unwind information. */
static void look_between(struct pass *p, uint64_t from, uint64_t to)
{
    enum { LEAST = 16 }; /* anything shorter is padding */
    const struct hd_image_section *s = hd_image_section(&p->im, from);

    while (from < to && is_padding(s->bytes[from - s->addr]))
        from++;
    if (to - from >= LEAST)
        look(p, &(struct hd_image_function){ from, to - from, NULL, false });
}

static void look_at_gaps(struct pass *p)
{
    for (unsigned k = 0; k < p->im.nsections; k++) {
        const struct hd_image_section *s = &p->im.section[k];
        uint64_t at = s->addr;

        if (!s->code || s->bytes == NULL)
            continue;
        for (size_t i = 0; i < p->im.nfunctions; i++) {
            const struct hd_image_function *f = &p->im.function[i];

            if (f->addr < s->addr || f->addr >= s->addr + s->size)
                continue;
            if (f->addr > at)
                look_between(p, at, f->addr);
            at = f->addr + f->size;
        }
        if (at < s->addr + s->size)
            look_between(p, at, s->addr + s->size);
    }
}

/* ---- an object --------------------------------------------------------------------------------------- */

static bool has_hooks(const struct hd_image *im)
{
    for (size_t i = 0; i < im->nslots; i++)
        if (begins(im->slot[i].name, "__tsan_") && strcmp(im->slot[i].name, "__tsan_init") != 0)
            return true;
    return false;
}

/* True for members of std::string and std::wstring: of libstdc++, with either ABI, and of libc++. */
static bool is_of_string(const char *name)
{
    static const char *const prefix[] = { "_ZNSt7__cxx1112basic_string", "_ZNKSt7__cxx1112basic_string", "_ZNSs", "_ZNKSs",
                                          "_ZNSbI", "_ZNKSbI", "_ZNSt3__112basic_string", "_ZNKSt3__112basic_string", NULL };

    for (const char *const *p = prefix; *p != NULL; p++)
        if (begins(name, *p))
            return true;
    return false;
}

static void list_strings(struct pass *p)
{
    struct hd_scan *s = p->to;

    for (size_t i = 0; i < p->im.nslots; i++)
        if (is_of_string(p->im.slot[i].name))
            *HD_PUSH(s->strings, s->nstrings) = hd_copied(p->im.slot[i].name);
}

static void list_all(struct pass *p)
{
    for (size_t i = 0; i < p->im.nfunctions; i++) {
        const struct hd_image_function *f = &p->im.function[i];

        p->to->nfunctions++;
        if (f->certain && (f->name == NULL || !is_helper(f->name)))
            add(p->to, f->addr, f->size, f->name)->certain = true;
    }
}

static void look_at_all(struct pass *p)
{
    p->code = hd_code_open(&p->im);
    for (size_t i = 0; i < p->im.nfunctions && !p->has_cold; i++)
        p->has_cold = is_cold(p->im.function[i].name);
    for (size_t i = 0; i < p->im.nfunctions; i++) {
        const struct hd_image_function *f = &p->im.function[i];

        if (f->name == NULL || (!is_helper(f->name) && !is_cold(f->name)))
            look(p, f);
    }
    look_at_gaps(p);
    hd_code_close(p->code);
}

/* ---- compile-time notes ---- */

/* Adds an entry for the function, or adds the place to an existing entry.  A store that is not announced is not
 * a scheduling point. */
static void note_function(struct pass *p, const struct hd_image_function *f, const struct hd_noted *n,
                          enum hd_unseen_kind kind)
{
    struct hd_unseen *u = NULL;

    for (size_t k = 0; k < p->to->n && u == NULL; k++)
        if (p->to->list[k].addr == f->addr)
            u = &p->to->list[k];
    if (u == NULL) {
        u = add(p->to, f->addr, f->size, f->name);
        u->certain = f->certain;
        u->kind = kind;
    }
    if (u->place == NULL)
        u->place = *n->place != '\0' ? strdup(n->place) : NULL;
    if (kind == HD_UNSEEN_RETURNED)
        u->point = false;
}

static bool is_named(const struct pass *p, const struct hd_image_function *f, const char *name)
{
    if (f->name != NULL && strcmp(f->name, name) == 0)
        return true;
    for (size_t i = 0; i < p->im.naliases; i++)
        if (p->im.alias[i].addr == f->addr && strcmp(p->im.alias[i].name, name) == 0)
            return true;
    return false;
}

/* Handles one note.  Without symbols it is unknown where the function is, and even whether it was linked. */
static void note(struct pass *p, const struct hd_noted *n, enum hd_unseen_kind kind)
{
    bool found = false;
    size_t size;

    for (size_t i = 0; i < p->im.nfunctions; i++)
        if (is_named(p, &p->im.function[i], n->function)) {
            note_function(p, &p->im.function[i], n, kind);
            found = true;
        }
    if (!found && hd_image_bytes(&p->im, ".symtab", &size) == NULL) {
        struct hd_unseen *u = add(p->to, 0, 0, n->function);

        u->kind = kind;
        u->place = *n->place != '\0' ? strdup(n->place) : NULL;
    }
}

static void note_assembly(const struct hd_noted *n, void *arg)
{
    note(arg, n, HD_UNSEEN_NOTED);
}

static void note_returned(const struct hd_noted *n, void *arg)
{
    note(arg, n, HD_UNSEEN_RETURNED);
}

/* Marks the entries that the source declares as trusted.  An entry without a known address is never trusted. */
static void mark_trusted(struct pass *p)
{
    for (size_t i = 0; i < p->to->n; i++) {
        const struct hd_image_section *s = hd_image_section(&p->im, p->to->list[i].addr);

        p->to->list[i].trusted = s != NULL && s->trusted;
    }
}

static int by_address(const void *a, const void *b)
{
    const struct hd_unseen *x = a, *y = b;

    return (x->addr > y->addr) - (x->addr < y->addr);
}

void hd_scan_object(const char *path, bool quick, struct hd_scan *out)
{
    struct pass p = { .to = out };

    memset(out, 0, sizeof *out);
    if (!hd_image_open(&p.im, path))
        return;
    out->readable = true;
    p.clang = is_clangs(&p.im);
    out->instrumented = has_hooks(&p.im);
    if (quick && !out->instrumented)
        list_all(&p);
    else
        look_at_all(&p);
    hd_noted_each(&p.im, HD_NOTED_ASSEMBLY, note_assembly, &p);
    hd_noted_each(&p.im, HD_NOTED_RETURNED, note_returned, &p);
    mark_trusted(&p);
    list_strings(&p);
    if (out->n > 1)
        qsort(out->list, out->n, sizeof *out->list, by_address);
    hd_image_close(&p.im);
}

bool hd_scan_function(const char *path, struct hd_unseen *u)
{
    struct hd_code_range range = { u->addr, u->size };
    struct hd_code_facts facts;
    struct hd_image im;
    struct hd_code *code;

    if (!hd_image_open(&im, path))
        return true;
    code = hd_code_open(&im);
    hd_code_look(code, &range, 1, &facts, NULL, NULL);
    hd_code_close(code);
    hd_image_close(&im);
    return judge(&facts, true, u->name, u);
}

bool hd_scan_calls_string(const struct hd_scan *s, const char *name)
{
    for (size_t i = 0; i < s->nstrings; i++)
        if (strcmp(s->strings[i], name) == 0)
            return true;
    return false;
}

void hd_scan_free(struct hd_scan *s)
{
    for (size_t i = 0; i < s->nstrings; i++)
        free(s->strings[i]);
    free(s->strings);
    for (size_t i = 0; i < s->n; i++) {
        free(s->list[i].name);
        free(s->list[i].place);
    }
    free(s->list);
    free(s->resumes);
    memset(s, 0, sizeof *s);
}
