/* SPDX-License-Identifier: BSD-2-Clause
 *
 * object.c - the table of sync objects: address and type to state.
 *
 * O1  A row is made once per address and type and lives as long as the process;
 *     its state is set up anew on first use in an execution (epoch).
 * O2  Ids are rows of the wire's table, which all workers share: an id means the
 *     same object for the whole campaign. */
#include <pthread.h>

#include "runtime/fiber.h"
#include "runtime/heap.h"
#include "runtime/mem.h"
#include "runtime/object.h"

static struct hd_obj **table;
static size_t table_size, table_used;
static struct hd_obj *chunk;
static size_t chunk_left;
static uint32_t *token_pool;
static size_t token_used;

static struct hd_obj nothing; /* of no execution: fills unused places of the cache */
struct hd_obj *hd_recent[HD_RECENT] = { [0 ... HD_RECENT - 1] = &nothing };

enum { CHUNK = 512, FIRST_TABLE = 4096, TOKEN_POOL = 1 << 20 };

hd_cname hd_object_name(uintptr_t addr)
{
    const struct hd_wire *w = hd.wire;

    if (hd_heap_owns((void *)addr) && addr >= HD_HEAP_BASE)
        return hd_cname_make(HD_REG_HEAP, (unsigned)((addr - HD_HEAP_BASE) / HD_HEAP_STRIDE),
                             (addr - HD_HEAP_BASE) % HD_HEAP_STRIDE);
    if (addr >= HD_STACK_BASE && addr < HD_STACK_BASE + HD_MAX_THREADS * HD_STACK_STRIDE)
        return hd_cname_make(HD_REG_STACK, (unsigned)((addr - HD_STACK_BASE) / HD_STACK_STRIDE),
                             HD_STACK_STRIDE - (addr - HD_STACK_BASE) % HD_STACK_STRIDE);
    for (unsigned i = 0; i < w->nmodules; i++)
        if (addr >= w->modules[i].lo && addr < w->modules[i].hi)
            return hd_cname_make(HD_REG_MODULE, i, addr - w->modules[i].bias);
    return hd_cname_make(HD_REG_OTHER, 0, addr);
}

static size_t slot_of(uintptr_t addr, unsigned type)
{
    return (size_t)((addr * UINT64_C(0x9e3779b97f4a7c15) + type) >> 20) & (table_size - 1);
}

static void insert(struct hd_obj *o)
{
    size_t i = slot_of(o->addr, o->type);

    while (table[i] != NULL)
        i = (i + 1) & (table_size - 1);
    table[i] = o;
}

static void grow(void)
{
    struct hd_obj **old = table;
    size_t old_size = table_size;

    table_size = old_size == 0 ? FIRST_TABLE : old_size * 2;
    table = hd_mem_map(0, table_size * sizeof *table, PROT_READ | PROT_WRITE);
    HD_INVARIANT(table != NULL, "no memory for the object table");
    for (size_t i = 0; i < old_size; i++)
        if (old[i] != NULL)
            insert(old[i]);
    if (old != NULL)
        hd_sys(SYS_munmap, old, old_size * sizeof *table, 0);
}

/* The id of the row with this name and type, which another worker may have made. */
static uint32_t row_for(uintptr_t addr, unsigned type, unsigned rows)
{
    struct hd_wire *w = hd.wire;
    hd_cname name = type == HD_OBJ_THREAD ? hd_cname_make(HD_REG_THREAD, 0, addr)
                    : type == HD_OBJ_PROCESS ? hd_cname_make(HD_REG_PROCESS, 0, 0)
                                             : hd_object_name(addr);

    if (w->worker_rows_known)
        for (uint32_t i = 1; i < w->nobjects; i++)
            if (w->objects[i].name == name && w->objects[i].type == type)
                return i;
    uint32_t id = w->nobjects;

    HD_INVARIANT(id + rows < HD_MAX_OBJECTS, "too many objects");
    for (uint32_t i = 0; i < rows; i++)
        w->objects[id + i] = (struct hd_object_info){ name, addr, (uint8_t)(type + i), { 0 } };
    __atomic_store_n(&w->nobjects, id + rows, __ATOMIC_RELEASE);
    return id;
}

