/* SPDX-License-Identifier: BSD-2-Clause
 *
 * more.h - included before a program of bench/programs/linear: its first client runs FIRST times, its second SECOND
 * times, so that each has at least two operations. */
#include <heddle/linear.h>

static void (*more_client[2])(void);

static void more_first(void)
{
    for (int i = 0; i < FIRST; i++)
        more_client[0]();
}

static void more_second(void)
{
    for (int i = 0; i < SECOND; i++)
        more_client[1]();
}

#undef heddle_clients
#define heddle_clients(first, second)                                         \
    do {                                                                      \
        static void (*const more_list[])(void) = { more_first, more_second }; \
        more_client[0] = first;                                               \
        more_client[1] = second;                                              \
        heddle_clients_(#first ", " #second, more_list, 2);                   \
    } while (0)
