/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linux.c - Linux on one processor, as the plugin sees it.
 *
 * The threads of the test have the same real-time priority and time slices of one tick, and the kernel is preemptible:
 * so each tick of the timer switches to the next ready thread.  The switch happens at once or, if preemption is
 * disabled, as soon as it is enabled again.
 *
 * N1  The current task and preempt_count are per-CPU variables.  The plugin reads both in the guest's memory at every
 *     instruction, so it knows which task runs, whether it is in an interrupt, and whether it can be preempted.
 *     Neither registers nor the layout of structures are needed.
 * N2  The test marks the beginning and the end of executions and of its threads (link/mark.h).
 * N3  A thread that calls schedule() without being forced to is blocked.  Any wake-up may have made it ready.  If it
 *     then does not run when it is wanted, the wake-up was for another thread.
 * N4  An interrupt that comes while interrupts are disabled is taken when they are enabled.  That is an ordinary
 *     schedule, and the same one in every replay. */
#include <stdlib.h>
#include <string.h>

#include "kernel/link/mark.h"
#include "kernel/plugin/qemu.h"
#include "kernel/plugin/state.h"

#define KERNEL UINT64_C(0xffff800000000000) /* the kernel's addresses begin here */
#define PREEMPTIBLE 0x80000000u /* value of preempt_count: preemption is enabled, and no switch is due */
#define IN_INTERRUPT 0x00ff0100u /* bits of preempt_count: NMI, hard interrupt, soft interrupt */
#define IN_HARD 0x00ff0000u

struct linux_insn {
    uint64_t address;
    uint8_t op;    /* enum hd_k_op */
    uint8_t role;  /* enum hd_k_role, of the function that begins here */
    uint8_t mark;
    bool atomic;
    struct linux_insn *next;
};

#define BUCKETS (1u << 16)

static struct linux_insn *insns[BUCKETS]; /* kept when QEMU discards its translations */

static struct task { /* additional data for each link->context */
    uint64_t last;   /* its last instruction in the test or the kernel */
    uint64_t before; /* an interrupt after this instruction precedes the current operation */
    uint64_t quiet;  /* stack address of the return address of a function that is ignored until it returns; 0: none */
    bool running;    /* the thread is between the marks START and STOP */
} tasks[HD_K_CONTEXTS];

static struct {
    uint64_t task;   /* address of the current task */
    uint32_t count;  /* preempt_count */
    bool taken;      /* the last injected interrupt has begun */
    bool complained;
    uint32_t halts;
} now;

/* ---- contexts -------------------------------------------------------------------------- */

static uint16_t context_of(uint64_t task)
{
    const struct hd_klink *l = hd_kp.link;

    for (uint16_t k = 1; k < l->ncontexts; k++)
        if (l->context[k].thread == task)
            return k;
    return 0;
}

static void read_processor(void)
{
    const struct hd_klink *l = hd_kp.link;
    uint64_t task;

    memcpy(&now.count, hd_kp.ram + l->count_at, sizeof now.count);
    memcpy(&task, hd_kp.ram + l->current_at, sizeof task);
    if (task == now.task)
        return;
    now.task = task;
    hd_kp.current = context_of(task);
    struct hd_k_context *c = &hd_kp.link->context[hd_kp.current];

    if (hd_kp.current != 0) {
        c->unreachable = false;
        c->state = c->state == HD_KS_BLOCKED ? HD_KS_READY : c->state;
        hd_kp.link->total.switches++;
    }
}

/* True if the thread runs code of the test or a system call of it, and not an interrupt. */
static bool is_in_test(void)
{
    return hd_kp.current != 0 && tasks[hd_kp.current].running && (now.count & IN_INTERRUPT) == 0;
}

/* Registers the thread.  The first executions, before the snapshot, register all threads. */
static void register_thread(uint16_t context)
{
    struct hd_klink *l = hd_kp.link;

    HD_INVARIANT(context < HD_K_CONTEXTS, "a test has few threads");
    if (context >= l->ncontexts)
        l->ncontexts = context + 1u;
    l->context[context].thread = now.task;
    hd_kp.current = context;
}

static void begin_window(void)
{
    struct hd_klink *l = hd_kp.link;

    for (unsigned k = 0; k < l->ncontexts; k++) {
        struct hd_k_context *c = &l->context[k];

        c->state = HD_KS_READY;
        c->unreachable = false;
        c->nframes = 0;
        c->points = 0;
        tasks[k] = (struct task){ 0 };
    }
    l->nlog = l->log_lost = 0;
    now.complained = false;
    now.halts = 0;
    hd_linux_memory_begin();
    hd_races_begin();
    hd_choose_begin();
}

