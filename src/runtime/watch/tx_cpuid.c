/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_cpuid.c - see tx_cpuid.h. */
#include "runtime/watch/tx_cpuid.h"

#include <asm/prctl.h>
#include <link.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "base/sys.h"
#include "runtime/core/attach.h"
#include "runtime/core/fatal_signals.h"
#include "runtime/core/imports.h"
#include "runtime/core/ledger.h"
#include "runtime/core/program.h"
#include "runtime/core/state.h"
#include "runtime/sys/text.h"
#include "runtime/watch/transaction.h"
#include "wire/wire.h"

enum { FEATURES = 7 }; /* the leaf of cpuid that lists features */

uint32_t hd_tx_told;
static bool banned, refused;

/* ---- the machine --------------------------------------------------------------------------------------- */

static struct hd_cpuid ask(uint32_t leaf, uint32_t subleaf)
{
    struct hd_cpuid a;

    __asm__ volatile("cpuid" : "=a"(a.eax), "=b"(a.ebx), "=c"(a.ecx), "=d"(a.edx) : "0"(leaf), "2"(subleaf));
    return a;
}

/* True if the machine's own cpuid gives the answer that the program must get. */
static bool machine_agrees(void)
{
    struct hd_cpuid machine = ask(FEATURES, 0), told = hd_tx_cpuid_told(machine, hd_tx_told != 0);

    return machine.ebx == told.ebx && machine.edx == told.edx;
}

/* ---- the trap ---------------------------------------------------------------------------------------- */

static bool set_allowed(bool allowed)
{
    return hd_sys(SYS_arch_prctl, ARCH_SET_CPUID, allowed, 0) == 0;
}

bool hd_tx_cpuid_trap(void *context)
{
    enum { GENERAL_PROTECTION = 13 };
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    const unsigned char *code = (const unsigned char *)r[REG_RIP];

    if (!banned || r[REG_TRAPNO] != GENERAL_PROTECTION || code[0] != 0x0f || code[1] != 0xa2)
        return false;
    uint32_t leaf = (uint32_t)r[REG_RAX], subleaf = (uint32_t)r[REG_RCX];

    set_allowed(true);
    struct hd_cpuid a = ask(leaf, subleaf);

    set_allowed(false);
    if (leaf == FEATURES && subleaf == 0)
        a = hd_tx_cpuid_told(a, hd_tx_told != 0);
    r[REG_RAX] = a.eax;
    r[REG_RBX] = a.ebx;
    r[REG_RCX] = a.ecx;
    r[REG_RDX] = a.edx;
    r[REG_RIP] += 2;
    return true;
}

static void set_handler(void (*fn)(int, siginfo_t *, void *))
{
    struct hd_kernel_sigaction sa = {
        .handler = fn,
        .flags = SA_SIGINFO | SA_NODEFER | 0x04000000 /* SA_RESTORER */,
        .restorer = hd_sigreturn,
    };

    hd_sys6(SYS_rt_sigaction, SIGSEGV, (long)&sa, 0, 8, 0, 0);
}

/* Handles SIGSEGV until the runtime installs its own handler (worker/crash.c). */
static void on_early_fault(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)info;
    if (!hd_tx_cpuid_trap(context))
        set_handler(NULL); /* default handling: the instruction faults again and ends the process */
}

/* ---- the ban ------------------------------------------------------------------------------------------- */

/* Names that programs with transactions import. */
static const char *const replaced[] = { "heddle_rt_xbegin", "heddle_rt_xend", "heddle_rt_xtest", "_ITM_beginTransaction", NULL };

void hd_tx_cpuid_ban(void)
{
    hd_tx_told = hd.cfg->tm == HD_TM_OFF ? 0 : HD_CPUID_TRANSACTIONS;
    hd_tx_used |= hd_imports_anywhere(replaced);
    if (banned || refused || !hd_tx_used || machine_agrees())
        return;
    banned = set_allowed(false);
    refused = !banned;
}

void hd_tx_cpuid_allow(void)
{
    if (banned)
        set_allowed(true);
    banned = false;
}

/* This constructor runs before those of other libraries (the runtime is linked with -z initfirst) and so before
 * __libc_start_main. libc is not initialised yet. */
__attribute__((constructor(102))) static void ban_early(void)
{
    if (!hd_imports_anywhere(replaced) || !hd_attach())
        return;
    hd_tx_cpuid_ban();
    if (banned)
        set_handler(on_early_fault);
}

/* ---- places that are not controlled ------------------------------------------------------------------------ */

/* Returns the address of the first cpuid instruction in the code, or 0. */
static uintptr_t find_in(uintptr_t from, uintptr_t to)
{
    for (uintptr_t at = from; at + 1 < to; at++)
        if (*(const unsigned char *)at == 0x0f && *(const unsigned char *)(at + 1) == 0xa2)
            return at;
    return 0;
}

static int name_place(struct dl_phdr_info *info, size_t size, void *arg)
{
    uintptr_t place = 0;
    char text[200];

    (void)size;
    (void)arg;
    for (int i = 0; i < info->dlpi_phnum && place == 0; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + p->p_vaddr;

        if (p->p_type == PT_LOAD && p->p_flags & PF_X && p->p_flags & PF_R && hd_program_is_instrumented(from))
            place = find_in(from, from + p->p_filesz);
    }
    if (place == 0)
        return 0;
    hd_format(text, sizeof text, "this machine cannot trap cpuid, so the code at %s+%p learns from it whether there are transactions",
              hd_program_file(place), (void *)hd_program_offset(place));
    hd_uncontrolled(text);
    return 0;
}

void hd_tx_cpuid_name(void)
{
    if (refused)
        dl_iterate_phdr(name_place, NULL);
}
