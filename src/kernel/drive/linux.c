/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linux.c - builds the image that Linux boots with, and reads the symbols that the kernel sends.
 *
 * The image contains one program, which Linux starts as init: the test, linked with kernel/guest. */
#include "kernel/drive/linux.h"

#include <dirent.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "kernel/drive/cpio.h"
#include "kernel/link/mark.h"

#define KERNEL_TEXT UINT64_C(0xffffffff80000000) /* address at which the kernel's code sees physical address 0
                                                  * (nokaslr) */
#define KERNEL_DATA UINT64_C(0xffff888000000000) /* address at which the kernel's data sees physical address 0 */
#define PERCPU_SLACK 0x10000 /* room for per-CPU variables of modules, after those of the kernel */
#define IDLE_HALTS 2500      /* number of ticks, of 4 ms each */

/* ---- the image ------------------------------------------------------------------------- */

static const char *compiler(void)
{
    const char *named = getenv("HEDDLE_CC");

    return named != NULL && *named != '\0' ? named : "gcc";
}

/* For a library that it has, the compiler prints the path, otherwise only the bare name. */
bool hd_linux_compiles(void)
{
    char command[512], path[512] = "";

    snprintf(command, sizeof command, "'%.400s' -print-file-name=libc.a 2>/dev/null", compiler());
    FILE *f = popen(command, "r");
    bool there = f != NULL && fgets(path, sizeof path, f) != NULL;

    return f != NULL && pclose(f) == 0 && there && path[0] == '/';
}

/* Compiles the test.  The same source files give the same program wherever they are: __FILE__ has no directories,
 * and there is no debug information. */