/* ---- points ---------------------------------------------------------------------------- */

static void offer(struct hd_set *enabled)
{
    const struct hd_klink *l = hd_kp.link;
    unsigned others = 0;

    hd_set_clear(enabled);
    for (unsigned k = 1; k < l->ncontexts; k++) {
        const struct hd_k_context *c = &l->context[k];

        if (k == hd_kp.current || c->state != HD_KS_READY || c->unreachable)
            continue;
        hd_set_add(enabled, k);
        others++;
    }
    if (hd_kp.run < HD_K_STARVES || others == 0)
        hd_set_add(enabled, hd_kp.current);
}

static void tick(void)
{
    now.taken = false;
    hd_choose_tick();
}

static const struct hd_k_function *rule_for(uint64_t address, const struct hd_k_function *best)
{
    const struct hd_klink *l = hd_kp.link;

    for (uint32_t k = 0; k < l->nfunctions; k++) {
        const struct hd_k_function *f = &l->function[k];

        if (f->rule > (best == NULL ? 0 : best->rule) && address - f->address < f->size)
            best = f;
    }
    return best;
}

/* If several rules (--within, --without) match functions on the stack, the last rule decides. */
static bool is_wanted(uint64_t address)
{
    const struct hd_k_context *c = &hd_kp.link->context[hd_kp.current];
    const struct hd_k_function *best = rule_for(address, NULL);

    for (unsigned k = 0; k < c->nframes; k++)
        best = rule_for(c->frame[k].call, best);
    return best == NULL ? !hd_kp.link->whitelist : best->within > 0;
}

static void point(uint64_t address, enum hd_k_why why, uint64_t object)
{
    struct hd_klink *l = hd_kp.link;
    struct hd_choice c = { .address = address };
    struct hd_event *e = &l->execution.pending[hd_kp.current];

    if (hd_kp.want != 0)
        return;
    *e = (struct hd_event){ .tid = hd_kp.current, .kind = HD_EV_PLAIN_WRITE, .peer = HD_NO_TID, .pc = address,
                            .obj = object == 0 ? 1 : (uint32_t)(object / 8 % 0x3fffffff) + 2 };
    hd_kp.sigs[hd_kp.current] = (uint32_t)hd_hash_mix(why, address) | 1;
    offer(&c.enabled);
    uint16_t chosen = hd_choose(&c);

    if (l->phase != HD_KP_RUNNING || chosen == hd_kp.current)
        return;
    hd_contexts_log(HD_KLOG_TICK, why, address, object);
    if (why == HD_KW_ACCESS)
        hd_races_leave(address);
    hd_kp.want = chosen;
    hd_kp.tries = 0;
    tick();
}

static void start_thread(uint16_t context)
{
    register_thread(context);
    tasks[context].running = true;
    if (hd_kp.link->phase == HD_KP_RUNNING)
        point(HD_MARK_START_ADDRESS, HD_KW_START, 0);
}

/* Call when the interrupt for the wanted thread has come: checks whether that thread runs. */
static void force(void)
{
    struct hd_klink *l = hd_kp.link;
    struct hd_k_context *c = &l->context[hd_kp.want];

    if (hd_kp.want == hd_kp.current || c->state == HD_KS_ENDED) {
        hd_kp.want = 0;
    } else if (hd_kp.tries++ < l->ncontexts) {
        tick();
    } else {
        c->unreachable = true;
        c->state = HD_KS_BLOCKED;
        l->total.unreachable++;
        hd_kp.want = 0;
    }
}

/* ---- functions with roles --------------------------------------------------------------- */

static void enter(const struct linux_insn *i)
{
    struct hd_klink *l = hd_kp.link;
    struct hd_k_context *c = &l->context[hd_kp.current];

    switch ((enum hd_k_role)i->role) {
    case HD_KR_PANIC:
        hd_choose_end(HD_KE_PANIC, 0);
        break;
    case HD_KR_COMPLAIN:
        now.complained = true;
        break;
    case HD_KR_SCHEDULE:
        if (is_in_test() && now.count == PREEMPTIBLE) {
            hd_contexts_log(HD_KLOG_SWITCH, HD_KW_BLOCKED, i->address, 0);
            c->state = HD_KS_BLOCKED;
            hd_kp.want = 0;
        }
        break;
    case HD_KR_WAKE:
        for (unsigned k = 1; k < l->ncontexts; k++)
            if (l->context[k].state == HD_KS_BLOCKED) {
                l->context[k].state = HD_KS_READY;
                l->context[k].unreachable = false;
            }
        break;
    case HD_KR_SYSCALL:
        if (is_in_test())
            point(i->address, HD_KW_SYSCALL, 0);
        break;
    default:
        break;
    }
    /* this function is ignored until it returns */
    if ((i->role == HD_KR_QUIET || i->role == HD_KR_SCHEDULE || i->role == HD_KR_WAKE) && hd_kp.current != 0 &&
        tasks[hd_kp.current].quiet == 0 && c->nframes > 0 && c->nframes <= HD_K_FRAMES)
        tasks[hd_kp.current].quiet = c->frame[c->nframes - 1].slot;
}

