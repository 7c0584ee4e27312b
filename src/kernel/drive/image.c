/* SPDX-License-Identifier: BSD-2-Clause
 *
 * image.c - reads a 32-bit multiboot ELF file with libelf and libdw, or Linux's list of symbols. */
#include "kernel/drive/image.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/vec.h"
#include "kernel/drive/bootimage.h"
#include "kernel/link/link.h"

#define MULTIBOOT_MAGIC 0x1badb002u
#define MULTIBOOT_WITHIN 8192

struct symbol {
    const char *name;
    uint64_t address;
    uint32_t size;
    bool function;
};

struct hd_kimage {
    int fd;
    Elf *elf;
    Dwarf *dwarf;
    char *text;            /* text of Linux's symbols, into which the names point */
    uint64_t hash;
    uint64_t low, high;
    bool pintos;
    struct symbol *symbol; /* sorted by address */
    size_t nsymbols;
    size_t *function;      /* indices of the symbols that are functions */
    size_t nfunctions;
};

static int by_address(const void *pa, const void *pb)
{
    const struct symbol *a = pa, *b = pb;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return (int)a->function - (int)b->function;
}

static void read_symbols(struct hd_kimage *m, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t n = data == NULL || header->sh_entsize == 0 ? 0 : header->sh_size / header->sh_entsize;

    for (size_t i = 0; i < n; i++) {
        GElf_Sym s;
        const char *name;

        if (gelf_getsym(data, (int)i, &s) == NULL || s.st_shndx == SHN_UNDEF)
            continue;
        int type = GELF_ST_TYPE(s.st_info);

        name = elf_strptr(m->elf, header->sh_link, s.st_name);
        if ((type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE) || name == NULL || *name == '\0')
            continue;
        bool code = s.st_value >= m->low && s.st_value < m->high;

        if (type == STT_NOTYPE && !code)
            continue;
        m->symbol = hd_vec_room(m->symbol, m->nsymbols, sizeof *m->symbol);
        m->symbol[m->nsymbols++] = (struct symbol){ name, s.st_value, (uint32_t)s.st_size,
                                                    type == STT_FUNC || (type == STT_NOTYPE && code) };
    }
}

/* Lists the functions.  A function without a size (assembly may omit it) ends where the next symbol begins. */
static void list_functions(struct hd_kimage *m)
{
    if (m->nsymbols > 1)
        qsort(m->symbol, m->nsymbols, sizeof *m->symbol, by_address);
    for (size_t i = 0; i < m->nsymbols; i++) {
        struct symbol *s = &m->symbol[i];

        if (!s->function || (i > 0 && m->symbol[i - 1].address == s->address && m->symbol[i - 1].function))
            continue;
        if (s->size == 0)
            s->size = (uint32_t)((i + 1 < m->nsymbols ? m->symbol[i + 1].address : m->high) - s->address);
        m->function = hd_vec_room(m->function, m->nfunctions, sizeof *m->function);
        m->function[m->nfunctions++] = i;
    }
}

static void find_code(struct hd_kimage *m)
{
    m->low = UINT64_MAX;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(m->elf, s)) != NULL;) {
        GElf_Shdr h;

        if (gelf_getshdr(s, &h) == NULL || !(h.sh_flags & SHF_EXECINSTR) || h.sh_size == 0)
            continue;
        if (h.sh_addr < m->low)
            m->low = h.sh_addr;
        if (h.sh_addr + h.sh_size > m->high)
            m->high = h.sh_addr + h.sh_size;
    }
}

static bool has_multiboot(const char *bytes, size_t n)
{
    for (size_t i = 0; i + 4 <= n && i < MULTIBOOT_WITHIN; i += 4) {
        uint32_t word;

        memcpy(&word, bytes + i, sizeof word);
        if (word == MULTIBOOT_MAGIC)
            return true;
    }
    return false;
}

