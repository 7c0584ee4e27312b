/* SPDX-License-Identifier: BSD-2-Clause
 *
 * symbols.c - symbolisation with libdw.  Debug information is read only for the modules in
 * question.  Results are cached, because a schedule names few sites and variables many times. */
#include "report/names/symbols.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/vec.h"
#include "report/names/demangle.h"
#include "report/names/members.h"
#include "report/names/rust.h"
#include "report/names/scopes.h"

/* A cached text of a site (the key is its pc) or of a variable (VARIABLE_KEY). */
struct answer {
    char *text;
    bool own; /* for a site: it is in the user's source */
};

#define VARIABLE_KEY(module, offset) \
    (UINT64_C(1) << 63 | (uint64_t)(module) << 48 | ((offset) & UINT64_C(0xffffffffffff)))

/* Cached frames, one address per slot.  Searching scopes and symbol tables takes milliseconds, and
 * the findings of one search share most places. */
#define LOOKUPS HD_LIMIT(4096, 2)
struct lookup {
    uint64_t key; /* the address << 1 | is_return */
    unsigned n;   /* 0: empty */
    struct hd_frame *frames;
};

struct hd_symbols {
    Dwfl *dwfl;
    const struct hd_module *modules;
    uint32_t nmodules;
    struct hd_map answer_of; /* number in answers */
    struct answer *answers;
    size_t nanswers;
    char **names;       /* demangled names that frames point to */
    size_t nnames;
    struct lookup lookup[LOOKUPS];
};

/* libdw keeps a pointer to this variable: it must be static. */
static char *no_debug_path;

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .debuginfo_path = &no_debug_path,
};

const char *hd_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

struct Dwfl *hd_symbols_dwfl(struct hd_symbols *s)
{
    return (struct Dwfl *)s->dwfl;
}

struct hd_symbols *hd_symbols_open(const struct hd_module *modules, uint32_t n)
{
    struct hd_symbols *s = hd_zeroed(1, sizeof *s);

    s->modules = modules;
    s->dwfl = dwfl_begin(&callbacks);
    hd_symbols_add(s, n);
    return s;
}

void hd_symbols_add(struct hd_symbols *s, uint32_t n)
{
    uint32_t before = s->nmodules;

    if (n <= before)
        return;
    s->nmodules = n;
    if (s->dwfl == NULL)
        return;
    dwfl_report_begin_add(s->dwfl);
    for (uint32_t i = before; i < n; i++)
        if (s->modules[i].path[0] == '/')
            dwfl_report_elf(s->dwfl, s->modules[i].path, s->modules[i].path, -1, s->modules[i].bias, true);
    dwfl_report_end(s->dwfl, NULL, NULL);
    for (size_t i = 0; i < LOOKUPS; i++) { /* texts that were not found before may be found now */
        free(s->lookup[i].frames);
        s->lookup[i] = (struct lookup){ 0 };
    }
}

void hd_symbols_close(struct hd_symbols *s)
{
    if (s == NULL)
        return;
    if (s->dwfl != NULL)
        dwfl_end(s->dwfl);
    for (size_t i = 0; i < s->nanswers; i++)
        free(s->answers[i].text);
    for (size_t i = 0; i < s->nnames; i++)
        free(s->names[i]);
    for (size_t i = 0; i < LOOKUPS; i++)
        free(s->lookup[i].frames);
    free(s->names);
    free(s->answers);
    hd_map_free(&s->answer_of);
    free(s);
}

/* ---- names ------------------------------------------------------------------------ */

static const char *keep(struct hd_symbols *s, char *name)
{
    *HD_PUSH(s->names, s->nnames) = name;
    return name;
}

static const char *readable(struct hd_symbols *s, const char *name)
{
    char *plain = hd_demangle(name);

    return plain != NULL ? keep(s, plain) : name;
}

static const char *die_name(struct hd_symbols *s, Dwarf_Die *die)
{
    Dwarf_Attribute attr;
    char path[500];

    if (hd_rust_name(die, path, sizeof path))
        return keep(s, hd_copied(path));
    const char *linkage = dwarf_formstring(
        dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));

    if (linkage != NULL)
        return readable(s, linkage);
    const char *name = dwarf_diename(die);

    return name != NULL ? name : "?";
}

