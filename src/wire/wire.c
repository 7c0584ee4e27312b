/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wire.c - layout and mapping of the shared memory file, and reading findings.
 * Runs in the conductor and in the target (there before main, so: system calls
 * and memory only). */
#include "wire/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define GUARD UINT64_C(0x100000) /* unmapped space between the parts: stray writes fault */

enum part { PART_HEAD, PART_DECISIONS, PART_EVENTS, PART_RECORDED, PART_OBJECTS, PART_INDEX,
            PART_FINDINGS, PART_KEPT, PART_ARENA, PARTS };

static uint64_t part_bytes(enum part p)
{
    static const uint64_t bytes[PARTS] = {
        [PART_HEAD] = sizeof(struct hd_wire),
        [PART_DECISIONS] = HD_MAX_STEPS * sizeof(struct hd_decision),
        [PART_EVENTS] = HD_MAX_STEPS * UINT64_C(2) * sizeof(struct hd_event),
        [PART_RECORDED] = HD_MAX_STEPS * sizeof(struct hd_decision),
        [PART_OBJECTS] = HD_MAX_OBJECTS * sizeof(struct hd_object_info),
        [PART_INDEX] = HD_OBJECT_INDEX * sizeof(uint32_t),
        [PART_FINDINGS] = HD_FINDINGS_BYTES,
        [PART_KEPT] = HD_KEPT_BYTES,
        [PART_ARENA] = HD_ARENA_BYTES,
    };

    return (bytes[p] + 4095) & ~UINT64_C(4095);
}

static uint64_t part_offset(enum part p)
{
    uint64_t at = 0;

    for (int i = 0; i < (int)p; i++)
        at += part_bytes((enum part)i) + GUARD;
    return at;
}

static bool map_parts(int fd)
{
    for (int i = 0; i < PARTS; i++) {
        uint64_t at = part_offset((enum part)i);
        void *want = (void *)(uintptr_t)(HD_WIRE_ADDR + at);
        void *got = mmap(want, part_bytes((enum part)i), PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, fd, (off_t)at);

        if (got == MAP_FAILED)
            return false;
        if (got != want) {
            munmap(got, part_bytes((enum part)i));
            errno = EEXIST;
            return false;
        }
    }
    return true;
}

static void *part_address(enum part p)
{
    return (void *)(uintptr_t)(HD_WIRE_ADDR + part_offset(p));
}

static void unmap_parts(void)
{
    for (int i = 0; i < PARTS; i++)
        munmap(part_address((enum part)i), part_bytes((enum part)i));
}

/* Not 0, 1 or 2, even when one of them is free: the target gets its own there. */
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

struct hd_wire *hd_wire_create(int *fd)
{
    uint64_t size = part_offset(PART_ARENA) + part_bytes(PART_ARENA);

    *fd = make_file();
    if (*fd < 0)
        return NULL;
    if (ftruncate(*fd, (off_t)size) != 0 || !map_parts(*fd)) {
        int saved = errno;

        close(*fd);
        errno = saved;
        return NULL;
    }

    struct hd_wire *w = part_address(PART_HEAD);

    w->version = HD_WIRE_VERSION;
    w->exec.decisions = part_address(PART_DECISIONS);
    w->exec.events = part_address(PART_EVENTS);
    w->recorded = part_address(PART_RECORDED);
    w->objects = part_address(PART_OBJECTS);
    w->object_index = part_address(PART_INDEX);
    w->findings = part_address(PART_FINDINGS);
    w->kept = part_address(PART_KEPT);
    w->arena.base = part_address(PART_ARENA);
    w->arena.size = part_bytes(PART_ARENA);
    w->nobjects = 1;
    w->magic = HD_WIRE_MAGIC;
    return w;
}

struct hd_wire *hd_wire_attach(int fd)
{
    if (!map_parts(fd))
        return NULL;
    struct hd_wire *w = part_address(PART_HEAD);

    if (w->magic != HD_WIRE_MAGIC || w->version != HD_WIRE_VERSION) {
        unmap_parts();
        return NULL;
    }
    return w;
}

void hd_wire_destroy(struct hd_wire *w, int fd)
{
    (void)w;
    unmap_parts();
    close(fd);
}

const struct hd_finding *hd_wire_finding_first(const struct hd_wire *w)
{
    if (__atomic_load_n(&w->findings_used, __ATOMIC_ACQUIRE) == 0)
        return NULL;
    return (const struct hd_finding *)(const void *)w->findings;
}

const struct hd_finding *hd_wire_finding_next(const struct hd_wire *w, const struct hd_finding *f)
{
    const unsigned char *next = (const unsigned char *)f + f->size;

    if (next >= w->findings + __atomic_load_n(&w->findings_used, __ATOMIC_ACQUIRE))
        return NULL;
    return (const struct hd_finding *)(const void *)next;
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
