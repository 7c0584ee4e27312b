/* SPDX-License-Identifier: BSD-2-Clause
 *
 * init.c - joins the sources of the teaching kernel (../teach) to the interface of Pintos: command line, pages, panic,
 * interrupts.  (test_end is compiled as shutdown.) */
#include "kernel.h"
#include "palloc.h"

struct gate {
    uint16_t low, selector, type, high;
};

static struct gate idt[256];

void intr00_stub(void), intr06_stub(void), intr0d_stub(void), intr0e_stub(void), intr20_stub(void);
void putchar_have_lock(char c);
_Noreturn void debug_panic(const char *file, int line, const char *function, const char *message);

static void out(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

void intr_restore(bool enabled)
{
    if (enabled)
        intr_enable();
}

int intr_set_level(int enabled)
{
    intr_restore(enabled != 0);
    return 0;
}

void print(const char *text)
{
    for (; *text != 0; text++)
        putchar_have_lock(*text);
}

__attribute__((noinline)) _Noreturn void debug_panic(const char *file, int line, const char *function, const char *message)
{
    (void)file, (void)line, (void)function;
    print(message);
    for (;;)
        __asm__ volatile("cli; hlt");
}

_Noreturn void panic(const char *text) { debug_panic("", 0, "", text); }
void *page_alloc(void) { return palloc_get_page(PAL_ZERO); }
void page_free(void *page) { palloc_free_page(page); }

void *memset(void *to, int byte, size_t n)
{
    for (volatile char *at = to; n > 0; n--)
        *at++ = (char)byte;
    return to;
}

static void set_gate(unsigned number, void (*entry)(void))
{
    idt[number] = (struct gate){ (uint16_t)(uint32_t)entry, 8, 0x8e00, (uint16_t)((uint32_t)entry >> 16) };
}

static void machine_begin(void)
{
    struct __attribute__((packed)) {
        uint16_t limit;
        uint32_t base;
    } pointer = { sizeof idt - 1, (uint32_t)idt };

    set_gate(0, intr00_stub), set_gate(6, intr06_stub), set_gate(13, intr0d_stub), set_gate(14, intr0e_stub);
    set_gate(32, intr20_stub);
    __asm__ volatile("lidt %0" : : "m"(pointer));
    out(0x20, 0x11), out(0x21, 32), out(0x21, 4), out(0x21, 1), out(0x21, 0xfe);
    out(0xa0, 0x11), out(0xa1, 40), out(0xa1, 2), out(0xa1, 1), out(0xa1, 0xff);
    out(0x43, 0x34), out(0x40, 11932 & 255), out(0x40, 11932 >> 8);
}

/* The loader leaves the number of words at 0x7d3a, and after it the words: "-q", "run", the test. */
__attribute__((used)) void kernel_main(void)
{
    char *word = (char *)0xc0007d3a + 4;
    unsigned n;

    machine_begin();
    thread_init();
    if (*(uint32_t *)0xc0007d3a != 3)
        panic("this command line has not three words");
    for (unsigned k = 0; k < 2; k++)
        word += __builtin_strlen(word) + 1;
    n = __builtin_strlen(word);
    bool fixed = n > 6 && word[n - 6] == '-' && word[n - 5] == 'f';

    if (fixed)
        word[n - 6] = 0;
    run_test(word, fixed);
}

size_t strlen(const char *text)
{
    const char *end = text;

    while (*(const volatile char *)end != 0)
        end++;
    return (size_t)(end - text);
}