static bool is_runtime(const char *path)
{
    static const char *const names[] = { "libheddle.so", "libheddle-each.so", "libtsan.so.2",
                                         "libclang_rt.tsan-x86_64.so" };
    const char *base = hd_base_name(path);

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(base, names[i]) == 0)
            return true;
    return false;
}

/* Returns a path below the working directory relative to it, and any other path unchanged. */
static const char *short_path(const char *path)
{
    static char here[4096];
    static size_t len;

    if (len == 0 && getcwd(here, sizeof here) != NULL)
        len = strlen(here);
    if (len > 1 && strncmp(path, here, len) == 0 && path[len] == '/')
        path += len + 1;
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    return path;
}

/* ---- frames ----------------------------------------------------------------------- */

/* Sets the position of the caller's frame to the place where the inlined function was called. */
static void call_site(Dwarf_Die *inlined, Dwarf_Die *cu, struct hd_frame *caller)
{
    Dwarf_Attribute attr;
    Dwarf_Word file = 0, line = 0;
    Dwarf_Files *files;
    size_t nfiles;

    caller->file = "";
    caller->line = 0;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attr), &line) == 0)
        caller->line = (int)line;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attr), &file) == 0 &&
        dwarf_getsrcfiles(cu, &files, &nfiles) == 0) {
        const char *path = dwarf_filesrc(files, file, NULL, NULL);

        caller->file = path != NULL ? short_path(path) : "";
    }
}

static void source_line(Dwarf_Die *cu, Dwarf_Addr addr, struct hd_frame *f)
{
    Dwarf_Line *line = dwarf_getsrc_die(cu, addr);
    const char *file = line != NULL ? dwarf_linesrc(line, NULL, NULL) : NULL;

    if (file != NULL && dwarf_lineno(line, &f->line) == 0)
        f->file = short_path(file);
}

/* Stores the chain of inlined functions at an address, from debug information.  Returns their
 * number.  Also sets the source line of *base, even if it returns 0. */
static unsigned dwarf_frames(struct hd_symbols *s, Dwfl_Module *m, uint64_t addr,
                             struct hd_frame *base, struct hd_frame *out, unsigned max)
{
    Dwarf_Addr bias;
    Dwarf_Die *cu = hd_unit_of(m, addr, &bias), scope[HD_MAX_FRAMES];
    bool lambda;

    if (cu == NULL)
        return 0;
    source_line(cu, addr - bias, base);
    unsigned n = hd_function_scopes(m, cu, addr - bias, scope, max < HD_MAX_FRAMES ? max : HD_MAX_FRAMES,
                                    &lambda);
    struct hd_frame next = *base;

    for (unsigned i = 0; i < n; i++) {
        out[i] = next;
        out[i].inlined = dwarf_tag(&scope[i]) == DW_TAG_inlined_subroutine;
        out[i].function = lambda && !out[i].inlined ? base->function : die_name(s, &scope[i]);
        call_site(&scope[i], cu, &next);
    }
    return n;
}

static const struct hd_module *module_at(const struct hd_symbols *s, uint64_t addr)
{
    for (uint32_t i = 0; i < s->nmodules; i++)
        if (addr >= s->modules[i].lo && addr < s->modules[i].hi)
            return &s->modules[i];
    return NULL;
}

static void module_of(const struct hd_symbols *s, uint64_t addr, struct hd_frame *f)
{
    const struct hd_module *m = module_at(s, addr);

    if (m == NULL)
        return;
    f->module = hd_base_name(m->path);
    f->offset = addr - m->bias;
    f->runtime = is_runtime(m->path);
}

enum hd_owner hd_symbols_owner(const struct hd_symbols *s, uint64_t addr)
{
    const struct hd_module *m = module_at(s, addr);

    return m == NULL ? HD_OWNER_NONE : is_runtime(m->path) ? HD_OWNER_RUNTIME : HD_OWNER_TARGET;
}

