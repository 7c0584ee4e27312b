/* SPDX-License-Identifier: BSD-2-Clause
 *
 * state.h - the state of the plugin in one execution.  There is one virtual processor, so one thread
 * of QEMU runs all of this. */
#ifndef HD_KERNEL_PLUGIN_STATE_H
#define HD_KERNEL_PLUGIN_STATE_H

#include "kernel/link/link.h"
#include "kernel/plugin/guest.h"
#include "search/core/search.h"

#define HD_K_TIMER 0 /* the context of the timer's interrupt; threads are numbered from 1 */

struct hd_kplugin {
    struct hd_klink *link;
    const uint8_t *ram;

    /* the processor */
    const struct hd_insn *last; /* instruction that ran last; NULL: none in this execution */
    uint32_t load, store;       /* its first load and its last store; valid with the flags */
    bool loads, stores;
    bool enabled;               /* the interrupt flag (G3) */
    bool opened;                /* the last instruction has set it */
    bool due;                   /* an interrupt is to come before the next instruction */
    uint16_t current;           /* context */
    uint32_t sp;                /* stack pointer after the last push, pop, call or return */

    /* the schedule */
    uint16_t want;              /* context that interrupts are to bring; 0: none */
    uint32_t tries;             /* interrupts so far for that */
    uint32_t idle;              /* interrupts in a row that found nothing to run */
    uint32_t run;               /* decisions in a row at which the same context ran */
    uint16_t ran;

    struct hd_search search;
    bool open;
    bool samples;               /* the strategy samples: it may ask for a context, not only for a tick */
    uint32_t sigs[HD_MAX_THREADS];
};

extern struct hd_kplugin hd_kp;

/* The context that memory accesses are charged to. */
static inline uint16_t hd_kp_actor(void)
{
    return hd_kp.link->context[hd_kp.current].in_interrupt ? HD_K_TIMER : hd_kp.current;
}

static inline const struct hd_k_function *hd_kp_function(uint32_t address)
{
    const struct hd_klink *l = hd_kp.link;

    if (address < l->code_low || address >= l->code_high)
        return NULL;
    uint16_t f = l->function_of[address - l->code_low];

    return f == 0 ? NULL : &l->function[f - 1];
}

static inline enum hd_k_role hd_kp_role(uint32_t address)
{
    const struct hd_k_function *f = hd_kp_function(address);

    return f == NULL ? HD_KR_NONE : (enum hd_k_role)f->role;
}

/* ---- contexts.c ---- */
void hd_contexts_begin(void);
/* The effects of the last instruction on stacks, frames and the interrupt flag, now that control has
 * come to `to`. */
void hd_contexts_follow(const struct hd_insn *to);
/* `to` is the first instruction of a function with a role. */
void hd_contexts_enter(const struct hd_insn *to);
/* The number of the context whose block contains this address; makes one if there is none. */
uint16_t hd_context_at(uint32_t address);
/* Is a function with this role on the stack of the context? */
bool hd_context_is_in(const struct hd_k_context *c, enum hd_k_role role);
void hd_contexts_log(enum hd_k_row row, enum hd_k_why why, uint64_t pc, uint64_t object);

/* ---- cells.c ---- */
#define HD_CELL_SITES 6

struct hd_cell {
    uint64_t unit;
    uint32_t execution; /* the others are valid in this one */
    uint16_t actor;     /* that accessed it first */
    bool shared, written;
    uint8_t nsites;
    uint64_t site[HD_CELL_SITES];
};

void hd_cells_begin(void);
/* The actor accesses the unit of memory, from this site (0: from none).  The sites of a unit that several actors access,
 * one of them by a write; NULL: it is none. */
const struct hd_cell *hd_cells_access(uint64_t unit, uint16_t actor, bool store, uint64_t site);

/* ---- memory.c ---- */
void hd_memory_begin(void);
void hd_memory_access(const struct hd_insn *i, uint32_t address, unsigned bytes, bool store);
void hd_memory_freed(uint32_t address, uint32_t bytes, uint32_t pc);
void hd_memory_given(uint32_t address, uint32_t bytes);
/* Does an instruction begin at this address before which an interrupt may matter?  HD_KW_NONE: no. */
enum hd_k_why hd_memory_before(uint32_t address);
/* Address that the racing instruction accessed last. */
uint32_t hd_memory_object(uint32_t address);
/* Notes that a cli begins at this address. */
void hd_memory_cli(uint32_t address);

/* ---- choose.c ---- */
#define HD_K_STARVES 400 /* decisions in a row */

/* A point: the context that runs is hd_kp.current, and its pending event and signature are set. */
struct hd_choice {
    uint64_t address;      /* names the point */
    struct hd_set enabled; /* contexts that can be chosen; used by searches only */
    bool yielded;          /* the current context waits for others */
};

void hd_choose_begin(void); /* sets the phase */
void hd_choose_end(enum hd_k_end end, uint64_t object);
/* The context that is to run.  If it is another one than the current one, that is in the schedule now. */
uint16_t hd_choose(const struct hd_choice *c);
/* Raises the timer's interrupt. */
void hd_choose_tick(void);

/* ---- explore.c ---- */
/* The instruction is about to run: an interrupt may come after it. */
void hd_explore_point(const struct hd_insn *i, bool entered);
/* It halts the processor. */
void hd_explore_halt(const struct hd_insn *i);

/* ---- linux.c ---- */
/* Asks QEMU for callbacks for a block of Linux or of the test in it. */
struct qemu_plugin_tb;
void hd_linux_translate(struct qemu_plugin_tb *tb);

/* ---- linux_memory.c ---- */
void hd_linux_memory_begin(void);
/* A context accesses memory; an interrupt after the instruction `before` would have come first. */
void hd_linux_memory_access(uint64_t address, bool store, uint64_t before);
/* Is this an instruction after which an interrupt may matter?  *object: what comes next accessed that lately. */
bool hd_linux_memory_is_site(uint64_t address, uint64_t *object);

#endif
