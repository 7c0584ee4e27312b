/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A transaction replaces a block and frees the old one, another one reads it.  TWICE: that takes the
 * pointer in one transaction and follows it in the next. */
#include "rtm.h"

static int *shared;

static void *replace(void *arg)
{
    if (_xbegin() == _XBEGIN_STARTED) {
        int *new = malloc(sizeof *new), *old = shared;

        *new = 2;
        shared = new;
        free(old);
        _xend();
    }
    return arg;
}

static void *look(void *arg)
{
    int *seen = NULL;

    if (_xbegin() != _XBEGIN_STARTED)
        return arg;
    seen = shared;
#ifdef TWICE
    _xend();
    if (_xbegin() != _XBEGIN_STARTED)
        return arg;
#endif
    int value = *seen;

    _xend();
    assert(value == 1 || value == 2);
    return arg;
}

int main(void)
{
    shared = malloc(sizeof *shared);
    *shared = 1;
    run2(replace, look);
    free(shared);
    return 0;
}
