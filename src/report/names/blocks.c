/* SPDX-License-Identifier: BSD-2-Clause
 *
 * blocks.c - names a byte of the heap as the program would: "accounts[2]->lock", "map->buckets[3].lock".
 *
 * A block is named after the first of these that is known: a static variable that points to it, a local variable
 * of main that points to it, a pointer in another block that has a name, the line that allocated it, a local
 * variable of another function.  Exception: if the name of the other block begins with a variable that does not
 * live as long as the program, and the allocating line names the block alone, the line decides: "pool->lock"
 * rather than "pool->threads[0]->pool->lock" through a pointer back.  The nodes of linked structures get no name
 * from pointers, since these change: they are numbered in the order of allocation, "node#2.lock". */
#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "report/names/allocation.h"
#include "report/names/symbols.h"

enum {
    MAX_DEPTH = 4,
    CONTROL = 16, /* bytes before the object in a control block: two counters, in C++ after a pointer */
};

/* Named memory: elements of one type from `start` to `end`. */
struct base {
    char text[160];
    bool pointer; /* the text is an expression that points to the memory; otherwise it is a type with a number */
    bool lasting; /* the text begins with a static variable or a local variable of main */
    bool cplusplus;
    Dwarf_Die type;
    uint64_t start, end;
};

static bool name_block(struct hd_symbols *s, const struct hd_heap_view *v, const struct hd_named_block *b,
                       uint64_t addr, int depth, struct base *out);

static const struct hd_named_block *block_at(const struct hd_heap_view *v, uint64_t addr)
{
    for (uint32_t i = 0; i < v->n; i++)
        if (addr - v->blocks[i].block.addr < v->blocks[i].block.size)
            return &v->blocks[i];
    return NULL;
}

/* ---- the byte inside the block --------------------------------------------------------------------- */

static bool size_of(Dwarf_Die *type, Dwarf_Word *size)
{
    return dwarf_aggregate_size(type, size) == 0 && *size > 0;
}

/* Writes the text of the element and sets *inside to the offset in it.  Returns how members follow: "."
 * or "->", or NULL if the byte is before the first element. */
static const char *element_text(const struct base *b, uint64_t addr, uint64_t *inside, char *buf, size_t cap)
{
    Dwarf_Word size;
    const char *joint = b->pointer ? "->" : b->cplusplus && strchr(b->text, '#') == NULL ? "::" : ".";

    if (addr < b->start || !size_of((Dwarf_Die *)(uintptr_t)&b->type, &size))
        return NULL;
    *inside = (addr - b->start) % size;
    if (b->end - b->start < 2 * size || (b->end - b->start) % size != 0) {
        *inside = addr - b->start;
        snprintf(buf, cap, "%s", b->text);
        return joint;
    }
    snprintf(buf, cap, "%s[%llu]", b->text, (unsigned long long)((addr - b->start) / size));
    return ".";
}

/* Joins the element and a path, which is "", ".member" or "[2]". */
static void join(const struct base *b, const char *element, const char *joint, const char *path, char *buf,
                 size_t cap)
{
    if (path[0] == '\0')
        snprintf(buf, cap, "%s%s", b->pointer && joint[0] == '-' ? "*" : "", element);
    else if (path[0] == '.')
        snprintf(buf, cap, "%s%s%s", element, joint, path + 1);
    else
        snprintf(buf, cap, joint[0] == '-' ? "(*%s)%s" : "%s%s", element, path);
}

/* True for the control block of a std::shared_ptr, or of an Arc of Rust. */
static bool is_control_block(Dwarf_Die *type)
{
    const char *name = dwarf_diename(type);

    return name != NULL && (strncmp(name, "_Sp_counted_", 12) == 0 || strncmp(name, "ArcInner<", 9) == 0);
}

static bool name_byte(struct base *b, uint64_t addr, char *buf, size_t cap, char *type, size_t type_cap)
{
    char element[200], path[160] = "";
    uint64_t inside;
    const char *joint = element_text(b, addr, &inside, element, sizeof element);

    if (joint == NULL || !hd_member_of_type(&b->type, inside, path, sizeof path, type, type_cap))
        return false;
    if (path[0] == '\0' && inside < CONTROL && is_control_block(&b->type)) {
        snprintf(buf, cap, "use count of %s", b->text);
        return true;
    }
    if (path[0] == '\0' && dwarf_diename(&b->type) != NULL)
        snprintf(type, type_cap, "%s", dwarf_diename(&b->type));
    join(b, element, joint, path, buf, cap);
    return true;
}

/* ---- pointers ---------------------------------------------------------------------------------------- */

