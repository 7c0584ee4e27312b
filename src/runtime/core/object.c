/* SPDX-License-Identifier: BSD-2-Clause
 *
 * object.c - the table of sync objects, which maps an address and a type to the object's state.
 *
 * O1  A row is made once per address and type and lives as long as the process.  The first use in
 *     an execution sets its state up again (epoch).
 * O2  Ids are rows of the wire's table, which all workers share: an id means the same object for
 *     the whole campaign.
 * O3  Reports about an object depend on the operations that had their turn, never on those that are
 *     only announced: equivalent executions differ in when a thread announces. */

#include "runtime/core/object.h"

#include <pthread.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/rules.h"
#include "base/sys.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/execution.h"
#include "runtime/core/fiber.h"
#include "runtime/core/ledger.h"
#include "runtime/core/memory_map.h"
#include "runtime/core/operation.h"
#include "runtime/core/program.h"
#include "runtime/core/state.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"
#include "wire/wire.h"

static struct hd_obj **table;
static size_t table_size, table_used;
static struct hd_obj *chunk;
static size_t chunk_left;
/* Memory for token stamps, allocated from a chain of pools and freed all at once. */
struct token_pool {
    struct token_pool *next;
    uint32_t tokens[];
};
static struct token_pool *first_tokens, *tokens;
static size_t tokens_used; /* number of words used in the last pool */

static struct hd_obj nothing; /* valid in no execution: fills unused entries of the cache */
struct hd_obj *hd_recent[HD_RECENT] = { [0 ... HD_RECENT - 1] = &nothing };

enum { CHUNK = 512, FIRST_TABLE = 4096, TOKEN_POOL = 1024 * HD_MAX_THREADS };

