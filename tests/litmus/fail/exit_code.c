/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit_code - main ends with 3 when it does not find the answer; the worker may be late. */
#include "fail.h"

static int answer;

static void *worker(void *arg)
{
    put(answer, 42);
    return arg;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    pthread_t thread = spawn(worker);

    if (fixed)
        join(thread);
    int found = get(answer);

    if (!fixed)
        join(thread);
    return found == 42 ? 0 : 3;
}
