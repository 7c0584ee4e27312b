/* SPDX-License-Identifier: BSD-2-Clause
 *
 * imports.c - the relocations of the objects that are loaded. */
#include "runtime/imports.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/start.h"

struct question {
    const char *const *names;
    bool found;
};

struct tables {
    const ElfW(Sym) *symbols;
    const char *strings;
    const ElfW(Rela) *list[2]; /* of data, of the procedure linkage table */
    size_t bytes[2];
};

static bool is_same(const char *s, const char *t)
{
    while (*s != '\0' && *s == *t)
        s++, t++;
    return *s == *t;
}

/* The loader has made most of these pointers absolute. */
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

static bool asks_for(const struct tables *t, const char *const *names)
{
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; t->list[k] != NULL && i < t->bytes[k] / sizeof *t->list[k]; i++) {
            size_t symbol = ELF64_R_SYM(t->list[k][i].r_info);

            for (const char *const *n = names; symbol != 0 && *n != NULL; n++)
                if (is_same(t->strings + t->symbols[symbol].st_name, *n))
                    return true;
        }
    return false;
}

static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct question *q = arg;
    struct tables t = { 0 };

    (void)size;
    if (hd_start_is_own_or_loader(info->dlpi_addr) || hd_start_is_libc(info->dlpi_addr))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            read_tables(info, (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), &t);
    q->found = q->found || (t.symbols != NULL && t.strings != NULL && asks_for(&t, q->names));
    return 0;
}

bool hd_imports_any(const char *const *names)
{
    struct question q = { names, false };

    dl_iterate_phdr(look, &q);
    return q.found;
}
