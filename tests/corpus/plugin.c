/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plugin - two threads run a function of a library that main loads (plugin_part.c).
 *
 * Claim: the first thread is first.  False. */
#include "../litmus/litmus.h"

#include <dlfcn.h>

int main(int argc, char **argv)
{
    static int number[2] = { 1, 2 };
    pthread_t thread[2];

    if (argc != 2)
        return 2;
    void *library = dlopen(argv[1], RTLD_NOW);

    assert(library != NULL);
    void *(*work)(void *) = (void *(*)(void *))dlsym(library, "plugin_work");
    int (*cell)(void) = (int (*)(void))dlsym(library, "plugin_cell");

    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, work, &number[i]);
    join(thread[0]);
    join(thread[1]);
    assert(cell() == 4);
    return 0;
}
