/* SPDX-License-Identifier: BSD-2-Clause
 *
 * findings.c - saving, minimising and showing findings. */
#include "campaign/findings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/hash.h"
#include "campaign/commands.h"
#include "campaign/confirm.h"
#include "campaign/signals.h"
#include "campaign/suppression.h"
#include "campaign/warnings.h"
#include "campaign/witness.h"
#include "conductor/store.h"
#include "report/evidence/decisive.h"
#include "report/evidence/message.h"
#include "report/evidence/place.h"
#include "report/evidence/race.h"
#include "report/evidence/why.h"
#include "report/text/finding.h"

enum { SHOWN_IN_FULL = 10 }; /* with --keep-going; each later finding gets one line */

/* ---- saving -------------------------------------------------------------------------- */

struct hd_result_finding *hd_findings_new(struct hd_session *s, enum hd_finding_kind kind,
                                          uint64_t execution)
{
    s->findings = realloc(s->findings, (s->nfindings + 1) * sizeof *s->findings);
    HD_INVARIANT(s->findings != NULL, "out of memory");
    struct hd_result_finding *f = &s->findings[s->nfindings++];

    *f = (struct hd_result_finding){ .kind = kind, .execution = execution };
    return f;
}

/* A finding without a schedule is known by its kind and message. */
struct hd_result_finding *hd_findings_new_said(struct hd_session *s, enum hd_finding_kind kind,
                                               uint64_t execution, const char *message)
{
    struct hd_result_finding *f = hd_findings_new(s, kind, execution);

    snprintf(f->message, sizeof f->message, "%s", message);
    snprintf(f->id, sizeof f->id, "%012llx",
             (unsigned long long)(hd_hash_bytes((uint64_t)kind, message, strlen(message)) >> 16));
    return f;
}

static struct hd_result_finding *new_finding(struct hd_session *s, const struct hd_wire *wire,
                                             const struct hd_finding *record)
{
    struct hd_result_finding *f = hd_findings_new(s, (enum hd_finding_kind)record->kind, record->execution);

    f->preemptions = record->preemptions;
    f->record = record;
    f->wire = wire;
    return f;
}

/* Saves the schedule and sets the id and path of the finding.  Returns false, after a message, on
 * failure.  *existed: the same schedule was already in the directory. */
static bool save(struct hd_session *s, const struct hd_schedule *schedule,
                 struct hd_result_finding *out, bool *existed)
{
    struct hd_stored stored;
    bool saved = hd_store_save(s->o->out_dir, schedule, &stored);

    *existed = stored.existed;
    memcpy(out->id, stored.id, sizeof out->id);
    if (saved)
        snprintf(out->schedule, sizeof out->schedule, "%s", stored.path);
    else
        fprintf(stderr, "heddle: %s; give -o a directory that may be written to\n", stored.error);
    return saved;
}

static bool is_known_race(const struct hd_session *s, uint64_t key)
{
    for (size_t i = 0; i < s->nfindings; i++)
        if (s->findings[i].race_key == key)
            return true;
    return false;
}

static void tell_of_again(const struct hd_text *t, const struct hd_result_finding *f)
{
    if (f->again == HD_CONFIRMED_NO)
        hd_text_wrap(t, 0, 2, "It did not come again when its schedule was run once more: the program depends on "
                              "something that Heddle does not control, and that may be all there is to it.");
}

/* Gives the finding to the report files, with its text without colour. */
static void keep_for_outputs(struct hd_session *s, const struct hd_report *r,
                             struct hd_result_finding *kept)
{
    char *report = NULL;
    size_t size;
    struct hd_text plain = { .width = HD_TEXT_WIDTH };

    if (s->outputs == NULL)
        return;
    if (hd_outputs_want_text(s->outputs)) {
        plain.out = open_memstream(&report, &size);
        HD_INVARIANT(plain.out != NULL, "out of memory");
        hd_text_finding(&plain, r, s->program);
        tell_of_again(&plain, kept);
        hd_commands_print(plain.out, kept, s->program);
        fclose(plain.out);
    }
    hd_outputs_finding(s->outputs, r, report, kept);
    free(report);
}

static bool is_shown_in_full(const struct hd_session *s, const struct hd_result_finding *f)
{
    return f - s->findings < SHOWN_IN_FULL;
}

static void present(struct hd_session *s, struct hd_report *r, const struct hd_result_finding *kept)
{
    if (is_shown_in_full(s, kept)) {
        if (s->o->show_output)
            r->noutput = 0; /* replay prints the whole output later */
        hd_text_finding(&s->text, r, s->program);
    } else {
        fprintf(s->text.out, "FOUND %s: %s\n", hd_finding_kind_text(kept->kind), kept->message);
    }
    tell_of_again(&s->text, kept);
    hd_commands_print(s->text.out, kept, s->program);
    fputc('\n', s->text.out);
    fflush(s->text.out);
}

