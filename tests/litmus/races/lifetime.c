/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lifetime - creating a thread orders what came before, joining it what it did.  Not
 * joining it, or looking before that, orders nothing. */
#include "races.h"

static int before, during;

static void *work(void *arg)
{
    (void)GET(before);
    PUT(during, *(int *)arg);
    return arg;
}

int main(int argc, char **argv)
{
    int argument = 7;
    pthread_t t;

    variant = argc > 1 ? argv[1] : "";
    if (!is("late"))
        PUT(before, 1);
    pthread_create(&t, NULL, work, &argument);
    if (is("late"))
        PUT(before, 1);
    if (is("early"))
        (void)GET(during);
    pthread_join(t, NULL);
    (void)GET(during);
    return 0;
}