/* True if objects of the type link to each other. */
static bool is_linked(Dwarf_Die *type)
{
    Dwarf_Die member, pointer, pointee;

    if (dwarf_child(type, &member) != 0)
        return false;
    do {
        if (dwarf_tag(&member) == DW_TAG_member && hd_type_of(&member, &pointer) &&
            dwarf_tag(&pointer) == DW_TAG_pointer_type && hd_type_of(&pointer, &pointee) &&
            dwarf_dieoffset(&pointee) == dwarf_dieoffset(type))
            return true;
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
}

static bool through_variable(const char *name, Dwarf_Die *variable, uint64_t inside, struct base *out)
{
    Dwarf_Die type;

    snprintf(out->text, sizeof out->text, "%s", name);
    return hd_type_of(variable, &type) &&
           hd_member_pointee(&type, inside, out->text, sizeof out->text, &out->type);
}

static bool through_static(struct hd_symbols *s, hd_cname name, struct base *out)
{
    struct hd_static v;

    return hd_static_find(s, hd_cname_index(name), hd_cname_offset(name), &v) && v.typed &&
           through_variable(v.name, &v.variable, v.inside, out);
}

/* in_main: only variables of main count, which live as long as the program. */
static bool through_local(struct hd_symbols *s, const struct hd_heap_view *v, const struct hd_block_pointer *p,
                          bool in_main, struct base *out)
{
    const struct hd_stack_image *image = v->stack(v->ctx, hd_cname_index(p->name));
    Dwarf_Die variable, function;
    uint64_t inside;

    if (image == NULL || !hd_local_at(s, image, p->at, &variable, &function, &inside))
        return false;
    const char *name = dwarf_diename(&variable), *of = dwarf_diename(&function);

    return strcmp(name, "this") != 0 && (of != NULL && strcmp(of, "main") == 0) == in_main &&
           through_variable(name, &variable, inside, out);
}

static bool through_block(struct hd_symbols *s, const struct hd_heap_view *v, const struct hd_block_pointer *p,
                          int depth, struct base *out)
{
    const struct hd_named_block *holder = block_at(v, p->at);
    char element[200], path[160] = "";
    struct base around;
    uint64_t inside;

    if (holder == NULL || !name_block(s, v, holder, p->at, depth + 1, &around))
        return false;
    const char *joint = element_text(&around, p->at, &inside, element, sizeof element);

    if (joint == NULL || !hd_member_pointee(&around.type, inside, path, sizeof path, &out->type))
        return false;
    join(&around, element, joint, path, out->text, sizeof out->text);
    out->lasting = around.lasting;
    return true;
}

/* Sources of a name, the best first. */
enum source { STATIC, LOCAL_OF_MAIN, BLOCK, ALLOCATION, OTHER_LOCAL, SOURCES };

static bool follow(struct hd_symbols *s, const struct hd_heap_view *v, const struct hd_block_pointer *p,
                   enum source from, int depth, struct base *out)
{
    enum hd_region region = hd_cname_region(p->name);

    switch (from) {
    case STATIC:
        return region == HD_REG_MODULE && through_static(s, p->name, out);
    case BLOCK:
        return region == HD_REG_HEAP && through_block(s, v, p, depth, out);
    default:
        return region == HD_REG_STACK && through_local(s, v, p, from == LOCAL_OF_MAIN, out);
    }
}

/* True if a pointer to the type can name a byte at that distance. */
static bool reaches(Dwarf_Die *type, uint64_t distance)
{
    Dwarf_Word size;

    return size_of(type, &size) && !is_linked(type) && (distance < size || !is_control_block(type));
}

static bool through_pointers(struct hd_symbols *s, const struct hd_heap_view *v, const struct hd_named_block *b,
                             uint64_t addr, enum source from, int depth, struct base *out)
{
    for (uint32_t i = 0; i < b->npointers && i < HD_BLOCK_POINTERS; i++)
        if (addr >= b->pointer[i].to && follow(s, v, &b->pointer[i], from, depth, out) &&
            reaches(&out->type, addr - b->pointer[i].to)) {
            out->pointer = true;
            out->lasting |= from < BLOCK;
            out->start = b->pointer[i].to;
            return true;
        }
    return false;
}

/* ---- the block --------------------------------------------------------------------------------------- */

static bool find_allocation(struct hd_symbols *s, const struct hd_named_block *b, struct hd_allocated *made)
{
    uint64_t pcs[1 + HD_SITE_CALLS] = { b->block.allocated.pc };

    memcpy(pcs + 1, b->block.allocated.calls, sizeof b->block.allocated.calls);
    return pcs[0] != 0 && hd_allocation_find(s, pcs, 1 + HD_SITE_CALLS, made);
}

/* Writes the name of the type.  For a node of a container of libstdc++ that is the type of its element, which the
 * user knows: "Entry" for "_List_node<Entry>". */
static void type_text(const char *type, char *buf, size_t cap)
{
    static const char *const nodes[] = { "_List_node<", "_Fwd_list_node<", "_Hash_node<", "_Rb_tree_node<" };
    size_t n = strlen(type);
    int depth = 0;

    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        size_t skip = strlen(nodes[i]);

        if (strncmp(type, nodes[i], skip) != 0)
            continue;
        type += skip;
        for (n = 0; type[n] != '\0' && (depth > 0 || (type[n] != ',' && type[n] != '>')); n++)
            depth += (type[n] == '<') - (type[n] == '>');
        break;
    }
    while (n > 0 && type[n - 1] == ' ')
        n--;
    snprintf(buf, cap, "%.*s", (int)n, type);
}