/* True for the modules of glibc.  Reports leave out their source, even if its debug information is installed. */
static bool is_libc(const char *module)
{
    return strncmp(module, "libc.so", 7) == 0 || strncmp(module, "ld-linux", 8) == 0;
}

static unsigned look_up(struct hd_symbols *s, uint64_t addr, bool is_return, struct hd_frame *out,
                        unsigned max)
{
    struct hd_frame base = { "?", "", "?", addr, 0, false, false };

    module_of(s, addr, &base);
    if (is_return && addr != 0)
        addr--;
    Dwfl_Module *m = s->dwfl != NULL ? dwfl_addrmodule(s->dwfl, addr) : NULL;

    if (m != NULL) {
        const char *symbol = dwfl_module_addrname(m, addr);

        if (symbol != NULL)
            base.function = readable(s, symbol);
        unsigned n = is_libc(base.module) ? 0 : dwarf_frames(s, m, addr, &base, out, max);

        if (n > 0)
            return n;
    }
    out[0] = base;
    return 1;
}

unsigned hd_symbols_frames(struct hd_symbols *s, uint64_t addr, bool is_return,
                           struct hd_frame *out, unsigned max)
{
    uint64_t key = addr << 1 | is_return;
    struct lookup *l = &s->lookup[hd_hash_mix(0, key) % LOOKUPS];

    if (l->n == 0 || l->key != key) {
        struct hd_frame found[HD_MAX_FRAMES];
        unsigned n = look_up(s, addr, is_return, found, HD_MAX_FRAMES);

        free(l->frames);
        l->frames = hd_zeroed(n, sizeof *found);
        memcpy(l->frames, found, n * sizeof *found);
        l->key = key;
        l->n = n;
    }
    unsigned n = l->n < max ? l->n : max;

    memcpy(out, l->frames, n * sizeof *out);
    return n;
}

/* ---- sites and variables ----------------------------------------------------------- */

static struct answer *known_answer(const struct hd_symbols *s, uint64_t key)
{
    uint32_t i = hd_map_find(&s->answer_of, key);

    return i != UINT32_MAX ? &s->answers[i] : NULL;
}

static const char *remember(struct hd_symbols *s, uint64_t key, const char *text, bool own)
{
    bool new;

    *hd_map_add(&s->answer_of, key, &new) = (uint32_t)s->nanswers;
    struct answer *a = HD_PUSH(s->answers, s->nanswers);

    *a = (struct answer){ hd_copied(text), own };
    return a->text;
}

const char *hd_symbols_known(const struct hd_symbols *s, uint64_t key)
{
    const struct answer *a = known_answer(s, key);

    return a != NULL ? a->text : NULL;
}

void hd_symbols_remember(struct hd_symbols *s, uint64_t key, const char *text)
{
    if (hd_symbols_known(s, key) == NULL)
        remember(s, key, text, false);
}

/* Heddle's own headers are not the user's files, wherever they are installed. */
bool hd_is_system_file(const char *file)
{
    static const char *const own[] = { "/heddle/heddle.h", "/heddle/linear.h" };
    size_t n = strlen(file);

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (n >= strlen(own[i]) && strcmp(file + n - strlen(own[i]), own[i]) == 0)
            return true;
    return strncmp(file, "/usr/", 5) == 0 || hd_rust_is_library_file(file);
}

const struct hd_frame *hd_symbols_own_frame(const struct hd_frame *f, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (f[i].line > 0 && !hd_is_system_file(f[i].file))
            return &f[i];
    return &f[0];
}

const char *hd_symbols_site(struct hd_symbols *s, uint64_t pc)
{
    struct hd_frame f[HD_MAX_FRAMES];
    const struct answer *known = known_answer(s, pc);
    char text[512];

    if (pc == 0)
        return "";
    if (known != NULL)
        return known->text;
    const struct hd_frame *own =
        hd_symbols_own_frame(f, hd_symbols_frames(s, pc, true, f, HD_MAX_FRAMES));

    if (own->line > 0)
        snprintf(text, sizeof text, "%s:%d", hd_base_name(own->file), own->line);
    else
        snprintf(text, sizeof text, "%s+0x%llx", f[0].module, (unsigned long long)f[0].offset);
    return remember(s, pc, text, own->line > 0 && !own->runtime && !hd_is_system_file(own->file));
}

