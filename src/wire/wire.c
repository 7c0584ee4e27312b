/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wire.c - layout and mapping of the shared memory file, and reading of findings.  Runs in the conductor and in
 * the target.  In the target it runs before main, so there it uses only system calls. */
#include "wire/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"

#define GUARD UINT64_C(0x100000) /* unmapped space between the parts, so that stray writes fault */

enum common_part { COMMON_HEAD, COMMON_OBJECTS, COMMON_INDEX, COMMON_UNSEEN, COMMON_LOCKED, COMMON_AWAITS,
                   COMMON_REACHED, COMMON_ARENA, COMMON_PARTS };
enum wire_part { WIRE_HEAD, WIRE_DECISIONS, WIRE_STANDS, WIRE_EVENTS, WIRE_KEYS, WIRE_RECORDED, WIRE_FINDINGS,
                 WIRE_KEPT, WIRE_ARENA, WIRE_PARTS };

#define PAGES(bytes) (((bytes) + UINT64_C(4095)) & ~UINT64_C(4095))

static const uint64_t common_bytes[COMMON_PARTS] = {
    [COMMON_HEAD] = PAGES(sizeof(struct hd_common)),
    [COMMON_OBJECTS] = PAGES(HD_MAX_OBJECTS * sizeof(struct hd_object_info)),
    [COMMON_INDEX] = PAGES(HD_OBJECT_INDEX * sizeof(uint32_t)),
    [COMMON_UNSEEN] = PAGES(sizeof(struct hd_unseen_table)),
    [COMMON_LOCKED] = PAGES(sizeof(struct hd_locked_table)),
    [COMMON_AWAITS] = PAGES(sizeof(struct hd_await_table)),
    [COMMON_REACHED] = PAGES(sizeof(struct hd_reached)),
    [COMMON_ARENA] = PAGES(HD_ARENA_BYTES),
};

static const uint64_t wire_bytes[WIRE_PARTS] = {
    [WIRE_HEAD] = PAGES(sizeof(struct hd_wire)),
    [WIRE_DECISIONS] = PAGES(HD_MAX_STEPS * sizeof(struct hd_decision)),
    [WIRE_STANDS] = PAGES(HD_MAX_STEPS * sizeof(uint32_t)),
    [WIRE_EVENTS] = PAGES(HD_MAX_STEPS * UINT64_C(2) * sizeof(struct hd_event)),
    [WIRE_KEYS] = PAGES(HD_MAX_STEPS * UINT64_C(2) * sizeof(uint64_t)),
    [WIRE_RECORDED] = PAGES(HD_MAX_STEPS * sizeof(struct hd_decision)),
    [WIRE_FINDINGS] = PAGES(HD_FINDINGS_BYTES),
    [WIRE_KEPT] = PAGES(HD_KEPT_BYTES),
    [WIRE_ARENA] = PAGES(HD_ARENA_BYTES),
};

/* A contiguous range of the file: the common part, or the wire of one worker. */
struct stretch {
    uint64_t at; /* offset in the file; mapped at HD_WIRE_ADDR + at */
    const uint64_t *bytes;
    unsigned nparts;
};

static struct stretch common_stretch(void)
{
    return (struct stretch){ 0, common_bytes, COMMON_PARTS };
}

static struct stretch wire_stretch(uint32_t worker)
{
    return (struct stretch){ (worker + UINT64_C(1)) * HD_WIRE_STRIDE, wire_bytes, WIRE_PARTS };
}

/* Returns the file offset of part p; p may be nparts, which gives the end. */
static uint64_t part_offset(const struct stretch *s, unsigned p)
{
    uint64_t at = s->at;

    for (unsigned i = 0; i < p; i++)
        at += s->bytes[i] + GUARD;
    return at;
}

static void *part_address(const struct stretch *s, unsigned p)
{
    return (void *)(uintptr_t)(HD_WIRE_ADDR + part_offset(s, p));
}

static void unmap_parts(const struct stretch *s, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        munmap(part_address(s, i), s->bytes[i]);
}

static bool map_part(const struct stretch *s, unsigned p, int fd)
{
    void *want = part_address(s, p);
    void *got = mmap(want, s->bytes[p], PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, fd,
                     (off_t)part_offset(s, p));

    if (got == want)
        return true;
    if (got != MAP_FAILED) { /* a kernel that ignores MAP_FIXED_NOREPLACE */
        munmap(got, s->bytes[p]);
        errno = EEXIST;
    }
    return false;
}

/* Maps all parts or none.  Preserves errno. */
static bool map_stretch(struct stretch s, int fd)
{
    for (unsigned i = 0; i < s.nparts; i++) {
        if (map_part(&s, i, fd))
            continue;
        int saved = errno;

        unmap_parts(&s, i);
        errno = saved;
        return false;
    }
    return true;
}

