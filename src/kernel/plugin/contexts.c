/* SPDX-License-Identifier: BSD-2-Clause
 *
 * contexts.c - tracks the threads of the kernel, which are identified by the block of memory that contains their stack,
 * and the state of each: its calls, whether it is blocked, which locks it holds.
 *
 * C1  A thread that leaves the processor in an interrupt is ready.  One that leaves it otherwise is blocked or has
 *     ended, if it has called the function with that role; otherwise it has yielded. */
#include <string.h>

#include "kernel/plugin/state.h"

#define FLAG_IF (1u << 9)

static uint32_t block_of(uint32_t address)
{
    return address & ~(hd_kp.link->stack - 1);
}

static uint32_t word(uint32_t address)
{
    return hd_guest_word(hd_kp.link, hd_kp.ram, address);
}

static void read_text(uint32_t at, char *buf, size_t cap)
{
    size_t n = 0;

    for (; n + 1 < cap; n++) {
        char c = (char)(word(at + (uint32_t)n) & 0xff);

        if (c < ' ' || c > '~')
            break;
        buf[n] = c;
    }
    buf[n] = '\0';
}

static void read_name(struct hd_k_context *c, uint32_t thread)
{
    const struct hd_klink *l = hd_kp.link;

    c->thread = thread;
    if (l->name_offset < 0)
        return;
    uint32_t at = thread + (uint32_t)l->name_offset;

    read_text(l->name_pointer ? word(at) : at, c->name, sizeof c->name);
}

uint16_t hd_context_at(uint32_t address)
{
    struct hd_klink *l = hd_kp.link;
    uint32_t block = block_of(address);

    for (uint16_t k = 1; k < l->ncontexts; k++)
        if (l->context[k].block == block && l->context[k].state != HD_KS_ENDED)
            return k;
    if (l->ncontexts == HD_K_CONTEXTS) {
        hd_choose_end(HD_KE_TOO_MANY, 0);
        return HD_K_CONTEXTS - 1;
    }
    struct hd_k_context *c = &l->context[l->ncontexts];

    memset(c, 0, sizeof *c);
    c->block = block;
    read_name(c, block);
    return (uint16_t)l->ncontexts++;
}

void hd_contexts_begin(void)
{
    struct hd_klink *l = hd_kp.link;

    memset(&l->context[HD_K_TIMER], 0, sizeof l->context[HD_K_TIMER]);
    memcpy(l->context[HD_K_TIMER].name, "timer", 6);
    l->ncontexts = 1;
    l->nlocks = 0;
    l->nlog = l->log_lost = 0;
    hd_kp.sp = l->start_sp;
    hd_kp.current = hd_context_at(hd_kp.sp);
    hd_kp.enabled = l->start_enabled;
}

void hd_contexts_log(enum hd_k_row row, enum hd_k_why why, uint64_t pc, uint64_t object)
{
    struct hd_klink *l = hd_kp.link;
    const struct hd_k_context *c = &l->context[hd_kp.current];

    if (l->nlog == HD_K_LOG) {
        l->log_lost++;
        return;
    }
    struct hd_k_log *r = &l->log[l->nlog++];

    *r = (struct hd_k_log){ .row = (uint8_t)row, .why = (uint8_t)why, .context = hd_kp.current,
                            .object = object, .step = l->points, .nframes = 1, .pc = { pc } };
    for (unsigned k = c->nframes; k > 0 && r->nframes < HD_K_FRAMES; k--)
        if (k <= HD_K_FRAMES)
            r->pc[r->nframes++] = c->frame[k - 1].call;
}

/* C1 */
static enum hd_k_why leave(struct hd_k_context *c)
{
    enum hd_k_why why = HD_KW_NONE;

    if (c->in_interrupt)
        return why;
    if (c->exiting) {
        c->state = HD_KS_ENDED;
        why = HD_KW_ENDED;
    } else if (c->blocking) {
        c->state = HD_KS_BLOCKED;
        why = HD_KW_BLOCKED;
    } else {
        why = HD_KW_YIELD;
    }
    c->blocking = false;
    return why;
}

