/* SPDX-License-Identifier: BSD-2-Clause
 *
 * image.c - reads a linked object with libelf. */
#include "scan/image.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"

/* ---- sections ---------------------------------------------------------------------------- */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* True for sections that only the loader writes, before any code of the object runs (RELRO). */
static bool is_relro(const char *name)
{
    static const char *const names[] = { ".data.rel.ro", ".got", ".init_array", ".fini_array",
                                         ".dynamic", ".preinit_array", NULL };

    for (const char *const *n = names; *n != NULL; n++)
        if (begins(name, *n))
            return true;
    return false;
}

static void add_section(struct hd_image *im, Elf_Scn *scn, const GElf_Shdr *sh, const char *name)
{
    struct hd_image_section *s = &im->section[im->nsections];
    Elf_Data *data = sh->sh_type != SHT_NOBITS ? elf_rawdata(scn, NULL) : NULL;
    bool code = (sh->sh_flags & SHF_EXECINSTR) != 0;

    if ((sh->sh_flags & SHF_ALLOC) == 0 || (sh->sh_flags & SHF_TLS) != 0 ||
        im->nsections == HD_IMAGE_SECTIONS)
        return;
    im->nsections++;
    *s = (struct hd_image_section){ .addr = sh->sh_addr, .size = sh->sh_size };
    if (data != NULL && data->d_size == sh->sh_size)
        s->bytes = data->d_buf;
    s->stubs = code && begins(name, ".plt");
    s->code = code && !s->stubs && strcmp(name, ".init") != 0 && strcmp(name, ".fini") != 0 &&
              strcmp(name, HD_IMAGE_ANNOUNCES) != 0;
    s->constant = (sh->sh_flags & SHF_WRITE) == 0 || is_relro(name);
    s->trusted = code && strcmp(name, "heddle_trusted") == 0;
}

const struct hd_image_section *hd_image_section(const struct hd_image *im, uint64_t addr)
{
    for (unsigned i = 0; i < im->nsections; i++)
        if (addr - im->section[i].addr < im->section[i].size)
            return &im->section[i];
    return NULL;
}

/* Returns the next named section after scn (NULL: the first one); NULL if there is none. */
static Elf_Scn *next_section(const struct hd_image *im, Elf_Scn *scn, GElf_Shdr *sh, const char **name)
{
    size_t names = 0;

    elf_getshdrstrndx(im->elf, &names);
    while ((scn = elf_nextscn(im->elf, scn)) != NULL)
        if (gelf_getshdr(scn, sh) != NULL && (*name = elf_strptr(im->elf, names, sh->sh_name)) != NULL)
            return scn;
    return NULL;
}

const uint8_t *hd_image_bytes(const struct hd_image *im, const char *section, size_t *size)
{
    Elf_Scn *scn = NULL;
    GElf_Shdr sh;
    const char *name;

    while ((scn = next_section(im, scn, &sh, &name)) != NULL) {
        Elf_Data *data;

        if (strcmp(name, section) != 0 || (data = elf_rawdata(scn, NULL)) == NULL)
            continue;
        *size = data->d_size;
        return data->d_buf;
    }
    return NULL;
}

/* ---- imports ------------------------------------------------------------------------------- */

static void add_slot(struct hd_image *im, uint64_t addr, const char *name)
{
    *HD_PUSH(im->slot, im->nslots) = (struct hd_image_slot){ addr, name };
}

static void read_relocations(struct hd_image *im, Elf_Scn *scn, const GElf_Shdr *sh)
{
    Elf_Scn *symbols = elf_getscn(im->elf, sh->sh_link);
    Elf_Data *data = elf_getdata(scn, NULL), *table = symbols != NULL ? elf_getdata(symbols, NULL) : NULL;
    GElf_Shdr symbols_header;
    size_t n = sh->sh_entsize > 0 ? sh->sh_size / sh->sh_entsize : 0;

    if (data == NULL || table == NULL || gelf_getshdr(symbols, &symbols_header) == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        GElf_Rela rela;
        GElf_Sym sym;
        const char *name;

        if (gelf_getrela(data, (int)i, &rela) == NULL)
            break;
        if (GELF_R_SYM(rela.r_info) == 0 ||
            gelf_getsym(table, (int)GELF_R_SYM(rela.r_info), &sym) == NULL)
            continue;
        name = elf_strptr(im->elf, symbols_header.sh_link, sym.st_name);
        if (name != NULL)
            add_slot(im, rela.r_offset, name);
    }
}

