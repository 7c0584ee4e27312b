/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_cpuid.h - makes cpuid report transactions (with --tm off: no transactions) to a program that uses them, on every
 * machine.
 *
 * C1  Code compiled by heddle cc calls heddle_rt_cpuid (transaction_x86_64.S) instead of executing cpuid.
 * C2  Other code executes the instruction, such as libgcc's constructor for __builtin_cpu_supports.  The runtime asks
 *     the kernel to make cpuid fault (ARCH_SET_CPUID), before the constructors of other objects run.  The signal
 *     handler then emulates it.
 * C3  cpuid does not fault if the program has no transactions or the machine's answer is the same.
 * C4  If the machine cannot make cpuid fault, an entry of the ledger names a place that executes it.
 * C5  libc executes cpuid before the runtime is loaded.  The function that returns libc's stored answer is
 *     interposed (calls/misc.c). */
#ifndef HD_RUNTIME_WATCH_TX_CPUID_H
#define HD_RUNTIME_WATCH_TX_CPUID_H

#include <stdbool.h>
#include <stdint.h>

struct hd_cpuid {
    uint32_t eax, ebx, ecx, edx;
};

/* Bits of leaf 7. ebx: the processor has transactions; edx, the same bit: it aborts each of them at once. */
#define HD_CPUID_TRANSACTIONS (UINT32_C(1) << 11)
#define HD_CPUID_ALWAYS_ABORTED HD_CPUID_TRANSACTIONS

/* Leaf 7 as the program sees it. told: whether the processor has transactions. */
static inline struct hd_cpuid hd_tx_cpuid_told(struct hd_cpuid machine, bool told)
{
    machine.ebx &= ~HD_CPUID_TRANSACTIONS;
    if (told) {
        machine.ebx |= HD_CPUID_TRANSACTIONS;
        machine.edx &= ~HD_CPUID_ALWAYS_ABORTED;
    }
    return machine;
}

/* What cpuid says about transactions: HD_CPUID_TRANSACTIONS or 0.  Without Heddle it is 0. */
extern uint32_t hd_tx_told __attribute__((visibility("hidden")));
/* If the program has transactions, makes cpuid fault in the calling kernel thread (C2).  Call it when the settings are
 * known, and again after loading an object that uses transactions. */
void hd_tx_cpuid_ban(void);
/* Undoes hd_tx_cpuid_ban, in a child process. */
void hd_tx_cpuid_allow(void);
/* Adds the entry of the ledger if the machine cannot make cpuid fault (C4).  Call before the first execution. */
void hd_tx_cpuid_name(void);
/* For the SIGSEGV handler: if the faulting instruction is cpuid, emulates it and returns true. */
bool hd_tx_cpuid_trap(void *context);

#endif