static HD_COLD struct hd_obj *add(uintptr_t addr, enum hd_object_type type)
{
    bool pair = type == HD_OBJ_COND || type == HD_OBJ_FUTEX;

    if (table_used * 2 >= table_size)
        grow();
    if (chunk_left == 0) {
        chunk = hd_mem_map(0, CHUNK * sizeof *chunk, PROT_READ | PROT_WRITE);
        HD_INVARIANT(chunk != NULL, "no memory for objects");
        chunk_left = CHUNK;
    }
    struct hd_obj *o = &chunk[--chunk_left];

    o->addr = addr;
    o->type = (uint8_t)type;
    o->id = row_for(addr, type, pair ? 2 : 1);
    o->sig = (uint32_t)(hd.wire->objects[o->id].name * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    insert(o);
    table_used++;
    return o;
}

static void clear(struct hd_obj *o)
{
    o->epoch = hd.epoch;
    o->flags = 0;
    o->attr = 0;
    o->robust = 0;
    o->owner = HD_NO_TID;
    o->count = o->limit = o->round = o->seq = o->nwaiters = o->ntokens = 0;
    o->tokens = NULL;
    o->second = NULL;
    o->pc = 0;
    o->nwatchers = o->nlockers = 0;
    hd_set_clear(&o->watchers);
    hd_set_clear(&o->readers);
}

/* What libc's static initialisers and *_init have left in memory. */
static HD_COLD void import(struct hd_obj *o)
{
    const void *p = (const void *)o->addr;

    switch (o->type) {
    case HD_OBJ_MUTEX: {
        int kind = ((const pthread_mutex_t *)p)->__data.__kind;

        o->attr = (uint8_t)(kind & 3);
        o->robust = (kind & 16) != 0;
        if (kind & ~0x3ff)
            hd_misuse(0, "mutex at %p is not initialised (its kind reads %x)", p, (unsigned)kind);
        break;
    }
    case HD_OBJ_COND:
        if (((const pthread_cond_t *)p)->__data.__wrefs & 2)
            o->flags |= HD_OF_MONOTONIC;
        break;
    case HD_OBJ_SEM:
        o->count = *(const uint32_t *)p;
        break;
    case HD_OBJ_BARRIER:
        o->limit = ((const uint32_t *)p)[2];
        break;
    default:
        break;
    }
}

static inline struct hd_obj *find(uintptr_t addr, enum hd_object_type type)
{
    if (HD_UNLIKELY(table == NULL))
        grow();
    for (size_t i = slot_of(addr, type);; i = (i + 1) & (table_size - 1)) {
        struct hd_obj *o = table[i];

        if (o == NULL)
            return add(addr, type);
        if (o->addr == addr && o->type == type)
            return o;
    }
}

struct hd_obj *hd_object_look_up(const volatile void *addr, enum hd_object_type type)
{
    struct hd_obj *o = find((uintptr_t)addr, type);

    hd_recent[hd_recent_index((uintptr_t)addr)] = o;

    if (HD_UNLIKELY(o->epoch != hd.epoch)) {
        clear(o);
        import(o);
    } else if (HD_UNLIKELY(o->flags & HD_OF_DESTROYED)) {
        /* libc's destroy has left -1 as the kind: a static initialiser was assigned since. */
        if (type == HD_OBJ_MUTEX && ((const pthread_mutex_t *)o->addr)->__data.__kind != -1) {
            clear(o);
            import(o);
            return o;
        }
        hd_misuse(0, "%s at %p is used after it was destroyed", hd_object_type_text(type),
                  (void *)o->addr);
        o->flags &= (uint8_t)~HD_OF_DESTROYED; /* once is enough */
    }
    return o;
}

struct hd_obj *hd_object_fresh(const volatile void *addr, enum hd_object_type type)
{
    struct hd_obj *o = find((uintptr_t)addr, type);

    if (o->epoch == hd.epoch && o->nwatchers != 0)
        hd_misuse(0, "%s at %p is initialised while threads use it", hd_object_type_text(type),
                  (void *)o->addr);
    else
        clear(o);
    return o;
}

uint32_t *hd_object_tokens(void)
{
    if (token_pool == NULL)
        token_pool = hd_mem_map(0, TOKEN_POOL * sizeof *token_pool, PROT_READ | PROT_WRITE);
    HD_INVARIANT(token_pool != NULL && token_used + HD_MAX_THREADS <= TOKEN_POOL,
                 "too many condition variables with waiters");
    uint32_t *p = token_pool + token_used;

    token_used += HD_MAX_THREADS;
    return p;
}

void hd_object_begin(void)
{
    token_used = 0;
}

void hd_object_each(void (*fn)(struct hd_obj *, void *), void *arg)
{
    for (size_t i = 0; i < table_size; i++)
        if (table[i] != NULL && table[i]->epoch == hd.epoch)
            fn(table[i], arg);
}