/* Replays the schedule for information that only a replay provides, such as stacks.  Returns NULL
 * if none is needed or the replay failed. */
static const struct hd_witness *second_look(const struct hd_session *s, const struct hd_report *r,
                                            const struct hd_schedule *schedule)
{
    struct hd_decisive decisive;

    hd_decisive_find(r, &decisive);
    if (r->race != NULL)
        return hd_witness_find(s, r, schedule);
    decisive.n = hd_report_lost_events(r, decisive.event, decisive.n, HD_WITNESS_EVENTS);
    return (decisive.n > 0 || hd_report_lacks_places(r)) && hd_decisive_can_be_seen(r)
               ? hd_witness_stacks(s, schedule, decisive.event, decisive.n) : NULL;
}

/* Completes a finding of a replay.  If it is of the recorded kind, it keeps the execution number
 * and the schedule of the recording.  Otherwise it has none. */
static void take_from_recording(const struct hd_session *s, struct hd_report *r,
                                struct hd_result_finding *kept)
{
    const struct hd_schedule *sch = s->replayed_schedule;
    bool again = s->replayed_kind == kept->kind;

    r->execution = kept->execution = again ? s->replayed_execution : 0;
    if (again)
        snprintf(kept->schedule, sizeof kept->schedule, "%s", s->replayed);
    if (again && kept == s->findings) /* other findings of the execution have their own schedules, if any */
        hd_store_identify(sch, kept->id);
    if (!again || strcmp(kept->message, sch->message) != 0)
        return; /* another finding of the same kind: the recorded explanation is not about it */
    snprintf(kept->why.sentence, sizeof kept->why.sentence, "%s", sch->why);
    kept->why.nevents = sch->ndecisive;
    memcpy(kept->why.event, sch->decisive, sizeof kept->why.event);
    r->why = &kept->why;
}

/* ---- showing ------------------------------------------------------------------------------------ */

static void open_report(struct hd_session *s, const struct hd_result_finding *f, struct hd_report *r)
{
    if (f->minimized != NULL) {
        hd_minimized_report(f->minimized, hd_session_symbols_from(s, f->wire), r);
    } else {
        hd_report_open(r, f->wire, f->record, hd_session_symbols_from(s, f->wire));
    }
    r->execution = f->execution;
    r->why = f->why.sentence[0] != '\0' ? &f->why : NULL;
    r->ledger = &s->ledger;
}

static void name_places(const struct hd_report *r, struct hd_result_finding *f)
{
    if (r->race != NULL)
        hd_race_places(r, f->places, sizeof f->places);
    hd_report_message(r, f->message, sizeof f->message);
}

/* Returns the time left for findings, in milliseconds.  With a budget, all findings together get
 * the rest of it, or the time of one finding (--minimize-budget) if that is more.  So a search with
 * many findings ends in time. */
static double time_left(struct hd_session *s)
{
    double each = (double)s->o->minimize_ms, now = hd_seconds_now() * 1e3;

    if (s->findings_until == 0) {
        double left = (double)s->o->budget_ms - s->watched.seconds * 1e3;

        s->findings_until = now + (left > each ? left : each);
    }
    return s->findings_until - now;
}

/* True if the finding is to be replayed for more information: the first finding always, the others
 * while there is time. */
static bool is_looked_at(struct hd_session *s, const struct hd_result_finding *f)
{
    if (!is_shown_in_full(s, f))
        return false;
    if (f == s->findings || s->replayed != NULL || s->o->budget_ms == 0 || time_left(s) > 0)
        return true;
    s->not_looked_at++;
    return false;
}

/* Replays the finding to confirm it, unless minimising or the witness has already run it again. */
static void run_again(const struct hd_session *s, const struct hd_report *r, const struct hd_schedule *schedule,
                      struct hd_result_finding *f)
{
    if (r->race != NULL && r->witness != NULL)
        f->again = HD_CONFIRMED_YES;
    else if (f->again == HD_CONFIRMED_UNKNOWN && s->replayed == NULL)
        f->again = hd_confirm_run(s, schedule, f);
}

