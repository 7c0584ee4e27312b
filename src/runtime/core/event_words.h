/* SPDX-License-Identifier: BSD-2-Clause
 *
 * event_words.h - writes events by whole words.  They are soon read back as words, and the processor cannot
 * forward the value of a narrow store to a wider load. */
#ifndef HD_RUNTIME_CORE_EVENT_WORDS_H
#define HD_RUNTIME_CORE_EVENT_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "model/event.h"

static inline void hd_event_set(struct hd_event *e, uint64_t head, uint64_t objects, uint64_t pc)
{
    _Static_assert(offsetof(struct hd_event, kind) == 2 && offsetof(struct hd_event, flags) == 3 &&
                       offsetof(struct hd_event, peer) == 4 && offsetof(struct hd_event, obj) == 8 &&
                       offsetof(struct hd_event, pc) == 16 && offsetof(struct hd_event, value) == 24,
                   "layout of an event");
    uint64_t *w = (uint64_t *)(void *)e;

    w[0] = head;
    w[1] = objects;
    w[2] = pc;
    w[3] = 0;
}
static inline uint64_t hd_event_head(hd_tid tid, enum hd_kind kind, hd_tid peer)
{
    return tid | (uint64_t)kind << 16 | (uint64_t)peer << 32;
}
static inline void hd_event_add_flags(struct hd_event *e, unsigned flags)
{
    *(uint64_t *)(void *)e |= (uint64_t)(flags & 0xff) << 24;
}
static inline void hd_event_set_peer(struct hd_event *e, hd_tid peer)
{
    uint64_t *w = (uint64_t *)(void *)e;
    uint64_t head = (*w & ~(UINT64_C(0xffff) << 32)) | (uint64_t)peer << 32;

    __asm__("" : "+r"(head)); /* else gcc stores the two bytes alone */
    *w = head;
}

#endif
