/* SPDX-License-Identifier: BSD-2-Clause
 *
 * machine.c - the processor and its devices: interrupts, paging, the serial line; pages; panic; main. */
#include "kernel.h"

#define PAGES 64

struct gate {
    uint16_t low, selector, type, high;
};

static struct gate idt[256];
static uint32_t directory[1024] __attribute__((aligned(PAGE)));
static uint32_t first_table[1024] __attribute__((aligned(PAGE)));
static char pages[PAGES][PAGE] __attribute__((aligned(PAGE)));
static bool used[PAGES];

extern const uint32_t fault_entries[];
extern void timer_entry(void);

static void out(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

void intr_restore(bool enabled)
{
    if (enabled)
        intr_enable();
}

void print(const char *text)
{
    for (; *text != 0; text++)
        out(0x3f8, (uint8_t)*text);
}

/* The last thing that the kernel does. */
_Noreturn void panic(const char *text)
{
    intr_disable();
    print("PANIC: ");
    print(text);
    print("\n");
    for (;;)
        __asm__ volatile("cli; hlt");
}

_Noreturn __attribute__((used)) void exception(uint32_t number, uint32_t address)
{
    (void)address;
    panic(number == 14 ? "page fault" : "exception");
}

/* Called for every page that a thread gets: tells its address to who watches the kernel.  Not static: gcc
 * would pass the argument in a register. */
__attribute__((noipa)) void page_given(void *page)
{
    __asm__ volatile("" : : "r"(page) : "memory");
}

__attribute__((noinline)) void *zero_page(void *page)
{
    for (volatile uint32_t *w = page; (char *)w < (char *)page + PAGE; w++)
        *w = 0;
    return page;
}

void *page_alloc(void)
{
    bool enabled = intr_disable();
    unsigned i = 0;

    while (i < PAGES && used[i])
        i++;
    if (i == PAGES)
        panic("out of pages");
    used[i] = true;
    page_given(pages[i]);
    intr_restore(enabled);
    return zero_page(pages[i]);
}

void page_free(void *page)
{
    bool enabled = intr_disable();
    unsigned i = (unsigned)((char *)page - pages[0]) / PAGE;

    if (i >= PAGES || !used[i])
        panic("free of a page that is not in use");
    used[i] = false;
    intr_restore(enabled);
}

static void set_gate(unsigned number, uint32_t entry)
{
    idt[number] = (struct gate){ (uint16_t)entry, 8, 0x8e00, (uint16_t)(entry >> 16) };
}

/* The first page is not mapped, so that a null pointer shows; the rest is mapped as it is. */
static void paging_on(void)
{
    for (unsigned i = 1; i < 1024; i++)
        first_table[i] = i * PAGE | 3;
    directory[0] = (uint32_t)first_table | 3;
    for (unsigned i = 1; i < 4; i++)
        directory[i] = i << 22 | 0x83;
    __asm__ volatile("mov %%cr4, %%eax; or $0x10, %%eax; mov %%eax, %%cr4;"
                     "mov %0, %%cr3;"
                     "mov %%cr0, %%eax; or $0x80000000, %%eax; mov %%eax, %%cr0"
                     : : "r"(directory) : "eax", "memory");
}

void machine_init(void)
{
    struct __attribute__((packed)) {
        uint16_t limit;
        uint32_t base;
    } pointer = { sizeof idt - 1, (uint32_t)idt };

    for (const uint32_t *f = fault_entries; f[0] != (uint32_t)-1; f += 2)
        set_gate(f[0], f[1]);
    set_gate(32, (uint32_t)timer_entry);
    __asm__ volatile("lidt %0" : : "m"(pointer));
    /* interrupt controllers: vectors 32 and 40, only the timer is let through */
    out(0x20, 0x11), out(0x21, 32), out(0x21, 4), out(0x21, 1), out(0x21, 0xfe);
    out(0xa0, 0x11), out(0xa1, 40), out(0xa1, 2), out(0xa1, 1), out(0xa1, 0xff);
    /* the timer: 100 times in a second */
    out(0x43, 0x34), out(0x40, 11932 & 255), out(0x40, 11932 >> 8);
    paging_on();
}

struct multiboot {
    uint32_t flags, lower, upper, boot, command_line;
};

static bool has_word(const char *line, const char *word)
{
    for (; *line != 0; line++) {
        const char *w = word, *l = line;

        while (*w != 0 && *l == *w)
            l++, w++;
        if (*w == 0 && (*l == 0 || *l == ' '))
            return true;
        while (*line != 0 && *line != ' ')
            line++;
        if (*line == 0)
            return false;
    }
    return false;
}

/* Copies the word after the name of the kernel. */
static void second_word(const char *line, char *into, unsigned size)
{
    unsigned n = 0;

    while (*line != 0 && *line != ' ')
        line++;
    while (*line == ' ')
        line++;
    while (n + 1 < size && *line != 0 && *line != ' ')
        into[n++] = *line++;
    into[n] = 0;
}

__attribute__((used)) void kernel_main(const struct multiboot *m)
{
    char name[40];

    second_word((const char *)m->command_line, name, sizeof name);
    machine_init();
    thread_init();
    run_test(name, has_word((const char *)m->command_line, "fixed"));
}