static void halt(void)
{
    if (++now.halts > hd_kp.link->idle_halts)
        hd_choose_end(HD_KE_DEADLOCK, 0);
}

static void on_kernel(unsigned vcpu, void *data)
{
    const struct linux_insn *i = data;
    struct hd_klink *l = hd_kp.link;
    uint64_t object;

    (void)vcpu;
    if (l->phase != HD_KP_RUNNING)
        return;
    read_processor();
    l->instructions++;
    l->alive++;
    l->hash = hd_hash_mix(l->hash, i->address ^ (uint64_t)hd_kp.current << 32);
    if (l->instructions > l->max_instructions)
        hd_choose_end(HD_KE_HANG, 0);
    if (i->role != HD_KR_NONE)
        enter(i);
    if (i->op == HD_OP_HLT)
        halt();
    now.taken |= (now.count & IN_HARD) != 0;
    if (l->phase != HD_KP_RUNNING || !is_in_test())
        return;
    struct task *t = &tasks[hd_kp.current];

    now.halts = 0;
    hd_races_step();
    l->context[hd_kp.current].pc = i->address;
    if (now.count == PREEMPTIBLE) {
        t->before = t->last;
        if (hd_kp.want != 0 && now.taken)
            force();
    }
    if (hd_linux_memory_is_site(i->address, &object) && is_wanted(i->address))
        point(i->address, HD_KW_ACCESS, object);
    t->last = i->address;
}

/* ---- memory ----------------------------------------------------------------------------- */

/* Removes the frames of calls that have returned, or were left in another way. */
static void pop(struct hd_k_context *c, uint64_t slot)
{
    while (c->nframes > 0 && (c->nframes > HD_K_FRAMES || c->frame[c->nframes - 1].slot <= slot))
        c->nframes--;
}

static void follow_stack(const struct linux_insn *i, uint64_t address, bool store)
{
    struct hd_k_context *c = &hd_kp.link->context[hd_kp.current];
    struct task *t = &tasks[hd_kp.current];

    if (i->op == HD_OP_CALL && store) {
        pop(c, address);
        if (c->nframes < HD_K_FRAMES)
            c->frame[c->nframes] = (struct hd_k_frame){ .slot = address, .call = i->address };
        c->nframes += c->nframes < HD_K_FRAMES;
    } else if (i->op == HD_OP_RET && !store) {
        pop(c, address);
        if (address == t->quiet)
            t->quiet = 0;
    }
}

static void note_race(const struct linux_insn *i, qemu_plugin_meminfo_t info, uint64_t address, bool store)
{
    struct hd_k_access a = { .address = address, .pc = i->address, .at = hd_kp.link->instructions,
                             .context = hd_kp.current, .bytes = (uint8_t)(1u << qemu_plugin_mem_size_shift(info)),
                             .store = store, .atomic = i->atomic };

    hd_races_access(&a, now.count == PREEMPTIBLE);
}

static void on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    const struct linux_insn *i = data;
    const struct hd_klink *l = hd_kp.link;
    bool store = qemu_plugin_mem_is_store(info);

    (void)vcpu;
    if (l->phase != HD_KP_RUNNING || address < KERNEL || !is_in_test())
        return;
    if (i->op == HD_OP_CALL || i->op == HD_OP_RET) {
        follow_stack(i, address, store);
        return;
    }
    if (i->op != HD_OP_OTHER || tasks[hd_kp.current].quiet != 0 ||
        (address >= l->percpu_low && address < l->percpu_high))
        return;
    if (l->races)
        note_race(i, info, address, store);
    hd_linux_memory_access(address, store, tasks[hd_kp.current].before);
}

/* ---- marks ------------------------------------------------------------------------------ */

/* Call when the snapshot has been loaded; the mark BEGIN follows. */
static void begin_run(void)
{
    struct hd_klink *l = hd_kp.link;

    l->command = HD_KC_NONE;
    l->window = l->nlines = 0;
    now.task = 0;
    l->phase = HD_KP_BETWEEN;
}

