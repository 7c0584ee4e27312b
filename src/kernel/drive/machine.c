/* SPDX-License-Identifier: BSD-2-Clause
 *
 * machine.c - starts QEMU and controls it. */
#include "kernel/drive/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "kernel/drive/monitor.h"

#define SILENT_SECONDS 120 /* in seconds: without any instruction for so long, QEMU counts as hanging; a busy machine
                            * needs far less */
#define BOOT_SECONDS 900 /* in seconds; on an idle machine Linux boots in 5 */
#define MEGABYTE ((uint64_t)1 << 20)

static enum hd_machine_result failed(struct hd_machine *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static enum hd_machine_result failed(struct hd_machine *m, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(m->message, sizeof m->message, format, list);
    va_end(list);
    return HD_M_FAILED;
}

const char *hd_machine_qemu(void)
{
    const char *named = getenv("HEDDLE_QEMU");

    return named != NULL && *named != '\0' ? named : HD_QEMU_DEFAULT;
}

bool hd_machine_version(char *buf, size_t cap)
{
    char command[512];

    buf[0] = '\0';
    snprintf(command, sizeof command, "exec '%.400s' --version 2>/dev/null", hd_machine_qemu());
    FILE *f = popen(command, "r");
    bool there = f != NULL && fgets(buf, (int)cap, f) != NULL;

    if (f != NULL)
        there &= pclose(f) == 0;
    buf[strcspn(buf, "\n")] = '\0';
    return there && strncmp(buf, "QEMU ", 5) == 0;
}

/* Without a link the plugin refuses to be installed, so QEMU ends at once, but only after loading the plugin. */
bool hd_machine_loads(const char *plugin, char *why, size_t cap)
{
    char command[4800];
    bool loads = true;

    why[0] = '\0';
    snprintf(command, sizeof command, "exec '%.400s' -M none -display none -plugin 'file=%.4000s' 2>&1 </dev/null",
             hd_machine_qemu(), plugin);
    FILE *f = popen(command, "r");

    for (char line[512]; f != NULL && fgets(line, sizeof line, f) != NULL;)
        if (strstr(line, "API version") != NULL || strstr(line, "cannot open") != NULL ||
            strstr(line, "undefined symbol") != NULL || strstr(line, "invalid option") != NULL) {
            loads = false;
            line[strcspn(line, "\n")] = '\0';
            snprintf(why, cap, "%s", line);
        }
    return f != NULL && pclose(f) != 0 && loads;
}

bool hd_machine_open(struct hd_machine *m)
{
    *m = (struct hd_machine){ .link_fd = memfd_create("heddle-kernel", 0), .qmp = -1, .gdb = -1, .console = -1, .lines = -1, .errors = -1 };
    void *at = m->link_fd == -1 || ftruncate(m->link_fd, sizeof *m->link) != 0
                   ? MAP_FAILED
                   : mmap(NULL, sizeof *m->link, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, m->link_fd, 0);

    if (at == MAP_FAILED)
        return false;
    m->link = at;
    m->link->magic = HD_KLINK_MAGIC;
    return true;
}

/* ---- files ---------------------------------------------------------------------------- */

static void put_be(uint8_t *at, uint64_t value, unsigned bytes)
{
    while (bytes-- > 0) {
        at[bytes] = (uint8_t)value;
        value >>= 8;
    }
}

/* Writes an empty qcow2 image (version 2, clusters of 64 KB): header, reference table, reference counts, first-level
 * table.  The image is needed only to hold the snapshot. */
static bool write_image(const char *path)
{
    enum { CLUSTER = 1 << 16, CLUSTERS = 4 };
    uint8_t *image = calloc(CLUSTERS, CLUSTER);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = image != NULL && fd != -1;

    if (good) {
        put_be(image, 0x514649fb, 4);
        put_be(image + 4, 2, 4);
        put_be(image + 20, 16, 4);          /* number of bits of a cluster */
        put_be(image + 24, MEGABYTE, 8);    /* size */
        put_be(image + 36, 1, 4);           /* number of entries of the first-level table */
        put_be(image + 40, 3 * CLUSTER, 8); /* offset of that table */
        put_be(image + 48, CLUSTER, 8);     /* offset of the reference table */
        put_be(image + 56, 1, 4);
        put_be(image + CLUSTER, 2 * CLUSTER, 8);
        for (unsigned i = 0; i < CLUSTERS; i++)
            put_be(image + 2 * CLUSTER + 2 * i, 1, 2);
        good = write(fd, image, CLUSTERS * CLUSTER) == CLUSTERS * CLUSTER;
    }
    free(image);
    if (fd != -1)
        close(fd);
    return good;
}

static const char *const files[] = { "ram", "state", "console", "lines", "qmp", "gdb", "qtest" };

static void path_in(const struct hd_machine *m, const char *name, char *buf, size_t cap)
{
    snprintf(buf, cap, "%s/%s", m->dir, name);
}

static void remove_files(struct hd_machine *m)
{
    char path[128];

    if (m->dir[0] == '\0')
        return;
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        path_in(m, files[i], path, sizeof path);
        unlink(path);
    }
    rmdir(m->dir);
    m->dir[0] = '\0';
}

