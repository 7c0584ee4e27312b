/* SPDX-License-Identifier: BSD-2-Clause
 *
 * state.c - what libc keeps for all threads: random numbers, environment,
 * locale, the rest of a string.
 *
 * libc locks what it must, so that no call is a data race; but which thread draws the
 * first number, or whose value a variable has in the end, is a matter of order.  Each
 * call is a visible operation on what it uses (shared.h).
 *
 * Not here: functions that return a pointer to a static result (localtime, strerror …).
 * What matters of those is what the caller reads later, which is a data race. */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/calls/intercept.h"
#include "runtime/core/imports.h"
#include "runtime/core/real.h"
#include "runtime/kernel/shared_state.h"

#define WRITES(place) hd_state_use(HD_EV_STATE_WRITE, HD_STATE_##place, HD_PC)
#define READS(place) hd_state_use(HD_EV_STATE_READ, HD_STATE_##place, HD_PC)

/* An interposer that has its turn first. */
#define TURN(type, name, params, args, turn) \
    HD_EXPORT type name params               \
    {                                        \
        turn;                                \
        return HD_REAL(name) args;           \
    }

/* ---- random numbers ------------------------------------------------------------------- */

/* ---- environment ---------------------------------------------------------------------- */

static bool changes; /* U5 */

void hd_environment_init(void)
{
    static const char *const names[] = { "setenv", "unsetenv", "putenv", "clearenv",
                                         "environ", "_environ", "__environ", NULL };

    changes = hd_imports_may(names);
}

static void read_environment(uint64_t pc)
{
    if (changes)
        hd_state_use(HD_EV_STATE_READ, HD_STATE_ENVIRONMENT, pc);
}

/* By a library that libc has loaded for itself, which nobody had reckoned with. */
static void change_environment(uint64_t pc)
{
    if (!changes && hd_shared_is_met())
        hd_fact(HD_FACT_STATE);
    hd_state_use(HD_EV_STATE_WRITE, HD_STATE_ENVIRONMENT, pc);
}

/* ---- locale ---------------------------------------------------------------------------- */

/* printf, strtod, isalpha … depend on it: those are no operations. */
HD_EXPORT char *setlocale(int category, const char *locale)
{
    if (locale == NULL) {
        READS(LOCALE);
        return HD_REAL(setlocale)(category, NULL);
    }
    if (hd_shared_is_met())
        hd_fact(HD_FACT_STATE);
    WRITES(LOCALE);
    return HD_REAL(setlocale)(category, locale);
}

/* ---- strings ---------------------------------------------------------------------------- */

#define CALLS_STATE
#include "runtime/calls/calls.def"