static void switch_to(uint16_t next)
{
    struct hd_klink *l = hd_kp.link;
    struct hd_k_context *c = &l->context[hd_kp.current];

    if (hd_kp.current != HD_K_TIMER) {
        enum hd_k_why why = leave(c);

        hd_contexts_log(HD_KLOG_SWITCH, why, c->pc, c->wants);
        if (l->nlog > 0)
            l->log[l->nlog - 1].next = next;
        l->total.switches++;
    }
    hd_kp.current = next;
    l->context[next].unreachable = false;
    if (!l->context[next].idle)
        hd_kp.idle = 0;
}

static void use_stack(uint32_t sp)
{
    hd_kp.sp = sp;
    if (hd_kp.link->context[hd_kp.current].block != block_of(sp))
        switch_to(hd_context_at(sp));
}

/* to: where the called function begins */
static void push(uint32_t slot, uint32_t call, uint32_t back, uint32_t to)
{
    struct hd_klink *l = hd_kp.link;
    struct hd_k_context *c = &l->context[hd_kp.current];
    const struct hd_k_function *f = hd_kp_function(to);

    if (c->nframes < HD_K_FRAMES)
        c->frame[c->nframes] = (struct hd_k_frame){
            .slot = slot, .call = call, .back = back,
            .function = f == NULL ? 0 : (uint16_t)(f - l->function + 1),
            .argument = slot == 0 ? 0 : word(slot + 4),
        };
    c->nframes++;
}

static void forget_lock(uint32_t address)
{
    struct hd_klink *l = hd_kp.link;

    for (unsigned k = 0; k < l->nlocks; k++)
        if (l->lock[k].address == address)
            l->lock[k--] = l->lock[--l->nlocks];
}

static void returned(struct hd_k_context *c, const struct hd_k_frame *f)
{
    struct hd_klink *l = hd_kp.link;

    if (f->function == 0)
        return;
    const struct hd_k_function *of = &l->function[f->function - 1];

    if (of->role == HD_KR_ACQUIRE && l->nlocks < HD_K_LOCKS) {
        forget_lock(f->argument);
        l->lock[l->nlocks++] = (struct hd_k_lock){ f->argument, hd_kp.current };
    }
    if (of->role == HD_KR_ACQUIRE || of->role == HD_KR_DOWN)
        c->wants = 0;
    if (of->role == HD_KR_FREED)
        hd_memory_freed(f->argument, of->bytes, f->call);
}

/* Removes all frames whose return address lies at or below the slot.  Frames that were not stored are the innermost,
 * so they are removed first. */
static void pop(uint32_t slot)
{
    struct hd_k_context *c = &hd_kp.link->context[hd_kp.current];

    if (c->nframes > HD_K_FRAMES) {
        c->nframes--;
        return;
    }
    while (c->nframes > 0 && c->frame[c->nframes - 1].slot != 0 && c->frame[c->nframes - 1].slot <= slot)
        returned(c, &c->frame[--c->nframes]);
}

static void leave_interrupt(void)
{
    struct hd_k_context *c = &hd_kp.link->context[hd_kp.current];

    while (c->nframes > 0) {
        c->nframes--;
        if (c->nframes < HD_K_FRAMES && c->frame[c->nframes].slot == 0)
            break;
    }
    if (c->in_interrupt > 0)
        c->in_interrupt--;
}

