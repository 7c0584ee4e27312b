/* SPDX-License-Identifier: BSD-2-Clause
 *
 * state.c - state of libc that all threads share: random numbers, environment, locale, the position
 * of strtok. libc locks what it must, so no call is a data race.  But which thread draws the first
 * number, or which value a variable has at the end, depends on the order.  So each call is a
 * visible operation on the state that it uses (shared_state.h).
 * Functions that return a pointer to a static result (localtime …) are in static_result.c. */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/calls/intercept.h"
#include "runtime/core/imports.h"
#include "runtime/core/ledger.h"
#include "runtime/core/real.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/sys/compiler.h"

#define WRITES(place) hd_state_use(HD_EV_STATE_WRITE, HD_STATE_##place, HD_PC)
#define READS(place) hd_state_use(HD_EV_STATE_READ, HD_STATE_##place, HD_PC)

/* An interposer that evaluates `turn`, which waits for its turn, and then makes the real call. */
#define TURN(type, name, params, args, turn) \
    HD_EXPORT type name params               \
    {                                        \
        turn;                                \
        return HD_REAL(name) args;           \
    }

/* ---- random numbers ------------------------------------------------------------------- */

/* ---- environment ---------------------------------------------------------------------- */

static bool changes; /* U5 (shared_state.h): the program may change the environment */

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

/* Records a change.  If hd_environment_init did not expect changes, a library that was loaded later
 * makes it. */
static void change_environment(uint64_t pc)
{
    if (!changes && hd_shared_may_conflict())
        hd_fact(HD_FACT_STATE);
    hd_state_use(HD_EV_STATE_WRITE, HD_STATE_ENVIRONMENT, pc);
}

/* Each call that uses the time zone may load a new one, which other threads then use. */
void hd_environment_zone(uint64_t pc)
{
    if (changes)
        hd_state_use(HD_EV_STATE_WRITE, HD_STATE_ENVIRONMENT, pc);
}

/* ---- locale ---------------------------------------------------------------------------- */

/* printf, strtod, isalpha … depend on the locale but are not operations.  So a change is recorded
 * as a fact. */
HD_EXPORT char *setlocale(int category, const char *locale)
{
    if (locale == NULL) {
        READS(LOCALE);
        return HD_REAL(setlocale)(category, NULL);
    }
    if (hd_shared_may_conflict())
        hd_fact(HD_FACT_STATE);
    WRITES(LOCALE);
    return HD_REAL(setlocale)(category, locale);
}

/* ---- strings ---------------------------------------------------------------------------- */

#define CALLS_STATE
#include "runtime/calls/calls.def"