static void unmap_stretch(struct stretch s)
{
    unmap_parts(&s, s.nparts);
}

/* Creates the file with a descriptor above 2, even if lower ones are free, because the target uses these for
 * its standard streams. */
static int make_file(void)
{
    int low = memfd_create("heddle-wire", 0);

    if (low < 0 || low > STDERR_FILENO)
        return low;
    int fd = fcntl(low, F_DUPFD, STDERR_FILENO + 1);
    int saved = errno;

    close(low);
    errno = saved;
    return fd;
}

void hd_common_init(struct hd_common *c, uint32_t nworkers)
{
    struct stretch s = common_stretch();

    c->version = HD_WIRE_VERSION;
    c->nworkers = nworkers;
    c->slots[0] = 1; /* slot 0 belongs to main */
    c->nobjects = 1;
    c->objects = part_address(&s, COMMON_OBJECTS);
    c->object_index = part_address(&s, COMMON_INDEX);
    c->unseen = part_address(&s, COMMON_UNSEEN);
    c->locked = part_address(&s, COMMON_LOCKED);
    c->awaits = part_address(&s, COMMON_AWAITS);
    c->reached = part_address(&s, COMMON_REACHED);
    c->arena.base = part_address(&s, COMMON_ARENA);
    c->arena.size = common_bytes[COMMON_ARENA];
    c->magic = HD_WIRE_MAGIC;
}

bool hd_common_pointers_hold(const struct hd_common *c)
{
    struct stretch s = common_stretch();

    return c->objects == part_address(&s, COMMON_OBJECTS) && c->object_index == part_address(&s, COMMON_INDEX) &&
           c->unseen == part_address(&s, COMMON_UNSEEN) && c->locked == part_address(&s, COMMON_LOCKED) &&
           c->reached == part_address(&s, COMMON_REACHED) &&
           c->arena.base == part_address(&s, COMMON_ARENA) && c->arena.size == common_bytes[COMMON_ARENA];
}

void hd_wire_point(struct hd_wire *w, uint32_t worker, struct hd_common *common)
{
    struct stretch s = wire_stretch(worker);

    w->common = common;
    w->exec.decisions = part_address(&s, WIRE_DECISIONS);
    w->exec.stands = part_address(&s, WIRE_STANDS);
    w->exec.events = part_address(&s, WIRE_EVENTS);
    w->exec.await_keys = part_address(&s, WIRE_KEYS);
    w->exec.awaits = common->awaits;
    w->recorded = part_address(&s, WIRE_RECORDED);
    w->findings = part_address(&s, WIRE_FINDINGS);
    w->kept = part_address(&s, WIRE_KEPT);
    w->arena.base = part_address(&s, WIRE_ARENA);
    w->arena.size = wire_bytes[WIRE_ARENA];
}

bool hd_wire_pointers_hold(const struct hd_wire *w, uint32_t worker)
{
    struct stretch s = wire_stretch(worker);

    return w->exec.decisions == part_address(&s, WIRE_DECISIONS) && w->exec.stands == part_address(&s, WIRE_STANDS) &&
           w->exec.events == part_address(&s, WIRE_EVENTS) && w->exec.await_keys == part_address(&s, WIRE_KEYS) &&
           w->recorded == part_address(&s, WIRE_RECORDED) &&
           w->findings == part_address(&s, WIRE_FINDINGS) && w->kept == part_address(&s, WIRE_KEPT) &&
           w->arena.base == part_address(&s, WIRE_ARENA) && w->arena.size == wire_bytes[WIRE_ARENA];
}

static struct hd_wire *init_wire(uint32_t worker, struct hd_common *common)
{
    struct stretch s = wire_stretch(worker);
    struct hd_wire *w = part_address(&s, WIRE_HEAD);

    w->config.worker = worker;
    w->config.nworkers = common->nworkers;
    hd_wire_point(w, worker, common);
    return w;
}

static bool map_all(int fd, uint32_t n)
{
    struct stretch last = wire_stretch(n - 1);

    if (ftruncate(fd, (off_t)part_offset(&last, WIRE_PARTS)) != 0 ||
        !map_stretch(common_stretch(), fd))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (map_stretch(wire_stretch(i), fd))
            continue;
        int saved = errno;

        while (i-- > 0)
            unmap_stretch(wire_stretch(i));
        unmap_stretch(common_stretch());
        errno = saved;
        return false;
    }
    return true;
}

