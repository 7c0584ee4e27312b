/* SPDX-License-Identifier: BSD-2-Clause
 *
 * session.h - one launch of one program under Heddle: checks whether it can run, shows progress,
 * passes findings on, collects what the verdict depends on.  Every verb that runs a program uses this. */
#ifndef HD_CAMPAIGN_SESSION_SESSION_H
#define HD_CAMPAIGN_SESSION_SESSION_H

#include "campaign/session/places.h"
#include "campaign/setup/options.h"
#include "conductor/merge.h"
#include "conductor/watch.h"
#include "program/elf_info.h"
#include "report/verdict/result.h"
#include "status/progress.h"

struct hd_unseen_watch;
struct hd_resume;

/* The receivers of what a session finds.  Without them a session only counts its findings. */
struct hd_session_listener {
    hd_merge_fn *finding;    /* called for every finding and warning, once */
    void (*over)(void *ctx); /* called once, when the targets have ended */
    void *ctx;
    /* Shows progress; called about 20 times a second. */
    void (*look)(void *look_ctx, const struct hd_totals *t, double seconds);
    void *look_ctx;
};

struct hd_session {
    /* What is run, and how: valid while the session is open. */
    const struct hd_options *o;
    const char *program; /* as the user typed it */
    char *const *argv;   /* arguments of the target */
    const char *test;    /* name of the test that is searched; NULL: the program is the test */
    unsigned suite;      /* length of the part that names its suite; 0: none */
    bool preloads_test;  /* libheddle-each.so selects the test; otherwise an argument does */
    struct hd_elf_info elf;
    const struct hd_schedule *recorded; /* schedule that is replayed; NULL: a search */
    const char *recorded_file;
    bool own_time;           /* the budget counts only time in which the target could run */
    bool leaves_signals;     /* leave the user's signals pending: the caller handles them */
    bool in_turns;           /* hd_session_run is called several times, and each call continues the
                              * search */
    bool asked_from_outside; /* plan_runner.c requests executions and reads the findings */
    struct hd_session_listener on;

    /* The launch. */
    struct hd_wires wires;
    struct hd_wire *wire;      /* the first wire; NULL: no wires exist */
    struct hd_target *targets; /* one per wire */
    struct hd_merge merge;
    struct hd_watched watched;
    double seconds_before, searching_before; /* sums over earlier turns and the interrupted search
                                              * that this one continues */
    struct hd_resume *resume; /* the state of the search is saved (resume.h); NULL: it is not */
    struct {
        uint32_t times;   /* how often the search was interrupted and continued */
        double started;   /* when it began for the first time, in seconds since 1970; 0: not known */
    } continued;

    /* Where a session prints. */
    struct hd_text text;
    struct hd_progress_view progress;

    /* What is known about the run: complete when it is over. */
    struct hd_symbols *symbols; /* opened when first needed */
    size_t nfound;              /* number of findings that the workers have reported */
    struct hd_ledger ledger;    /* entries of this process and of all wires */
    struct hd_places places;
    struct hd_unseen_watch *unseen; /* uninstrumented code; NULL: not watched */
    char error[512];
};

/* Reads the program file.  Returns false, after a message, if the program cannot be run. */
bool hd_session_inspect(const char *program, struct hd_elf_info *elf);

/* Returns how progress is shown with these options, on this terminal. */
enum hd_progress_style hd_session_progress_style(const struct hd_options *o);

/* Inspects the program, creates the wires, sets the configuration from the options.  Returns
 * HD_EXIT_CLEAN, or another exit code after a message. */
int hd_session_open(struct hd_session *s, const struct hd_options *o, const char *program,
                    char *const *argv);

/* Adds a --within or --without.  Returns false, after a message, if there is no such function. */
bool hd_session_filter(struct hd_session *s, bool within, const char *function);

/* True if the program has a function of that name, for hd_session_filter. */
bool hd_session_has_function(const struct hd_session *s, const char *function);

/* Configures the session to run this schedule once, instead of a search. */
void hd_session_replays(struct hd_session *s, const struct hd_schedule *schedule);

/* Starts the targets and waits until they end or the time is over.  With in_turns, the next call
 * continues the search.  Returns HD_EXIT_CLEAN if they ran, whatever they found; otherwise the exit
 * code, after a message. */
int hd_session_run(struct hd_session *s, uint64_t budget_ms);

/* With in_turns: call after the last turn. */
void hd_session_over(struct hd_session *s);

/* Creates the schedule of the finding that r reports.  The caller frees it with hd_schedule_free. */
void hd_session_schedule(struct hd_session *s, const struct hd_report *r, struct hd_schedule *out);

/* Computes the totals of all workers. */
void hd_session_totals(const struct hd_session *s, struct hd_totals *t);
/* With several workers: estimates how much of their common space they have explored, and stores it in the totals. */
void hd_session_explored(const struct hd_session *s, struct hd_totals *t);

/* Computes the result so far, without findings and verdict (findings/findings.h). */
void hd_session_result(struct hd_session *s, struct hd_result *r);

/* Updates the display of progress. */
void hd_session_look(struct hd_session *s, const struct hd_totals *t, double seconds);

/* Adds the current ledger entries of all targets to the ledger of the session. */
void hd_session_gather_ledger(struct hd_session *s);

struct hd_symbols *hd_session_symbols(struct hd_session *s);
/* Like hd_session_symbols, but uses the list of modules of this wire if the symbols are not open
 * yet. */
struct hd_symbols *hd_session_symbols_from(struct hd_session *s, const struct hd_wire *w);

void hd_session_close(struct hd_session *s);

#endif
