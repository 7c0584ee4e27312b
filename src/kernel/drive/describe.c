/* SPDX-License-Identifier: BSD-2-Clause
 *
 * describe.c - reads descriptions, and contains the built-in ones. */
#include "kernel/drive/describe.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char teach[] = /* kernel of tests/kernel/teach */
    "begin test_begin\nend test_end\npanic panic\nfault fault_0\nfault fault_6\nfault fault_8\nfault fault_13\nfault fault_14\ntimer timer_entry\n"
    "block thread_block\nunblock thread_unblock\nexit thread_exit\nyield thread_yield\n"
    "sleep timer_sleep\nidle idle\nacquire lock_acquire\nrelease lock_release\n"
    "down sema_down\nup sema_up\nallocated page_given 4096\nfreed page_free 4096\nquiet zero_page\nname 28 pointer\n";

/* Kernels of Pintos, with what drive/pintos.c adds to the page allocator.  Printing takes locks and turns interrupts
 * off for each character; interrupts there would only make the search larger. */
static const char pintos[] =
    "begin run_test\nend shutdown ?\nend power_off ?\npanic debug_panic 3\nfault intr00_stub\nfault intr06_stub\n"
    "fault intr0d_stub\nfault intr0e_stub\ntimer intr20_stub\ninterrupt intr21_stub ?\ninterrupt intr24_stub ?\n"
    "interrupt intr2e_stub ?\ninterrupt intr2f_stub ?\nblock thread_block\nunblock thread_unblock\nexit thread_exit\n"
    "yield thread_yield\nsleep timer_sleep\nidle idle\nacquire lock_acquire\nrelease lock_release\n"
    "down sema_down\nup sema_up\nallocated heddle_given 4096 ?\nfreed heddle_freed 4096 ?\n"
    "quiet memset ?\nquiet memcpy ?\nquiet memmove ?\n"
    "without vprintf ?\nwithout msg ?\nwithout puts ?\nwithout putchar ?\nwithout putbuf ?\n"
    "stack 4096\noffset 0xc0000000\nname thread.name text\nidle-ticks 2000\n";

static const struct {
    const char *name, *text;
} built_in[] = {
    { "teach", teach }, { "pintos", pintos },
};

static const char *const role_words[HD_KR_ROLES] = {
    [HD_KR_BEGIN] = "begin", [HD_KR_END] = "end", [HD_KR_PANIC] = "panic", [HD_KR_FAULT] = "fault",
    [HD_KR_TIMER] = "timer", [HD_KR_INTERRUPT] = "interrupt", [HD_KR_BLOCK] = "block",
    [HD_KR_UNBLOCK] = "unblock", [HD_KR_EXIT] = "exit", [HD_KR_YIELD] = "yield", [HD_KR_SLEEP] = "sleep",
    [HD_KR_IDLE] = "idle", [HD_KR_ACQUIRE] = "acquire", [HD_KR_RELEASE] = "release", [HD_KR_DOWN] = "down",
    [HD_KR_UP] = "up", [HD_KR_ALLOCATED] = "allocated", [HD_KR_FREED] = "freed", [HD_KR_QUIET] = "quiet",
};

struct reader {
    struct hd_klink *link;
    const struct hd_kimage *image;
    const char *name;
    unsigned line;
    char *why;
    size_t cap;
};

