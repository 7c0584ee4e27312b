/* SPDX-License-Identifier: BSD-2-Clause
 *
 * imports.c - reads the relocations of the loaded objects. */

#include "runtime/core/imports.h"

#include <stddef.h>
#include <stdint.h>

#include "runtime/core/program.h"

struct visit {
    hd_import_fn *fn;
    void *arg;
    bool everywhere; /* search libc, the loader and the runtime as well */
};

struct question {
    const char *const *names;
    bool found;
};

struct tables {
    const ElfW(Sym) *symbols;
    const char *strings;
    const ElfW(Rela) *list[2]; /* for data, and for the procedure linkage table */
    size_t bytes[2];
};

bool hd_imports_is_same(const char *s, const char *t)
{
    while (*s != '\0' && *s == *t)
        s++, t++;
    return *s == *t;
}

/* Returns the address for a pointer in the dynamic section.  The loader has already made most of
 * these pointers absolute. */
static const void *absolute(const struct dl_phdr_info *info, uintptr_t p)
{
    return (const void *)(p < info->dlpi_addr ? p + info->dlpi_addr : p);
}

static void read_tables(const struct dl_phdr_info *info, const ElfW(Dyn) *dyn, struct tables *t)
{
    for (; dyn->d_tag != DT_NULL; dyn++)
        switch (dyn->d_tag) {
        case DT_SYMTAB:
            t->symbols = absolute(info, dyn->d_un.d_ptr);
            break;
        case DT_STRTAB:
            t->strings = absolute(info, dyn->d_un.d_ptr);
            break;
        case DT_RELA:
            t->list[0] = absolute(info, dyn->d_un.d_ptr);
            break;
        case DT_RELASZ:
            t->bytes[0] = dyn->d_un.d_val;
            break;
        case DT_JMPREL:
            t->list[1] = absolute(info, dyn->d_un.d_ptr);
            break;
        case DT_PLTRELSZ:
            t->bytes[1] = dyn->d_un.d_val;
            break;
        default:
            break;
        }
}

static void visit_all(const struct tables *t, uintptr_t bias, const struct visit *v)
{
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; t->list[k] != NULL && i < t->bytes[k] / sizeof *t->list[k]; i++) {
            size_t symbol = ELF64_R_SYM(t->list[k][i].r_info);

            if (symbol != 0)
                v->fn(t->strings + t->symbols[symbol].st_name, &t->list[k][i], bias, v->arg);
        }
}

static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
    const struct visit *v = arg;
    struct tables t = { 0 };

    (void)size;
    if (!v->everywhere && (hd_program_is_own_or_loader(info->dlpi_addr) || hd_program_is_libc(info->dlpi_addr)))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            read_tables(info, (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), &t);
    if (t.symbols != NULL && t.strings != NULL)
        visit_all(&t, info->dlpi_addr, v);
    return 0;
}

void hd_imports_each(hd_import_fn *fn, void *arg)
{
    struct visit v = { fn, arg, false };

    dl_iterate_phdr(look, &v);
}

static void ask(const char *name, const ElfW(Rela) *at, uintptr_t bias, void *arg)
{
    struct question *q = arg;

    (void)at;
    (void)bias;
    for (const char *const *n = q->names; !q->found && *n != NULL; n++)
        q->found = hd_imports_is_same(name, *n);
}

bool hd_imports_any(const char *const *names)
{
    struct question q = { names, false };

    hd_imports_each(ask, &q);
    return q.found;
}

bool hd_imports_anywhere(const char *const *names)
{
    struct question q = { names, false };
    struct visit v = { ask, &q, true };

    dl_iterate_phdr(look, &v);
    return q.found;
}

bool hd_imports_may(const char *const *names)
{
    static const char *const loading[] = { "dlsym", "dlvsym", "dlopen", "dlmopen", NULL };

    return hd_imports_any(names) || hd_imports_any(loading);
}
