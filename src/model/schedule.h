/* SPDX-License-Identifier: BSD-2-Clause
 *
 * schedule.h - a recorded schedule and its file format (.heddle): the decisions that lead to a
 * finding, and the options that determine what the decisions mean.
 *
 * The file is text with one fact per line, so that people can read it, compare two files and mail them.  It has
 * a format version and ends with a checksum of every byte before it, so that a damaged file is refused instead
 * of being replayed wrongly.  The lines before "slots" may come in any order.
 *
 *     heddle-schedule 10
 *     program "./t"             the program as the user typed it
 *     directory "..."           the working directory
 *     build-id 5f0c...          build id of the program; - if it has none
 *     arg "8"                   one line per argument
 *     test "group/name"         only if Heddle runs one test of a framework that has no
 *                               argument for that
 *     option points sync        one line for each setting that changes what a decision means
 *                               (settings.h)
 *     site 1 0 4660             any number: racing sites that were scheduling points (region, index, offset)
 *     wait 1 0 4660             any number: places of waiting loops whose rounds are not events
 *     filter within "f"         any number: --within and --without, in order
 *     faults malloc,trylock 1 2 cut   only with --faults: which ones, how many at most, the number of
 *                               alternatives of a choice, and what happens beyond the limit
 *     kind deadlock
 *     why "..." 14 20           only if known: why it fails, in one sentence, and the decisive events
 *     ...
 *     leak 1234567 0            only for kind leak: allocation site, and number of blocks that other executions lose
 *     expected "a\x0a"         with --expect and --expect-same: what the output is compared with; for kind
 *                               not-linearizable: the sequential outcomes (linear/book.h)
 *     slots 3                   then one line each:  slot number parent nth
 *     threads 3                 then one line each:  thread number parent nth slot "name"
 *     about "x"                 only for kind data-race: the lasting name of the object
 *     steps 12                  then one line each:  step thread kind "object" "site" sig "function" region
 *                               or                   step choice taken/of "site" sig "function"
 *     end 0123456789abcdef
 *
 * The kind, object and site of a step are for people, and for the message if a replay diverges; the replay
 * itself needs only the thread (or choice) and sig.
 *
 * `heddle recheck` follows the schedule in another build of the program, in which
 * addresses and lines differ.  It needs a lasting name of each step: kind, function
 * and object (hd_schedule_lasting).  For a variable this is its name, for an object on the
 * heap or a stack only its region.  Versions before 4 have no functions. */
#ifndef HD_MODEL_SCHEDULE_H
#define HD_MODEL_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/execution.h"
#include "model/fault.h"
#include "model/filter.h"
#include "model/finding.h"
#include "model/object.h"
#include "model/settings.h"

#define HD_SCHEDULE_WAITS 64
#define HD_MAX_DECISIVE 3

struct hd_schedule_slot {
    uint16_t parent;
    uint16_t nth;
};

struct hd_schedule_thread {
    hd_tid parent;
    uint16_t nth;
    uint16_t slot;
    const char *name; /* "" if it has none */
};

struct hd_schedule_step {
    struct hd_decision decision;
    uint8_t kind;       /* enum hd_kind; HD_EV_NONE: unknown */
    const char *object; /* "": none */
    const char *site;   /* "file.c:12" or "module+0x12"; "": unknown */
    const char *function; /* "": unknown */
    uint8_t region;     /* enum hd_region of the object; HD_REG_OTHER: no object */
};

struct hd_schedule_filter {
    bool within; /* true: --within, false: --without */
    const char *function;
};

/* The schedule owns its strings; they live until hd_schedule_free. */
struct hd_schedule {
    const char *program;
    const char *directory;
    const char *build_id; /* hexadecimal; "": the program has none */
    const char **args;    /* without the program itself */
    uint32_t nargs;
    const char *test;     /* "": the whole program is run */

    HD_SETTINGS_EMBEDDED; /* if `faults` is 0, the other fields about faults are not used */
    hd_cname *sites;
    uint32_t nsites;
    hd_cname waits[HD_SCHEDULE_WAITS];
    uint32_t nwaits;
    struct hd_schedule_filter filters[HD_MAX_FILTERS];
    uint32_t nfilters;

    const char *strategy; /* the strategy that found it, for readers */
    uint64_t seed;
    enum hd_finding_kind kind;
    const char *message;
    uint64_t execution;
    uint32_t preemptions;
    const char *why; /* why it fails (report/evidence/explain.h); "": unknown */
    uint32_t decisive[HD_MAX_DECISIVE], ndecisive;
    /* Only for a leak: its allocation site, and how many blocks every execution loses. */
    uint64_t leak_site;
    uint32_t leak_expected;
    const char *expected; /* the output with which the program's is compared; "": none */
    const char *about;    /* for a data race: the name of its object that is the same in all executions; "": unknown */
    uint32_t version;     /* version of the file that it was read from; 0: not read from a file */

    struct hd_schedule_slot *slots;
    uint32_t nslots;
    struct hd_schedule_thread *threads;
    uint32_t nthreads;
    struct hd_schedule_step *steps;
    uint32_t nsteps;

    struct hd_texts *text; /* private: storage of the strings */
};

struct hd_schedule_error {
    char text[512]; /* one line: file, line number, what was expected */
};

/* True if the schedule contains the output that a replay must have.  With --expect-same, only findings about
 * the output need it. */
static inline bool hd_schedule_expects(const struct hd_schedule *s)
{
    return s->expect == HD_EXPECT_TEXT || s->kind == HD_FK_WRONG_OUTPUT ||
           s->kind == HD_FK_NOT_LINEARIZABLE;
}

extern const char *const hd_region_words[]; /* NULL-terminated, in the order of enum hd_region */

/* Returns a name of the object that stays the same when the program is edited: `name` if the region is that of
 * variables, otherwise a word for the region; "" if name is "". */
const char *hd_schedule_lasting(unsigned region, const char *name);

void hd_schedule_init(struct hd_schedule *s);
void hd_schedule_free(struct hd_schedule *s);

/* Initialises s with the program and the options of `other`.  Findings, slots, threads and steps remain to be
 * filled in. */
void hd_schedule_like(struct hd_schedule *s, const struct hd_schedule *other);

/* Returns a copy of the string that lives as long as the schedule; equal strings share one copy. */
const char *hd_schedule_string(struct hd_schedule *s, const char *str);

/* Allocates that many zeroed rows. */
void hd_schedule_reserve(struct hd_schedule *s, uint32_t nslots, uint32_t nthreads,
                         uint32_t nsteps);
void hd_schedule_add_arg(struct hd_schedule *s, const char *arg);
void hd_schedule_add_site(struct hd_schedule *s, hd_cname site);
/* Returns false if there are too many. */
bool hd_schedule_add_wait(struct hd_schedule *s, hd_cname place);
/* Returns false if there are already HD_MAX_FILTERS. */
bool hd_schedule_add_filter(struct hd_schedule *s, bool within, const char *function);

/* Returns false if the stream reports an error (errno is set). *sum is the checksum, which identifies the
 * schedule. */
bool hd_schedule_write(const struct hd_schedule *s, FILE *out, uint64_t *sum);

/* Reads the file into s, which must be initialised.  Returns false, with the reason in err, if that fails. */
bool hd_schedule_read(struct hd_schedule *s, const char *path, struct hd_schedule_error *err);

/* Like hd_schedule_read, from memory; name is used as the file's name in messages. */
bool hd_schedule_parse(struct hd_schedule *s, const char *name, const char *data, size_t size,
                       struct hd_schedule_error *err);

#endif