bool hd_symbols_is_own(struct hd_symbols *s, uint64_t pc)
{
    return hd_symbols_site(s, pc)[0] != '\0' && known_answer(s, pc)->own;
}

/* True for "counter.0", the symbol of a static variable inside a function. */
static bool is_numbered(const char *symbol)
{
    const char *dot = strrchr(symbol, '.');

    return dot != NULL && dot[1] != '\0' && dot[1 + strspn(dot + 1, "0123456789")] == '\0';
}

bool hd_static_find(struct hd_symbols *s, unsigned module, uint64_t offset, struct hd_static *out)
{
    uint64_t addr = s->modules[module].bias + offset;
    Dwfl_Module *m = s->dwfl != NULL ? dwfl_addrmodule(s->dwfl, addr) : NULL;
    GElf_Off inside = 0;
    GElf_Sym sym;
    const char *name = m != NULL ? dwfl_module_addrinfo(m, addr, &inside, &sym, NULL, NULL, NULL)
                                 : NULL;

    if (name == NULL || (sym.st_size != 0 && inside >= sym.st_size))
        return false;
    out->inside = inside;
    out->typed = hd_member_variable(m, addr - inside, &out->variable);
    const char *own = out->typed ? dwarf_diename(&out->variable) : NULL;

    char path[500];

    /* a linker symbol (__TMC_END__) may have the address of a variable */
    if (out->typed && hd_rust_name(&out->variable, path, sizeof path))
        out->name = keep(s, hd_copied(path));
    else
        out->name = readable(s, own != NULL && (sym.st_size == 0 || is_numbered(name)) ? own : name);
    return true;
}

/* Writes the name and the type of a variable.  `type` may be NULL; it becomes "" if the type is
 * unknown. */
static void name_variable(struct hd_symbols *s, unsigned module, uint64_t offset, char *buf, size_t cap,
                          char *type, size_t type_cap)
{
    struct hd_static v;

    if (type != NULL)
        type[0] = '\0';
    if (!hd_static_find(s, module, offset, &v)) {
        snprintf(buf, cap, "%s+0x%llx", hd_base_name(s->modules[module].path), (unsigned long long)offset);
        return;
    }
    int n = snprintf(buf, cap, "%s", v.name);
    bool known = v.typed && hd_member_path(&v.variable, v.inside, buf, cap, type, type_cap);

    if (!known && v.inside != 0 && (size_t)n < cap)
        snprintf(buf + n, cap - (size_t)n, "+0x%llx", (unsigned long long)v.inside);
}

const char *hd_symbols_variable(struct hd_symbols *s, unsigned module, uint64_t offset)
{
    uint64_t key = VARIABLE_KEY(module, offset);
    const struct answer *known = known_answer(s, key);
    char text[512];

    if (known != NULL)
        return known->text;
    if (module < s->nmodules)
        name_variable(s, module, offset, text, sizeof text, NULL, 0);
    else
        snprintf(text, sizeof text, "0x%llx", (unsigned long long)offset);
    return remember(s, key, text, false);
}

const char *hd_symbols_object(struct hd_symbols *s, unsigned module, uint64_t offset)
{
    struct hd_static v;

    return module < s->nmodules && hd_static_find(s, module, offset, &v) && v.inside == 0 ? v.name : NULL;
}

void hd_symbols_type(struct hd_symbols *s, unsigned module, uint64_t offset, char *buf, size_t cap)
{
    char name[512];

    buf[0] = '\0';
    if (module < s->nmodules)
        name_variable(s, module, offset, name, sizeof name, buf, cap);
}

bool hd_local_at(struct hd_symbols *s, const struct hd_stack_image *image, uint64_t addr, Dwarf_Die *variable,
                 Dwarf_Die *function, uint64_t *inside)
{
    struct hd_local_frame f;
    Dwfl_Module *m = hd_unwind_frame(s, image, addr, &f) ? dwfl_addrmodule(s->dwfl, f.pc) : NULL;

    struct hd_frame code = { .runtime = false };

    if (m == NULL)
        return false;
    module_of(s, f.pc, &code);
    return !code.runtime && hd_local_find(m, &f, addr, variable, function, inside) &&
           dwarf_diename(variable) != NULL;
}

