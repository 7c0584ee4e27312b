/* SPDX-License-Identifier: BSD-2-Clause
 *
 * library_lock.c - see library_lock.h. */
#include "report/evidence/library_lock.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "report/evidence/futex_lock.h"
#include "report/evidence/place.h"
#include "report/names/operand.h"

/* True if the line calls a function whose name ends in "lock", like g_mutex_lock or try_lock. */
static bool calls_lock(const char *line)
{
    for (const char *at = line; (at = strstr(at, "lock(")) != NULL; at++) {
        const char *name = at;

        while (name > line && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
            name--;
        if (at - name < 2 || strncmp(at - 2, "un", 2) != 0)
            return true;
    }
    return false;
}

/* True if the event is inside a library, and the program's line calls a function that takes a lock. */
static bool is_in_lock_call(const struct hd_report *r, const struct hd_event *e)
{
    struct hd_frame f[HD_MAX_FRAMES];
    char line[512];

    if (e->pc == 0 || hd_symbols_is_own(r->symbols, e->pc))
        return false;
    const struct hd_frame *own = hd_symbols_own_frame(
        f, hd_symbols_frames(r->symbols, hd_report_place(r, e), true, f, HD_MAX_FRAMES));

    return own->line > 0 && !hd_is_system_file(own->file) && hd_source_line(own->file, own->line, line, sizeof line) &&
           calls_lock(line);
}

/* True if a lock call has taken the word before event `end`. */
static bool was_taken(const struct hd_report *r, uint32_t word, uint32_t end)
{
    for (uint32_t i = end; i-- > 0;) {
        const struct hd_event *e = &r->events[i];

        if (hd_futex_lock_is_taking(e) && hd_futex_lock_same_word(r, e->obj, word))
            return is_in_lock_call(r, e);
    }
    return false;
}

static uint32_t position_of(const struct hd_report *r, const struct hd_event *e)
{
    return r->events != NULL && e >= r->events && e < r->events + r->nevents ? (uint32_t)(e - r->events) : r->nevents;
}

enum hd_library_lock hd_library_lock(const struct hd_report *r, const struct hd_event *e)
{
    bool update = e->kind == HD_EV_ATOMIC_CAS || e->kind == HD_EV_ATOMIC_RMW || e->kind == HD_EV_ATOMIC_STORE;
    bool waits = e->kind == HD_EV_FUTEX_WAIT || e->kind == HD_EV_FUTEX_WAKEUP;

    if ((!update && !waits) || e->pc == 0 || hd_symbols_is_own(r->symbols, e->pc))
        return HD_LIBRARY_LOCK_NONE;
    if (update && !(e->flags & HD_EVF_FAILED) && e->value == 0)
        return was_taken(r, e->obj, position_of(r, e)) ? HD_LIBRARY_LOCK_GIVES : HD_LIBRARY_LOCK_NONE;
    if (!is_in_lock_call(r, e))
        return HD_LIBRARY_LOCK_NONE;
    return waits                        ? HD_LIBRARY_LOCK_WAITS
           : hd_futex_lock_is_taking(e) ? HD_LIBRARY_LOCK_TAKES
                                        : HD_LIBRARY_LOCK_FINDS;
}

bool hd_library_lock_parts(const struct hd_report *r, const struct hd_event *e, bool pending, struct hd_operation *o)
{
    static const char *const verbs[] = { [HD_LIBRARY_LOCK_TAKES] = "lock", [HD_LIBRARY_LOCK_FINDS] = "lock",
                                         [HD_LIBRARY_LOCK_WAITS] = "wait for", [HD_LIBRARY_LOCK_GIVES] = "unlock" };
    enum hd_library_lock what = hd_library_lock(r, e);

    if (what == HD_LIBRARY_LOCK_NONE)
        return false;
    snprintf(o->verb, sizeof o->verb, "%s", pending && what != HD_LIBRARY_LOCK_GIVES ? "lock" : verbs[what]);
    hd_describe_object(r, e->obj, o->object, sizeof o->object);
    o->outcome = what == HD_LIBRARY_LOCK_FINDS && !pending ? ": held" : "";
    return true;
}
