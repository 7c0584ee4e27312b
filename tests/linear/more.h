/* SPDX-License-Identifier: BSD-2-Clause
 *
 * more.h - included before a program of bench/programs/linear: its first client runs FIRST times, its second SECOND
 * times, so that each has at least two operations.  If there is a third client, the second one does its operations, too. */
#include <heddle/linear.h>

static void (*const *more_client)(void);
static int more_clients;

static void more_first(void)
{
    for (int i = 0; i < FIRST; i++)
        more_client[0]();
}

static void more_second(void)
{
    for (int i = 0; i < SECOND; i++)
        for (int client = 1; client < more_clients; client++)
            more_client[client]();
}

#undef heddle_clients
#define heddle_clients(...)                                                   \
    do {                                                                      \
        static void (*const more_list[])(void) = { more_first, more_second }; \
        static void (*const more_all[])(void) = { __VA_ARGS__ };              \
        more_client = more_all;                                               \
        more_clients = sizeof more_all / sizeof *more_all;                    \
        heddle_clients_(#__VA_ARGS__, more_list, 2);                          \
    } while (0)
