/* SPDX-License-Identifier: BSD-2-Clause
 *
 * value.c - formats a value by its type. */
#include "report/names/value.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>

#include "report/names/members.h"

static int64_t as_signed(const struct hd_bytes *b)
{
    unsigned unused = 64 - 8 * b->bytes;

    return (int64_t)(b->value << unused) >> unused;
}

static void put_float(const struct hd_bytes *b, char *buf, size_t cap)
{
    double d;
    float f;

    if (b->bytes == sizeof f) {
        memcpy(&f, &b->value, sizeof f);
        snprintf(buf, cap, "%g", (double)f);
    } else {
        memcpy(&d, &b->value, sizeof d);
        snprintf(buf, cap, "%g", d);
    }
}

/* Writes a large unsigned number in hexadecimal, because it is mostly a bit pattern. */
static void put_unsigned(uint64_t value, char *buf, size_t cap)
{
    snprintf(buf, cap, value < UINT64_C(1) << 40 ? "%llu" : "0x%llx", (unsigned long long)value);
}

/* True for the type `char`, whose values are text; int8_t and uint8_t are numbers. */
static bool is_char(Dwarf_Die *type)
{
    const char *name = dwarf_diename(type);

    return dwarf_tag(type) == DW_TAG_base_type && name != NULL && strcmp(name, "char") == 0;
}

static enum hd_value_kind put_base(Dwarf_Die *type, const struct hd_bytes *b, char *buf, size_t cap)
{
    Dwarf_Attribute attr;
    Dwarf_Word encoding;

    if (dwarf_formudata(dwarf_attr_integrate(type, DW_AT_encoding, &attr), &encoding) != 0)
        return HD_VALUE_UNKNOWN;
    if (encoding == DW_ATE_boolean && b->value <= 1)
        snprintf(buf, cap, "%s", b->value ? "true" : "false");
    else if (encoding == DW_ATE_float && (b->bytes == sizeof(float) || b->bytes == sizeof(double)))
        put_float(b, buf, cap);
    else if (is_char(type) && b->value > ' ' && b->value < 0x7f)
        snprintf(buf, cap, "'%c'", (char)b->value);
    else if (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char)
        snprintf(buf, cap, "%lld", (long long)as_signed(b));
    else
        put_unsigned(b->value, buf, cap);
    return HD_VALUE_TEXT;
}

static enum hd_value_kind put_enum(Dwarf_Die *type, const struct hd_bytes *b, char *buf, size_t cap)
{
    Dwarf_Die constant;
    Dwarf_Attribute attr;
    Dwarf_Sword is;

    snprintf(buf, cap, "%lld", (long long)as_signed(b));
    if (dwarf_child(type, &constant) != 0)
        return HD_VALUE_TEXT;
    do {
        if (dwarf_tag(&constant) == DW_TAG_enumerator && dwarf_diename(&constant) != NULL &&
            dwarf_formsdata(dwarf_attr(&constant, DW_AT_const_value, &attr), &is) == 0 && is == as_signed(b)) {
            snprintf(buf, cap, "%s", dwarf_diename(&constant));
            break;
        }
    } while (dwarf_siblingof(&constant, &constant) == 0);
    return HD_VALUE_TEXT;
}

static enum hd_value_kind put(Dwarf_Die *type, uint64_t inside, const struct hd_bytes *b, char *buf, size_t cap)
{
    Dwarf_Die leaf, to;
    Dwarf_Word size;

    if (!hd_type_at(type, inside, &leaf))
        return HD_VALUE_UNKNOWN;
    if (dwarf_aggregate_size(&leaf, &size) != 0 || size != b->bytes || size > sizeof b->value)
        return HD_VALUE_OPAQUE;
    switch (dwarf_tag(&leaf)) {
    case DW_TAG_base_type:
        return put_base(&leaf, b, buf, cap);
    case DW_TAG_enumeration_type:
        return put_enum(&leaf, b, buf, cap);
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
        return hd_type_of(&leaf, &to) && is_char(&to) ? HD_VALUE_STRING : HD_VALUE_POINTER;
    default:
        return HD_VALUE_OPAQUE;
    }
}

/* ---- text constants ------------------------------------------------------------------------ */

/* Returns the bytes of the file at an address that the program cannot write, and their number. */
static const char *constant_at(Elf *elf, uint64_t addr, size_t *n)
{
    Elf_Scn *section = NULL;
    GElf_Shdr head;

    while ((section = elf_nextscn(elf, section)) != NULL) {
        if (gelf_getshdr(section, &head) == NULL || head.sh_type != SHT_PROGBITS ||
            (head.sh_flags & (SHF_ALLOC | SHF_WRITE)) != SHF_ALLOC || addr - head.sh_addr >= head.sh_size)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);

        *n = data != NULL && data->d_buf != NULL ? head.sh_size - (addr - head.sh_addr) : 0;
        return *n > 0 ? (const char *)data->d_buf + (addr - head.sh_addr) : NULL;
    }
    return NULL;
}

bool hd_symbols_string(struct hd_symbols *s, uint64_t addr, char *buf, size_t cap)
{
    enum { SHOWN = 16 };
    Dwfl_Module *m = hd_symbols_dwfl(s) != NULL ? dwfl_addrmodule(hd_symbols_dwfl(s), addr) : NULL;
    GElf_Addr bias;
    Elf *elf = m != NULL ? dwfl_module_getelf(m, &bias) : NULL;
    size_t n = 0, length = 0;
    const char *text = elf != NULL ? constant_at(elf, addr - bias, &n) : NULL;

    while (length < n && text[length] >= ' ' && text[length] < 0x7f)
        length++;
    if (text == NULL || length == n || text[length] != '\0')
        return false;
    snprintf(buf, cap, "\"%.*s%s\"", length > SHOWN ? SHOWN - 2 : SHOWN, text, length > SHOWN ? ".." : "");
    return true;
}

enum hd_value_kind hd_value_static(struct hd_symbols *s, unsigned module, uint64_t offset,
                                   const struct hd_bytes *b, char *buf, size_t cap)
{
    struct hd_static v;
    Dwarf_Die type;

    return hd_static_find(s, module, offset, &v) && v.typed && hd_type_of(&v.variable, &type)
               ? put(&type, v.inside, b, buf, cap) : HD_VALUE_UNKNOWN;
}

enum hd_value_kind hd_value_local(struct hd_symbols *s, const struct hd_stack_image *image, uint64_t addr,
                                  const struct hd_bytes *b, char *buf, size_t cap)
{
    Dwarf_Die variable, function, type;
    uint64_t inside;

    return hd_local_at(s, image, addr, &variable, &function, &inside) && hd_type_of(&variable, &type)
               ? put(&type, inside, b, buf, cap) : HD_VALUE_UNKNOWN;
}

enum hd_value_kind hd_value_heap(struct hd_symbols *s, const struct hd_heap_view *v, uint64_t addr,
                                 const struct hd_bytes *b, char *buf, size_t cap)
{
    Dwarf_Die type;
    uint64_t inside;

    return hd_block_type(s, v, addr, &type, &inside) ? put(&type, inside, b, buf, cap) : HD_VALUE_UNKNOWN;
}
