/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The instructions as inline assembly and as bytes.  Two threads: as tx_counter. */
#include "rtm.h"

static atomic_int counter;

static inline unsigned begin(void)
{
    unsigned status = ~0u;

    __asm__ volatile(".byte 0xc7,0xf8 ; .long 0" : "+a"(status) : : "memory");
    return status;
}

static inline int is_inside(void)
{
    unsigned char inside;

    __asm__ volatile(".byte 0x0f,0x01,0xd6 ; setnz %0" : "=r"(inside) : : "memory");
    return inside;
}

static void *raise_it(void *arg)
{
    if (begin() == ~0u) {
        (*(int *)(void *)&counter)++;
        assert(is_inside());
        __asm__ volatile(".byte 0x0f,0x01,0xd5" : : : "memory");
    } else {
        counter++;
    }
    return arg;
}

static void *raise_by_label(void *arg)
{
    __asm__ goto("xbegin %l[aborted]" : : : "eax", "memory" : aborted);
    (*(int *)(void *)&counter)++;
    __asm__ volatile("xend" : : : "memory");
    return arg;
aborted:
    assert(!is_inside());
    __asm__ volatile(".byte 0xc6,0xf8,7" : : : "memory"); /* does nothing here */
    counter++;
    return arg;
}

int main(void)
{
    run2(raise_it, raise_by_label);
    assert(counter == 2);
    return 0;
}
