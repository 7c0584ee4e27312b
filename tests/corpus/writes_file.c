/* SPDX-License-Identifier: BSD-2-Clause
 *
 * writes_file - two threads write to the same file of the user's.
 *
 * Claim: it holds what the user had there when the program starts.  True. */
#include "../litmus/litmus.h"

#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        FILE *f = fopen("data.txt", "w");

        fprintf(f, "garbage %d\n", i);
        fclose(f);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    char line[40] = "";
    FILE *f = fopen("data.txt", "r");

    if (fgets(line, sizeof line, f) == NULL)
        line[0] = '\0';
    fclose(f);
    assert(strcmp(line, "precious\n") == 0);
    pthread_t a = spawn(work), b = spawn(work);

    join(a);
    join(b);
    return 0;
}
