/* SPDX-License-Identifier: BSD-2-Clause
 *
 * symbols_test.c - naming code and variables, and unwinding a copied stack, on
 * this program itself.  Without debug information in it there is nothing to test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "report/names/symbols.h"

struct queue {
    int size;
    struct {
        pthread_mutex_t lock;
        int head, tail;
    } part[3];
};
struct queue test_pool;
static int test_counter;

static struct hd_module modules[HD_MAX_MODULES];
static uint32_t nmodules;
static struct hd_symbols *symbols;

static int add_module(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct hd_module *m = &modules[nmodules++];

    (void)size;
    (void)arg;
    if (nmodules > 1)
        snprintf(m->path, sizeof m->path, "%s", info->dlpi_name);
    else if (readlink("/proc/self/exe", m->path, sizeof m->path - 1) < 0)
        return 1;
    m->bias = info->dlpi_addr;
    m->lo = UINT64_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];

        if (p->p_type != PT_LOAD)
            continue;
        if (m->bias + p->p_vaddr < m->lo)
            m->lo = m->bias + p->p_vaddr;
        if (m->bias + p->p_vaddr + p->p_memsz > m->hi)
            m->hi = m->bias + p->p_vaddr + p->p_memsz;
    }
    return nmodules == HD_MAX_MODULES;
}

static int open_symbols(void **state)
{
    (void)state;
    dl_iterate_phdr(add_module, NULL);
    symbols = hd_symbols_open(modules, nmodules);
    return 0;
}

static int close_symbols(void **state)
{
    (void)state;
    hd_symbols_close(symbols);
    return 0;
}

static const char *variable(const void *p)
{
    return hd_symbols_variable(symbols, 0, (uint64_t)(uintptr_t)p - modules[0].bias);
}

static bool debug_info(void)
{
    return strcmp(variable(&test_pool.part[1].head), "test_pool.part[1].head") == 0;
}

static void variables_have_their_names(void **state)
{
    (void)state;
    assert_string_equal(variable(&test_counter), "test_counter");
    if (!debug_info())
        skip();
    assert_string_equal(variable(&test_pool), "test_pool.size");
    assert_string_equal(variable(&test_pool.part[2].tail), "test_pool.part[2].tail");
    /* members of a mutex tell a reader nothing */
    assert_string_equal(variable(&test_pool.part[0].lock), "test_pool.part[0].lock");
}

static void unknown_addresses_have_no_names(void **state)
{
    struct hd_frame f[HD_MAX_FRAMES];

    (void)state;
    assert_string_equal(hd_symbols_site(symbols, 0), "");
    assert_string_equal(hd_symbols_site(symbols, 0x10), "?+0x10");
    assert_int_equal(hd_symbols_frames(symbols, 0x10, true, f, HD_MAX_FRAMES), 1);
    assert_string_equal(f[0].function, "?");
    assert_string_equal(hd_symbols_variable(symbols, 4000, 0x10), "0x10");
}

/* ---- unwinding --------------------------------------------------------------------------- */

static struct {
    struct hd_stack_image image;
    unsigned char memory[4096];
} copy;

/* Reads other frames on purpose, which a sanitizer cannot know. */
static __attribute__((noinline, no_sanitize("address"))) uint64_t capture(void)
{
    struct hd_stack_image *s = &copy.image;

    __asm__ volatile("leaq 1f(%%rip), %%rax\n1:\n\t"
                     "movq %%rax, 0(%0)\n\tmovq %%rsp, 8(%0)\n\tmovq %%rbp, 16(%0)\n\t"
                     "movq %%rbx, 24(%0)\n\tmovq %%r12, 32(%0)\n\tmovq %%r13, 40(%0)\n\t"
                     "movq %%r14, 48(%0)\n\tmovq %%r15, 56(%0)"
                     :
                     : "r"(s)
                     : "rax", "memory");
    s->lo = s->sp;
    s->bytes = 512; /* the frames of this test, and not beyond the end of the stack */
    for (unsigned i = 0; i < s->bytes; i++)
        copy.memory[i] = ((const volatile unsigned char *)(uintptr_t)s->lo)[i];
    return (uint64_t)(uintptr_t)__builtin_return_address(0);
}

static __attribute__((noinline)) uint64_t outer(void)
{
    uint64_t pc = capture();

    __asm__ volatile(""); /* no tail call */
    return pc;
}

static void a_copied_stack_is_unwound(void **state)
{
    uint64_t pcs[HD_MAX_FRAMES];
    struct hd_frame f[HD_MAX_FRAMES];

    (void)state;
    for (int again = 0; again < 2; again++) { /* a second image on the same symbols */
        uint64_t pc = outer();
        unsigned n = hd_unwind(symbols, &copy.image, pcs, HD_MAX_FRAMES);

        assert_true(n >= 3);
        assert_true(pcs[1] == pc);
        hd_symbols_frames(symbols, pcs[0], false, f, HD_MAX_FRAMES);
        assert_string_equal(f[0].function, "capture");
        hd_symbols_frames(symbols, pcs[1], true, f, HD_MAX_FRAMES);
        assert_string_equal(f[0].function, "outer");
        hd_symbols_frames(symbols, pcs[2], true, f, HD_MAX_FRAMES);
        assert_string_equal(f[0].function, "a_copied_stack_is_unwound");
    }
    if (debug_info())
        assert_true(strncmp(hd_symbols_site(symbols, pcs[1]), "symbols_test.c:", 15) == 0);
}

static void a_stack_that_is_not_there_ends_the_unwinding(void **state)
{
    uint64_t pcs[HD_MAX_FRAMES];

    (void)state;
    outer();
    copy.image.bytes = 0;
    assert_true(hd_unwind(symbols, &copy.image, pcs, HD_MAX_FRAMES) <= 1);
    copy.image = (struct hd_stack_image){ 0 };
    assert_int_equal(hd_unwind(symbols, &copy.image, pcs, HD_MAX_FRAMES), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_have_their_names),
        cmocka_unit_test(unknown_addresses_have_no_names),
        cmocka_unit_test(a_copied_stack_is_unwound),
        cmocka_unit_test(a_stack_that_is_not_there_ends_the_unwinding),
    };

    return cmocka_run_group_tests(tests, open_symbols, close_symbols);
}
