/* SPDX-License-Identifier: BSD-2-Clause
 *
 * console.c - prints on the serial line.  There is no vga_putc: the tool leaves the call out. */
void putchar_have_lock(char c);
void vga_putc(int c);

void putchar_have_lock(char c)
{
    __asm__ volatile("outb %0, %1" : : "a"(c), "Nd"((unsigned short)0x3f8));
    vga_putc (c);
}