void hd_contexts_follow(const struct hd_insn *to)
{
    const struct hd_insn *last = hd_kp.last;
    bool before = hd_kp.enabled;

    hd_kp.opened = false;
    if (last == NULL)
        return;
    switch ((enum hd_k_op)last->op) {
    case HD_OP_CALL:
    case HD_OP_PUSH:
        if (hd_kp.stores) {
            use_stack(hd_kp.store);
            if (last->op == HD_OP_CALL)
                /* an interrupt may have come before the function's first instruction: then that is not `to` */
                push(hd_kp.store, last->address, last->next, last->target != 0 ? last->target : to->address);
        }
        break;
    case HD_OP_RET:
    case HD_OP_POP:
    case HD_OP_POPF:
    case HD_OP_IRET:
        if (!hd_kp.loads)
            break;
        use_stack(hd_kp.load);
        if (last->op == HD_OP_RET)
            pop(hd_kp.load);
        if (last->op == HD_OP_POPF)
            hd_kp.enabled = (word(hd_kp.load) & FLAG_IF) != 0;
        if (last->op == HD_OP_IRET) {
            hd_kp.enabled = (word(hd_kp.load + 8) & FLAG_IF) != 0;
            leave_interrupt();
        }
        break;
    case HD_OP_CLI:
    case HD_OP_STI:
        hd_kp.enabled = last->op == HD_OP_STI;
        break;
    case HD_OP_HLT:
    case HD_OP_OTHER:
        break;
    }
    /* not by the end of an interrupt: there could be another one after every single instruction */
    hd_kp.opened = hd_kp.enabled && !before && last->op != HD_OP_IRET;
}

static void enter_interrupt(const struct hd_insn *to)
{
    hd_kp.enabled = false;
    hd_kp.link->context[hd_kp.current].in_interrupt++;
    push(0, hd_kp.last != NULL ? hd_kp.last->address : 0, 0, to->address);
}

void hd_contexts_enter(const struct hd_insn *to)
{
    struct hd_klink *l = hd_kp.link;
    struct hd_k_context *c = &l->context[hd_kp.current];
    const struct hd_k_function *f = &l->function[to->entry - 1];
    unsigned top = c->nframes < HD_K_FRAMES ? c->nframes : HD_K_FRAMES;
    uint32_t argument = top == 0 || c->frame[top - 1].slot == 0 ? 0 : word(c->frame[top - 1].slot + 4);

    if (f->role >= HD_KR_ACQUIRE && f->role <= HD_KR_UP)
        c->yields = 0;
    switch ((enum hd_k_role)f->role) {
    case HD_KR_TIMER:
    case HD_KR_INTERRUPT:
        enter_interrupt(to);
        break;
    case HD_KR_END:
        hd_choose_end(HD_KE_CLEAN, 0);
        break;
    case HD_KR_PANIC:
        if (argument != 0)
            read_text(word(c->frame[top - 1].slot + 4 + 4 * f->bytes), l->end_text, sizeof l->end_text);
        hd_choose_end(HD_KE_PANIC, 0);
        break;
    case HD_KR_FAULT:
        hd_choose_end(HD_KE_FAULT, hd_kp.last != NULL ? hd_kp.last->address : 0);
        break;
    case HD_KR_BLOCK:
        c->blocking = true;
        break;
    case HD_KR_UNBLOCK: {
        uint16_t woken = hd_context_at(argument);

        l->context[woken].state = HD_KS_READY;
        read_name(&l->context[woken], argument);
        break;
    }
    case HD_KR_EXIT:
        c->exiting = true;
        break;
    case HD_KR_YIELD:
        c->yields++;
        break;
    case HD_KR_ACQUIRE:
    case HD_KR_DOWN:
        c->wants = c->wants != 0 && f->role == HD_KR_DOWN ? c->wants : argument;
        break;
    case HD_KR_RELEASE:
        forget_lock(argument);
        break;
    case HD_KR_ALLOCATED:
        hd_memory_given(argument, f->bytes);
        break;
    default:
        break;
    }
}

bool hd_context_is_in(const struct hd_k_context *c, enum hd_k_role role)
{
    for (unsigned k = 0; k < c->nframes && k < HD_K_FRAMES; k++)
        if (c->frame[k].function != 0 && hd_kp.link->function[c->frame[k].function - 1].role == role)
            return true;
    return hd_kp_role(c->pc) == role;
}