/* Replays, prints and reports the finding.  schedule is the one that was saved. */
static void show(struct hd_session *s, struct hd_report *r, const struct hd_schedule *schedule,
                 struct hd_result_finding *f)
{
    if (is_looked_at(s, f)) {
        r->witness = second_look(s, r, schedule);
        run_again(s, r, schedule, f);
    }
    keep_for_outputs(s, r, f);
    present(s, r, f);
    hd_witness_free(r->witness);
    r->witness = NULL;
}

/* ---- minimising ---------------------------------------------------------------------------------- */

/* Saves the smaller schedule and removes the first one, unless that existed before this search. */
static void replace(struct hd_session *s, const struct hd_schedule *small, struct hd_result_finding *f)
{
    struct hd_result_finding old = *f;
    bool existed;

    if (save(s, small, f, &existed) && old.schedule[0] != '\0' && !f->was_there &&
        strcmp(old.schedule, f->schedule) != 0)
        unlink(old.schedule);
}

static void keep_why(struct hd_schedule *s, const struct hd_explanation *why)
{
    s->why = why->sentence;
    s->ndecisive = why->nevents;
    memcpy(s->decisive, why->event, sizeof s->decisive);
}

/* Computes the explanation, which the schedule will contain.  It must name places in the user's
 * code; if the record lacks them, this takes another replay. */
static void tell_why(const struct hd_session *s, struct hd_report *r, const struct hd_schedule *small,
                     const struct hd_cause *cause, struct hd_explanation *why)
{
    uint32_t lost[HD_WITNESS_EVENTS];

    if (r->race == NULL && hd_report_lacks_places(r) && hd_decisive_can_be_seen(r))
        r->witness = hd_witness_stacks(s, small, lost,
                                       hd_report_lost_events(r, lost, 0, HD_WITNESS_EVENTS));
    hd_why_tell(r, cause, why);
    hd_witness_free(r->witness);
    r->witness = NULL;
}

/* True if the search ran an execution that did not fail. */
static bool some_passed(const struct hd_session *s)
{
    struct hd_totals t;

    hd_merge_totals(&s->merge, &t);
    return t.executions > t.buggy;
}

/* Takes the minimised schedule for the finding and saves it.  Returns false, and changes nothing,
 * if a replay of the smaller schedule does not show the finding. */
static bool take_smaller(struct hd_session *s, struct hd_minimized *m, uint64_t occurrence,
                         struct hd_schedule *schedule, struct hd_result_finding *f)
{
    struct hd_report r;
    struct hd_schedule small;

    f->minimized = m;
    open_report(s, f, &r);
    hd_minimized_schedule(&r, schedule, &small);
    if (!hd_minimize_replays(s, &small, occurrence)) {
        f->minimized = NULL;
        hd_schedule_free(&small);
        return false;
    }
    f->again = HD_CONFIRMED_YES;
    m->cause.passes |= some_passed(s);
    tell_why(s, &r, &small, &m->cause, &f->why);
    name_places(&r, f);
    f->preemptions = r.finding->preemptions;
    small.message = f->message;
    keep_why(&small, &f->why);
    replace(s, &small, f);
    hd_schedule_free(schedule);
    *schedule = small;
    return true;
}

static uint64_t minimize_ms(struct hd_session *s)
{
    double left = s->o->budget_ms != 0 ? time_left(s) : (double)s->o->minimize_ms;

    return left <= 0 ? 0 : left < (double)s->o->minimize_ms ? (uint64_t)left : s->o->minimize_ms;
}

static void show_waiting(struct hd_session *s, struct hd_result_finding *f)
{
    struct hd_report r;
    struct hd_schedule schedule;
    struct hd_minimized *m = NULL;
    bool slow = false;

    open_report(s, f, &r);
    hd_session_schedule(s, &r, &schedule);
    schedule.message = f->message;
    if (!s->watched.interrupted)
        m = hd_minimize(s, &schedule, f->record->occurrence, minimize_ms(s), &slow);
    s->stopped_early += m != NULL ? m->early : slow;
    if (m != NULL && !take_smaller(s, m, f->record->occurrence, &schedule, f))
        hd_minimized_free(m);
    s->watched.interrupted |= hd_signals_take(); /* the signal ended only the minimising */
    open_report(s, f, &r);
    show(s, &r, &schedule, f);
    hd_schedule_free(&schedule);
    f->waits = false;
}

/* After a signal the user gets the findings as they are.  The child at work gets the signal
 * (child_session.h) and ends early.  This process blocks it, because it must still show the
 * findings. */