/* The names of sockets must be short, and the file with the guest's memory should be in memory.  So TMPDIR is not
 * the first choice. */
static bool make_files(struct hd_machine *m)
{
    char path[128];

    snprintf(m->dir, sizeof m->dir, "/dev/shm/heddle-XXXXXX");
    if (mkdtemp(m->dir) == NULL) {
        snprintf(m->dir, sizeof m->dir, "/tmp/heddle-XXXXXX");
        if (mkdtemp(m->dir) == NULL) {
            m->dir[0] = '\0';
            return false;
        }
    }
    path_in(m, "state", path, sizeof path);
    return write_image(path);
}

/* ---- the process ---------------------------------------------------------------------- */

#define ARGUMENTS 64

struct command {
    char *word[ARGUMENTS];
    unsigned n;
};

static void add(struct command *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct command *c, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    if (c->n + 1 < ARGUMENTS && vasprintf(&c->word[c->n], format, list) >= 0)
        c->n++;
    va_end(list);
}

static void make_command(const struct hd_machine *m, struct command *c)
{
    const struct hd_machine_plan *p = &m->plan;

    add(c, "%s", hd_machine_qemu());
    add(c, "-accel"), add(c, "tcg");
    if (p->initrd != NULL)
        add(c, "-initrd"), add(c, "%s", p->initrd), add(c, "-debugcon"), add(c, "file:%s/lines", m->dir);
    add(c, "-icount"), add(c, "shift=0,sleep=off");
    add(c, "-M"), add(c, "pc,memory-backend=ram");
    add(c, "-object"), add(c, "memory-backend-file,id=ram,size=%uM,mem-path=%s/ram,share=on", p->megabytes, m->dir);
    add(c, "-m"), add(c, "%uM", p->megabytes);
    add(c, "-nodefaults"), add(c, "-no-user-config"), add(c, "-display"), add(c, "none"), add(c, "-no-reboot");
    add(c, "-rtc"), add(c, "clock=vm,base=2024-01-01");
    add(c, "-seed"), add(c, "1");
    add(c, "-serial"), add(c, "file:%s/console", m->dir);
    add(c, "-kernel"), add(c, "%s", p->kernel);
    add(c, "-append"), add(c, "%s", p->words);
    add(c, "-S");
    add(c, "-qmp"), add(c, "unix:%s/qmp,server=on,wait=off", m->dir);
    add(c, "-gdb"), add(c, "unix:%s/gdb,server=on,wait=off", m->dir);
    add(c, "-qtest"), add(c, "unix:%s/qtest,server=on,wait=off", m->dir);
    add(c, "-qtest-log"), add(c, "/dev/null");
    add(c, "-drive"), add(c, "if=none,id=state,format=qcow2,file=%s/state", m->dir);
    add(c, "-plugin"), add(c, "file=%s,link=/proc/self/fd/%d", p->plugin, m->link_fd);
}

