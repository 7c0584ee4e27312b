/* SPDX-License-Identifier: BSD-2-Clause
 *
 * state.h - the state of the plugin in one execution.  There is one virtual processor, so one thread
 * of QEMU runs all of this. */
#ifndef HD_KERNEL_PLUGIN_STATE_H
#define HD_KERNEL_PLUGIN_STATE_H

#include "kernel/link/link.h"
#include "kernel/plugin/guest.h"
#include "search/core/search.h"

#define HD_K_TIMER 0 /* number of the context of the timer's interrupt; threads are numbered from 1 */

struct hd_kplugin {
    struct hd_klink *link;
    const uint8_t *ram;

    /* the processor */
    const struct hd_insn *last; /* the instruction that ran last; NULL: none in this execution */
    uint32_t load, store;       /* addresses of its first load and its last store; valid if loads and stores are set */
    bool loads, stores;
    bool enabled;               /* the interrupt flag (G3) */
    bool opened;                /* the last instruction has set the interrupt flag */
    bool due;                   /* an interrupt must come before the next instruction */
    uint16_t current;           /* context */
    uint32_t sp;                /* stack pointer after the last push, pop, call or return */

    /* the schedule */
    uint16_t want;              /* the context that is to run after interrupts; 0: none */
    uint32_t tries;             /* number of interrupts injected for it so far */
    uint32_t idle;              /* number of consecutive interrupts that found no thread to run */
    uint32_t run;               /* number of consecutive decisions at which the same context ran */
    uint16_t ran;

    struct hd_search search;
    bool open;
    bool samples;               /* the strategy samples, so it may choose any context, not only a tick */
    uint32_t sigs[HD_MAX_THREADS];
};

extern struct hd_kplugin hd_kp;

/* Returns the context to which memory accesses are attributed. */
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
/* Applies the effects of the last instruction on stacks, frames and the interrupt flag.  `to` is the instruction
 * that follows it. */
void hd_contexts_follow(const struct hd_insn *to);
/* Call when `to`, the first instruction of a function with a role, is about to run. */
void hd_contexts_enter(const struct hd_insn *to);
/* Returns the number of the context whose block contains this address, and creates the context if necessary. */
uint16_t hd_context_at(uint32_t address);
/* True if a function with this role is on the stack of the context. */
bool hd_context_is_in(const struct hd_k_context *c, enum hd_k_role role);
void hd_contexts_log(enum hd_k_row row, enum hd_k_why why, uint64_t pc, uint64_t object);

/* ---- cells.c ---- */
#define HD_CELL_SITES 6

struct hd_cell {
    uint64_t unit;
    uint32_t execution; /* the execution for which the other fields are valid */
    uint16_t actor;     /* the context that accessed it first */
    bool shared, written;
    uint8_t nsites;
    uint64_t site[HD_CELL_SITES];
};

void hd_cells_begin(void);
/* Records that the actor accesses the unit of memory from this site (0: the site does not matter).  Returns the cell
 * if several actors have accessed the unit, at least one of them by a write; otherwise NULL. */
const struct hd_cell *hd_cells_access(uint64_t unit, uint16_t actor, bool store, uint64_t site);

/* ---- memory.c ---- */
void hd_memory_begin(void);
void hd_memory_access(const struct hd_insn *i, uint32_t address, unsigned bytes, bool store);
void hd_memory_freed(uint32_t address, uint32_t bytes, uint32_t pc);
void hd_memory_given(uint32_t address, uint32_t bytes);
/* Returns why an interrupt may matter before the instruction that begins at this address; HD_KW_NONE: it does not
 * matter. */
enum hd_k_why hd_memory_before(uint32_t address);
/* Returns the address that the racing instruction accessed last. */
uint32_t hd_memory_object(uint32_t address);

/* ---- choose.c ---- */
#define HD_K_STARVES 400 /* number of consecutive decisions for the same context */

/* A scheduling point. hd_kp.current is the running context; its pending event and signature are set. */
struct hd_choice {
    uint64_t address;      /* address that identifies the point */
    struct hd_set enabled; /* contexts that can be chosen; only searches use it */
    bool yielded;          /* the current context waits for other contexts */
};

void hd_choose_begin(void); /* also sets the phase */
void hd_choose_end(enum hd_k_end end, uint64_t object);
/* Returns the context that is to run.  If it differs from the current one, the choice is recorded in the schedule. */
uint16_t hd_choose(const struct hd_choice *c);
/* Raises the timer's interrupt. */
void hd_choose_tick(void);

/* ---- explore.c ---- */
/* Call when the instruction is about to run and an interrupt may come after it. */
void hd_explore_point(const struct hd_insn *i, bool entered);
/* Call when the instruction halts the processor. */
void hd_explore_halt(const struct hd_insn *i);

/* ---- linux.c ---- */
/* Asks QEMU for callbacks in a block of code of Linux or of its test. */
struct qemu_plugin_tb;
void hd_linux_translate(struct qemu_plugin_tb *tb);

/* ---- linux_memory.c ---- */
void hd_linux_memory_begin(void);
/* Records that a context accesses memory.  `before` is the instruction after which an interrupt would have preceded
 * the access. */
void hd_linux_memory_access(uint64_t address, bool store, uint64_t before);
/* True if an interrupt may matter after this instruction. *object: the address that the access after it has used
 * most recently. */
bool hd_linux_memory_is_site(uint64_t address, uint64_t *object);

/* ---- linux_races.c ---- */
void hd_races_begin(void);
/* Call when the current context is preempted after the instruction `site`, right before an access. */
void hd_races_leave(uint64_t site);
/* Call at each instruction of the current context. */
void hd_races_step(void);
void hd_races_access(const struct hd_k_access *a, bool preemptible);

#endif