static const char *read_elf(struct hd_kimage *m)
{
    GElf_Ehdr header;
    size_t n;

    if (m->elf == NULL || elf_kind(m->elf) != ELF_K_ELF || gelf_getehdr(m->elf, &header) == NULL)
        return "it is no ELF file";
    if (header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_machine != EM_386)
        return "it is no 32-bit x86 kernel; build it with 'gcc -m32'";
    const char *bytes = elf_rawfile(m->elf, &n);

    m->pintos = bytes != NULL && header.e_entry >= HD_PINTOS_KERNEL && !has_multiboot(bytes, n);
    if (bytes == NULL || (!m->pintos && !has_multiboot(bytes, n)))
        return "it has no multiboot header, so QEMU cannot load it";
    m->hash = hd_hash_bytes(0, bytes, n);
    find_code(m);
    if (m->low >= m->high || m->high - m->low > HD_K_CODE)
        return "it has no code, or more than 4 MB of it";
    for (Elf_Scn *s = NULL; (s = elf_nextscn(m->elf, s)) != NULL;) {
        GElf_Shdr h;

        if (gelf_getshdr(s, &h) != NULL && h.sh_type == SHT_SYMTAB)
            read_symbols(m, s, &h);
    }
    list_functions(m);
    if (m->nfunctions == 0)
        return "it has no symbols; do not strip it";
    if (m->nfunctions > HD_K_FUNCTIONS)
        return "it has more than 8192 functions";
    m->dwarf = dwarf_begin_elf(m->elf, DWARF_C_READ, NULL);
    return NULL;
}

struct hd_kimage *hd_kimage_open(const char *path, char *why, size_t cap)
{
    struct hd_kimage *m = hd_zeroed(1, sizeof *m);
    const char *wrong;

    elf_version(EV_CURRENT);
    m->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (m->fd == -1) {
        wrong = "it cannot be read";
    } else {
        m->elf = elf_begin(m->fd, ELF_C_READ_MMAP, NULL);
        wrong = read_elf(m);
    }
    if (wrong == NULL)
        return m;
    snprintf(why, cap, "%s", wrong);
    hd_kimage_close(m);
    return NULL;
}

/* Reads a line of the form "ffffffff81000000 T name" or "... t name\t[module]". */
static void read_line(struct hd_kimage *m, char *line)
{
    char *end;
    uint64_t address = strtoull(line, &end, 16);

    if (end[0] != ' ' || end[1] == '\0' || end[2] != ' ' || end[3] == '\0')
        return;
    end[3 + strcspn(end + 3, "\t ")] = '\0';
    m->symbol = hd_vec_room(m->symbol, m->nsymbols, sizeof *m->symbol);
    m->symbol[m->nsymbols++] = (struct symbol){ end + 3, address, 0, strchr("tTwW", end[1]) != NULL };
}

struct hd_kimage *hd_kimage_of_symbols(char *text, uint64_t hash)
{
    struct hd_kimage *m = hd_zeroed(1, sizeof *m);
    char *rest = text;

    m->fd = -1;
    m->text = text;
    m->hash = hash;
    m->high = UINT64_MAX;
    for (char *line; (line = strtok_r(rest, "\n", &rest)) != NULL;)
        read_line(m, line);
    list_functions(m);
    return m;
}

void hd_kimage_close(struct hd_kimage *m)
{
    free(m->text);
    dwarf_end(m->dwarf);
    elf_end(m->elf);
    if (m->fd != -1)
        close(m->fd);
    free(m->symbol);
    free(m->function);
    free(m);
}

bool hd_kimage_is_pintos(const struct hd_kimage *m) { return m->pintos; }

/* Looks for a structure among the entries of a compilation unit. */
static bool member_in(Dwarf_Die unit, const char *structure, const char *member, uint32_t *offset)
{
    Dwarf_Die die, part;
    Dwarf_Attribute attribute;
    Dwarf_Word at;

    for (int none = dwarf_child(&unit, &die); none == 0; none = dwarf_siblingof(&die, &die)) {
        const char *name = dwarf_tag(&die) == DW_TAG_structure_type ? dwarf_diename(&die) : NULL;

        if (name == NULL || strcmp(name, structure) != 0)
            continue;
        for (int last = dwarf_child(&die, &part); last == 0; last = dwarf_siblingof(&part, &part)) {
            name = dwarf_tag(&part) == DW_TAG_member ? dwarf_diename(&part) : NULL;
            if (name == NULL || strcmp(name, member) != 0 ||
                dwarf_formudata(dwarf_attr(&part, DW_AT_data_member_location, &attribute), &at) != 0)
                continue;
            *offset = (uint32_t)at;
            return true;
        }
    }
    return false;
}

