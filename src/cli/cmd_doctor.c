/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_doctor.c - `heddle doctor`: checks whether the requirements of Heddle are met.  Each check
 * tries what a run will do (map the wire, switch off address randomisation) instead of guessing
 * from versions. */
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "cli/registry.h"
#include "kernel/drive/linux.h"
#include "kernel/drive/machine.h"
#include "program/elf_info.h"
#include "program/loads.h"
#include "program/paths.h"
#include "program/unseen.h"
#include "wire/wire.h"

#ifndef HWCAP2_FSGSBASE
#define HWCAP2_FSGSBASE (1 << 1)
#endif

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

#define PATH_CAP 4096

enum level { GOOD, WARNING, PROBLEM };

struct doctor {
    const struct hd_options *options;
    bool symbols; /* the terminal can show ✓ and ✗ */
    bool color;
    unsigned warnings, problems;
};

static const char *mark(const struct doctor *d, enum level l)
{
    static const char *const plain[] = { "ok     ", "warning", "problem" };
    static const char *const signs[] = { "✓", "!", "✗" };
    static const char *const painted[] = { "\033[32m✓\033[0m", "\033[33m!\033[0m",
                                           "\033[31m✗\033[0m" };

    return !d->symbols ? plain[l] : d->color ? painted[l] : signs[l];
}

static void say(struct doctor *d, enum level l, const char *what, const char *remedy)
{
    d->warnings += l == WARNING;
    d->problems += l == PROBLEM;
    if (l == GOOD && d->options->quiet)
        return;
    printf("%s %s\n", mark(d, l), what);
    if (l != GOOD)
        printf("%*s remedy: %s\n", d->symbols ? 1 : 7, "", remedy);
}

/* ---- the machine -------------------------------------------------------------------- */

static void check_kernel(struct doctor *d)
{
    struct utsname u;
    char line[256];

    if (uname(&u) != 0)
        return;
    snprintf(line, sizeof line, "%.20s %.60s on %.20s", u.sysname, u.release, u.machine);
    say(d, GOOD, line, "");
}

/* The runtime is compiled for x86-64-v2 (cmake/HeddleRuntime.cmake). */
static void check_processor(struct doctor *d)
{
    if (__builtin_cpu_supports("popcnt") && __builtin_cpu_supports("sse4.2"))
        say(d, GOOD, "the processor has what the runtime is compiled for (x86-64-v2)", "");
    else
        say(d, PROBLEM, "the processor lacks POPCNT or SSE 4.2",
            "use a processor of 2009 or later");
}