static void become_qemu(const struct hd_machine *m, char **words)
{
    int null = open("/dev/null", O_RDWR);

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); /* an interrupt from the keyboard must reach only the tool, which then ends QEMU */
    dup2(null, 0);
    dup2(null, 1);
    dup2(m->errors, 2);
    execvp(words[0], words);
    _exit(127);
}

static enum hd_machine_result start(struct hd_machine *m)
{
    struct command c = { .n = 0 };

    m->errors = memfd_create("heddle-errors", MFD_CLOEXEC);
    make_command(m, &c);
    c.word[c.n] = NULL;
    if (m->plan.verbose) {
        for (unsigned i = 0; i < c.n; i++)
            fprintf(stderr, "%s%s", i == 0 ? "heddle: starting " : " ", c.word[i]);
        fputc('\n', stderr);
    }
    m->pid = fork();
    if (m->pid == 0)
        become_qemu(m, c.word);
    for (unsigned i = 0; i < c.n; i++)
        free(c.word[i]);
    return m->pid == -1 ? failed(m, "cannot start a process: %s", strerror(errno)) : HD_M_OK;
}

static bool has_ended(struct hd_machine *m)
{
    if (m->pid > 0 && waitpid(m->pid, &m->status, WNOHANG) == m->pid)
        m->pid = 0;
    return m->pid <= 0;
}

/* Sets the message, with the first line that QEMU has printed. */
static enum hd_machine_result complain(struct hd_machine *m, const char *what)
{
    char text[300] = "", how[40] = "";
    ssize_t n = pread(m->errors, text, sizeof text - 1, 0);

