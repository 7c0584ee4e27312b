/* SPDX-License-Identifier: BSD-2-Clause
 *
 * settings.h - everything that changes the meaning of a decision.  The options of the command line, the
 * configuration of a target and a recorded schedule contain the same settings, so that decisions mean the same
 * in a replay as in the search.  They are copied as a whole, and schedule files are read and written by means
 * of the table.  So a new setting needs a row here, its option, and the code that uses it. */
#ifndef HD_MODEL_SETTINGS_H
#define HD_MODEL_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The expected output: none, a given text, or the output of another execution. */
enum hd_expect { HD_EXPECT_NOTHING, HD_EXPECT_TEXT, HD_EXPECT_SAME };
/* How a test of <heddle/linear.h> runs.  OFF: as an ordinary program.  CONCURRENT: its operations run concurrently,
 * and the outcome is checked.  SEQUENTIAL: they run one after the other. */
enum hd_linear { HD_LINEAR_OFF, HD_LINEAR_CONCURRENT, HD_LINEAR_SEQUENTIAL };
/* How transactions behave.  HTM: as on a processor that has them.  OFF: each one is aborted.  STM: as in a software
 * library, where none is aborted spuriously.  WEAK: like STM, and code outside of GNU TM transactions may run
 * between the accesses of a transaction (--tm-weak). */
enum hd_tm { HD_TM_HTM, HD_TM_OFF, HD_TM_STM, HD_TM_WEAK };

/* True if transactions behave as those of a software library do. */
static inline bool hd_tm_is_software(uint32_t tm)
{
    return tm == HD_TM_STM || tm == HD_TM_WEAK;
}

enum hd_points { HD_POINTS_SYNC, HD_POINTS_RACES, HD_POINTS_ALL, HD_POINTS_EVERY };

/* NULL-terminated, in the order of the values. */
extern const char *const hd_points_words[], *const hd_timeouts_words[], *const hd_heap_words[],
    *const hd_convention_words[], *const hd_awaits_words[], *const hd_expect_words[],
    *const hd_linear_words[], *const hd_tm_words[], *const hd_tm_aborts_words[];

/* The newest version of the schedule format.  Heddle reads older versions as well. */
#define HD_SCHEDULE_VERSION 10

/* Columns: the field; its key in schedules (NULL: the line "faults" contains it); words for its values (NULL: a
 * number); the first version of schedules that has it (in older ones it is 0). */
#define HD_SETTINGS(X) \
    X(study, "convention", hd_convention_words, 1) /* conventions of the SCT study: see docs/glossary.md */ \
    X(timeouts_idle, "timeouts", hd_timeouts_words, 1) /* a timed operation times out only when nothing else can run */ \
    X(points, "points", hd_points_words, 1) /* enum hd_points */ \
    X(no_points, "no-points", NULL, 5) /* bits of enum hd_point_class: operations that are not scheduling points */ \
    X(loop_bound, "loop-bound", NULL, 1) \
    X(awaits, "awaits", hd_awaits_words, 2) /* rounds of waiting loops are not events (runtime/progress/await.h) */ \
    X(lock_polls, "lock-polls", hd_awaits_words, 8) /* threads that poll while they hold a lock are held back
                                                     * (runtime/progress/lock_poll.h) */ \
    X(exit_grace, "exit-grace", NULL, 1) \
    X(max_steps, "max-steps", NULL, 1) \
    X(livelock, "livelock", NULL, 3) /* an execution of this many steps is a finding; 0: never */ \
    X(expect, "expect", hd_expect_words, 3) /* enum hd_expect; unless it is NOTHING, the order of output matters */ \
    X(linear, "linear", hd_linear_words, 6) /* enum hd_linear */ \
    X(split, "split", NULL, 9) /* 1 + the steps of heddle_script that the second client runs, as bits; 0: there
                                * are no clients */ \
    X(recycle, "heap", hd_heap_words, 1) /* the heap gives a thread the block that the thread freed last */ \
    X(tm, "tm", hd_tm_words, 7) /* enum hd_tm */ \
    X(tm_aborts, "tm-aborts", hd_tm_aborts_words, 7) /* a transaction may be aborted with any status; 0: only with
                                                      * "retry" */ \
    X(tm_capacity, "tm-capacity", NULL, 10) /* number of lines that a transaction may touch; 0: any number */ \
    X(tm_line, "tm-line", NULL, 10) /* bytes of a line; accesses to one line conflict.  0: lines have 64
                                            * bytes, but only accesses to common bytes conflict */ \
    X(faults, NULL, NULL, 1) /* bits of enum hd_fault: the faults to inject */ \
    X(fault_bound, NULL, NULL, 1) /* maximum number of faults in an execution */ \
    X(fault_budgets1, NULL, NULL, 8) /* budgets of single faults: see hd_fault_budget */ \
    X(fault_budgets2, NULL, NULL, 8) \
    X(fault_budgets3, NULL, NULL, 8) \
    X(fault_odds, NULL, NULL, 1) /* number of alternatives of a fault choice, one of which injects the fault */ \
    X(fault_past_bound, NULL, NULL, 1) /* choices beyond the fault bound are offered, and executions that take
                                        * them are cut; this also applies to taking a signal and aborting a
                                        * transaction */

#define HD_SETTING_FIELD(field, key, words, since) uint32_t field;

struct hd_settings {
    HD_SETTINGS(HD_SETTING_FIELD)
};

/* Embeds the settings in a struct: as a whole, and each by its own name. */
#define HD_SETTINGS_EMBEDDED \
    union { \
        struct hd_settings settings; \
        struct { \
            HD_SETTINGS(HD_SETTING_FIELD) \
        }; \
    }

struct hd_setting {
    const char *key;
    const char *const *words;
    unsigned since; /* first version of schedules that has it */
    size_t field; /* offset in struct hd_settings */
};

extern const struct hd_setting hd_setting_table[];
extern const size_t hd_setting_count;

static inline uint32_t *hd_setting_at(struct hd_settings *s, const struct hd_setting *row)
{
    return (uint32_t *)(void *)((char *)s + row->field);
}

#endif
