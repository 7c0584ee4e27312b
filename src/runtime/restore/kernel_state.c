/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kernel_state.c - records the state as a list of named facts, and the mappings.  Speed does not matter, because a
 * search records it only three times. */
#include "runtime/restore/kernel_state.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/sys.h"
#include "runtime/core/fatal_signals.h"
#include "runtime/core/program.h"
#include "runtime/restore/maps.h"
#include "runtime/restore/process.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"
#include "wire/wire.h"

#define LARGEST (UINT64_C(16) << 20) /* contents of larger mappings are not compared */

static void put_numbered(struct hd_kernel_state *s, uint64_t value, const char *format, unsigned long number)
{
    if (s->nfacts == HD_KERNEL_FACTS)
        return;
    struct hd_kernel_fact *f = &s->fact[s->nfacts++];

    hd_format(f->name, sizeof f->name, format, number);
    f->value = value;
}

static void put_named(struct hd_kernel_state *s, uint64_t value, const char *name)
{
    if (s->nfacts == HD_KERNEL_FACTS)
        return;
    hd_format(s->fact[s->nfacts].name, HD_KERNEL_NAME, "%s", name);
    s->fact[s->nfacts++].value = value;
}

/* ---- signals and timers ------------------------------------------------------------------ */

static void take_signals(struct hd_kernel_state *s)
{
    enum { RESTORER = 0x04000000 };
    stack_t alternate = { 0 };

    for (unsigned n = 1; n <= 64; n++) {
        struct hd_kernel_sigaction sa = { 0 };

        hd_sys6(SYS_rt_sigaction, (long)n, 0, (long)&sa, 8, 0, 0);
        sa.flags &= ~(unsigned long)RESTORER; /* libc also sets it for actions that do not need it */
        sa.restorer = NULL;
        put_numbered(s, hd_hash_bytes(0, &sa, sizeof sa), "the action of signal %lu", n);
    }
    hd_sys(SYS_sigaltstack, 0, &alternate, 0);
    put_named(s, hd_hash_mix((uintptr_t)alternate.ss_sp, alternate.ss_size), "the alternate stack");
    for (unsigned n = 0; n < 3; n++) {
        struct itimerval t = { 0 };

        hd_sys(SYS_getitimer, n, &t, 0);
        put_numbered(s, t.it_value.tv_sec != 0 || t.it_value.tv_usec != 0, "interval timer %lu", n);
    }
}

/* ---- settings ------------------------------------------------------------------------------ */

static void take_limits(struct hd_kernel_state *s)
{
    for (unsigned n = 0; n < RLIMIT_NLIMITS; n++) {
        struct rlimit r = { 0 };

        hd_sys(SYS_getrlimit, n, &r, 0);
        put_numbered(s, hd_hash_mix(r.rlim_cur, r.rlim_max), "limit number %lu", n);
    }
}

/* Options in the first list return their value as the result; those in the second write it to an address. */
static void take_prctl(struct hd_kernel_state *s)
{
    static const uint8_t results[] = { PR_GET_DUMPABLE, PR_GET_KEEPCAPS, PR_GET_SECUREBITS, PR_GET_TIMERSLACK,
                                       PR_GET_NO_NEW_PRIVS, PR_GET_THP_DISABLE, PR_MCE_KILL_GET,
                                       PR_GET_IO_FLUSHER, PR_GET_TIMING };
    static const uint8_t written[] = { PR_GET_PDEATHSIG, PR_GET_CHILD_SUBREAPER, PR_GET_TSC };
    char name[16] = { 0 };

    for (size_t i = 0; i < sizeof results; i++)
        put_numbered(s, (uint64_t)hd_sys6(SYS_prctl, results[i], 0, 0, 0, 0, 0), "prctl setting %lu", results[i]);
    for (size_t i = 0; i < sizeof written; i++) {
        int value = 0;

        hd_sys6(SYS_prctl, written[i], (long)&value, 0, 0, 0, 0);
        put_numbered(s, (uint64_t)value, "prctl setting %lu", written[i]);
    }
    hd_sys6(SYS_prctl, PR_GET_NAME, (long)name, 0, 0, 0, 0);
    put_named(s, hd_hash_bytes(0, name, sizeof name), "the name of the process");
}