    text[n > 0 ? (size_t)n : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    if (has_ended(m))
        snprintf(how, sizeof how, WIFSIGNALED(m->status) ? " (it was ended by signal %d)" : " (exit code %d)",
                 WIFSIGNALED(m->status) ? WTERMSIG(m->status) : WEXITSTATUS(m->status));
    return failed(m, "%s%s%s%s", what, how, text[0] != '\0' ? ": " : "", text);
}

void hd_machine_stop(struct hd_machine *m)
{
    int *fds[] = { &m->qmp, &m->gdb, &m->console, &m->lines, &m->errors };

    if (m->pid > 0) {
        kill(m->pid, SIGKILL);
        waitpid(m->pid, &m->status, 0);
    }
    m->pid = 0;
    for (unsigned i = 0; i < sizeof fds / sizeof *fds; i++) {
        if (*fds[i] != -1)
            close(*fds[i]);
        *fds[i] = -1;
    }
    remove_files(m);
}

void hd_machine_close(struct hd_machine *m)
{
    hd_machine_stop(m);
    if (m->link != NULL)
        munmap(m->link, sizeof *m->link);
    if (m->link_fd != -1)
        close(m->link_fd);
    m->link = NULL;
    m->link_fd = -1;
}

/* ---- boot ----------------------------------------------------------------------------- */

static int connect_to(struct hd_machine *m, const char *name)
{
    char path[128];

    path_in(m, name, path, sizeof path);
    for (unsigned i = 0; i < 100 * SILENT_SECONDS && !has_ended(m); i++) {
        int fd = hd_monitor_connect(path);

        if (fd != -1)
            return fd;
        nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
    }
    return -1;
}

static int open_file(const struct hd_machine *m, const char *name)
{
    char path[128];

    path_in(m, name, path, sizeof path);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static enum hd_machine_result reach(struct hd_machine *m, uint32_t address, const char *what)
{
    if (hd_gdb_run_to(m->gdb, address, m->plan.initrd != NULL ? BOOT_SECONDS : SILENT_SECONDS))
        return HD_M_OK;
    if (has_ended(m))
        return complain(m, "the kernel ended before its test began");
    char *text = hd_machine_console(m);
    size_t n = strlen(text);

    failed(m, "the kernel does not reach %s; it printed: %s", what, text + (n > 300 ? n - 300 : 0));
    free(text);
    return HD_M_FAILED;
}

static enum hd_machine_result connect_all(struct hd_machine *m)
{
    m->qmp = connect_to(m, "qmp");
    m->gdb = m->qmp == -1 ? -1 : connect_to(m, "gdb");
    if (m->gdb == -1 || !hd_monitor_greet(m->qmp))
        return complain(m, "QEMU does not start");
    if (!hd_monitor_find_pic(m->qmp, m->link->pic_path, sizeof m->link->pic_path))
        return failed(m, "this QEMU's machine has no interrupt controller of the usual kind");
    m->console = open_file(m, "console");
    m->lines = open_file(m, "lines");
    m->console_from = m->lines_from = 0;
    path_in(m, "ram", m->link->ram_path, sizeof m->link->ram_path);
    path_in(m, "qtest", m->link->qtest_path, sizeof m->link->qtest_path);
    m->link->ram_size = m->plan.megabytes * MEGABYTE;
    m->link->command = HD_KC_NONE;
    m->link->phase = HD_KP_BOOT;
    return HD_M_OK;
}

/* Runs the machine up to the snapshot. */
static enum hd_machine_result run_to_begin(struct hd_machine *m)
{
    enum hd_machine_result r = HD_M_OK;

    if (m->plan.initrd == NULL) {
        r = reach(m, m->plan.begin, "its 'begin' function");
    } else {
        m->link->current_at = 0;
        m->link->ncontexts = 0;
        r = reach(m, m->plan.knows, "the test");
        if (r == HD_M_OK && !m->plan.learn(m))
            r = HD_M_FAILED;
        if (r == HD_M_OK)
            r = reach(m, m->plan.begin, "the end of the test's first executions");
    }
    /* not earlier: a kernel may need many instructions up to here */
    if (r == HD_M_OK && !hd_monitor_hmp(m->qmp, "singlestep on"))
        r = failed(m, "this QEMU cannot run one instruction after another");
    return r;
}

static enum hd_machine_result prepare(struct hd_machine *m)
{
    uint64_t sp, flags;
    enum hd_machine_result r = connect_all(m);

    if (r == HD_M_OK)
        r = run_to_begin(m);
    if (r != HD_M_OK)
        return r;
    if (!hd_gdb_registers(m->gdb, &sp, &flags))
        return failed(m, "QEMU's gdb stub does not tell the registers");
    m->link->start_sp = (uint32_t)sp;
    m->link->start_enabled = (flags & 1 << 9) != 0;
    if (!hd_monitor_hmp(m->qmp, "savevm start"))
        return failed(m, "QEMU cannot take a snapshot");
    if (!hd_gdb_detach(m->gdb))
        return failed(m, "QEMU's gdb stub does not let go of the machine");
    return HD_M_OK;
}

enum hd_machine_result hd_machine_boot(struct hd_machine *m, const struct hd_machine_plan *plan)
{
    char version[160];

    m->plan = *plan;
    if (!hd_machine_version(version, sizeof version)) {
        failed(m, "there is no %s; install the package qemu-system-x86", hd_machine_qemu());
        return HD_M_MISSING;
    }
    if (!make_files(m))
        return failed(m, "cannot write to /dev/shm or /tmp: %s", strerror(errno));
    enum hd_machine_result r = start(m);

    if (r == HD_M_OK)
        r = prepare(m);
    if (r == HD_M_OK)
        return r;
    if (strstr(m->message, "plugin") != NULL) { /* QEMU prints this if the plugin needs another version of the
                                                 * interface */
        char why[300];

        snprintf(why, sizeof why, "%.290s", m->message);
        failed(m, "%s cannot load Heddle's plugin, which is made for QEMU 7.2: %s", version, why);
        r = HD_M_MISSING;
    }
    hd_machine_stop(m);
    return r;
}

/* ---- executions ------------------------------------------------------------------------ */

/* Waits for the end of the execution.  Returns false if QEMU hangs. */
static bool wait_for_end(struct hd_machine *m)
{
    struct hd_klink *l = m->link;
    uint64_t seen = 0, silent = 0;

    for (;;) {
        uint32_t phase = __atomic_load_n(&l->phase, __ATOMIC_ACQUIRE);

        if (phase == HD_KP_OVER || phase == HD_KP_EXHAUSTED || has_ended(m))
            return true;
        nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
        silent = seen == __atomic_load_n(&l->alive, __ATOMIC_RELAXED) ? silent + 1 : 0;
        seen = __atomic_load_n(&l->alive, __ATOMIC_RELAXED);
        if (silent > SILENT_SECONDS * 5000)
            return false;
    }
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool go_back(struct hd_machine *m)
{
    double begun = seconds();

    if (!hd_monitor_command(m->qmp, "{\"execute\": \"stop\"}", NULL, 0) || !hd_monitor_hmp(m->qmp, "loadvm start"))
        return false;
    m->restores++;
    m->restore_seconds += seconds() - begun;
    m->console_from = lseek(m->console, 0, SEEK_END);
    m->lines_from = m->lines == -1 ? 0 : lseek(m->lines, 0, SEEK_END);
    return true;
}

/* Returns to the snapshot, or boots again: after the end of an execution the kernel runs on and may end QEMU. */
static enum hd_machine_result go_back_or_boot(struct hd_machine *m)
{
    struct hd_machine_plan plan = m->plan;

    if (!has_ended(m) && go_back(m))
        return HD_M_OK;
    if (!has_ended(m))
        return complain(m, "QEMU does not go back to its snapshot");
    hd_machine_stop(m);
    enum hd_machine_result r = hd_machine_boot(m, &plan);

    return r == HD_M_OK && !go_back(m) ? complain(m, "QEMU does not go back to its snapshot") : r;
}

enum hd_machine_result hd_machine_run(struct hd_machine *m)
{
    struct hd_klink *l = m->link;
    enum hd_machine_result r = go_back_or_boot(m);

    if (r != HD_M_OK)
        return r;
    l->phase = HD_KP_BOOT;
    __atomic_store_n(&l->command, HD_KC_RUN, __ATOMIC_RELEASE);
    if (!hd_monitor_command(m->qmp, "{\"execute\": \"cont\"}", NULL, 0) && !has_ended(m))
        return complain(m, "QEMU does not continue");
    if (!wait_for_end(m))
        return failed(m, "QEMU has not run an instruction for %d seconds", SILENT_SECONDS);
    uint32_t phase = __atomic_load_n(&l->phase, __ATOMIC_ACQUIRE);

    if (phase != HD_KP_OVER && phase != HD_KP_EXHAUSTED) {
        if (!WIFEXITED(m->status) || WEXITSTATUS(m->status) != 0)
            return complain(m, "QEMU ended unexpectedly");
        l->end = HD_KE_DIED;
        l->died = true;
        l->phase = HD_KP_OVER;
        hd_machine_stop(m);
    } else {
        remove_files(m); /* QEMU and the plugin have opened all of them */
    }
    return HD_M_OK;
}

static char *text_from(int fd, off_t from)
{
    off_t end = fd == -1 ? from : lseek(fd, 0, SEEK_END);
    size_t n = end > from ? (size_t)(end - from) : 0, got = 0;
    char *text = hd_zeroed(n + 1, 1);

    for (ssize_t some; got < n && (some = pread(fd, text + got, n - got, from + (off_t)got)) > 0;)
        got += (size_t)some;
    for (size_t i = 0; i < got; i++)
        text[i] = text[i] == '\0' ? ' ' : text[i];
    text[got] = '\0';
    return text;
}

char *hd_machine_console(const struct hd_machine *m)
{
    return text_from(m->console, m->console_from);
}

char *hd_machine_lines(const struct hd_machine *m)
{
    return text_from(m->lines, m->lines_from);
}
