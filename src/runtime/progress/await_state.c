/* SPDX-License-Identifier: BSD-2-Clause
 *
 * await_state.c - see await_state.h. */
#include "runtime/progress/await_state.h"

#include "base/hash.h"
#include "base/limits.h"
#include "model/awaits.h"
#include "runtime/core/entry.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/progress/liveness.h"
#include "runtime/progress/poll.h"
#include "runtime/sys/instruction.h"
#include "runtime/sys/mem.h"

enum { LEFT_OUT = HD_LIMIT(16, 2) };

uint8_t hd_await_size(enum hd_kind kind)
{
    return hd_kind_attempts(kind) ? 0 : hd_entry.size;
}

/* The value that a register has after the operation. */
static uint64_t value_of(const struct hd_visit *v, unsigned reg)
{
    switch (reg) {
    case HD_RBX: return hd_entry.rbx;
    case HD_RBP: return hd_entry.rbp;
    case HD_RSP: return v->sp + 8;
    case 12: return hd_entry.r12;
    case 13: return hd_entry.r13;
    case 14: return hd_entry.r14;
    default: return hd_entry.r15;
    }
}

static uint64_t registers(const struct hd_visit *v, const struct hd_dead *dead)
{
    static const uint8_t number[] = { HD_RBX, HD_RBP, 12, 13, 14, 15 };
    uint64_t h = 0;

    for (unsigned i = 0; i < sizeof number; i++)
        h = hd_hash_mix(h, dead->registers >> number[i] & 1 ? 0 : value_of(v, number[i]));
    return h | 1;
}

static uintptr_t resolve(const struct hd_visit *v, const struct hd_dead_address *a)
{
    return value_of(v, a->base) + (uintptr_t)(intptr_t)a->offset;
}

/* True if no pointer of w points to the word. */
static bool is_apart(const struct hd_visit *v, const struct hd_dead_word *w)
{
    uintptr_t at = resolve(v, &w->at);

    for (unsigned i = 0; i < w->npointers; i++) {
        uintptr_t p = resolve(v, &w->pointer[i]);

        if (p < at + w->size && at < p + w->pointed[i])
            return false;
    }
    return true;
}

/* Returns the word of the frame, or NULL if it is not dead here. */
static uint8_t *dead_word(const struct hd_thread *t, const struct hd_visit *v, const struct hd_dead_word *w)
{
    uintptr_t at = resolve(v, &w->at);

    return !w->shared && at >= v->sp + 8 && at + w->size <= t->frames_hi && is_apart(v, w) ? (uint8_t *)at : NULL;
}

/* ---- words that were left out ---------------------------------------------------------- */

static struct left_out {
    uint32_t epoch; /* execution to which this belongs */
    uint32_t n;
    struct {
        uintptr_t at;
        uint8_t size;
    } word[LEFT_OUT];
    bool more;
} left_out[HD_MAX_THREADS];

static void note_left_out(const struct hd_thread *t, uintptr_t at, uint8_t size)
{
    struct left_out *l = &left_out[t->tid];

    if (l->epoch != hd.epoch)
        *l = (struct left_out){ .epoch = hd.epoch };
    for (uint32_t i = 0; i < l->n; i++)
        if (l->word[i].at == at && l->word[i].size == size)
            return;
    l->more |= l->n == LEFT_OUT;
    if (l->more)
        return;
    l->word[l->n].at = at;
    l->word[l->n++].size = size;
}

void hd_await_own_memory(const struct hd_thread *t, uintptr_t addr, unsigned size)
{
    const struct left_out *l = &left_out[t->tid];

    if (l->epoch != hd.epoch)
        return;
    bool meets = l->more;

    for (uint32_t i = 0; i < l->n; i++)
        meets |= addr < l->word[i].at + l->word[i].size && l->word[i].at < addr + size;
    if (meets)
        hd_uncontrolled("a waiting loop accesses a variable both by atomic and by ordinary operations");
}

/* ---- the state ---------------------------------------------------------------------------- */

/* Hashes the live stack as if dead words were 0. */
static uint64_t stack_hash(const struct hd_thread *t, const struct hd_visit *v, const struct hd_dead *dead, uint64_t h)
{
    uint64_t kept[HD_DEAD_WORDS][2];

    for (uint32_t i = 0; i < dead->nwords; i++) {
        uint8_t *at = dead_word(t, v, &dead->word[i]);

        if (at == NULL)
            continue;
        note_left_out(t, (uintptr_t)at, dead->word[i].size);
        hd_mem_copy(kept[i], at, dead->word[i].size);
        hd_mem_zero(at, dead->word[i].size);
    }
    h = hd_hash_words(h, (const void *)v->sp, (t->frames_hi - v->sp) / 8);
    for (uint32_t i = dead->nwords; i-- > 0;) { /* in reverse: words may overlap */
        uint8_t *at = dead_word(t, v, &dead->word[i]);

        if (at != NULL)
            hd_mem_copy(at, kept[i], dead->word[i].size);
    }
    return h;
}

/* True if the operation returns to pc itself, not to a library function that was called from there. */
static bool is_direct(const struct hd_visit *v)
{
    return *(const uint64_t *)v->sp == v->pc;
}

bool hd_await_is_dead(const struct hd_thread *t, uint64_t pc, uintptr_t addr, unsigned size)
{
    struct hd_visit v = { .pc = pc };

    if (!hd_poll_entry(t, &v) || !is_direct(&v) || (addr + size > t->stack_lo && addr < t->stack_hi))
        return false;
    const struct hd_dead *dead = hd_liveness_at(pc);

    for (uint32_t i = 0; i < dead->nwords; i++) {
        const struct hd_dead_word *w = &dead->word[i];

        if (!w->shared || resolve(&v, &w->at) != addr || w->size != size || !is_apart(&v, w))
            continue;
        note_left_out(t, addr, w->size);
        return true;
    }
    return false;
}

uint64_t hd_await_state(const struct hd_thread *t, enum hd_kind kind, const struct hd_obj *o, uint64_t pc)
{
    static const struct hd_dead nothing;
    struct hd_visit v = { .pc = pc };

    if (!hd_poll_entry(t, &v) || v.sp > t->frames_hi)
        return 0;
    const struct hd_dead *dead = is_direct(&v) ? hd_liveness_at(pc) : &nothing;
    uint64_t h = stack_hash(t, &v, dead, registers(&v, dead));

    h = hd_hash_mix(hd_hash_mix(h, v.sp), pc);
    h = hd_hash_mix(hd_hash_mix(h, t->slot), (uint64_t)kind << 8 | hd_await_size(kind));
    if (kind == HD_EV_ATOMIC_CAS || kind == HD_EV_ATOMIC_RMW)
        h = hd_hash_mix(h, hd_entry.operand);
    return hd_hash_mix(h, o->addr) | 1;
}
