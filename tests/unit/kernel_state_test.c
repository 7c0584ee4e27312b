/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kernel_state_test.c - each kind of state, changed as an execution could change it, is noticed and
 * named; state that was not changed compares equal. */
#include "support/unit.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "runtime/restore/kernel_state.c"
#undef LARGEST
#include "runtime/sys/text.c"
#include "runtime/restore/maps.c"

struct hd_rt hd;
uintptr_t hd_own_next = HD_OWN_BASE;

static long proc = -1;
static int noted = -1; /* a file that was open before */
static unsigned char *shared;

long hd_process_proc(void)
{
    return proc;
}

unsigned hd_process_descriptors(int *out, unsigned cap)
{
    unsigned n = 0;

    for (int fd = 0; fd < 64 && n < cap; fd++)
        if (hd_sys(SYS_fcntl, fd, F_GETFD, 0) >= 0)
            out[n++] = fd;
    return n;
}

bool hd_process_is_targets(int fd)
{
    return fd != proc;
}

bool hd_process_is_own(uintptr_t addr)
{
    return addr >= HD_OWN_BASE && addr < HD_OWN_END;
}

/* All that is this program's own, which the test itself writes. */
bool hd_snapshot_has(uintptr_t addr)
{
    return addr != (uintptr_t)shared;
}

void hd_snapshot_add_mapping(uintptr_t lo, uintptr_t hi, bool executes)
{
    (void)lo;
    (void)hi;
    (void)executes;
}

bool hd_program_is_module(uintptr_t addr)
{
    (void)addr;
    return false;
}

void hd_needs_fork(const char *why)
{
    (void)why;
}

/* ---- changes ------------------------------------------------------------------------------ */

static bool of_action(void)
{
    return signal(SIGUSR1, SIG_IGN) != SIG_ERR;
}

static bool of_mask(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    return sigprocmask(SIG_BLOCK, &set, NULL) == 0;
}

static bool of_pending(void)
{
    return of_mask() && raise(SIGUSR2) == 0;
}

static bool of_alternate(void)
{
    static char room[65536];
    stack_t s = { .ss_sp = room, .ss_size = sizeof room };

    return sigaltstack(&s, NULL) == 0;
}

static bool of_interval(void)
{
    struct itimerval t = { .it_value = { 1000, 0 } };

    return setitimer(ITIMER_PROF, &t, NULL) == 0;
}

static bool of_timer(void)
{
    struct sigevent e = { .sigev_notify = SIGEV_NONE };
    timer_t t;

    return hd_sys(SYS_timer_create, CLOCK_MONOTONIC, &e, &t) == 0 && access("/proc/self/timers", R_OK) == 0;
}

static bool of_limit(void)
{
    struct rlimit r;

    getrlimit(RLIMIT_CORE, &r);
    r.rlim_cur = r.rlim_max = r.rlim_cur == 4096 ? 0 : 4096 < r.rlim_max ? 4096 : 0;
    return setrlimit(RLIMIT_CORE, &r) == 0;
}

static bool of_data_limit(void)
{
    struct rlimit r = { UINT64_C(1) << 40, RLIM_INFINITY };

    return setrlimit(RLIMIT_DATA, &r) == 0;
}

static bool of_dumpable(void)
{
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

static bool of_slack(void)
{
    return prctl(PR_SET_TIMERSLACK, 123456, 0, 0, 0) == 0;
}

static bool of_subreaper(void)
{
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
}

static bool of_death(void)
{
    return prctl(PR_SET_PDEATHSIG, SIGUSR1, 0, 0, 0) == 0;
}

static bool of_privileges(void)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

static bool of_huge_pages(void)
{
    return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) == 0;
}

static bool of_name(void)
{
    return prctl(PR_SET_NAME, "another", 0, 0, 0) == 0;
}

static bool of_gs(void)
{
    enum { SET_GS = 0x1001 };

    return hd_sys(SYS_arch_prctl, SET_GS, 0x1000, 0) == 0;
}

static bool of_rounding(void)
{
    uint32_t mxcsr;

    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    mxcsr ^= 0x2000;
    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
    return true;
}

static bool of_nice(void)
{
    return setpriority(PRIO_PROCESS, 0, 19) == 0;
}

static bool of_policy(void)
{
    struct sched_param p = { 0 };

    return sched_setscheduler(0, SCHED_BATCH, &p) == 0;
}

static bool of_io_priority(void)
{
    return hd_sys(SYS_ioprio_set, 1, 0, 2 << 13 | 6) == 0;
}

static bool of_personality(void)
{
    return hd_sys(SYS_personality, hd_sys(SYS_personality, UINT32_MAX, 0, 0) ^ 0x0040000, 0, 0) >= 0;
}

static bool of_umask(void)
{
    return umask(0123) != 0123;
}

static bool of_directory(void)
{
    return chdir("/proc") == 0;
}