/* The target changes the GS base and the floating-point modes by instructions, without a system call. */
static void take_registers(struct hd_kernel_state *s)
{
    enum { GET_GS = 0x1004 };
    uint64_t gs = 0;
    uint32_t mxcsr = 0;
    uint16_t x87 = 0;

    hd_sys(SYS_arch_prctl, GET_GS, &gs, 0);
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr), "=m"(x87));
    put_named(s, gs, "the GS base");
    put_named(s, (mxcsr & ~UINT32_C(0x3f)) | (uint64_t)x87 << 32, "the modes of floating point");
}

static void take_scheduling(struct hd_kernel_state *s)
{
    uint64_t cpus[16] = { 0 };

    put_named(s, (uint64_t)hd_sys(SYS_getpriority, PRIO_PROCESS, 0, 0), "the nice value");
    put_named(s, (uint64_t)hd_sys(SYS_sched_getscheduler, 0, 0, 0), "the scheduling policy");
    put_named(s, (uint64_t)hd_sys(SYS_ioprio_get, 1, 0, 0), "the priority of I/O");
    put_named(s, (uint64_t)hd_sys(SYS_personality, UINT32_MAX, 0, 0), "the personality");
    hd_sys(SYS_sched_getaffinity, 0, sizeof cpus, cpus);
    put_named(s, hd_hash_bytes(0, cpus, sizeof cpus), "the processors that it may use");
}

/* ---- identity and directories ---------------------------------------------------------------- */

static uint64_t identity_of(const char *path, long dir, long flags)
{
    struct stat st = { 0 };
    long rc = hd_sys6(SYS_newfstatat, dir, (long)path, (long)&st, flags, 0, 0);

    return rc != 0 ? (uint64_t)rc : hd_hash_mix(st.st_dev, st.st_ino);
}

static void take_surroundings(struct hd_kernel_state *s)
{
    static const char *const spaces[] = { "self/ns/uts", "self/ns/ipc", "self/ns/mnt", "self/ns/net", "self/ns/pid",
                                          "self/ns/user", "self/ns/cgroup", "self/ns/time" };
    struct utsname names = { 0 };
    long mask = hd_sys(SYS_umask, 0, 0, 0);

    hd_sys(SYS_umask, mask, 0, 0);
    put_named(s, (uint64_t)mask, "the umask");
    put_named(s, identity_of(".", AT_FDCWD, 0), "the working directory");
    put_named(s, identity_of("/", AT_FDCWD, 0), "the root directory");
    hd_sys(SYS_uname, &names, 0, 0);
    put_named(s, hd_hash_bytes(hd_hash_bytes(0, names.nodename, sizeof names.nodename), names.domainname,
                              sizeof names.domainname), "the name of the host");
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        put_named(s, identity_of(spaces[i], hd_process_proc(), 0), spaces[i] + 5);
    put_named(s, (uint64_t)hd_sys(SYS_brk, 0, 0, 0), "the program break");
}

static bool begins(const char *line, const char *key)
{
    while (*key != '\0' && *line == *key)
        line++, key++;
    return *key == '\0' && *line == ':';
}

/* Lines of /proc/self/status that no execution may change.  The ids are among the first lines. */
static void take_status_line(struct hd_kernel_state *s, const char *line, size_t n)
{
    static const char *const keys[] = { "Uid", "Gid", "Groups", "VmLck", "SigPnd", "ShdPnd", "SigBlk", "CapInh",
                                        "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp",
                                        "Seccomp_filters", "Speculation_Store_Bypass",
                                        "SpeculationIndirectBranch", "Mems_allowed" };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (begins(line, keys[i]))
            put_named(s, hd_hash_bytes(0, line, n), keys[i]);
}