bool hd_kimage_member(const struct hd_kimage *m, const char *structure, const char *member, uint32_t *offset)
{
    Dwarf_Die unit;
    size_t header;

    for (Dwarf_Off at = 0, next = 0; m->dwarf != NULL && dwarf_nextcu(m->dwarf, at, &next, &header, NULL, NULL, NULL) == 0;
         at = next)
        if (dwarf_offdie(m->dwarf, at + header, &unit) != NULL && member_in(unit, structure, member, offset))
            return true;
    return false;
}

uint64_t hd_kimage_hash(const struct hd_kimage *m) { return m->hash; }
uint64_t hd_kimage_low(const struct hd_kimage *m) { return m->low; }
uint64_t hd_kimage_high(const struct hd_kimage *m) { return m->high; }
size_t hd_kimage_functions(const struct hd_kimage *m) { return m->nfunctions; }

const char *hd_kimage_function(const struct hd_kimage *m, size_t i, uint64_t *address, uint32_t *size)
{
    const struct symbol *s = &m->symbol[m->function[i]];

    *address = s->address;
    *size = s->size;
    return s->name;
}

/* Returns the symbol.  Static functions of several files may have the same name: nth selects one of them, in the
 * order of addresses, from 0. */
static const struct symbol *named(const struct hd_kimage *m, const char *name, size_t n, unsigned nth)
{
    for (size_t i = 0; i < m->nsymbols; i++)
        if (strncmp(m->symbol[i].name, name, n) == 0 && m->symbol[i].name[n] == '\0' && nth-- == 0)
            return &m->symbol[i];
    return NULL;
}

static unsigned nth_of_name(const struct hd_kimage *m, const struct symbol *s)
{
    unsigned nth = 0;

    for (const struct symbol *at = m->symbol; at < s; at++)
        nth += strcmp(at->name, s->name) == 0;
    return nth;
}

uint64_t hd_kimage_find(const struct hd_kimage *m, const char *name)
{
    const struct symbol *s = named(m, name, strlen(name), 0);

    return s == NULL ? 0 : s->address;
}

static const struct symbol *containing(const struct hd_kimage *m, uint64_t address)
{
    for (size_t i = 0; i < m->nsymbols; i++)
        if (address - m->symbol[i].address < (m->symbol[i].size > 0 ? m->symbol[i].size : 1))
            return &m->symbol[i];
    return NULL;
}

uint32_t hd_kimage_size(const struct hd_kimage *m, uint64_t address)
{
    const struct symbol *s = containing(m, address);

    return s == NULL || s->address != address ? 0 : s->size;
}

void hd_kimage_symbol(const struct hd_kimage *m, uint64_t address, char *buf, size_t cap)
{
    const struct symbol *s = containing(m, address);

    if (s == NULL) {
        snprintf(buf, cap, "0x%llx", (unsigned long long)address);
        return;
    }
    unsigned nth = nth_of_name(m, s);
    int n = snprintf(buf, cap, nth == 0 ? "%s" : "%s@%u", s->name, nth);

    if (s->address != address && n > 0 && (size_t)n < cap)
        snprintf(buf + n, cap - (size_t)n, "+0x%llx", (unsigned long long)(address - s->address));
}

const char *hd_kimage_function_at(const struct hd_kimage *m, uint64_t address)
{
    const struct symbol *s = containing(m, address);

    return s == NULL || !s->function ? NULL : s->name;
}

void hd_kimage_line(const struct hd_kimage *m, uint64_t address, char *buf, size_t cap)
{
    Dwarf_Die unit;
    int number = 0;

    buf[0] = '\0';
    if (m->dwarf == NULL || dwarf_addrdie(m->dwarf, address, &unit) == NULL)
        return;
    Dwarf_Line *line = dwarf_getsrc_die(&unit, address);
    const char *file = line == NULL ? NULL : dwarf_linesrc(line, NULL, NULL);

    if (file == NULL || dwarf_lineno(line, &number) != 0)
        return;
    const char *base = strrchr(file, '/');

    snprintf(buf, cap, "%s:%d", base == NULL ? file : base + 1, number);
}

uint64_t hd_kimage_parse(const struct hd_kimage *m, const char *text)
{
    const char *plus = strchr(text, '+'), *at = strchr(text, '@');
    const struct symbol *s = named(m, text, strcspn(text, "@+"), at == NULL ? 0 : (unsigned)strtoul(at + 1, NULL, 10));
    uint32_t offset = plus == NULL ? 0 : (uint32_t)strtoul(plus + 1, NULL, 16);

    return s == NULL || (offset >= s->size && offset > 0) ? 0 : s->address + offset;
}
