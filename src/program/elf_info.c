/* SPDX-License-Identifier: BSD-2-Clause
 *
 * elf_info.c - inspects a program file with libelf.  All refusals are decided here, before
 * anything is started, because a later failure would be a crash deep in the target. */
#include "program/elf_info.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Stores the reason for a refusal.  Returns false, so that callers can return it. */
static bool refuse(struct hd_elf_info *info, const char *problem, const char *remedy)
{
    snprintf(info->problem, sizeof info->problem, "%s", problem);
    snprintf(info->remedy, sizeof info->remedy, "%s", remedy);
    return false;
}

/* ---- finding and opening ----------------------------------------------------------- */

static bool is_file(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Finds the program like execvp: a name without a slash is looked up in PATH. */
static bool find_program(const char *program, struct hd_elf_info *info)
{
    const char *dirs = getenv("PATH");
    size_t len;

    if (strchr(program, '/') != NULL)
        return snprintf(info->path, sizeof info->path, "%s", program) < (int)sizeof info->path;
    for (; dirs != NULL && *dirs != '\0'; dirs += len + (dirs[len] == ':')) {
        len = strcspn(dirs, ":");
        if (snprintf(info->path, sizeof info->path, "%.*s/%s", (int)len, dirs, program) <
                (int)sizeof info->path && access(info->path, X_OK) == 0 && is_file(info->path))
            return true;
    }
    snprintf(info->path, sizeof info->path, "%.4000s", program);
    snprintf(info->problem, sizeof info->problem, "there is no program '%.200s' in PATH", program);
    if (is_file(program))
        snprintf(info->remedy, sizeof info->remedy, "write ./%.200s for the one in this directory",
                 program);
    else
        snprintf(info->remedy, sizeof info->remedy, "check the spelling, or give a path");
    return false;
}

static bool check_file(struct hd_elf_info *info)
{
    struct stat st;

    if (stat(info->path, &st) != 0) {
        snprintf(info->problem, sizeof info->problem, "%s", strerror(errno));
        snprintf(info->remedy, sizeof info->remedy, "check the path; 'heddle cc -o PROGRAM FILE.c' builds one");
        return false;
    }
    if (!S_ISREG(st.st_mode))
        return refuse(info, "it is not a regular file", "give the path of a program");
    if (access(info->path, X_OK) != 0 || (st.st_mode & 0111) == 0)
        return refuse(info, "it is not executable", "make it executable with chmod +x");
    if ((st.st_mode & (S_ISUID | S_ISGID)) != 0)
        return refuse(info, "it is setuid or setgid: the loader keeps Heddle's runtime out of it",
                      "test a copy without these bits (cp does not keep them)");
    return true;
}

static bool check_magic(int fd, struct hd_elf_info *info)
{
    char head[4] = { 0 };
    ssize_t n = pread(fd, head, sizeof head, 0);

    if (n >= 2 && head[0] == '#' && head[1] == '!')
        return refuse(info, "it is a script, not a program",
                      "give the program that the script starts (libtool: the file in .libs/)");
    if (n != SELFMAG || memcmp(head, ELFMAG, SELFMAG) != 0)
        return refuse(info, "it is not an ELF program", "give a program built for this machine");
    return true;
}

/* ---- contents of the file -------------------------------------------------------------- */

static bool check_header(const GElf_Ehdr *h, struct hd_elf_info *info)
{
    if (h->e_ident[EI_CLASS] == ELFCLASS32)
        return refuse(info, "it is a 32-bit program", "build it for x86-64 (without -m32)");
    if (h->e_machine != EM_X86_64)
        return refuse(info, "it is built for another kind of processor", "build it for x86-64");
    if (h->e_type != ET_EXEC && h->e_type != ET_DYN)
        return refuse(info, "it is an object file or a core dump, not a program",
                      "link it, for example with heddle cc");
    return true;
}

struct inside {
    bool dynamic;
    bool flagged_pie;
    bool cut_off;        /* a part that the header describes lies beyond the end of the file */
    unsigned other;      /* the sanitizer of `others` that is linked, plus one; 0: none */
    bool calls_init;     /* imports __tsan_init */
    bool has_init_caller; /* contains the constructor that a compiler adds to each instrumented
                           * file */
};

/* Runtimes of other sanitizers that replace malloc and calls of the thread library, as Heddle's does. */
static const struct {
    const char *needed[2]; /* beginnings of the names of gcc's and clang's library */
    const char *init;      /* function that the runtime defines, if it is built in */
    const char *name, *option;
} others[] = {
    { { "libasan.so", "libclang_rt.asan" }, "__asan_init", "AddressSanitizer", "address" },
    { { "libhwasan.so", "libclang_rt.hwasan" }, "__hwasan_init", "HWAddressSanitizer", "hwaddress" },
    { { "liblsan.so", "libclang_rt.lsan" }, "__lsan_init", "LeakSanitizer", "leak" },
    { { "libclang_rt.msan", "libclang_rt.msan" }, "__msan_init", "MemorySanitizer", "memory" },
};
enum { OTHERS = sizeof others / sizeof *others };

static void note_needed(const char *name, struct inside *in, struct hd_elf_info *info)
{
    if (name == NULL)
        return;
    for (unsigned i = 0; i < OTHERS; i++)
        for (unsigned k = 0; k < 2; k++)
            if (strncmp(name, others[i].needed[k], strlen(others[i].needed[k])) == 0)
                in->other = i + 1;
    if (strncmp(name, "libheddle.so", 12) == 0)
        info->runtime = HD_ELF_RT_HEDDLE;
    else if (info->runtime == HD_ELF_RT_NONE && strncmp(name, "libtsan.so", 10) == 0)
        info->runtime = HD_ELF_RT_GCC;
    else if (info->runtime == HD_ELF_RT_NONE && strncmp(name, "libclang_rt.tsan", 16) == 0)
        info->runtime = HD_ELF_RT_CLANG;
}

static void read_dynamic(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, struct inside *in,
                         struct hd_elf_info *info)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    size_t n = sh->sh_entsize > 0 ? sh->sh_size / sh->sh_entsize : 0;

    for (size_t i = 0; data != NULL && i < n; i++) {
        GElf_Dyn dyn;

        if (gelf_getdyn(data, (int)i, &dyn) == NULL || dyn.d_tag == DT_NULL)
            break;
        if (dyn.d_tag == DT_NEEDED)
            note_needed(elf_strptr(elf, sh->sh_link, dyn.d_un.d_val), in, info);
        else if (dyn.d_tag == DT_FLAGS_1)
            in->flagged_pie = (dyn.d_un.d_val & DF_1_PIE) != 0;
    }
}