static long read_all(const char *path, char *to, size_t cap)
{
    long fd = hd_sys6(SYS_openat, hd_process_proc(), (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0), got, n = 0;

    if (fd < 0)
        return 0;
    while ((got = hd_sys(SYS_read, fd, to + n, (long)cap - 1 - n)) > 0)
        n += got;
    hd_sys(SYS_close, fd, 0, 0);
    to[n] = '\0';
    return n;
}

static void take_files_of_proc(struct hd_kernel_state *s)
{
    static char text[8192];
    long n = read_all("self/status", text, sizeof text), from = 0;

    for (long i = 0; i < n; i++)
        if (text[i] == '\n') {
            take_status_line(s, text + from, (size_t)(i - from));
            from = i + 1;
        }
    n = read_all("self/timers", text, sizeof text);
    put_named(s, hd_hash_bytes(0, text, (size_t)n), "timers");
}

/* ---- descriptors and mappings ------------------------------------------------------------------ */

/* Files opened for appending have no recorded position: between executions Heddle truncates their output and does
 * not restore the position. */
static uint64_t position_of(int fd, const struct stat *st, long flags)
{
    return S_ISREG(st->st_mode) && (flags & O_APPEND) == 0 && hd_process_is_targets(fd)
               ? (uint64_t)hd_sys(SYS_lseek, fd, 0, SEEK_CUR) : 0;
}

static void take_descriptors(struct hd_kernel_state *s)
{
    static int fds[1024];
    unsigned n = hd_process_descriptors(fds, sizeof fds / sizeof *fds);

    for (unsigned i = 0; i < n && i < 256; i++) {
        struct stat st = { 0 };

        hd_sys(SYS_fstat, fds[i], &st, 0);
        long flags = hd_sys(SYS_fcntl, fds[i], F_GETFL, 0);
        uint64_t h = hd_hash_mix(st.st_dev, st.st_ino);

        h = hd_hash_mix(h, (uint64_t)flags);
        h = hd_hash_mix(h, (uint64_t)hd_sys(SYS_fcntl, fds[i], F_GETFD, 0));
        h = hd_hash_mix(h, position_of(fds[i], &st, flags));
        put_numbered(s, h, "descriptor %lu", (unsigned long)fds[i]);
    }
}

static bool is_of_interest(const struct hd_mapping *m)
{
    bool wire = m->lo >= HD_WIRE_ADDR && m->lo < HD_WIRE_ADDR + (HD_MAX_WORKERS + 2) * HD_WIRE_STRIDE;

    return !wire && !hd_process_is_own(m->lo);
}

static bool take_mapping(const struct hd_mapping *m, void *arg)
{
    struct hd_kernel_state *s = arg;
    struct hd_kernel_range *last = s->nranges > 0 ? &s->range[s->nranges - 1] : NULL;
    uint64_t what = hd_hash_mix(m->file, m->shared);

    if (!is_of_interest(m))
        return true;
    if (last != NULL && last->hi == m->lo && last->what == what)
        last->hi = m->hi;
    else if (s->nranges < HD_KERNEL_RANGES)
        s->range[s->nranges++] = (struct hd_kernel_range){ m->is_stack ? m->hi - HD_PAGE : m->lo, m->hi, what };
    if (m->writes && m->reads && !m->is_stack && m->hi - m->lo <= LARGEST && !hd_program_is_module(m->lo) &&
        !hd_maps_is_early(m->lo) && !hd_snapshot_has(m->lo))
        put_numbered(s, hd_hash_words(0, (const void *)m->lo, (m->hi - m->lo) / 8), "the memory at 0x%lx", m->lo);
    return true;
}

/* ---- the whole state ----------------------------------------------------------------------------- */

void hd_kernel_state_take(struct hd_kernel_state *s)
{
    s->nfacts = s->nranges = 0;
    take_signals(s);
    take_limits(s);
    take_prctl(s);
    take_registers(s);
    take_scheduling(s);
    take_surroundings(s);
    take_files_of_proc(s);
    take_descriptors(s);
    hd_maps_each(take_mapping, s);
}

static bool same_name(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    return *a == *b;
}

static const char *first_other(const struct hd_kernel_state *a, const struct hd_kernel_state *b)
{
    for (unsigned i = 0; i < a->nfacts || i < b->nfacts; i++) {
        if (i >= a->nfacts || i >= b->nfacts)
            return i < a->nfacts ? a->fact[i].name : b->fact[i].name;
        if (!same_name(a->fact[i].name, b->fact[i].name) || a->fact[i].value != b->fact[i].value)
            return b->fact[i].name;
    }
    return NULL;
}

bool hd_kernel_state_same(const struct hd_kernel_state *a, const struct hd_kernel_state *b, char *what, size_t cap)
{
    const char *name = first_other(a, b);

    if (name != NULL) {
        hd_format(what, cap, "%s", name);
        return false;
    }
    for (unsigned i = 0; i < a->nranges || i < b->nranges; i++) {
        const struct hd_kernel_range *p = &a->range[i], *q = &b->range[i];

        if (i < a->nranges && i < b->nranges && p->lo == q->lo && p->hi == q->hi && p->what == q->what)
            continue;
        hd_format(what, cap, "the mapping at 0x%lx", i < b->nranges ? q->lo : p->lo);
        return false;
    }
    return true;
}