static void check_fsgsbase(struct doctor *d)
{
    if ((getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0)
        say(d, GOOD, "threads are switched without system calls (FSGSBASE)", "");
    else
        say(d, WARNING, "FSGSBASE is not available: every switch of threads costs a system call",
            "use Linux 5.9 or later on a processor of 2013 or later; works, but slower");
}

static bool can_fix_addresses(void)
{
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        int now = personality(0xffffffff);

        _exit(now == -1 || personality((unsigned long)now | ADDR_NO_RANDOMIZE) == -1);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static void check_aslr(struct doctor *d)
{
    if (can_fix_addresses())
        say(d, GOOD, "address randomisation can be switched off for the program", "");
    else
        say(d, WARNING, "address randomisation cannot be switched off: a program whose behaviour "
                        "depends on addresses may not replay",
            "allow the personality system call (containers: --security-opt seccomp=unconfined)");
}

/* True if the kernel can trap system calls and reads of the time stamp counter.  Tries it in a
 * separate process, because these settings cannot be switched off again. */
static bool can_trap(void)
{
    static char selector;
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        bool calls = prctl(PR_SET_SYSCALL_USER_DISPATCH, 1, 0L, 0L, &selector) == 0;

        _exit(!calls || prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) != 0);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static void check_traps(struct doctor *d)
{
    if (can_trap())
        say(d, GOOD, "system calls and clocks that bypass libc are seen", "");
    else
        say(d, WARNING, "system calls or clocks that bypass libc are not seen (denies: a search proves nothing)",
            "use Linux 5.11 or later, and allow the prctl system call");
}

static void check_wire(struct doctor *d)
{
    char line[256];
    struct hd_wires ws;

    if (hd_wires_create(&ws, 1)) {
        hd_wires_destroy(&ws);
        say(d, GOOD, "shared memory for the search can be mapped (memfd)", "");
        return;
    }
    snprintf(line, sizeof line, "shared memory for the search cannot be mapped: %s",
             strerror(errno));
    say(d, PROBLEM, line, "lift limits on address space (ulimit -v) and allow memfd_create");
}

static void check_runtime(struct doctor *d)
{
    static const char *const parts[] = { HD_LIB_RUNTIME, HD_LIB_TSAN_GCC, HD_LIB_TSAN_CLANG };
    char path[PATH_CAP], line[PATH_CAP + 64];
    bool all = true;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (hd_path_of(parts[i], path, sizeof path) && access(path, R_OK) == 0)
            continue;
        snprintf(line, sizeof line, "part of Heddle is missing: %s", parts[i]);
        say(d, PROBLEM, line, "build or install Heddle again");
        all = false;
    }
    if (all)
        say(d, GOOD, "Heddle's runtime is in its place", "");
}

/* ---- compilers ------------------------------------------------------------------------ */

static bool in_path(const char *program)
{
    struct hd_elf_info *info = calloc(1, sizeof *info);
    bool found;

    if (info == NULL)
        return false;
    /* the file exists, even if its type (e.g. a script) is refused */
    found = hd_elf_inspect(program, info) || info->path[0] == '/';
    free(info);
    return found;
}

static void check_compiler(struct doctor *d, const char *verb, const char *variable,
                           const char *fallback)
{
    const char *given = getenv(variable);
    const char *name = given != NULL && *given != '\0' ? given : fallback;
    char first[256], line[512], remedy[256];

    snprintf(first, sizeof first, "%.*s", (int)strcspn(name, " \t"), name);
    if (in_path(first)) {
        snprintf(line, sizeof line, "heddle %s has a compiler: %s", verb, first);
        say(d, GOOD, line, "");
        return;
    }
    snprintf(line, sizeof line, "heddle %s has no compiler: '%s' is not in PATH", verb, first);
    snprintf(remedy, sizeof remedy, "install gcc or clang, or name a compiler in %s", variable);
    say(d, WARNING, line, remedy);
}

/* ---- the program ---------------------------------------------------------------------- */

static void describe_instrumentation(struct doctor *d, const struct hd_elf_info *info)
{
    static const char *const linked[] = {
        [HD_ELF_RT_NONE] = "linked with no runtime (Heddle's is preloaded)",
        [HD_ELF_RT_HEDDLE] = "linked with Heddle's runtime",
        [HD_ELF_RT_GCC] = "linked with gcc's ThreadSanitizer, which Heddle's runtime replaces",
        [HD_ELF_RT_CLANG] = "linked with clang's ThreadSanitizer, which Heddle's runtime replaces",
    };

    say(d, GOOD, linked[info->runtime], "");
    if (info->instrumented)
        say(d, GOOD, "instrumented: atomic operations and memory accesses are visible", "");
    else
        say(d, WARNING, "not instrumented: only calls of the thread library are visible, atomic "
                        "operations and data races are not (denies: a search proves nothing)",
            "compile it with heddle cc (or -fsanitize=thread)");
}

static void describe_file(struct doctor *d, const struct hd_elf_info *info)
{
    char line[128];
    int n = snprintf(line, sizeof line, "%s, build id ",
                     info->pie ? "position-independent" : "at a fixed address");

    for (uint32_t i = 0; i < info->build_id_len; i++)
        n += snprintf(line + n, sizeof line - (size_t)n, "%02x", info->build_id[i]);
    if (info->build_id_len == 0)
        say(d, WARNING, "it has no build id: a schedule cannot tell whether it fits the program",
            "link it with -Wl,--build-id");
    else
        say(d, GOOD, line, "");
    if (info->debug_info)
        say(d, GOOD, "it has debug information: reports name files and lines", "");
    else
        say(d, WARNING, "it has no debug information: reports cannot name files and lines",
            "compile it with -g");
}

/* Returns the strongest effect that a function of the object can have (model/ledger.h), as text.
 * For a large library that was not analysed, the effect depends on the functions that run. */
static const char *effect_on_claim(const struct hd_unseen_object *u)
{
    static const char *const words[HD_LEDGER_NEFFECTS] = {
        [HD_DENIES] = "denies: if it runs beside other threads, a search proves nothing",
        [HD_QUALIFIES] = ("qualifies: if it runs beside other threads, the verdict may still be CLEAN, but not "
                          "for C11"),
        [HD_MENTIONS] = "mentions: it does not change the verdict",
    };
    enum hd_ledger_effect effect = HD_MENTIONS;

    if (u->quick && !u->cplusplus)
        return "denies or qualifies: this depends on the functions that run beside other threads";
    for (size_t i = 0; i < u->scan.n; i++) {
        enum hd_ledger_effect e = hd_unseen_effect(u, &u->scan.list[i]);

        effect = e < effect ? e : effect; /* stronger effects have smaller values */
    }
    return words[effect];
}

static void describe_object(struct doctor *d, const struct hd_unseen_object *u)
{
    const char *slash = strrchr(u->path, '/'), *name = slash != NULL ? slash + 1 : u->path;
    char names[400], line[PATH_CAP + 800];

    hd_unseen_names(&u->scan, names, sizeof names);
    if (u->system && !u->scan.instrumented)
        snprintf(line, sizeof line, "%s is not instrumented (%s)", name, effect_on_claim(u));
    else
        snprintf(line, sizeof line, "%s: %zu of %u functions are not seen: %s (%s)", name, u->scan.n,
                 u->scan.nfunctions, names, effect_on_claim(u));
    say(d, WARNING, line, u->openmp
                              ? "OpenMP: bugs are found, but nothing is proved; " HD_UNSEEN_OPENMP
                              : "compile it with heddle cc; a search reports which functions ran beside other "
                                "threads");
}

/* Lists the code that Heddle does not see.  Says nothing about a program without instrumentation,
 * because describe_instrumentation has already said it. */
static void describe_unseen(struct doctor *d, struct hd_elf_info *info)
{
    struct hd_unseen_objects o;
    char line[64];
    uint32_t seen = 0;

    if (!info->instrumented)
        return;
    hd_unseen_open(&o, info);
    for (size_t i = 0; i < o.n; i++) {
        const struct hd_unseen_object *u = &o.object[i];

        seen += u->quick ? 0 : u->scan.nfunctions - (uint32_t)u->scan.n;
        if (u->scan.readable && u->scan.n > 0 && !u->cplusplus)
            describe_object(d, u);
    }
    hd_unseen_close(&o);
    snprintf(line, sizeof line, "%u functions are seen", seen);
    say(d, GOOD, line, "");
}

/* Returns false if Heddle cannot run the program. */
static bool check_program(struct doctor *d, const char *program)
{
    struct hd_elf_info info;
    char line[PATH_CAP + 600];

    if (!hd_elf_inspect(program, &info) || !hd_loads(&info)) {
        snprintf(line, sizeof line, "%s cannot be run: %s", program, info.problem);
        say(d, PROBLEM, line, info.remedy);
        return false;
    }
    snprintf(line, sizeof line, "%s is a program that Heddle can run", info.path);
    say(d, GOOD, line, "");
    describe_instrumentation(d, &info);
    describe_unseen(d, &info);
    describe_file(d, &info);
    return true;
}

static struct doctor begin(const struct hd_options *o)
{
    struct doctor d = { .options = o };

    setlocale(LC_CTYPE, "");
    d.symbols = isatty(STDOUT_FILENO) == 1 && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    d.color = hd_terminal_color(o->color, stdout);
    return d;
}

/* Returns whether this machine can run kernels. */
static bool check_qemu(struct doctor *d)
{
    char version[160], why[512], plugin[PATH_CAP], line[400];

    if (!hd_machine_version(version, sizeof version)) {
        snprintf(line, sizeof line, "there is no %.200s: 'heddle kernel' cannot run", hd_machine_qemu());
        say(d, PROBLEM, line, "install the package qemu-system-x86, or name a QEMU with HEDDLE_QEMU");
        return false;
    }
    if (!hd_path_of(HD_LIB_KERNEL, plugin, sizeof plugin) || !hd_machine_loads(plugin, why, sizeof why)) {
        snprintf(line, sizeof line, "%.100s cannot load Heddle's plugin: %.250s", version, why);
        say(d, PROBLEM, line, "use QEMU 7.2, as Debian 12 has it");
        return false;
    }
    snprintf(line, sizeof line, "%.150s loads Heddle's plugin: kernels can be tested on one processor", version);
    say(d, GOOD, line, "");
    if (hd_linux_compiles())
        say(d, GOOD, "tests of Linux can be compiled; a kernel is what --kernel names (tools/fetch-linux fetches Debian's)", "");
    else
        say(d, WARNING, "tests of Linux cannot be compiled: there is no compiler with a static C library",
            "install gcc and libc6-dev; teaching kernels need neither");
    return true;
}

int hd_cmd_doctor(const struct hd_options *o)
{
    struct doctor d = begin(o);
    bool machine_fits, program_fits;

    check_kernel(&d);
    check_processor(&d);
    check_fsgsbase(&d);
    check_aslr(&d);
    check_traps(&d);
    check_wire(&d);
    if (o->check_kernel && !check_qemu(&d))
        return HD_EXIT_SKIPPED;
    machine_fits = d.problems == 0;
    check_runtime(&d);
    check_compiler(&d, "cc", "HEDDLE_CC", "gcc");
    check_compiler(&d, "c++", "HEDDLE_CXX", "g++");
    program_fits = o->nargs == 0 || check_program(&d, o->args[0]);
    if (!machine_fits)
        return HD_EXIT_SKIPPED;
    return program_fits && d.problems == 0 ? HD_EXIT_CLEAN : HD_EXIT_USAGE;
}
