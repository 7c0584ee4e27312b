/* SPDX-License-Identifier: BSD-2-Clause
 *
 * state.c - texts for the state that threads share inside libc and the kernel. */
#include "report/evidence/state.h"

#include <stdio.h>

#include "model/state.h"

static const char *const text[HD_STATES] = {
    [HD_STATE_DESCRIPTORS] = "the numbers of descriptors",
    [HD_STATE_NAMES] = "the names of files",
    [HD_STATE_SURROUNDINGS] = "the working directory and the umask",
    [HD_STATE_ENVIRONMENT] = "the environment",
    [HD_STATE_RANDOM] = "the random numbers of rand",
    [HD_STATE_DRAND48] = "the random numbers of drand48",
    [HD_STATE_KEYS] = "the numbers of thread-specific keys",
    [HD_STATE_AT_EXIT] = "the list of exit handlers",
    [HD_STATE_LOCALE] = "the locale",
    [HD_STATE_STRTOK] = "what strtok remembers",
    [HD_STATE_SIGNALS] = "the handlers of signals",
    [HD_STATE_LIMITS] = "the limits of resources",
    [HD_STATE_CONNECTIONS] = "the connections to be accepted",
};

void hd_state_text(hd_cname name, char *buf, size_t cap)
{
    unsigned place = (unsigned)hd_cname_offset(name);

    if (hd_cname_index(name) == 0)
        snprintf(buf, cap, "the process");
    else if (place < HD_STATES)
        snprintf(buf, cap, "%s", text[place]);
    else if (place < HD_STATE_FIRST_OPEN)
        snprintf(buf, cap, "descriptor %u", place - HD_STATE_FIRST_INHERITED);
    else if (place < HD_STATE_FIRST_CONTENTS)
        snprintf(buf, cap, "open file #%u", place - HD_STATE_FIRST_OPEN);
    else if (place >= HD_STATE_FIRST_THREAD)
        snprintf(buf, cap, "name and priority of thread #%u", place - HD_STATE_FIRST_THREAD);
    else if (place >= HD_STATE_FIRST_KEY)
        snprintf(buf, cap, "key %u", place - HD_STATE_FIRST_KEY);
    else
        snprintf(buf, cap, "contents of file #%u", place - HD_STATE_FIRST_CONTENTS);
}
