/* SPDX-License-Identifier: BSD-2-Clause
 *
 * registers - a thread waits for 1 and then for 2, in the same loop; which of them it waits
 * for is in two registers that change alike.
 *
 * fixed: main writes 1 and then 2, and the thread ends.  bug: main writes 1 only.  Having seen
 * 2 where 1 would do, the thread looks once more: that is not the round before, though the two
 * registers differ from each other by as much as they did. */
#include "live.h"

static int flag;

static void *wait_for_two(void *unused)
{
    register long wanted __asm__("rbx") = 1;
    register long same __asm__("rbp") = 1;

    do {
        __asm__ volatile("" : "+r"(wanted), "+r"(same));
        while (get(flag) < wanted)
            sched_yield();
        __asm__ volatile("" : "+r"(wanted), "+r"(same));
        wanted++;
        same++;
    } while (same < 3);
    return unused;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    pthread_t thread = spawn(wait_for_two);

    put(flag, 1);
    if (!is("bug"))
        put(flag, 2);
    join(thread);
    return 0;
}