static void finish(enum hd_k_end end)
{
    hd_choose_end(now.complained ? HD_KE_PANIC : end, 0);
}

static void on_mark(unsigned vcpu, void *data)
{
    const struct linux_insn *i = data;
    struct hd_klink *l = hd_kp.link;

    (void)vcpu;
    if (l->current_at == 0)
        return; /* the tool does not know the kernel's symbols yet */
    hd_guest_meet();
    if (__atomic_load_n(&l->command, __ATOMIC_ACQUIRE) == HD_KC_RUN)
        begin_run();
    read_processor();
    switch (i->mark) {
    case HD_MARK_BEGIN:
        if (l->phase == HD_KP_BETWEEN)
            begin_window();
        break;
    case HD_MARK_STOP:
        if (l->phase == HD_KP_RUNNING)
            hd_contexts_log(HD_KLOG_SWITCH, HD_KW_ENDED, HD_MARK_START_ADDRESS, 0);
        tasks[hd_kp.current].running = false;
        l->context[hd_kp.current].state = HD_KS_ENDED;
        break;
    case HD_MARK_LINE:
        if (l->phase == HD_KP_RUNNING)
            hd_contexts_log(HD_KLOG_CALL, HD_KW_NONE, HD_MARK_START_ADDRESS, l->nlines);
        l->nlines++;
        break;
    case HD_MARK_CLEAN:
        finish(HD_KE_CLEAN);
        break;
    case HD_MARK_WRONG:
        finish(HD_KE_WRONG);
        break;
    default:
        if (i->mark >= HD_MARK_START)
            start_thread((uint16_t)(i->mark - HD_MARK_START + 1));
        break;
    }
}

/* ---- translation ------------------------------------------------------------------------ */

static uint8_t role_at(uint64_t address)
{
    const struct hd_klink *l = hd_kp.link;

    for (uint32_t k = 0; k < l->nfunctions; k++)
        if (l->function[k].address == address)
            return l->function[k].role;
    return HD_KR_NONE;
}

static struct linux_insn *insn_at(struct qemu_plugin_insn *q, uint64_t address)
{
    struct linux_insn **at = &insns[(uint32_t)hd_hash_mix(0, address) % BUCKETS];
    const uint8_t *bytes = qemu_plugin_insn_data(q);
    unsigned size = (unsigned)qemu_plugin_insn_size(q);
    struct hd_insn decoded;

    while (*at != NULL && (*at)->address != address)
        at = &(*at)->next;
    if (*at == NULL) {
        *at = calloc(1, sizeof **at);
        HD_INVARIANT(*at != NULL, "memory for an instruction");
        (*at)->address = address;
    }
    hd_insn_decode(&decoded, (uint32_t)address, bytes, size);
    (*at)->op = decoded.op;
    (*at)->atomic = decoded.atomic;
    (*at)->role = address >= KERNEL ? role_at(address) : HD_KR_NONE;
    (*at)->mark = address < KERNEL && size == HD_MARK_SIZE && memcmp(bytes, HD_MARK_HEAD, 4) == 0 &&
                          memcmp(bytes + 5, HD_MARK_TAIL, 3) == 0 ? bytes[4] : 0;
    return *at;
}

void hd_linux_translate(struct qemu_plugin_tb *tb)
{
    size_t n = qemu_plugin_tb_n_insns(tb);
    bool boot = hd_kp.link->phase == HD_KP_BOOT && hd_kp.link->command != HD_KC_RUN;

    for (size_t k = 0; k < n; k++) {
        struct qemu_plugin_insn *q = qemu_plugin_tb_get_insn(tb, k);
        uint64_t address = qemu_plugin_insn_vaddr(q);

        if (address >= KERNEL && boot)
            continue; /* nothing is observed before the snapshot; loading the snapshot makes QEMU translate the code
                       * again */
        if (address < KERNEL && (qemu_plugin_insn_size(q) != HD_MARK_SIZE))
            continue;
        struct linux_insn *i = insn_at(q, address);

        if (i->mark != 0) {
            qemu_plugin_register_vcpu_insn_exec_cb(q, on_mark, QEMU_PLUGIN_CB_NO_REGS, i);
        } else if (address >= KERNEL) {
            qemu_plugin_register_vcpu_insn_exec_cb(q, on_kernel, QEMU_PLUGIN_CB_NO_REGS, i);
            qemu_plugin_register_vcpu_mem_cb(q, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, i);
        }
    }
}
