/* SPDX-License-Identifier: BSD-2-Clause
 *
 * each.c - reads the tool's request from the environment.  It is read before main, because
 * the runtime hides its variables from the program. */
#include "each/each.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/each.h"

static enum hd_each_mode mode;
static int list_fd;
static char wanted[1024]; /* the test to run */

/* Runs before all other constructors of this library. */
__attribute__((constructor(101))) static void read_wish(void)
{
    const char *wish = getenv(HD_EACH_ENV);

    if (wish != NULL && strncmp(wish, HD_EACH_LIST, strlen(HD_EACH_LIST)) == 0) {
        mode = HD_EACH_LISTS;
        list_fd = atoi(wish + strlen(HD_EACH_LIST));
    } else if (wish != NULL && strncmp(wish, HD_EACH_RUN, strlen(HD_EACH_RUN)) == 0) {
        mode = HD_EACH_RUNS;
        snprintf(wanted, sizeof wanted, "%s", wish + strlen(HD_EACH_RUN));
    }
}

enum hd_each_mode hd_each_mode(void)
{
    return mode;
}

void hd_each_list(const char *name, const char *why)
{
    dprintf(list_fd, "%s%s%s\n", name, why != NULL ? "\t" : "", why != NULL ? why : "");
}

bool hd_each_is_wanted(const char *name)
{
    return mode == HD_EACH_RUNS && strcmp(wanted, name) == 0;
}

void *hd_each_real(const char *name)
{
    void *real = dlsym(RTLD_NEXT, name);

    if (real == NULL) {
        fprintf(stderr, "heddle: the test framework has no %s\n", name);
        abort();
    }
    return real;
}