bool hd_symbols_block(struct hd_symbols *s, const struct hd_named_block *b, char *buf, size_t cap)
{
    struct hd_allocated made;

    if (hd_symbols_dwfl(s) == NULL || !find_allocation(s, b, &made) || dwarf_diename(&made.type) == NULL)
        return false;
    type_text(dwarf_diename(&made.type), buf, cap);
    return true;
}

static bool by_allocation(struct hd_symbols *s, const struct hd_named_block *b, struct base *out)
{
    struct hd_allocated made;

    if (!find_allocation(s, b, &made))
        return false;
    const char *type = dwarf_diename(&made.type);
    char shown[128] = "?";

    if (type != NULL)
        type_text(type, shown, sizeof shown);
    out->type = made.type;
    out->cplusplus = made.cplusplus;
    out->start = b->block.addr;
    out->pointer = made.text[0] != '\0' && b->of <= 1;
    if (out->pointer)
        snprintf(out->text, sizeof out->text, "%s", made.text);
    else if (b->of <= 1)
        snprintf(out->text, sizeof out->text, "%s", shown);
    else
        snprintf(out->text, sizeof out->text, "%s#%u", shown, b->nth);
    return type != NULL || out->pointer;
}

/* Finds a name for the part of the block that contains addr. */
static bool name_block(struct hd_symbols *s, const struct hd_heap_view *v, const struct hd_named_block *b,
                       uint64_t addr, int depth, struct base *out)
{
    if (depth == MAX_DEPTH)
        return false;
    struct base empty = { .end = b->block.addr + b->block.size };

    for (enum source from = STATIC; from < SOURCES; from++) {
        *out = empty;
        if (from == ALLOCATION ? by_allocation(s, b, out) : through_pointers(s, v, b, addr, from, depth, out)) {
            struct base made = empty;

            if (from == BLOCK && !out->lasting && by_allocation(s, b, &made) && made.pointer)
                *out = made;
            return true;
        }
    }
    return false;
}

bool hd_block_type(struct hd_symbols *s, const struct hd_heap_view *v, uint64_t addr, Dwarf_Die *type,
                   uint64_t *inside)
{
    const struct hd_named_block *b = block_at(v, addr);
    char element[200];
    struct base base;

    if (b == NULL || hd_symbols_dwfl(s) == NULL || !name_block(s, v, b, addr, 0, &base) ||
        element_text(&base, addr, inside, element, sizeof element) == NULL)
        return false;
    *type = base.type;
    return true;
}

/* Sets both texts from a cached "name\ttype".  Returns false for "": there is no name. */
static bool take_known(const char *known, char *buf, size_t cap, char *type, size_t type_cap)
{
    size_t n = strcspn(known, "\t");

    snprintf(buf, cap, "%.*s", (int)n, known);
    snprintf(type, type_cap, "%s", known[n] != '\0' ? known + n + 1 : "");
    return n > 0;
}

bool hd_symbols_heap(struct hd_symbols *s, const struct hd_heap_view *v, uint64_t addr, char *buf, size_t cap,
                     char *type, size_t type_cap)
{
    const struct hd_named_block *b = block_at(v, addr);
    char name[256] = "", kind[128] = "", both[sizeof name + sizeof kind];
    struct base base;
    bool whole = b == NULL;

    if (whole)
        b = block_at(v, addr + HD_BLOCK_LIFE);
    if (b == NULL || hd_symbols_dwfl(s) == NULL)
        return false;
    uint64_t key = hd_hash_bytes(hd_hash_mix(addr, v->n), b, sizeof *b) | UINT64_C(1) << 63;
    const char *known = hd_symbols_known(s, key);

    if (known != NULL)
        return take_known(known, buf, cap, type, type_cap);
    bool found = name_block(s, v, b, whole ? b->block.addr : addr, 0, &base);

    if (found && whole)
        snprintf(name, sizeof name, "%s", base.text);
    else if (!found || !name_byte(&base, addr, name, sizeof name, kind, sizeof kind))
        name[0] = kind[0] = '\0';
    snprintf(both, sizeof both, "%s\t%s", name, kind);
    hd_symbols_remember(s, key, both);
    return take_known(both, buf, cap, type, type_cap);
}