hd_cname hd_object_name(uintptr_t addr)
{
    const struct hd_wire *w = hd.wire;

    if (hd_callbacks.heap_owns((void *)addr) && addr >= HD_HEAP_BASE)
        return hd_cname_make(HD_REG_HEAP, (unsigned)((addr - HD_HEAP_BASE) / HD_HEAP_STRIDE),
                             (addr - HD_HEAP_BASE) % HD_HEAP_STRIDE);
    if (addr >= HD_STACK_BASE && addr < HD_STACK_BASE + HD_MAX_THREADS * HD_STACK_STRIDE)
        return hd_cname_make(HD_REG_STACK, (unsigned)((addr - HD_STACK_BASE) / HD_STACK_STRIDE),
                             HD_STACK_STRIDE - (addr - HD_STACK_BASE) % HD_STACK_STRIDE);
    for (unsigned i = 0; i < w->nmodules; i++)
        if (addr >= w->modules[i].lo && addr < w->modules[i].hi)
            return hd_cname_make(HD_REG_MODULE, i, addr - w->modules[i].bias);
    if (hd_program_look_at_loaded())
        return hd_object_name(addr);
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

static HD_COLD void too_many(void)
{
    HD_INVARIANT(hd.cur != NULL, "too many objects");
    hd_execution_cut("more than a million objects: executions are cut where a new one is used");
}

static uint32_t new_rows(hd_cname name, uintptr_t addr, unsigned type, unsigned rows)
{
    struct hd_common *c = hd.wire->common;

    if (__atomic_load_n(&c->nobjects, __ATOMIC_RELAXED) + rows >= HD_MAX_OBJECTS)
        too_many();
    uint32_t id = __atomic_fetch_add(&c->nobjects, rows, __ATOMIC_RELAXED);

    HD_INVARIANT(id + rows < HD_MAX_OBJECTS, "too many objects at once");
    for (uint32_t i = 0; i < rows; i++)
        c->objects[id + i] = (struct hd_object_info){ .name = name, .addr = addr, .type = (uint8_t)(type + i) };
    return id;
}

/* Returns the id of the row with this name and type, which another worker may have made or may be making.  A row
 * is complete before one store puts it into the index.  A worker that dies before that, or comes second, leaves an
 * unused row. */
static uint32_t row_for(uintptr_t addr, unsigned type, unsigned rows)
{
    struct hd_common *c = hd.wire->common;
    hd_cname name = type == HD_OBJ_THREAD ? hd_cname_make(HD_REG_THREAD, 0, addr)
                    : type == HD_OBJ_PROCESS ? hd_cname_make(HD_REG_PROCESS, 0, 0)
                    : type == HD_OBJ_STATE   ? hd_callbacks.state_name(addr)
                                             : hd_object_name(addr);
    size_t at = (size_t)(hd_hash_mix(name, type) % HD_OBJECT_INDEX);
    uint32_t own = 0;

    for (;; at = (at + 1) % HD_OBJECT_INDEX) {
        uint32_t id = __atomic_load_n(&c->object_index[at], __ATOMIC_ACQUIRE);

        if (id == 0) {
            own = own != 0 ? own : new_rows(name, addr, type, rows); /* may not return */
            if (__atomic_compare_exchange_n(&c->object_index[at], &id, own, false,
                                            __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
                return own;
        }
        if (c->objects[id].name == name && c->objects[id].type == type)
            return id;
    }
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
    uint32_t id = row_for(addr, type, pair ? 2 : 1); /* may not return */
    struct hd_obj *o = &chunk[--chunk_left];

    o->addr = addr;
    o->type = (uint8_t)type;
    o->id = id;
    o->sig = (uint32_t)(hd.wire->common->objects[o->id].name * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    insert(o);
    table_used++;
    return o;
}

/* Resets all state except the waiters. */
static void clear_state(struct hd_obj *o)
{
    o->epoch = hd.epoch;
    o->flags = 0;
    o->attr = 0;
    o->robust = 0;
    o->sync.owner = HD_NO_TID;
    o->sync.done = o->sync.known = false;
    o->sync.count = o->sync.limit = o->sync.round = 0;
    o->uses = o->user = 0;
    o->second = NULL;
    o->pc = 0;
    hd_set_clear(&o->readers);
}

static void clear(struct hd_obj *o)
{
    clear_state(o);
    o->sync.seq = o->sync.nwaiters = o->sync.ntokens = 0;
    o->tokens = NULL;
    o->nwatchers = o->nlockers = 0;
    hd_set_clear(&o->watchers);
}

/* If `garbage`, marks o as never initialised.  A value is garbage if no initialiser, and no use of the object before main,
 * can have produced it; all-zero memory is an initialised object for most types.  The finding is reported when the thread
 * gets its turn (O3). */
static void note_garbage(struct hd_obj *o, bool garbage)
{
    if (garbage)
        o->flags |= HD_OF_GARBAGE;
}

/* True for the values with which libc notes whether processes share an object. */
static bool is_sharing(uint32_t word)
{
    return word == 0 || word == 128;
}

/* Reads the state that libc's static initialisers and *_init have left in memory. */
static HD_COLD void import(struct hd_obj *o)
{
    const void *p = (const void *)o->addr;

    switch (o->type) {
    case HD_OBJ_MUTEX: {
        int kind = ((const pthread_mutex_t *)p)->__data.__kind;

        o->attr = (uint8_t)(kind & 3);
        o->robust = (kind & 16) != 0;
        note_garbage(o, (kind & ~0x3ff) != 0);
        break;
    }
    case HD_OBJ_COND:
        note_garbage(o, ((const pthread_cond_t *)p)->__data.__wrefs >> 3 > HD_MAX_THREADS);
        if (((const pthread_cond_t *)p)->__data.__wrefs & 2)
            o->flags |= HD_OF_MONOTONIC;
        break;
    case HD_OBJ_RWLOCK: {
        const pthread_rwlock_t *l = p;

        o->attr = l->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
        note_garbage(o, (unsigned)l->__data.__shared > 1 || l->__data.__flags > 3);
        break;
    }
    case HD_OBJ_SEM:
        o->sync.count = *(const uint32_t *)p;
        note_garbage(o, !is_sharing(((const uint32_t *)p)[2]));
        break;
    case HD_OBJ_BARRIER:
        note_garbage(o, ((const uint32_t *)p)[2] > 0 && !is_sharing(((const uint32_t *)p)[3]));
        o->sync.limit = ((const uint32_t *)p)[2];
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

/* The runtime marks destroyed memory, so that the next use shows whether the object was initialised again.  Both
 * *_init and static initialisers, which the runtime does not see, overwrite the first word of every type with
 * other values.  (libc itself marks a destroyed mutex, in its kind.) */
#define DESTROYED_MARK UINT32_C(0xdbdbdbdb)
#define DESTROYED_KIND (-1)

void hd_object_destroyed(struct hd_obj *o)
{
    o->flags |= HD_OF_DESTROYED;
    if (o->type != HD_OBJ_MUTEX)
        *(volatile uint32_t *)o->addr = DESTROYED_MARK;
}

static bool is_marked(const struct hd_obj *o)
{
    if (o->type == HD_OBJ_MUTEX)
        return ((const pthread_mutex_t *)o->addr)->__data.__kind == DESTROYED_KIND;
    return *(const volatile uint32_t *)o->addr == DESTROYED_MARK;
}

/* Resets a destroyed object for a new one at its address.  Waiters of a condition that were woken
 * before it was destroyed may still be leaving: they keep their tokens. */
static void reinitialise(struct hd_obj *o)
{
    if (o->nwatchers == 0)
        clear(o);
    o->flags = 0;
    o->second = NULL;
}

/* Tells the heap about an object in one of its blocks.  It needs to know only if it recycles blocks. */
static void note_in_heap(const struct hd_obj *o)
{
    if (HD_UNLIKELY(hd.cfg->recycle) && o->addr - HD_HEAP_BASE < HD_HEAP_BYTES)
        hd_callbacks.object_in_heap(o->addr);
}

void hd_object_renew(struct hd_obj *o)
{
    clear(o);
}

static uintptr_t canonical(uintptr_t addr)
{
    return HD_UNLIKELY(hd.access_mode & HD_MODE_ALIAS) ? hd_callbacks.alias_of(addr) : addr;
}

/* O1: a cached object of an earlier execution is still the right row.  (No object has type
 * HD_OBJ_NONE.) */
struct hd_obj *hd_object_look_up(const volatile void *addr, enum hd_object_type type)
{
    struct hd_obj **recent = &hd_recent[hd_recent_index((uintptr_t)addr)], *o = *recent;
    uintptr_t at = canonical((uintptr_t)addr);

    if (o->addr != at || o->type != type)
        *recent = o = find(at, type);
    HD_CHECK(hd.wire->common->objects[o->id].type == o->type, "O2: an id is the row of its object");
    if (o->epoch != hd.epoch) {
        clear(o);
        import(o);
        note_in_heap(o);
    } else if (HD_UNLIKELY(o->flags & HD_OF_DESTROYED) && !is_marked(o)) {
        reinitialise(o);
        import(o);
    }
    return o;
}

void hd_object_is_unusable(struct hd_obj *o)
{
    if (o->flags & HD_OF_GARBAGE) {
        o->flags &= (uint8_t)~HD_OF_GARBAGE;
        hd_callbacks.report(HD_FK_LOCK_MISUSE, hd_pending()->pc,
                            "T%u uses " HD_NAMED ", which was never initialised", hd.cur->tid, o->id);
        return;
    }
    if (is_marked(o)) {
        hd_callbacks.report(HD_FK_LOCK_MISUSE, hd_pending()->pc,
                            "T%u uses " HD_NAMED " after it was destroyed", hd.cur->tid, o->id);
        return;
    }
    reinitialise(o);
    import(o);
}

/* Returns true if other threads hold o or wait in it.  Threads that have only announced an
 * operation do not count (O3). */
static bool used_by_others(const struct hd_obj *o)
{
    struct hd_set readers = o->readers;

    if (o->sync.owner != HD_NO_TID && o->sync.owner != hd.cur->tid)
        return true;
    if (o->type == HD_OBJ_COND)
        return o->sync.nwaiters > o->sync.ntokens;
    hd_set_remove(&readers, hd.cur->tid);
    return (o->type == HD_OBJ_RWLOCK || o->type == HD_OBJ_BARRIER) && o->sync.count > 0 &&
           !hd_set_is_empty(&readers);
}

struct hd_obj *hd_object_fresh(const volatile void *addr, enum hd_object_type type)
{
    struct hd_obj *o = find(canonical((uintptr_t)addr), type);

    if (o->epoch != hd.epoch)
        clear(o);
    else if (o->flags & HD_OF_DESTROYED)
        reinitialise(o);
    else if (used_by_others(o))
        hd_callbacks.report(HD_FK_LOCK_MISUSE, 0,
                            "T%u initialises " HD_NAMED " while other threads use it", hd.cur->tid, o->id);
    else if (o->nwatchers != 0)
        clear_state(o);
    else
        clear(o);
    note_in_heap(o);
    return o;
}

/* ---- memory accessed with different sizes ------------------------------------------- */

static uint32_t largest_extent;

/* Returns the object with this address and type, NULL if there is none. */
static struct hd_obj *existing(uintptr_t addr, enum hd_object_type type)
{
    for (size_t i = slot_of(addr, type); table[i] != NULL; i = (i + 1) & (table_size - 1))
        if (table[i]->addr == addr && table[i]->type == type)
            return table[i];
    return NULL;
}

void hd_object_each_overlap(const struct hd_obj *o, void (*fn)(struct hd_obj *, void *), void *arg)
{
    uintptr_t from = o->addr < largest_extent ? 0 : o->addr - largest_extent + 1;

    for (uintptr_t a = from; a < o->addr + o->extent; a++) {
        struct hd_obj *n = a != o->addr ? existing(a, HD_OBJ_MEMORY) : NULL;

        if (n != NULL && a + n->extent > o->addr)
            fn(n, arg);
    }
}

static void note_overlap(struct hd_obj *n, void *arg)
{
    struct hd_obj *o = arg;

    o->overlaps = n->overlaps = 1;
    if (n->epoch == hd.epoch && (!(hd.access_mode & HD_MODE_UNITS) || (o->flags | n->flags) & HD_OF_AWAITED))
        hd_fact(HD_FACT_OVERLAP);
}

/* Objects are distinguished by address, so Heddle does not see conflicts between an atomic and another one that
 * begins inside it.  This is rare, so the execution only notes it (HD_FACT_OVERLAP), and only if it uses both: an
 * earlier execution may have used the memory for something else.  In a program with transactions all atomics touch
 * units of memory, which shows the conflicts; but the value of one object does not determine that of the other. */
HD_COLD void hd_object_overlap(struct hd_obj *o, unsigned size)
{
    if (o->extent < size)
        o->extent = size;
    if (largest_extent < o->extent)
        largest_extent = o->extent;
    hd_object_each_overlap(o, note_overlap, o);
}

static HD_COLD void next_token_pool(void)
{
    struct token_pool **next = tokens != NULL ? &tokens->next : &first_tokens;

    if (*next == NULL)
        *next = hd_mem_map(0, sizeof **next + TOKEN_POOL * sizeof(uint32_t), PROT_READ | PROT_WRITE);
    HD_INVARIANT(*next != NULL, "no memory for the tokens of condition variables");
    tokens = *next;
    tokens_used = 0;
}

uint32_t *hd_object_tokens(void)
{
    if (tokens == NULL || tokens_used == TOKEN_POOL)
        next_token_pool();
    uint32_t *p = tokens->tokens + tokens_used;

    tokens_used += HD_MAX_THREADS;
    return p;
}

void hd_object_begin(void)
{
    tokens = NULL;
}

static void forget(struct hd_obj *o, void *arg)
{
    const uintptr_t *range = arg;

    if (o->addr >= range[0] && o->addr < range[1] && o->nwatchers == 0)
        o->epoch = 0; /* valid for no execution: the next use sets it up again */
}

void hd_object_forget(uintptr_t addr, size_t size)
{
    uintptr_t range[2] = { addr, addr + size };

    hd_object_each(forget, range);
}

void hd_object_each(void (*fn)(struct hd_obj *, void *), void *arg)
{
    for (size_t i = 0; i < table_size; i++)
        if (table[i] != NULL && table[i]->epoch == hd.epoch)
            fn(table[i], arg);
}