static int slot_order(const void *a, const void *b)
{
    const struct hd_image_slot *x = a, *y = b;

    return (x->addr > y->addr) - (x->addr < y->addr);
}

const char *hd_image_import(const struct hd_image *im, uint64_t addr)
{
    struct hd_image_slot key = { addr, NULL };
    const struct hd_image_slot *s =
        im->nslots > 0 ? bsearch(&key, im->slot, im->nslots, sizeof key, slot_order) : NULL;

    return s != NULL ? s->name : NULL;
}

/* ---- functions --------------------------------------------------------------------------------- */

static void add_function(struct hd_image *im, uint64_t addr, uint64_t size, const char *name,
                         bool certain)
{
    const struct hd_image_section *s = hd_image_section(im, addr);

    if (s == NULL || !s->code || s->bytes == NULL)
        return;
    *HD_PUSH(im->function, im->nfunctions) = (struct hd_image_function){ addr, size, name, certain };
}

static void read_symbols(struct hd_image *im, Elf_Scn *scn, const GElf_Shdr *sh)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    size_t n = sh->sh_entsize > 0 ? sh->sh_size / sh->sh_entsize : 0;

    for (size_t i = 0; data != NULL && i < n; i++) {
        GElf_Sym sym;
        const char *name;
        int type;

        if (gelf_getsym(data, (int)i, &sym) == NULL)
            break;
        type = GELF_ST_TYPE(sym.st_info);
        name = elf_strptr(im->elf, sh->sh_link, sym.st_name);
        /* Assembly functions without .type count as well, if their section contains code. */
        if (sym.st_shndx == SHN_UNDEF || sym.st_shndx >= SHN_LORESERVE || name == NULL || *name == '\0' ||
            (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE))
            continue;
        add_function(im, sym.st_value, sym.st_size, name, type != STT_NOTYPE);
    }
}