bool hd_wires_create(struct hd_wires *ws, uint32_t n)
{
    struct stretch common = common_stretch(), longest = wire_stretch(0);

    HD_INVARIANT(n >= 1 && n <= HD_MAX_WORKERS, "number of workers");
    HD_INVARIANT(part_offset(&longest, WIRE_PARTS) <= 2 * HD_WIRE_STRIDE, "wires overlap");
    *ws = (struct hd_wires){ .fd = make_file(), .n = n };
    if (ws->fd < 0)
        return false;
    if (!map_all(ws->fd, n)) {
        int saved = errno;

        close(ws->fd);
        errno = saved;
        return false;
    }
    ws->common = part_address(&common, COMMON_HEAD);
    hd_common_init(ws->common, n);
    for (uint32_t i = 0; i < n; i++)
        ws->wire[i] = init_wire(i, ws->common);
    return true;
}

void hd_wires_destroy(struct hd_wires *ws)
{
    for (uint32_t i = 0; i < ws->n; i++)
        unmap_stretch(wire_stretch(i));
    unmap_stretch(common_stretch());
    close(ws->fd);
}

void hd_wires_renew(struct hd_wires *ws)
{
    struct hd_common *c = ws->common;

    c->files_turn = c->other_target = 0;
    for (uint32_t i = 0; i < ws->n; i++) {
        struct hd_wire *w = ws->wire[i];

        w->phase = HD_PHASE_START;
        w->zygote_pid = w->worker_pid = 0;
        w->stop = w->rest = w->rests = 0;
        w->watchdog_kill = w->watchdog_busy = 0;
        w->analysing = w->worker_done = 0;
        c->let_go[i] = 0; /* clears the announcement of a zygote that has ended */
        c->tally[i].runs_free = 0;
    }
}

struct hd_wire *hd_wire_attach(int fd, uint32_t worker)
{
    struct stretch common = common_stretch(), own = wire_stretch(worker);
    const struct hd_common *c = part_address(&common, COMMON_HEAD);

    if (!map_stretch(common, fd))
        return NULL;
    if (c->magic == HD_WIRE_MAGIC && c->version == HD_WIRE_VERSION && worker < c->nworkers &&
        map_stretch(own, fd))
        return part_address(&own, WIRE_HEAD);
    unmap_stretch(common);
    return NULL;
}

/* ---- the common part --------------------------------------------------------------------- */

static uint32_t claim_of(uint32_t parent, uint32_t nth)
{
    return (parent << 16 | (nth & 0xffff)) + 1;
}

void hd_common_set_slot(struct hd_common *c, uint32_t s, uint32_t parent, uint32_t nth)
{
    c->slots[s] = claim_of(parent, nth);
}

bool hd_common_is_slot(const struct hd_common *c, uint32_t s, uint32_t parent, uint32_t nth)
{
    return __atomic_load_n(&c->slots[s], __ATOMIC_RELAXED) == claim_of(parent, nth);
}