static bool of_root(void)
{
    return chroot("/proc") == 0; /* the privileged may */
}

static bool of_host(void)
{
    return hd_sys(SYS_unshare, CLONE_NEWUTS, 0, 0) == 0;
}

static bool of_ids(void)
{
    return hd_sys(SYS_setresgid, 65534, 65534, 65534) == 0 && prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0;
}

static bool of_bounding_set(void)
{
    return prctl(PR_CAPBSET_DROP, 10, 0, 0, 0) == 0;
}

static bool of_break(void)
{
    return hd_sys(SYS_brk, hd_sys(SYS_brk, 0, 0, 0) + 65536, 0, 0) > 0;
}

static bool of_descriptor(void)
{
    return dup(noted) >= 0;
}

static bool of_position(void)
{
    return lseek(noted, 17, SEEK_SET) == 17;
}

static bool of_flags(void)
{
    return fcntl(noted, F_SETFD, 0) == 0;
}

static bool of_mapping(void)
{
    return mmap(NULL, 65536, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

static bool of_memory(void)
{
    shared[12345] = 1;
    return true;
}

static bool of_lock(void)
{
    return mlock(shared, 4096) == 0;
}

static const struct {
    bool (*change)(void);
    const char *named; /* the beginning of what is said */
} rows[] = {
    { of_action, "the action of signal 10" },
    { of_mask, "SigBlk" },
    { of_pending, "SigPnd" },
    { of_alternate, "the alternate stack" },
    { of_interval, "interval timer 2" },
    { of_timer, "timers" },
    { of_limit, "limit number 4" },
    { of_data_limit, "limit number 2" },
    { of_dumpable, "prctl setting 3" },
    { of_slack, "prctl setting 30" },
    { of_subreaper, "prctl setting 37" },
    { of_death, "prctl setting 2" },
    { of_privileges, "prctl setting 39" },
    { of_huge_pages, "prctl setting 42" },
    { of_name, "the name of the process" },
    { of_gs, "the GS base" },
    { of_rounding, "the modes of floating point" },
    { of_nice, "the nice value" },
    { of_policy, "the scheduling policy" },
    { of_io_priority, "the priority of I/O" },
    { of_personality, "the personality" },
    { of_umask, "the umask" },
    { of_directory, "the working directory" },
    { of_root, "the root directory" },
    { of_host, "ns/uts" },
    { of_ids, "Gid" },
    { of_bounding_set, "CapBnd" },
    { of_break, "the program break" },
    { of_descriptor, "descriptor " },
    { of_position, "descriptor " },
    { of_flags, "descriptor " },
    { of_mapping, "the mapping at 0x" },
    { of_memory, "the memory at 0x" },
    { of_lock, "VmLck" },
};

static int open_all(void **state)
{
    (void)state;
    proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    noted = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    shared = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return proc < 0 || noted < 0 || shared == MAP_FAILED;
}

static struct hd_kernel_state before, after;

enum { NOTICED, NOT_NOTICED, OTHERWISE_NAMED, NOT_ALLOWED };

static int in_child(bool (*change)(void), const char *named)
{
    char what[96] = "";
    pid_t pid = fork();
    int status = 0;

    if (pid == 0) {
        hd_kernel_state_take(&before);
        if (!change())
            _exit(NOT_ALLOWED);
        hd_kernel_state_take(&after);
        if (hd_kernel_state_same(&before, &after, what, sizeof what))
            _exit(NOT_NOTICED);
        if (strncmp(what, named, strlen(named)) == 0)
            _exit(NOTICED);
        fprintf(stderr, "wanted '%s', got '%s'\n", named, what);
        _exit(OTHERWISE_NAMED);
    }
    assert_true(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* What this user or this kernel does not allow cannot be changed by a program either. */
static void every_kind_is_noticed(void **state)
{
    unsigned allowed = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int rc = in_child(rows[i].change, rows[i].named);

        allowed += rc != NOT_ALLOWED;
        if (rc != NOTICED && rc != NOT_ALLOWED)
            fail_msg("row %zu, %s: %s", i, rows[i].named, rc == NOT_NOTICED ? "not noticed" : "named otherwise");
    }
    assert_true(allowed >= 24); /* those that need no privilege */
}

static void nothing_is_said_of_nothing(void **state)
{
    char what[96] = "";

    (void)state;
    hd_kernel_state_take(&before);
    for (int i = 0; i < 10; i++) {
        hd_kernel_state_take(&after);
        if (!hd_kernel_state_same(&before, &after, what, sizeof what))
            fail_msg("%s", what);
    }
    assert_true(after.nfacts > 120 && after.nfacts < HD_KERNEL_FACTS && after.nranges > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_said_of_nothing),
        cmocka_unit_test(every_kind_is_noticed),
    };

    closefrom(STDERR_FILENO + 1); /* the position of an inherited file may change at any time */
    return cmocka_run_group_tests(tests, open_all, NULL);
}