static int32_t signed32(const uint8_t *p)
{
    int32_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

/* Reads the sorted table of .eh_frame_hdr, which lists the starts of all functions that can be unwound, even in
 * a stripped object. */
static void read_frames(struct hd_image *im, const GElf_Shdr *sh, const uint8_t *head, size_t size)
{
    enum { POINTER_SDATA4_PCREL = 0x1b, COUNT_UDATA4 = 3, TABLE_SDATA4_DATAREL = 0x3b };
    uint32_t n;

    if (size < 12 || head[0] != 1 || head[1] != POINTER_SDATA4_PCREL || head[2] != COUNT_UDATA4 ||
        head[3] != TABLE_SDATA4_DATAREL)
        return;
    memcpy(&n, head + 8, sizeof n);
    for (uint32_t i = 0; i < n && 12 + 8 * ((size_t)i + 1) <= size; i++) {
        uint64_t start = sh->sh_addr + (uint64_t)(int64_t)signed32(head + 12 + 8 * (size_t)i);
        uint64_t fde = sh->sh_addr + (uint64_t)(int64_t)signed32(head + 16 + 8 * (size_t)i);
        const struct hd_image_section *s = hd_image_section(im, fde);
        uint32_t length = 0;

        if (s != NULL && s->bytes != NULL && fde + 16 <= s->addr + s->size)
            memcpy(&length, s->bytes + (fde - s->addr) + 12, sizeof length);
        add_function(im, start, length, NULL, true);
    }
}

/* Sorts by address; of several entries at one address, the most informative one comes first. */
static int function_order(const void *a, const void *b)
{
    const struct hd_image_function *x = a, *y = b;

    if (x->addr != y->addr)
        return x->addr > y->addr ? 1 : -1;
    if ((x->name == NULL) != (y->name == NULL))
        return x->name == NULL ? 1 : -1;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->name != NULL ? strcmp(x->name, y->name) : 0;
}

static uint64_t end_of_section(const struct hd_image *im, uint64_t addr)
{
    const struct hd_image_section *s = hd_image_section(im, addr);

    return s->addr + s->size;
}

static void add_alias(struct hd_image *im, uint64_t addr, const char *name)
{
    *HD_PUSH(im->alias, im->naliases) = (struct hd_image_alias){ addr, name };
}

/* Keeps one function per address.  A function without a size ends where the next one
 * begins; no function extends beyond its section. */
static void settle_functions(struct hd_image *im)
{
    size_t n = 0;

    if (im->nfunctions == 0)
        return;
    qsort(im->function, im->nfunctions, sizeof *im->function, function_order);
    for (size_t i = 0; i < im->nfunctions; i++) {
        struct hd_image_function *f = &im->function[i];

        if (n > 0 && im->function[n - 1].addr == f->addr) {
            if (im->function[n - 1].size == 0)
                im->function[n - 1].size = f->size;
            im->function[n - 1].certain |= f->certain;
            if (f->name != NULL && strcmp(f->name, im->function[n - 1].name) != 0)
                add_alias(im, f->addr, f->name);
            continue;
        }
        /* It is a label inside another function, or a part of one with its own unwind information. */
        if (n > 0 && im->function[n - 1].name != NULL &&
            f->addr < im->function[n - 1].addr + im->function[n - 1].size)
            continue;
        im->function[n++] = *f;
    }
    im->nfunctions = n;
    for (size_t i = 0; i < n; i++) {
        struct hd_image_function *f = &im->function[i];
        uint64_t end = end_of_section(im, f->addr);

        if (i + 1 < n && f[1].addr < end)
            end = f[1].addr;
        if (f->size == 0 || f->size > end - f->addr)
            f->size = end - f->addr;
    }
}

/* ---- reading an object ---- */

static void each_section(struct hd_image *im, int pass)
{
    Elf_Scn *scn = NULL;
    GElf_Shdr sh;
    const char *name;

    while ((scn = next_section(im, scn, &sh, &name)) != NULL) {
        if (pass == 0)
            add_section(im, scn, &sh, name);
        else if (sh.sh_type == SHT_RELA)
            read_relocations(im, scn, &sh);
        else if (sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM)
            read_symbols(im, scn, &sh);
        else if (strcmp(name, ".eh_frame_hdr") == 0) {
            Elf_Data *data = elf_rawdata(scn, NULL);

            if (data != NULL)
                read_frames(im, &sh, data->d_buf, data->d_size);
        }
    }
}

bool hd_image_open(struct hd_image *im, const char *path)
{
    GElf_Ehdr header;

    memset(im, 0, sizeof *im);
    elf_version(EV_CURRENT);
    im->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (im->fd < 0)
        return false;
    im->elf = elf_begin(im->fd, ELF_C_READ_MMAP, NULL);
    if (im->elf == NULL || elf_kind(im->elf) != ELF_K_ELF || gelf_getehdr(im->elf, &header) == NULL ||
        header.e_machine != EM_X86_64 || header.e_ident[EI_CLASS] != ELFCLASS64) {
        hd_image_close(im);
        return false;
    }
    im->fixed = header.e_type == ET_EXEC;
    each_section(im, 0);
    each_section(im, 1);
    if (im->nslots > 0)
        qsort(im->slot, im->nslots, sizeof *im->slot, slot_order);
    settle_functions(im);
    return true;
}

void hd_image_close(struct hd_image *im)
{
    free(im->slot);
    free(im->function);
    free(im->alias);
    if (im->elf != NULL)
        elf_end(im->elf);
    if (im->fd >= 0)
        close(im->fd);
    memset(im, 0, sizeof *im);
    im->fd = -1;
}