static bool compile(const struct hd_ksession *s, const char *program)
{
    const struct hd_kernel_request *r = s->request;
    const char *words[2 * HD_K_TESTS + 16];
    char include[1100], *maps[HD_K_TESTS], *files[HD_K_TESTS];
    unsigned n = 0;
    int status = 0;

    snprintf(include, sizeof include, "-I%.1000s", r->include);
    words[n++] = compiler();
    words[n++] = "-static", words[n++] = "-no-pie", words[n++] = "-fno-pie", words[n++] = "-O1";
    words[n++] = "-D_GNU_SOURCE", words[n++] = include, words[n++] = "-o", words[n++] = program;
    for (unsigned i = 0; i < r->ntests; i++) {
        files[i] = realpath(r->test[i], NULL);
        files[i] = files[i] == NULL ? hd_copied(r->test[i]) : files[i];
        const char *slash = strrchr(files[i], '/');

        maps[i] = hd_zeroed(strlen(files[i]) + 32, 1);
        sprintf(maps[i], "-ffile-prefix-map=%.*s=", slash == NULL ? 0 : (int)(slash + 1 - files[i]), files[i]);
        words[n++] = maps[i];
        words[n++] = files[i];
    }
    words[n++] = r->guest, words[n++] = "-pthread", words[n] = NULL;
    pid_t pid = fork();

    if (pid == 0) {
        execvp(words[0], (char *const *)words);
        fprintf(stderr, "heddle: cannot start %s: %s\n", words[0], strerror(errno));
        _exit(127);
    }
    for (unsigned i = 0; i < r->ntests; i++) {
        free(files[i]);
        free(maps[i]);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static bool add_modules(struct hd_cpio *c, const char *dir)
{
    char path[1400], name[300];
    struct dirent **list;
    int n = dir == NULL ? 0 : scandir(dir, &list, NULL, alphasort);

    hd_cpio_directory(c, "modules");
    for (int i = 0; i < n; i++) {
        size_t length = strlen(list[i]->d_name);

        if (length > 3 && strcmp(list[i]->d_name + length - 3, ".ko") == 0) {
            snprintf(path, sizeof path, "%.1000s/%s", dir, list[i]->d_name);
            snprintf(name, sizeof name, "modules/%s", list[i]->d_name);
            hd_cpio_file(c, name, path);
        }
        free(list[i]);
    }
    if (n >= 0 && dir != NULL)
        free(list);
    return n >= 0;
}

static bool hash_file(const char *path, uint64_t *hash)
{
    char chunk[65536];
    FILE *f = fopen(path, "re");

    for (size_t n; f != NULL && (n = fread(chunk, 1, sizeof chunk, f)) > 0;)
        *hash = hd_hash_bytes(*hash, chunk, n);
    return f != NULL && fclose(f) == 0;
}

/* Returns the address of a function of the test's program, or 0 if there is none. */
static uint32_t address_of(const char *program, const char *name)
{
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd == -1 || elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    uint64_t address = 0;

    for (Elf_Scn *section = NULL; elf != NULL && (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr h;
        GElf_Sym sym;
        Elf_Data *data;

        if (gelf_getshdr(section, &h) == NULL || h.sh_type != SHT_SYMTAB || (data = elf_getdata(section, NULL)) == NULL)
            continue;
        for (int i = 0; gelf_getsym(data, i, &sym) != NULL; i++) {
            const char *at = elf_strptr(elf, h.sh_link, sym.st_name);

            if (at != NULL && strcmp(at, name) == 0)
                address = sym.st_value;
        }
    }
    elf_end(elf);
    if (fd != -1)
        close(fd);
    return (uint32_t)address;
}

bool hd_linux_build(struct hd_ksession *s, char *why, size_t cap)
{
    const struct hd_kernel_request *r = s->request;
    char program[128];
    struct hd_cpio c;

    snprintf(s->initrd_dir, sizeof s->initrd_dir, "/tmp/heddle-XXXXXX");
    if (mkdtemp(s->initrd_dir) == NULL) {
        s->initrd_dir[0] = '\0';
        snprintf(why, cap, "cannot write to /tmp: %s", strerror(errno));
        return false;
    }
    snprintf(program, sizeof program, "%s/init", s->initrd_dir);
    snprintf(s->initrd, sizeof s->initrd, "%s/initrd", s->initrd_dir);
    if (!compile(s, program)) {
        snprintf(why, cap, "the test cannot be compiled; it needs a C compiler and a static C library (libc6-dev)");
        return false;
    }
    s->knows = address_of(program, "hd_guest_knows");
    s->ready = address_of(program, "hd_guest_ready");
    bool good = hd_cpio_open(&c, s->initrd);

    if (good) {
        hd_cpio_directory(&c, "dev");
        hd_cpio_device(&c, "dev/console", 5, 1);
        hd_cpio_file(&c, "init", program);
        good = add_modules(&c, r->modules);
        good &= hd_cpio_close(&c);
    }
    if (!good)
        snprintf(why, cap, "the image cannot be made: %s", r->modules == NULL ? strerror(errno) : r->modules);
    else if (!hash_file(r->kernel, &s->hash) || !hash_file(s->initrd, &s->hash)) {
        snprintf(why, cap, "%.300s: the kernel cannot be read", r->kernel);
        good = false;
    }
    return good;
}

void hd_linux_remove(struct hd_ksession *s)
{
    static const char *const names[] = { "init", "initrd" };
    char path[128];

    for (unsigned i = 0; i < 2 && s->initrd_dir[0] != '\0'; i++) {
        snprintf(path, sizeof path, "%s/%s", s->initrd_dir, names[i]);
        unlink(path);
    }
    if (s->initrd_dir[0] != '\0')
        rmdir(s->initrd_dir);
    s->initrd_dir[0] = '\0';
}

/* ---- symbols --------------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum hd_k_role role;
} roles[] = {
    { "panic", HD_KR_PANIC }, { "schedule", HD_KR_SCHEDULE }, { "try_to_wake_up", HD_KR_WAKE },
    { "wake_up_new_task", HD_KR_WAKE }, { "do_syscall_64", HD_KR_SYSCALL }, { "object_err", HD_KR_COMPLAIN },
    { "slab_err", HD_KR_COMPLAIN },
    /* per-CPU lists of free memory, statistics, and RCU: every thread uses them, and they have nothing to do with
     * the subject of a test */
    { "preempt_schedule", HD_KR_QUIET }, { "preempt_schedule_irq", HD_KR_QUIET }, { "__cond_resched", HD_KR_QUIET },
    { "kmem_cache_alloc", HD_KR_QUIET }, { "kmem_cache_alloc_node", HD_KR_QUIET }, { "kmem_cache_alloc_lru", HD_KR_QUIET },
    { "kmem_cache_free", HD_KR_QUIET }, { "kmalloc_trace", HD_KR_QUIET }, { "__kmalloc", HD_KR_QUIET },
    { "__kmalloc_node", HD_KR_QUIET }, { "__kmalloc_node_track_caller", HD_KR_QUIET }, { "kmem_cache_alloc_trace", HD_KR_QUIET },
    { "kfree", HD_KR_QUIET }, { "__alloc_pages", HD_KR_QUIET }, { "free_unref_page", HD_KR_QUIET },
    { "__free_pages", HD_KR_QUIET }, { "call_rcu", HD_KR_QUIET }, { "__mod_memcg_lruvec_state", HD_KR_QUIET },
    { "obj_cgroup_charge", HD_KR_QUIET }, { "get_random_u32", HD_KR_QUIET }, { "get_random_bytes", HD_KR_QUIET },
    { "ktime_get_coarse_real_ts64", HD_KR_QUIET }, { "wake_up_process", HD_KR_WAKE },
};

static struct hd_k_function *add_function(struct hd_klink *l, uint64_t address, uint32_t size)
{
    for (uint32_t k = 0; k < l->nfunctions; k++)
        if (l->function[k].address == address)
            return &l->function[k];
    l->function[l->nfunctions] = (struct hd_k_function){ .address = address, .size = size };
    return &l->function[l->nfunctions++];
}

static bool fail(struct hd_machine *m, const char *text)
{
    snprintf(m->message, sizeof m->message, "%s", text);
    return false;
}

static bool read_word(const struct hd_machine *m, uint64_t place, uint64_t *word)
{
    int fd = open(m->link->ram_path, O_RDONLY | O_CLOEXEC);
    bool good = fd != -1 && pread(fd, word, sizeof *word, (off_t)place) == sizeof *word;

    if (fd != -1)
        close(fd);
    return good;
}

/* Finds the addresses of the per-CPU variables. */
static bool find_variables(struct hd_machine *m, const struct hd_kimage *image)
{
    struct hd_klink *l = m->link;
    uint64_t offsets = hd_kimage_find(image, "__per_cpu_offset"), base = 0;
    uint64_t current = hd_kimage_find(image, "current_task"), count = hd_kimage_find(image, "__preempt_count");
    uint64_t hot = hd_kimage_find(image, "pcpu_hot"); /* newer kernels have both in this structure, one after the
                                                       * other */

    if (current == 0 && hot != 0) {
        current = hot;
        count = hot + 8;
    }
    if (offsets < KERNEL_TEXT || current == 0 || count == 0 || !read_word(m, offsets - KERNEL_TEXT, &base))
        return fail(m, "this kernel does not show where the current task is: it must be built with CONFIG_KALLSYMS_ALL, "
                       "for 64-bit x86");
    if (base < KERNEL_DATA || base - KERNEL_DATA >= l->ram_size)
        return fail(m, "the variables of the processor are not where they should be: was 'nokaslr' not obeyed?");
    l->percpu_low = base;
    l->percpu_high = base + hd_kimage_find(image, "__per_cpu_end") + PERCPU_SLACK;
    l->count_at = base + count - KERNEL_DATA;
    l->current_at = base + current - KERNEL_DATA;
    return true;
}

static bool set_filters(struct hd_machine *m, struct hd_ksession *s)
{
    const struct hd_kernel_request *r = s->request;

    for (uint32_t i = 0; i < r->nfilters; i++) {
        uint64_t address = hd_kimage_find(s->image, r->filter[i].function);

        if (address == 0) {
            snprintf(m->message, sizeof m->message, "%.200s: the kernel has no function of this name",
                     r->filter[i].function);
            return false;
        }
        struct hd_k_function *f = add_function(m->link, address, hd_kimage_size(s->image, address));

        f->rule = (uint16_t)(i + 1);
        f->within = r->filter[i].within ? 1 : -1;
        m->link->whitelist |= r->filter[i].within;
    }
    return true;
}

bool hd_linux_learn(struct hd_machine *m)
{
    struct hd_ksession *s = m->plan.data;
    struct hd_klink *l = m->link;
    char *lines = hd_machine_lines(m);
    const char *trouble = strstr(lines, "heddle: ");

    if (trouble != NULL) {
        snprintf(m->message, sizeof m->message, "inside the kernel: %.*s", (int)strcspn(trouble + 8, "\n"), trouble + 8);
        free(lines);
        return false;
    }
    if (s->image == NULL) {
        char *text = hd_zeroed(strlen(lines) + 64, 1);

        sprintf(text, "%016x t start_of_thread\n%016x t start_of_thread_end\n%s", HD_MARK_START_ADDRESS,
                HD_MARK_START_ADDRESS + 1, lines);
        s->image = hd_kimage_of_symbols(text, s->hash);
    }
    free(lines);
    l->is_linux = true;
    l->idle_halts = IDLE_HALTS;
    l->nfunctions = 0;
    for (unsigned i = 0; i < sizeof roles / sizeof *roles; i++) {
        uint64_t address = hd_kimage_find(s->image, roles[i].name);

        if (address != 0)
            add_function(l, address, 0)->role = (uint8_t)roles[i].role;
    }
    return find_variables(m, s->image) && set_filters(m, s);
}