bool hd_symbols_local(struct hd_symbols *s, const struct hd_stack_image *image, uint64_t addr,
                      char *buf, size_t cap, char *type, size_t type_cap)
{
    Dwarf_Die die, function;
    uint64_t inside;

    if (!hd_local_at(s, image, addr, &die, &function, &inside))
        return false;
    snprintf(buf, cap, "%s", dwarf_diename(&die));
    type[0] = '\0';
    if (!hd_member_path(&die, inside, buf, cap, type, type_cap))
        hd_type_text(&die, type, type_cap);
    size_t n = strlen(buf);

    snprintf(buf + n, cap - n, " (in %s)", die_name(s, &function));
    return true;
}

/* ---- functions by name ---------------------------------------------------------------- */

static bool is_called(struct hd_symbols *s, const char *symbol, const char *name)
{
    size_t n = strlen(name);
    const char *plain = readable(s, symbol);

    return (strncmp(symbol, name, n) == 0 && (symbol[n] == '\0' || symbol[n] == '.')) ||
           (strncmp(plain, name, n) == 0 && (plain[n] == '\0' || plain[n] == '('));
}

struct function_search {
    struct hd_symbols *symbols;
    const char *name;
    uint64_t (*out)[2];
    unsigned n, max;
};

static int search_module(Dwfl_Module *module, void **user, const char *path, Dwarf_Addr base,
                         void *arg)
{
    struct function_search *f = arg;
    int count = dwfl_module_getsymtab(module);

    (void)user;
    (void)path;
    (void)base;
    for (int i = 0; i < count; i++) {
        GElf_Sym sym;
        const char *symbol = dwfl_module_getsym(module, i, &sym, NULL);

        if (symbol == NULL || GELF_ST_TYPE(sym.st_info) != STT_FUNC || sym.st_size == 0 ||
            f->n == f->max || !is_called(f->symbols, symbol, f->name))
            continue;
        f->out[f->n][0] = sym.st_value;
        f->out[f->n++][1] = sym.st_value + sym.st_size;
    }
    return DWARF_CB_OK;
}

unsigned hd_symbols_functions(struct hd_symbols *s, const char *name, uint64_t (*out)[2],
                              unsigned max)
{
    struct function_search f = { s, name, out, 0, max };

    if (s->dwfl != NULL)
        dwfl_getmodules(s->dwfl, search_module, &f, 0);
    return f.n;
}

/* ---- code of a line ------------------------------------------------------------------------ */

/* True if the path is that file, or ends with a slash and that file. */
static bool ends_with(const char *path, const char *file)
{
    size_t n = strlen(path), m = strlen(file);

    return n >= m && strcmp(path + n - m, file) == 0 && (n == m || path[n - m - 1] == '/' || file[0] == '/');
}

unsigned hd_symbols_line(struct hd_symbols *s, const char *file, int line, uint64_t (*out)[2], unsigned max)
{
    Dwarf_Addr bias, at, next;
    unsigned n = 0;

    for (Dwarf_Die *cu = NULL; s->dwfl != NULL && (cu = dwfl_nextcu(s->dwfl, cu, &bias)) != NULL;) {
        size_t nlines = 0;

        if (dwfl_getsrclines(cu, &nlines) != 0)
            continue;
        for (size_t i = 0; i + 1 < nlines && n < max; i++) {
            int number;
            const char *path = dwfl_lineinfo(dwfl_onesrcline(cu, i), &at, &number, NULL, NULL, NULL);

            if (path == NULL || number != line || !ends_with(path, file) ||
                dwfl_lineinfo(dwfl_onesrcline(cu, i + 1), &next, NULL, NULL, NULL, NULL) == NULL || next <= at)
                continue;
            out[n][0] = at;
            out[n++][1] = next;
        }
    }
    return n;
}