static bool wrong(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(struct reader *r, const char *format, ...)
{
    int n = snprintf(r->why, r->cap, "%s:%u: ", r->name, r->line);
    va_list list;

    va_start(list, format);
    if (n > 0 && (size_t)n < r->cap)
        vsnprintf(r->why + n, r->cap - (size_t)n, format, list);
    va_end(list);
    return false;
}

static struct hd_k_function *function_named(struct hd_klink *l, const struct hd_kimage *m, const char *name)
{
    for (size_t i = 0; i < l->nfunctions; i++) {
        uint64_t address;
        uint32_t size;

        if (strcmp(hd_kimage_function(m, i, &address, &size), name) == 0)
            return &l->function[i];
    }
    return NULL;
}

static bool number(const char *text, uint32_t *out)
{
    char *end;

    if (text == NULL)
        return false;
    unsigned long n = strtoul(text, &end, 0);

    *out = (uint32_t)n;
    return *text != '-' && *end == '\0' && end != text && n <= UINT32_MAX;
}

static bool is_optional(char *const *word)
{
    bool optional = false;

    for (unsigned i = 2; word[i] != NULL; i++)
        optional |= strcmp(word[i], "?") == 0;
    return optional;
}

static bool set_without(struct reader *r, char *const *word)
{
    if (word[1] == NULL)
        return wrong(r, "a function must follow 'without'");
    return hd_describe_filter(r->link, r->image, word[1], false) || is_optional(word) ||
           wrong(r, "the kernel has no function '%s'", word[1]);
}

static bool set_role(struct reader *r, enum hd_k_role role, char *const *word)
{
    bool optional;
    struct hd_k_function *f;

    if (word[1] == NULL)
        return wrong(r, "a function must follow '%s'", word[0]);
    optional = is_optional(word);
    f = function_named(r->link, r->image, word[1]);
    if (f == NULL)
        return optional || wrong(r, "the kernel has no function '%s'", word[1]);
    if ((role == HD_KR_ALLOCATED || role == HD_KR_FREED) && !number(word[2], &f->bytes))
        return wrong(r, "the size of a block must follow '%s %s'", word[0], word[1]);
    if (role == HD_KR_PANIC && word[2] != NULL && !number(word[2], &f->bytes))
        return wrong(r, "'%s' is no number of an argument", word[2]);
    f->role = (uint8_t)role;
    return true;
}

static bool set_name(struct reader *r, char *const *word)
{
    uint32_t offset = 0;
    const char *dot = word[1] == NULL ? NULL : strchr(word[1], '.');
    char structure[64];

    if (word[2] == NULL || (strcmp(word[2], "pointer") != 0 && strcmp(word[2], "text") != 0) ||
        (dot == NULL && (!number(word[1], &offset) || offset > 4096)))
        return wrong(r, "'name' needs an offset, or STRUCTURE.MEMBER, and 'pointer' or 'text'");
    if (dot != NULL) {
        snprintf(structure, sizeof structure, "%.*s", (int)(dot - word[1]), word[1]);
        if (!hd_kimage_member(r->image, structure, dot + 1, &offset))
            return true; /* threads have numbers then */
    }
    r->link->name_offset = (int32_t)offset;
    r->link->name_pointer = strcmp(word[2], "pointer") == 0;
    return true;
}

static bool set_number(struct reader *r, char *const *word)
{
    uint32_t n;

    if (!number(word[1], &n))
        return wrong(r, "a number must follow '%s'", word[0]);
    if (strcmp(word[0], "offset") == 0) {
        r->link->offset = n;
    } else if (strcmp(word[0], "idle-ticks") == 0) {
        r->link->idle_ticks = n;
    } else {
        if (n < 512 || n > 1u << 20 || (n & (n - 1)) != 0)
            return wrong(r, "'stack' needs a power of 2 from 512 to 1048576");
        r->link->stack = n;
    }
    return true;
}

static bool read_line(struct reader *r, char *line)
{
    char *word[6] = { NULL }, *rest = line;
    unsigned n = 0;

    line[strcspn(line, "#")] = '\0';
    while (n < 5 && (word[n] = strtok_r(rest, " \t\r", &rest)) != NULL)
        n++;
    if (n == 0)
        return true;
    for (unsigned role = 1; role < HD_KR_ROLES; role++)
        if (role_words[role] != NULL && strcmp(word[0], role_words[role]) == 0)
            return set_role(r, (enum hd_k_role)role, word);
    if (strcmp(word[0], "name") == 0)
        return set_name(r, word);
    if (strcmp(word[0], "without") == 0)
        return set_without(r, word);
    if (strcmp(word[0], "stack") == 0 || strcmp(word[0], "offset") == 0 || strcmp(word[0], "idle-ticks") == 0)
        return set_number(r, word);
    return wrong(r, "there is no keyword '%s'; see 'heddle kernel --help' and docs/kernel.md", word[0]);
}

uint32_t hd_describe_address(const struct hd_klink *l, enum hd_k_role role)
{
    for (uint32_t i = 0; i < l->nfunctions; i++)
        if (l->function[i].role == role)
            return (uint32_t)l->function[i].address;
    return 0;
}

static bool is_complete(struct reader *r)
{
    static const enum hd_k_role needed[] = { HD_KR_BEGIN, HD_KR_END, HD_KR_TIMER };

    for (unsigned i = 0; i < sizeof needed / sizeof *needed; i++)
        if (hd_describe_address(r->link, needed[i]) == 0)
            return wrong(r, "it names no function for '%s'", role_words[needed[i]]);
    return true;
}

static void reset(struct hd_klink *l, const struct hd_kimage *m)
{
    l->stack = 4096;
    l->offset = 0;
    l->idle_ticks = 200;
    l->name_offset = -1;
    l->code_low = (uint32_t)hd_kimage_low(m);
    l->code_high = (uint32_t)hd_kimage_high(m);
    l->nfunctions = (uint32_t)hd_kimage_functions(m);
    for (uint32_t i = 0; i < l->nfunctions; i++) {
        struct hd_k_function *f = &l->function[i];

        *f = (struct hd_k_function){ 0 };
        hd_kimage_function(m, i, &f->address, &f->size);
        for (uint64_t at = f->address; at < f->address + f->size; at++)
            if (at >= l->code_low && at < l->code_high)
                l->function_of[at - l->code_low] = (uint16_t)(i + 1);
    }
}

static bool read_text(struct reader *r, const char *text)
{
    char line[512];

    reset(r->link, r->image);
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");

        r->line++;
        if (n >= sizeof line)
            return wrong(r, "the line is too long");
        memcpy(line, text, n);
        line[n] = '\0';
        if (!read_line(r, line))
            return false;
        text += n + (text[n] == '\n');
    }
    return is_complete(r);
}

const char *hd_describe(struct hd_klink *l, const struct hd_kimage *m, const char *text, const char *name,
                        char *why, size_t cap)
{
    struct reader r = { l, m, name, 0, why, cap };

    if (text != NULL)
        return read_text(&r, text) ? name : NULL;
    for (unsigned i = 0; i < sizeof built_in / sizeof *built_in; i++) {
        r.name = built_in[i].name;
        r.line = 0;
        if (read_text(&r, built_in[i].text))
            return r.name;
    }
    snprintf(why, cap, "it has not the functions of a kernel that Heddle knows; describe it with --describe FILE "
                       "(docs/kernel.md)");
    return NULL;
}

bool hd_describe_filter(struct hd_klink *l, const struct hd_kimage *m, const char *function, bool within)
{
    struct hd_k_function *f = function_named(l, m, function);
    uint16_t last = 0;

    if (f == NULL)
        return false;
    for (uint32_t i = 0; i < l->nfunctions; i++)
        if (l->function[i].rule > last)
            last = l->function[i].rule;
    f->rule = last + 1;
    f->within = within ? 1 : -1;
    l->whitelist |= within;
    return true;
}