void hd_findings_finish(struct hd_session *s)
{
    sigset_t before;

    if (s->asked_from_outside || s->measures)
        return;
    hd_signals_hold(&before);
    s->later_come = true;
    for (size_t i = 0; i < s->nlater; i++)
        hd_findings_take(s, s->later[i].wire, s->later[i].finding);
    for (size_t i = 0; i < s->nfindings; i++) {
        if (s->findings[i].waits)
            show_waiting(s, &s->findings[i]);
        s->watched.interrupted |= hd_signals_take();
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* ---- a new finding arrives ----------------------------------------------------------- */

/* True if the finding is minimised, and therefore shown, only after the search.  A replay shows
 * findings at once. */
static bool is_to_wait(const struct hd_session *s, const struct hd_result_finding *f)
{
    return s->replayed == NULL && s->o->minimize && is_shown_in_full(s, f) &&
           hd_minimize_allowed(f->kind);
}

static void announce(const struct hd_session *s, const struct hd_result_finding *f)
{
    if (s->o->keep_going && s->progress.style != HD_PROGRESS_SILENT)
        fprintf(stderr, "heddle: found %s: %s\n", hd_finding_kind_text(f->kind), f->message);
}

static void take_new(struct hd_session *s, struct hd_report *r, struct hd_result_finding *f)
{
    struct hd_schedule schedule;

    hd_progress_clear(&s->progress);
    name_places(r, f);
    hd_session_schedule(s, r, &schedule);
    schedule.message = f->message;
    if (s->replayed == NULL)
        save(s, &schedule, f, &f->was_there);
    else
        take_from_recording(s, r, f);
    f->waits = is_to_wait(s, f);
    if (f->waits)
        announce(s, f);
    else
        show(s, r, &schedule, f);
    hd_schedule_free(&schedule);
}

/* True if a replay must show this finding later.  An execution may have several findings; the one
 * for which the schedule was saved is shown first, whenever it arrives. */
static bool is_for_later(struct hd_session *s, const struct hd_report *r)
{
    const struct hd_schedule *sch = s->replayed_schedule;
    char message[sizeof s->findings->message];

    if (s->replayed == NULL || s->later_come)
        return false;
    hd_report_message(r, message, sizeof message);
    return (enum hd_finding_kind)r->finding->kind != sch->kind || strcmp(message, sch->message) != 0;
}

static void leave_for_later(struct hd_session *s, const struct hd_wire *wire, const struct hd_finding *f)
{
    s->later = realloc(s->later, (s->nlater + 1) * sizeof *s->later);
    HD_INVARIANT(s->later != NULL, "out of memory");
    s->later[s->nlater++] = (struct hd_later){ wire, f };
}

void hd_findings_take(void *session, const struct hd_wire *wire, const struct hd_finding *f)
{
    struct hd_session *s = session;
    struct hd_report r;

    if (f->warning != HD_WARN_NONE) {
        if (!s->measures)
            hd_warnings_add(s, wire, f);
        return;
    }
    if (s->measures) {
        new_finding(s, wire, f);
        return;
    }
    hd_session_gather_ledger(s);
    hd_report_open(&r, wire, f, hd_session_symbols_from(s, wire));
    r.ledger = &s->ledger;
    if (is_for_later(s, &r)) {
        leave_for_later(s, wire, f);
        return;
    }
    uint64_t key = r.race != NULL ? hd_race_key(&r) : 0;

    if (key != 0)
        hd_races_note(&s->races, hd_race_pair(&r.race->race), key);
    if (f->judgement == HD_SUPPRESSED) {
        hd_suppression_count(s, &r, key);
        return;
    }
    if (key != 0 && is_known_race(s, key))
        return;
    struct hd_result_finding *kept = new_finding(s, wire, f);

    kept->race_key = key;
    take_new(s, &r, kept);
}

bool hd_findings_add_minimized(struct hd_session *s, const struct hd_schedule *original,
                               struct hd_minimized *m)
{
    struct hd_report r;
    struct hd_schedule schedule;

    hd_minimized_report(m, hd_session_symbols_from(s, &m->wire), &r);
    struct hd_result_finding *f = new_finding(s, &m->wire, r.finding);

    f->execution = original->execution;
    hd_schedule_like(&schedule, original);
    bool runs = take_smaller(s, m, r.finding->occurrence, &schedule, f);

    f->minimized = m;
    if (runs) {
        open_report(s, f, &r);
        show(s, &r, &schedule, f);
    }
    hd_schedule_free(&schedule);
    return runs;
}

void hd_findings_free(struct hd_session *s)
{
    for (size_t i = 0; i < s->nfindings; i++) {
        for (unsigned k = 0; k < HD_FORMATS; k++)
            free(s->findings[i].kept[k]);
        hd_minimized_free(s->findings[i].minimized);
    }
    free(s->findings);
    free(s->later);
}
