/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unwind.c - unwinds the call stack of a thread with the call frame information of the modules,
 * from the registers and the part of the stack that the runtime copied into the finding.  libdw sees
 * one thread whose memory is the copy.  It reads constants from the files; the unwinding ends at
 * any other memory. */
#include <elfutils/libdwfl.h>
#include <string.h>

#include "report/names/symbols.h"

/* DWARF register numbers for x86-64. */
enum { R_RBX = 3, R_RBP = 6, R_RSP = 7, R_R12 = 12, R_R13, R_R14, R_R15, R_RIP, REGISTERS };

enum { THE_THREAD = 1 };

/* libdw attaches its callbacks to a Dwfl only once, so they read the image through this variable. */
static const struct hd_stack_image *current;

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread_arg)
{
    (void)dwfl;
    (void)arg;
    if (*thread_arg != NULL)
        return 0;
    *thread_arg = (void *)(uintptr_t)current;
    return THE_THREAD;
}

static bool memory_read(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *result, void *arg)
{
    (void)dwfl;
    (void)arg;
    if (current->bytes < sizeof *result || addr < current->lo ||
        addr - current->lo > current->bytes - sizeof *result)
        return false;
    memcpy(result, (const unsigned char *)(current + 1) + (addr - current->lo), sizeof *result);
    return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
    Dwarf_Word r[REGISTERS] = {
        [R_RBX] = current->rbx, [R_RBP] = current->rbp, [R_RSP] = current->sp,
        [R_R12] = current->r12, [R_R13] = current->r13, [R_R14] = current->r14,
        [R_R15] = current->r15, [R_RIP] = current->pc,
    };

    (void)arg;
    return dwfl_thread_state_registers(thread, 0, REGISTERS, r);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
    .next_thread = next_thread,
    .memory_read = memory_read,
    .set_initial_registers = set_registers,
};

struct collected {
    uint64_t *pcs;
    unsigned n, max;
};

static int collect(Dwfl_Frame *frame, void *arg)
{
    struct collected *c = arg;
    Dwarf_Addr pc;

    if (c->n == c->max || !dwfl_frame_pc(frame, &pc, NULL) || pc == 0)
        return DWARF_CB_ABORT;
    c->pcs[c->n++] = pc;
    return DWARF_CB_OK;
}

static bool walk(struct hd_symbols *s, const struct hd_stack_image *image,
                 int (*each)(Dwfl_Frame *, void *), void *arg)
{
    Dwfl *dwfl = (Dwfl *)hd_symbols_dwfl(s);

    if (dwfl == NULL)
        return false;
    current = image;
    if (dwfl_pid(dwfl) < 0 && !dwfl_attach_state(dwfl, NULL, THE_THREAD, &thread_callbacks, NULL))
        return false;
    dwfl_getthread_frames(dwfl, THE_THREAD, each, arg); /* an error only ends the stack */
    current = NULL;
    return true;
}

unsigned hd_unwind(struct hd_symbols *s, const struct hd_stack_image *image, uint64_t *pcs,
                   unsigned max)
{
    struct collected c = { pcs, 0, max };

    return walk(s, image, collect, &c) ? c.n : 0;
}

/* ---- the frame that contains an address ------------------------------------------------ */

struct around {
    uint64_t addr;
    struct hd_local_frame f; /* the last frame visited; cfa != 0: it contains addr */
};

/* The stack pointer of the caller after the return is the canonical frame address of the callee. */
static int look(Dwfl_Frame *frame, void *arg)
{
    struct around *a = arg;
    Dwarf_Word sp = 0, rbp = 0;
    Dwarf_Addr pc;
    bool activation;

    if (!dwfl_frame_pc(frame, &pc, &activation) || pc == 0 || dwfl_frame_reg(frame, R_RSP, &sp) != 0)
        return DWARF_CB_ABORT;
    if (dwfl_frame_reg(frame, R_RBP, &rbp) != 0)
        rbp = 0;
    if (a->f.rsp != 0 && a->addr >= a->f.rsp && a->addr < sp) {
        a->f.cfa = sp;
        return DWARF_CB_ABORT;
    }
    a->f = (struct hd_local_frame){ .pc = pc - !activation, .rsp = sp, .rbp = rbp };
    return DWARF_CB_OK;
}

bool hd_unwind_frame(struct hd_symbols *s, const struct hd_stack_image *image, uint64_t addr,
                     struct hd_local_frame *out)
{
    struct around a = { .addr = addr };

    if (!walk(s, image, look, &a) || a.f.cfa == 0)
        return false;
    *out = a.f;
    return true;
}