uint32_t hd_common_slot(struct hd_common *c, uint32_t parent, uint32_t nth)
{
    uint32_t wanted = claim_of(parent, nth);

    for (uint32_t s = 1; s < HD_MAX_THREADS; s++) {
        uint32_t there = __atomic_load_n(&c->slots[s], __ATOMIC_RELAXED);

        /* If the claim fails, `there` becomes the slot's new owner. */
        if (there == wanted ||
            (there == 0 && (__atomic_compare_exchange_n(&c->slots[s], &there, wanted, false,
                                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
                            there == wanted)))
            return s;
    }
    return HD_MAX_THREADS;
}

uint32_t hd_common_slots(const struct hd_common *c, struct hd_slot *out)
{
    uint32_t n = 0;

    for (; n < HD_MAX_THREADS; n++) {
        uint32_t there = __atomic_load_n(&c->slots[n], __ATOMIC_RELAXED);

        if (there == 0)
            break;
        out[n] = (struct hd_slot){ (uint16_t)((there - 1) >> 16), (uint16_t)(there - 1) };
    }
    return n;
}

uint32_t hd_common_sites(const struct hd_common *c)
{
    uint32_t n = 0;

    while (n < HD_MAX_SITES && __atomic_load_n(&c->sites[n].name, __ATOMIC_ACQUIRE) != 0)
        n++;
    return n;
}

void hd_common_found(struct hd_common *c, uint64_t index)
{
    uint64_t known = __atomic_load_n(&c->found, __ATOMIC_RELAXED);

    while ((known == 0 || index + 1 < known) &&
           !__atomic_compare_exchange_n(&c->found, &known, index + 1, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        continue;
}

/* ---- findings ---------------------------------------------------------------------------- */

/* Returns the size of one row of a section; 0 if the section has no rows. */
static uint64_t row_bytes(uint32_t type)
{
    switch (type) {
    case HD_SEC_DECISIONS:
        return sizeof(struct hd_decision);
    case HD_SEC_EVENTS:
    case HD_SEC_PENDING:
        return sizeof(struct hd_event);
    case HD_SEC_THREADS:
        return sizeof(struct hd_thread_info);
    case HD_SEC_CALLS:
        return sizeof(uint64_t);
    case HD_SEC_HOLDS:
        return sizeof(struct hd_hold);
    case HD_SEC_SLOTS:
        return sizeof(struct hd_slot);
    case HD_SEC_BLOCK:
        return sizeof(struct hd_block_info);
    case HD_SEC_RACE:
        return sizeof(struct hd_race_info);
    case HD_SEC_CYCLE:
        return sizeof(struct hd_cycle_info);
    case HD_SEC_POLLED:
        return sizeof(struct hd_polled);
    case HD_SEC_BLOCKED_STATES:
        return sizeof(struct hd_stand);
    case HD_SEC_LOCKS:
        return sizeof(struct hd_lock_step);
    case HD_SEC_NAMED_BLOCKS:
        return sizeof(struct hd_named_block);
    default:
        return 0;
    }
}

static bool events_hold(const struct hd_section *s)
{
    const struct hd_event *e = (const struct hd_event *)(const void *)(s + 1);

    if (s->type != HD_SEC_EVENTS && s->type != HD_SEC_PENDING)
        return true;
    for (uint32_t i = 0; i < s->count; i++)
        if (e[i].kind >= HD_EV_COUNT || e[i].obj >= HD_MAX_OBJECTS || (e[i].tid >= HD_MAX_THREADS && e[i].tid != HD_NO_TID))
            return false;
    return true;
}

static bool section_holds(const struct hd_section *s, uint64_t room)
{
    if (s->type >= HD_SEC_TYPES || s->bytes > room - sizeof *s)
        return false;
    if (s->type == HD_SEC_STACK)
        return s->bytes >= sizeof(struct hd_stack_image) &&
               ((const struct hd_stack_image *)(const void *)(s + 1))->bytes <= s->bytes - sizeof(struct hd_stack_image);
    return (row_bytes(s->type) == 0 || (uint64_t)s->count * row_bytes(s->type) <= s->bytes) && events_hold(s);
}

/* True if the record is plausible.  The target may have overwritten it, so its sizes are checked. */
static bool record_holds(const struct hd_wire *w, const struct hd_finding *f, uint64_t used)
{
    uint64_t at = (uint64_t)((const unsigned char *)f - w->findings), size;

    if (used > HD_FINDINGS_BYTES || at > used || used - at < sizeof *f)
        return false;
    size = f->size;
    if (size < sizeof *f || size % 8 != 0 || size > used - at || f->kind >= HD_FK_COUNT ||
        f->warning >= HD_WARN_COUNT || f->nthreads > HD_MAX_THREADS ||
        memchr(f->message, '\0', sizeof f->message) == NULL || (f->tid >= HD_MAX_THREADS && f->tid != HD_NO_TID))
        return false;
    for (at = sizeof *f; size - at >= sizeof(struct hd_section);) {
        const struct hd_section *s = (const struct hd_section *)(const void *)((const unsigned char *)f + at);

        if (s->type == HD_SEC_END)
            return true;
        if (!section_holds(s, size - at))
            return false;
        at += sizeof *s + ((s->bytes + 7) & ~UINT64_C(7));
        if (at > size)
            return false;
    }
    return true;
}

static const struct hd_finding *record_at(const struct hd_wire *w, const unsigned char *at)
{
    uint64_t used = __atomic_load_n(&w->findings_used, __ATOMIC_ACQUIRE);
    const struct hd_finding *f = (const struct hd_finding *)(const void *)at;

    return used != 0 && at < w->findings + used && record_holds(w, f, used) ? f : NULL;
}

const struct hd_finding *hd_wire_finding_first(const struct hd_wire *w)
{
    return record_at(w, w->findings);
}

const struct hd_finding *hd_wire_finding_next(const struct hd_wire *w, const struct hd_finding *f)
{
    return record_at(w, (const unsigned char *)f + f->size);
}

const struct hd_section *hd_finding_section(const struct hd_finding *f, enum hd_section_type type,
                                            hd_tid tid)
{
    const unsigned char *at = (const unsigned char *)f + sizeof *f;
    const unsigned char *end = (const unsigned char *)f + f->size;

    while (at < end) {
        const struct hd_section *s = (const struct hd_section *)(const void *)at;

        if (s->type == HD_SEC_END)
            break;
        if (s->type == (uint32_t)type && (tid == HD_NO_TID || s->tid == tid))
            return s;
        at += sizeof *s + ((s->bytes + 7) & ~UINT64_C(7));
    }
    return NULL;
}