/* True for the constructor that calls __tsan_init: gcc's name (also used for other sanitizers) and
 * clang's. */
static bool is_init_caller(const char *name)
{
    return strncmp(name, "_sub_I_00099_", 13) == 0 || strncmp(name, "tsan.module_ctor", 16) == 0;
}

static void note_symbol(const char *name, const GElf_Sym *sym, struct inside *in,
                        struct hd_elf_info *info)
{
    in->has_init_caller |= is_init_caller(name);
    info->late_results |= strcmp(name, HD_LATE_RESULT) == 0;
    for (unsigned i = 0; i < OTHERS && sym->st_shndx != SHN_UNDEF; i++)
        if (strcmp(name, others[i].init) == 0)
            in->other = i + 1;
    if (strncmp(name, "__tsan_", 7) != 0)
        return;
    if (strcmp(name, "__tsan_init") != 0)
        info->instrumented = true;
    else if (sym->st_shndx != SHN_UNDEF)
        info->built_in_tsan = true;
    else
        in->calls_init = true;
}

/* Reads what the symbols say about the instrumentation.  The import of __tsan_init alone proves
 * nothing: gcc's libtsan_preinit.o imports it into programs that were linked but not compiled with
 * -fsanitize=thread.  A program that has no access to instrument contains only the constructor. */
static void read_symbols(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, struct inside *in,
                         struct hd_elf_info *info)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    size_t n = sh->sh_entsize > 0 ? sh->sh_size / sh->sh_entsize : 0;

    for (size_t i = 0; data != NULL && i < n; i++) {
        GElf_Sym sym;
        const char *name;

        if (gelf_getsym(data, (int)i, &sym) == NULL)
            break;
        name = elf_strptr(elf, sh->sh_link, sym.st_name);
        if (name != NULL)
            note_symbol(name, &sym, in, info);
    }
}

static void read_notes(Elf_Scn *scn, struct hd_elf_info *info)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    size_t at = 0, name, desc;
    GElf_Nhdr note;

    while (data != NULL && (at = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
        const char *bytes = data->d_buf;

        if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
            memcmp(bytes + name, "GNU", 4) != 0 || note.n_descsz > sizeof info->build_id)
            continue;
        memcpy(info->build_id, bytes + desc, note.n_descsz);
        info->build_id_len = note.n_descsz;
    }
}

