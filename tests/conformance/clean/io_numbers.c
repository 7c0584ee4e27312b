/* SPDX-License-Identifier: BSD-2-Clause
 *
 * io_numbers.c - what Heddle keeps open for itself has numbers below 1,024, however many
 * descriptors a process may have: the kernel goes through all numbers up to the highest after
 * each execution.  (With a limit of no more than that this cannot fail.) */
#include <dirent.h>

#include "../conform.h"

int main(void)
{
    DIR *dir = opendir("/proc/self/fd");
    struct dirent *e;

    IS(dir != NULL, 1);
    while ((e = readdir(dir)) != NULL)
        IS(atoi(e->d_name) < 1024, 1);
    IS(closedir(dir), 0);
    return 0;
}
