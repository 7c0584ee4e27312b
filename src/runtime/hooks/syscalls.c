/* SPDX-License-Identifier: BSD-2-Clause
 *
 * syscalls.c - handles system calls by the table: calls their models, or passes them on and
 * accounts for them. */

#include "runtime/hooks/syscalls.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "base/check.h"
#include "base/sys.h"
#include "runtime/core/acting.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/fatal_signals.h"
#include "runtime/core/ledger.h"
#include "runtime/core/program.h"
#include "runtime/core/state.h"
#include "runtime/kernel/pids.h"
#include "runtime/restore/process.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/text.h"

static const struct hd_syscall table[HD_SYSCALLS] = {
#define HD_SYSCALL(nr, name, class, inside) \
    [nr] = { #name, HD_SYSCALL_##class, HD_SYSCALL_##inside },
#define HD_SYSCALL_NONE(first, last) [first ... last] = { "", HD_SYSCALL_UNUSED, HD_SYSCALL_QUIET },
#include "runtime/hooks/syscalls.def"
};

static const struct out {
    uint16_t nr;
    uint8_t arg;
    uint8_t by;
    uint16_t bytes;
} outs[] = {
#define HD_SYSCALL_OUT(nr, arg, bytes, by) { nr, arg, by, bytes },
#include "runtime/hooks/syscalls.def"
};

const struct hd_syscall *hd_syscall_row(long nr)
{
    static const struct hd_syscall unknown = { "", HD_SYSCALL_UNKNOWN, HD_SYSCALL_NAMED };

    return nr >= 0 && nr < HD_SYSCALLS ? &table[nr] : &unknown;
}

/* True for options that only read a setting.  Options not in this list count as changes. */
static bool is_query(int option)
{
    static const uint8_t queries[] = {
        PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_GET_UNALIGN, PR_GET_KEEPCAPS, PR_GET_FPEMU, PR_GET_FPEXC,
        PR_GET_TIMING, PR_GET_NAME, PR_GET_ENDIAN, PR_GET_SECCOMP, PR_CAPBSET_READ, PR_GET_TSC,
        PR_GET_SECUREBITS, PR_GET_TIMERSLACK, PR_MCE_KILL_GET, PR_GET_CHILD_SUBREAPER,
        PR_GET_NO_NEW_PRIVS, PR_GET_TID_ADDRESS, PR_GET_THP_DISABLE, PR_GET_FP_MODE,
        PR_GET_SPECULATION_CTRL, PR_GET_TAGGED_ADDR_CTRL, PR_GET_IO_FLUSHER,
    };

    for (size_t i = 0; i < sizeof queries; i++)
        if (queries[i] == option)
            return true;
    return option == PR_SET_NAME;
}

/* arch_prctl: the FS base must not change, because it identifies the thread of a fiber. */
static enum hd_syscall_class judge_arch(long option)
{
    enum { SET_GS = 0x1001, SET_FS, GET_FS, GET_GS, GET_CPUID = 0x1011, SET_CPUID };

    if (option == SET_FS)
        return HD_SYSCALL_REFUSED;
    return option == SET_GS || option == SET_CPUID ? HD_SYSCALL_FORK : HD_SYSCALL_HARMLESS;
}

enum hd_syscall_class hd_syscall_judge(long nr, const long a[6])
{
    bool asks = false;

    switch (nr) {
    case SYS_arch_prctl:
        return judge_arch(a[0]);
    case SYS_prctl:
        asks = is_query((int)a[0]);
        return asks ? HD_SYSCALL_HARMLESS : HD_SYSCALL_FORK;
    case SYS_prlimit64:
        return a[2] == 0 ? HD_SYSCALL_HARMLESS : HD_SYSCALL_FORK;
    case SYS_renameat2: /* a whiteout (RENAME_WHITEOUT) is not in the undo log */
        return (a[4] & ~3) == 0 ? HD_SYSCALL_MODELLED : HD_SYSCALL_OUTSIDE;
    case SYS_brk:
        asks = a[0] == 0;
        break;
    case SYS_personality:
        asks = (uint32_t)a[0] == UINT32_MAX;
        break;
    default:
        break;
    }
    return asks ? HD_SYSCALL_HARMLESS : (enum hd_syscall_class)hd_syscall_row(nr)->class;
}

/* ---- naming calls in the verdict ------------------------------------------------------- */

static void put_name(char *to, size_t cap, long nr)
{
    const char *name = hd_syscall_row(nr)->name;

    if (name[0] != '\0')
        hd_format(to, cap, "%s", name);
    else
        hd_format(to, cap, "number %ld", nr);
}

static HD_COLD void say(void (*enter)(const char *), long nr, uint64_t pc, const char *what)
{
    char text[160], name[32];

    put_name(name, sizeof name, nr);
    hd_format(text, sizeof text, "system call %s in %s: %s", name, hd_program_file(pc), what);
    enter(text);
}

static HD_COLD void ask_for_fork(long nr)
{
    char text[96], name[32];

    put_name(name, sizeof name, nr);
    hd_format(text, sizeof text, "it changes its process (%s)", name);
    hd_needs_fork(text);
}

/* ---- passing calls on -------------------------------------------------------------------- */

long hd_syscall_account(long nr, const long a[6], uint64_t pc)
{
    switch (hd_syscall_judge(nr, a)) {
    case HD_SYSCALL_HARMLESS:
    case HD_SYSCALL_UNUSED:
        return 0;
    case HD_SYSCALL_FORK:
        ask_for_fork(nr);
        return 0;
    case HD_SYSCALL_OUTSIDE:
        say(hd_uncontrolled, nr, pc, "what it does is neither controlled nor undone");
        ask_for_fork(nr);
        return 0;
    case HD_SYSCALL_REFUSED:
        say(hd_qualified, nr, pc, "refused, as by a kernel that does not have it");
        return nr == SYS_arch_prctl || nr == SYS_mlockall ? -EPERM : -ENOSYS;
    case HD_SYSCALL_MODELLED:
    case HD_SYSCALL_UNKNOWN:
        break;
    }
    say(hd_uncontrolled, nr, pc, "not known in this form, passed on");
    ask_for_fork(nr);
    return 0;
}

/* The argument that is a process or thread id; -1 if there is none. */
static int process_argument(long nr)
{
    switch (nr) {
    case SYS_sched_getattr: case SYS_sched_setattr: case SYS_migrate_pages: case SYS_move_pages:
    case SYS_get_robust_list: case SYS_process_vm_readv: case SYS_process_vm_writev: case SYS_kcmp:
    case SYS_pidfd_open: case SYS_rt_tgsigqueueinfo: case SYS_prlimit64:
        return 0;
    case SYS_getpriority: case SYS_ptrace: case SYS_ioprio_get: case SYS_ioprio_set:
        return 1;
    default:
        return -1;
    }
}

/* Y2: translates the id.  Returns false for the virtual parent, which no process represents. */
static bool make_real(long *pid)
{
    *pid = hd_pid_real((pid_t)*pid);
    return *pid >= 0;
}

/* Makes the pages writable to which the kernel will write.  The size is not validated, because the kernel does that
 * later. */
static void open_buffers(long nr, const long a[6])
{
    enum { MOST = 1 << 30 };

    for (size_t i = 0; i < sizeof outs / sizeof *outs; i++)
        if (outs[i].nr == nr && a[outs[i].arg] != 0) {
            uint64_t n = outs[i].by != 0 ? (uint64_t)a[outs[i].by - 1] * outs[i].bytes : outs[i].bytes;

            hd_snapshot_touch((void *)a[outs[i].arg], n < MOST ? n : MOST);
        }
}

static long pass_on(long nr, const long a[6])
{
    long b[6] = { a[0], a[1], a[2], a[3], a[4], a[5] };
    int pid = process_argument(nr);

    if (pid >= 0 && !make_real(&b[pid]))
        return -ESRCH;
    hd_changes.io = 1;
    open_buffers(nr, b);
    return hd_sys6(nr, b[0], b[1], b[2], b[3], b[4], b[5]);
}

static long by_table(long nr, const long a[6], uint64_t pc)
{
    long refused = hd_syscall_account(nr, a, pc);

    return refused != 0 ? refused : pass_on(nr, a);
}

/* Denies the claim for a wait of uninstrumented code.  A thread that waits on a futex has decided to wait by
 * reading atomics.  Heddle sees them in instrumented code, and also those of libstdc++, which are inlined into the
 * program.  In other uninstrumented code it sees only instructions with a lock prefix (library_atomics.h). */
static void look_at_futex(uint64_t pc)
{
    if (HD_UNLIKELY(!hd_program_is_instrumented(pc) && !hd_program_is_cplusplus(pc) && !hd_program_in_libc(pc)))
        say(hd_uncontrolled, SYS_futex, pc, "it waits by atomics of its own, whose loads and stores are not seen");
}

long hd_syscall(long nr, const long a[6], uint64_t pc)
{
    int error = errno;
    bool known = false;

    if (nr == SYS_futex) {
        look_at_futex(pc);
        return hd_callbacks.raw_futex(a, pc);
    }
    hd_act_for(pc);
    long r = hd_callbacks.raw_call(nr, a, pc, &known);

    if (hd.cur != NULL) /* NULL in the child of a fork */
        hd_act_for(0);
    if (!known)
        return by_table(nr, a, pc);
    if (r == -1)
        r = -errno;
    errno = error;
    return r;
}

/* ---- calls made by libc ------------------------------------------------------------------- */

/* No thread can observe the order of output, unless the output is compared (shared_state.h, U4). */
static bool is_output(long nr, const long a[6])
{
    return hd.cfg->expect == HD_EXPECT_NOTHING && (nr == SYS_write || nr == SYS_writev) && a[0] >= 0 && a[0] <= 2;
}

/* libc blocks all signals while it works.  The runtime's signals must stay unblocked. */
static long change_mask(const long a[6])
{
    uint64_t mask = 0;
    long set = a[1];

    if (set != 0 && a[3] == sizeof mask) {
        mask = *(const uint64_t *)set & ~hd_fatal_signals_set();
        set = (long)&mask;
    }
    open_buffers(SYS_rt_sigprocmask, a);
    return hd_sys6(SYS_rt_sigprocmask, a[0], set, a[2], a[3], 0, 0);
}

long hd_syscall_inside(long nr, const long a[6], uint64_t pc)
{
    const struct hd_syscall *row = hd_syscall_row(nr);

    if (row->class != HD_SYSCALL_MODELLED)
        return by_table(nr, a, pc);
    if (nr == SYS_rt_sigprocmask)
        return change_mask(a);
    if (row->inside == HD_SYSCALL_QUIET || is_output(nr, a))
        return pass_on(nr, a);
    if (row->inside == HD_SYSCALL_NAMED)
        say(hd_qualified, nr, pc, "by a function that Heddle does not know");
    return hd_syscall(nr, a, pc);
}