static void read_sections(Elf *elf, struct inside *in, struct hd_elf_info *info)
{
    size_t names = 0;
    Elf_Scn *scn = NULL;

    elf_getshdrstrndx(elf, &names);
    while ((scn = elf_nextscn(elf, scn)) != NULL) {
        GElf_Shdr sh;
        const char *name;

        if (gelf_getshdr(scn, &sh) == NULL)
            continue;
        name = elf_strptr(elf, names, sh.sh_name);
        if (sh.sh_type == SHT_DYNAMIC)
            read_dynamic(elf, scn, &sh, in, info);
        else if (sh.sh_type == SHT_DYNSYM || sh.sh_type == SHT_SYMTAB)
            read_symbols(elf, scn, &sh, in, info);
        else if (sh.sh_type == SHT_NOTE)
            read_notes(scn, info);
        else if (name != NULL && (strcmp(name, ".debug_info") == 0 ||
                                  strcmp(name, ".zdebug_info") == 0))
            info->debug_info = true;
    }
}

static bool lies_within(uint64_t offset, uint64_t length, size_t size)
{
    return offset <= size && length <= size - offset;
}

static void read_segments(Elf *elf, const GElf_Ehdr *h, struct inside *in, struct hd_elf_info *info)
{
    size_t n = 0, size = 0;
    const char *file = elf_rawfile(elf, &size);

    elf_getphdrnum(elf, &n);
    in->cut_off = !lies_within(h->e_shoff, (uint64_t)h->e_shnum * h->e_shentsize, size);
    for (size_t i = 0; file != NULL && i < n; i++) {
        GElf_Phdr ph;

        if (gelf_getphdr(elf, (int)i, &ph) == NULL)
            return;
        in->dynamic |= ph.p_type == PT_DYNAMIC;
        if (ph.p_type != PT_LOAD && ph.p_type != PT_INTERP)
            continue;
        if (!lies_within(ph.p_offset, ph.p_filesz, size))
            in->cut_off = true;
        else if (ph.p_type == PT_INTERP)
            snprintf(info->loader, sizeof info->loader, "%.*s", (int)(ph.p_filesz & 0xffff),
                     file + ph.p_offset);
    }
}

static bool judge(const GElf_Ehdr *h, const struct inside *in, struct hd_elf_info *info)
{
    info->pie = h->e_type == ET_DYN;
    info->static_program = info->loader[0] == '\0';
    info->instrumented |= in->calls_init && in->has_init_caller;
    if (in->cut_off)
        return refuse(info, "it is truncated: a part that its header describes is missing",
                      "build it again, or copy it again as a whole");
    if (info->static_program && h->e_type == ET_DYN && in->dynamic && !in->flagged_pie)
        return refuse(info, "it is a shared library, not a program",
                      "give a program that uses the library");
    if (info->static_program)
        return refuse(info, "it is linked statically, so Heddle cannot step in between it and "
                            "the C library",
                      "link it without -static (and without -static-pie)");
    if (info->built_in_tsan)
        return refuse(info, "ThreadSanitizer's runtime is built into it, in the place where "
                            "Heddle's must be",
                      "link it again with heddle cc, or add -shared-libsan (clang) or leave out "
                      "-static-libtsan (gcc)");
    if (in->other != 0) {
        snprintf(info->problem, sizeof info->problem, "%s's runtime is linked into it, in the place where Heddle's must be",
                 others[in->other - 1].name);
        snprintf(info->remedy, sizeof info->remedy, "build it with heddle cc and without -fsanitize=%s; Heddle finds "
                 "errors of the heap itself", others[in->other - 1].option);
        return false;
    }
    if (access(info->loader, X_OK) != 0) {
        snprintf(info->problem, sizeof info->problem, "the dynamic linker that it needs, %.300s, is not here",
                 info->loader);
        snprintf(info->remedy, sizeof info->remedy, "build it on this machine");
        return false;
    }
    return true;
}

static bool inspect_elf(int fd, struct hd_elf_info *info)
{
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    struct inside in = { 0 };
    GElf_Ehdr header;
    bool good;

    if (elf == NULL || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == NULL) {
        good = refuse(info, "its ELF header is damaged", "build it again");
    } else {
        good = check_header(&header, info);
        if (good) {
            read_segments(elf, &header, &in, info);
            read_sections(elf, &in, info);
            good = judge(&header, &in, info);
        }
    }
    elf_end(elf);
    return good;
}

bool hd_elf_inspect(const char *program, struct hd_elf_info *info)
{
    bool good;
    int fd;

    memset(info, 0, sizeof *info);
    if (!find_program(program, info)) {
        if (info->problem[0] == '\0')
            refuse(info, "its path is too long", "give a shorter path");
        return false;
    }
    if (!check_file(info))
        return false;
    elf_version(EV_CURRENT);
    fd = open(info->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return refuse(info, "it cannot be read", "make it readable with chmod +r");
    good = check_magic(fd, info) && inspect_elf(fd, info);
    close(fd);
    return good;
}
