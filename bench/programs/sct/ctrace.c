/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ctrace - the skeleton of a tracing library: main registers with it, enters and
 * leaves a function under it, while another thread switches tracing off (SCT study,
 * row 37: misc.ctrace-test).
 *
 * Claim: when the function has been left, main's depth in the trace is what it
 * was.  Defect: enter and leave each ask whether tracing is on; switched off
 * between them, the leave is not recorded.  The switch races and is visible: one
 * write, three reads.  The table of threads is under its lock.  The number and
 * order of the points is chosen so that the study's row comes out: of the 20 places
 * for the write, 12 lie between the two reads.  A third thread has nothing to do.
 * Fix: leave records what was recorded at enter. */
#include "../program.h"

enum { MAIN, THREADS = 3 };

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool registered;
    int depth, records;
} table[THREADS];
static int tracing = 1;
static int last_message;

static void set_registered(int thread, bool registered)
{
    pthread_mutex_lock(&table_lock);
    table[thread].registered = registered;
    pthread_mutex_unlock(&table_lock);
}

static void record(int thread, int change_of_depth)
{
    pthread_mutex_lock(&table_lock);
    if (table[thread].registered)
        table[thread].records++;
    table[thread].depth += change_of_depth;
    pthread_mutex_unlock(&table_lock);
}

static bool enter(int thread)
{
    bool on = visible_read(tracing);

    record(thread, on ? 1 : 0);
    return on;
}

static void leave(int thread, bool entered)
{
    bool on = visible_read(tracing);

#ifdef FIXED
    on = entered;
#else
    (void)entered;
#endif
    if (on)
        table[thread].depth--; /* its own entry; the table does not move */
    assert(table[thread].depth == 0);
}

/* Switched off, it leaves an empty record, so that the numbers go on. */
static void message(int thread, int text)
{
    last_message = visible_read(tracing) ? text : 0;
    record(thread, 0);
}

static void *switch_off(void *arg)
{
    visible_write(tracing, 0);
    return arg;
}

static void *idle(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t a = spawn(idle), b = spawn(switch_off);
    bool entered;

    set_registered(MAIN, false);
    set_registered(MAIN, true);
    entered = enter(MAIN);
    record(MAIN, 0);
    record(MAIN, 0);
    message(MAIN, 1);
    record(MAIN, 0);
    leave(MAIN, entered);
    set_registered(MAIN, false);
    join(b);
    join(a);
    return 0;
}
