/* SPDX-License-Identifier: BSD-2-Clause
 *
 * findings.c - saves, minimises and shows findings. */
#include "campaign/findings/findings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/vec.h"
#include "campaign/findings/commands.h"
#include "campaign/rerun/confirm.h"
#include "campaign/rerun/witness.h"
#include "campaign/session/startup_error.h"
#include "conductor/signals.h"
#include "conductor/store.h"
#include "report/evidence/decisive.h"
#include "report/evidence/message.h"
#include "report/evidence/place.h"
#include "report/evidence/race.h"
#include "report/evidence/why.h"
#include "report/text/finding.h"

enum { SHOWN_IN_FULL = 10 }; /* with --keep-going; later findings get one line each */

/* ---- saving -------------------------------------------------------------------------- */

struct hd_result_finding *hd_findings_new(struct hd_findings *all, enum hd_finding_kind kind,
                                          uint64_t execution)
{
    struct hd_result_finding *f = HD_PUSH(all->list, all->n);

    *f = (struct hd_result_finding){ .kind = kind, .execution = execution };
    return f;
}

/* A finding without a schedule is identified by its kind and message. */
struct hd_result_finding *hd_findings_new_from_message(struct hd_findings *all, enum hd_finding_kind kind,
                                               uint64_t execution, const char *message)
{
    struct hd_result_finding *f = hd_findings_new(all, kind, execution);

    snprintf(f->message, sizeof f->message, "%s", message);
    snprintf(f->id, sizeof f->id, "%012llx",
             (unsigned long long)(hd_hash_bytes((uint64_t)kind, message, strlen(message)) >> 16));
    return f;
}

static struct hd_result_finding *new_finding(struct hd_findings *all, const struct hd_wire *wire,
                                             const struct hd_finding *record)
{
    struct hd_result_finding *f = hd_findings_new(all, (enum hd_finding_kind)record->kind, record->execution);

    f->preemptions = record->preemptions;
    f->record = record;
    f->wire = wire;
    return f;
}

/* True if the schedule was saved before this search began.  A continued search began when it was
 * first started. */
static bool is_older(const struct hd_session *s, const struct hd_stored *stored)
{
    const double tick = 0.01; /* times of files are not exact */

    return stored->existed && (s->continued.times == 0 || stored->modified < s->continued.started - tick);
}

/* Saves the schedule and sets the id and path of the finding.  Returns false, after a message, on
 * failure.  *existed: the same schedule was already in the directory before this search. */
static bool save(struct hd_findings *all, const struct hd_schedule *schedule,
                 struct hd_result_finding *out, bool *existed)
{
    struct hd_stored stored;
    bool saved = hd_store_save(all->s->o->out_dir, schedule, &stored);

    *existed = is_older(all->s, &stored);
    memcpy(out->id, stored.id, sizeof out->id);
    if (saved)
        snprintf(out->schedule, sizeof out->schedule, "%s", stored.path);
    else
        fprintf(stderr, "heddle: %s; give -o a directory that may be written to\n", stored.error);
    return saved;
}

static bool is_known_race(const struct hd_findings *all, uint64_t key)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->list[i].race_key == key)
            return true;
    return false;
}

static void tell_of_again(const struct hd_text *t, const struct hd_result_finding *f)
{
    if (f->again == HD_CONFIRMED_NO)
        hd_text_wrap(t, 0, 2, "It did not occur again when Heddle replayed its schedule: the program depends on "
                              "something that Heddle does not control, and that may be the whole cause.");
}

/* Gives the finding to the report files, with its text without colour. */
static void keep_for_outputs(struct hd_findings *all, const struct hd_report *r,
                             struct hd_result_finding *kept)
{
    char *report = NULL;
    size_t size;
    struct hd_text plain = { .width = HD_TEXT_WIDTH };
    struct hd_result_finding named = *kept;

    if (all->outputs == NULL)
        return;
    if (all->name_schedule != NULL && kept->schedule[0] != '\0')
        all->name_schedule(kept, named.schedule, sizeof named.schedule);
    if (hd_outputs_want_text(all->outputs)) {
        plain.out = hd_memory_stream(&report, &size);
        hd_text_finding(&plain, r, all->s->program);
        tell_of_again(&plain, kept);
        hd_commands_print(plain.out, &named, all->s->program);
        fclose(plain.out);
    }
    hd_outputs_finding(all->outputs, r, report, kept);
    free(report);
}

static bool is_shown_in_full(const struct hd_findings *all, const struct hd_result_finding *f)
{
    return f - all->list < SHOWN_IN_FULL;
}

static void present(struct hd_findings *all, struct hd_report *r, const struct hd_result_finding *kept)
{
    if (is_shown_in_full(all, kept)) {
        if (all->s->o->show_output)
            r->noutput = 0; /* replay prints the whole output later */
        hd_text_finding(&all->s->text, r, all->s->program);
    } else {
        fprintf(all->s->text.out, "FOUND %s: %s\n", hd_finding_kind_text(kept->kind), kept->message);
    }
    tell_of_again(&all->s->text, kept);
    hd_commands_print(all->s->text.out, kept, all->s->program);
    fputc('\n', all->s->text.out);
    fflush(all->s->text.out);
}

/* Replays the schedule for information that only a replay provides, such as stacks.  Returns NULL
 * if none is needed or the replay failed. */
static const struct hd_witness *second_look(const struct hd_findings *all, const struct hd_report *r,
                                            const struct hd_schedule *schedule, struct hd_result_finding *f)
{
    struct hd_decisive decisive;
    uint32_t wanted[HD_WITNESS_EVENTS];

    if (r->race != NULL)
        return hd_witness_find(all->s, r, schedule);
    hd_decisive_find(r, &decisive);
    memcpy(wanted, decisive.event, decisive.n * sizeof *wanted);
    unsigned n = hd_report_lost_events(r, wanted, decisive.n, HD_WITNESS_EVENTS);

    return hd_decisive_can_be_seen(r)
               ? hd_witness_stacks(all->s, schedule, wanted, n, all->s->recorded == NULL ? f : NULL) : NULL;
}

/* Completes a finding of a replay.  If it is of the recorded kind, it keeps the execution number
 * and the schedule of the recording.  Otherwise it has none. */
static void take_from_recording(const struct hd_findings *all, struct hd_report *r,
                                struct hd_result_finding *kept)
{
    const struct hd_schedule *sch = all->s->recorded;
    bool again = sch->kind == kept->kind;

    r->execution = kept->execution = again ? sch->execution : 0;
    if (again)
        snprintf(kept->schedule, sizeof kept->schedule, "%s", all->s->recorded_file);
    if (again && kept == all->list) /* other findings of the execution have their own schedules, if any */
        hd_store_identify(sch, kept->id);
    if (!again || strcmp(kept->message, sch->message) != 0)
        return; /* another finding of the same kind: the recorded explanation is not about it */
    snprintf(kept->why.sentence, sizeof kept->why.sentence, "%s", sch->why);
    kept->why.nevents = sch->ndecisive;
    memcpy(kept->why.event, sch->decisive, sizeof kept->why.event);
    r->why = &kept->why;
}

/* ---- showing ------------------------------------------------------------------------------------ */

static void open_report(struct hd_findings *all, const struct hd_result_finding *f, struct hd_report *r)
{
    if (f->minimized != NULL) {
        hd_minimized_report(f->minimized, hd_session_symbols_from(all->s, f->wire), r);
    } else {
        hd_report_open(r, f->wire, f->record, hd_session_symbols_from(all->s, f->wire));
    }
    r->execution = f->execution;
    r->why = f->why.sentence[0] != '\0' ? &f->why : NULL;
    r->ledger = &all->s->ledger;
}

static void name_places(const struct hd_report *r, struct hd_result_finding *f)
{
    if (r->race != NULL) {
        hd_race_places(r, f->places, sizeof f->places);
        f->phase = hd_race_phase(r);
    }
    hd_report_message(r, f->message, sizeof f->message);
}

/* Returns the time left for replaying and minimising findings, in milliseconds.  With a budget, all findings
 * together get the rest of it, or the time of one finding (--minimize-budget) if that is more.  So a search with
 * many findings ends in time. */
static double time_left(struct hd_findings *all)
{
    double each = (double)all->s->o->minimize_ms, now = hd_seconds_now() * 1e3;

    if (all->until == 0) {
        double left = (double)all->s->o->budget_ms - all->s->watched.seconds * 1e3;

        all->until = now + (left > each ? left : each);
    }
    return all->until - now;
}

/* True if the finding is to be replayed for more information: the first finding always, the others
 * while there is time. */
static bool is_looked_at(struct hd_findings *all, const struct hd_result_finding *f)
{
    if (!is_shown_in_full(all, f))
        return false;
    if (f == all->list || all->s->recorded != NULL || all->s->o->budget_ms == 0 || time_left(all) > 0)
        return true;
    all->not_looked_at++;
    return false;
}

/* Replays the finding to confirm it, unless minimising or the witness has already run it again. */
static void run_again(const struct hd_findings *all, const struct hd_report *r, const struct hd_schedule *schedule,
                      struct hd_result_finding *f)
{
    if (r->race != NULL && r->witness != NULL)
        f->again = HD_CONFIRMED_YES;
    else if (f->again == HD_CONFIRMED_UNKNOWN && all->s->recorded == NULL)
        f->again = hd_confirm_run(all->s, schedule, f);
}

/* Replays, prints and reports the finding.  schedule is the one that was saved. */
static void show(struct hd_findings *all, struct hd_report *r, const struct hd_schedule *schedule,
                 struct hd_result_finding *f)
{
    if (is_looked_at(all, f)) {
        r->witness = second_look(all, r, schedule, f);
        if (r->race != NULL && r->witness != NULL)
            name_places(r, f); /* use the witness: it has the calls that lead to the first access */
        run_again(all, r, schedule, f);
    }
    keep_for_outputs(all, r, f);
    present(all, r, f);
    hd_witness_free(r->witness);
    r->witness = NULL;
}

/* ---- minimising ---------------------------------------------------------------------------------- */

/* Saves the smaller schedule and removes the first one, unless that existed before this search. */
static void replace(struct hd_findings *all, const struct hd_schedule *small, struct hd_result_finding *f)
{
    struct hd_result_finding old = *f;
    bool existed;

    if (save(all, small, f, &existed) && old.schedule[0] != '\0' && !f->was_there &&
        strcmp(old.schedule, f->schedule) != 0)
        unlink(old.schedule);
}

static void keep_why(struct hd_schedule *s, const struct hd_explanation *why)
{
    s->why = why->sentence;
    s->ndecisive = why->nevents;
    memcpy(s->decisive, why->event, sizeof s->decisive);
}

/* Computes the explanation, which is saved with the schedule.  It must name places in the user's code; if the
 * record lacks them, this function replays the schedule. */
static void tell_why(const struct hd_findings *all, struct hd_report *r, const struct hd_schedule *small,
                     const struct hd_cause *cause, struct hd_explanation *why)
{
    uint32_t lost[HD_WITNESS_EVENTS];
    unsigned n = 0;

    for (unsigned i = 0; i < sizeof cause->part / sizeof *cause->part; i++)
        if (cause->how != HD_CAUSE_UNKNOWN && cause->part[i].event < r->nevents)
            lost[n++] = cause->part[i].event;
    if (r->race == NULL && hd_report_lacks_places(r) && hd_decisive_can_be_seen(r))
        r->witness = hd_witness_stacks(all->s, small, lost,
                                       hd_report_lost_events(r, lost, n, HD_WITNESS_EVENTS), NULL);
    hd_why_tell(r, cause, why);
    hd_witness_free(r->witness);
    r->witness = NULL;
}

/* True if the search ran an execution that did not fail. */
static bool some_passed(const struct hd_findings *all)
{
    struct hd_totals t;

    hd_merge_totals(&all->s->merge, &t);
    return t.executions > t.buggy;
}

/* Replaces the schedule of the finding by the minimised one and saves it.  Returns false, and changes nothing, if
 * a replay of the smaller schedule does not show the finding. */
static bool take_smaller(struct hd_findings *all, struct hd_minimized *m, uint64_t occurrence,
                         struct hd_schedule *schedule, struct hd_result_finding *f)
{
    struct hd_report r;
    struct hd_schedule small;

    f->minimized = m;
    open_report(all, f, &r);
    hd_minimized_schedule(&r, schedule, &small);
    if (!hd_minimize_replays(all->s, &small, occurrence)) {
        f->minimized = NULL;
        hd_schedule_free(&small);
        return false;
    }
    f->again = HD_CONFIRMED_YES;
    m->cause.passes |= some_passed(all);
    tell_why(all, &r, &small, &m->cause, &f->why);
    name_places(&r, f);
    f->preemptions = r.finding->preemptions;
    small.message = f->message;
    keep_why(&small, &f->why);
    replace(all, &small, f);
    hd_schedule_free(schedule);
    *schedule = small;
    return true;
}

static uint64_t minimize_ms(struct hd_findings *all)
{
    double left = all->s->o->budget_ms != 0 ? time_left(all) : (double)all->s->o->minimize_ms;

    return left <= 0 ? 0 : left < (double)all->s->o->minimize_ms ? (uint64_t)left : all->s->o->minimize_ms;
}

/* ---- a new finding arrives ----------------------------------------------------------- */

static bool is_minimised(const struct hd_findings *all, const struct hd_result_finding *f)
{
    return all->s->o->minimize && is_shown_in_full(all, f) && hd_minimize_allowed(f->kind);
}

/* True if the search continues after some findings. */
static bool goes_past_some(const struct hd_session *s)
{
    return s->o->keep_going || !hd_config_stops_at(&s->wire->config, HD_FK_DATA_RACE);
}

/* True if the finding must be shown only after the search: because it is minimised first, or because a more
 * important finding may follow.  A replay shows findings at once. */
static bool is_to_wait(const struct hd_findings *all, const struct hd_result_finding *f)
{
    return all->s->recorded == NULL && (goes_past_some(all->s) || is_minimised(all, f));
}

static void announce(const struct hd_findings *all, const struct hd_result_finding *f)
{
    if (goes_past_some(all->s) && all->is_given_up == NULL && all->s->progress.style != HD_PROGRESS_SILENT)
        fprintf(stderr, "heddle: found %s: %s\n", hd_finding_kind_text(f->kind), f->message);
}

static void take_new(struct hd_findings *all, struct hd_report *r, struct hd_result_finding *f)
{
    struct hd_schedule schedule;

    hd_progress_clear(&all->s->progress);
    name_places(r, f);
    hd_session_schedule(all->s, r, &schedule);
    schedule.message = f->message;
    if (all->s->recorded == NULL)
        save(all, &schedule, f, &f->was_there);
    else
        take_from_recording(all, r, f);
    f->waits = is_to_wait(all, f);
    if (f->waits)
        announce(all, f);
    else
        show(all, r, &schedule, f);
    hd_schedule_free(&schedule);
}

/* True if a replay must show this finding later.  An execution may have several findings; the one for which the
 * schedule was saved must be shown first. */
static bool is_for_later(struct hd_findings *all, const struct hd_report *r)
{
    const struct hd_schedule *sch = all->s->recorded;
    char message[sizeof all->list->message];

    if (all->s->recorded == NULL || all->later_come)
        return false;
    hd_report_message(r, message, sizeof message);
    return (enum hd_finding_kind)r->finding->kind != sch->kind || strcmp(message, sch->message) != 0;
}

static void leave_for_later(struct hd_findings *all, const struct hd_wire *wire, const struct hd_finding *f)
{
    *HD_PUSH(all->later, all->nlater) = (struct hd_later){ wire, f };
}

static void take(void *ctx, const struct hd_wire *wire, const struct hd_finding *f)
{
    struct hd_findings *all = ctx;
    struct hd_report r;

    if (f->warning != HD_WARN_NONE) {
        hd_warnings_add(&all->warnings, wire, f);
        return;
    }
    hd_session_gather_ledger(all->s);
    hd_report_open(&r, wire, f, hd_session_symbols_from(all->s, wire));
    r.ledger = &all->s->ledger;
    if (is_for_later(all, &r)) {
        leave_for_later(all, wire, f);
        return;
    }
    uint64_t key = r.race != NULL ? hd_race_key(&r) : 0;

    if (key != 0)
        hd_races_note(&all->races, hd_race_pair(&r.race->race), key);
    if (f->judgement == HD_SUPPRESSED) {
        hd_suppression_count(&all->suppression, &r, key);
        return;
    }
    if (key != 0 && is_known_race(all, key))
        return;
    struct hd_result_finding *kept = new_finding(all, wire, f);

    kept->race_key = key;
    if (key != 0) {
        kept->race_pc[0] = r.race->race.first.pc;
        kept->race_pc[1] = r.race->race.second.pc;
    }
    take_new(all, &r, kept);
}

/* ---- when the search is over ---------------------------------------------------------- */

static void show_waiting(struct hd_findings *all, struct hd_result_finding *f)
{
    struct hd_report r;
    struct hd_schedule schedule;
    struct hd_minimized *m = NULL;
    bool slow = false;

    open_report(all, f, &r);
    hd_session_schedule(all->s, &r, &schedule);
    schedule.message = f->message;
    if (!all->s->watched.interrupted && is_minimised(all, f))
        m = hd_minimize(all->s, &schedule, f->record->occurrence, minimize_ms(all), &slow);
    all->stopped_early += m != NULL ? m->early : slow;
    if (m != NULL && !take_smaller(all, m, f->record->occurrence, &schedule, f))
        hd_minimized_free(m);
    all->s->watched.interrupted |= hd_signals_take(); /* the signal was meant to end only the minimising */
    open_report(all, f, &r);
    show(all, &r, &schedule, f);
    hd_schedule_free(&schedule);
    f->waits = false;
}

static int by_schedule(const void *a, const void *b)
{
    const struct hd_result_finding *fa = a, *fb = b;

    return hd_merge_compare(fa->record, fb->record);
}

/* Puts data races after all other findings, because a race may do no harm.  Keeps the order otherwise. */
static void put_races_last(struct hd_findings *all)
{
    struct hd_result_finding *sorted = calloc(all->n + 1, sizeof *sorted);
    size_t n = 0;

    HD_INVARIANT(sorted != NULL, "out of memory");
    for (int races = 0; races < 2; races++)
        for (size_t i = 0; i < all->n; i++)
            if ((all->list[i].kind == HD_FK_DATA_RACE) == races)
                sorted[n++] = all->list[i];
    free(all->list);
    all->list = sorted;
}

/* Sorts the findings: workers that share a space find them in an arbitrary order.  A replay shows
 * the recorded one first. */
static void order_findings(struct hd_findings *all)
{
    if (all->n < 2 || all->s->recorded != NULL)
        return;
    if (all->s->wires.n > 1 && !all->s->wire->config.by_index)
        qsort(all->list, all->n, sizeof *all->list, by_schedule);
    put_races_last(all);
}

/* After a signal the user gets the findings as they are.  The child that is minimising receives the signal
 * (child_session.h) and ends early.  This process blocks the signal, because it must still show the findings. */
void hd_findings_finish(struct hd_findings *all)
{
    sigset_t before;

    hd_signals_hold(&before);
    all->later_come = true;
    for (size_t i = 0; i < all->nlater; i++)
        take(all, all->later[i].wire, all->later[i].finding);
    order_findings(all);
    for (size_t i = 0; i < all->n; i++) {
        if (all->list[i].waits)
            show_waiting(all, &all->list[i]);
        all->s->watched.interrupted |= hd_signals_take();
    }
    if (all->n > 1 && all->s->recorded == NULL && all->list[0].schedule[0] != '\0')
        hd_store_point(all->s->o->out_dir, all->list[0].schedule); /* the most important finding */
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Removes the schedules that this search has saved: the next one saves them again. */
void hd_findings_drop(const struct hd_findings *all)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->list[i].schedule[0] != '\0' && !all->list[i].was_there)
            unlink(all->list[i].schedule);
}

static void over(void *ctx)
{
    struct hd_findings *all = ctx;

    if (all->s->watched.end == HD_WATCH_DAMAGED) /* the records are lost */
        hd_findings_new_from_message(all, HD_FK_CRASH, 1, HD_DAMAGED);
    else if (all->is_given_up != NULL && all->is_given_up(all, all->ctx))
        hd_findings_drop(all);
    else if (all->is_paused == NULL || !all->is_paused(all, all->ctx))
        hd_findings_finish(all);
}

bool hd_findings_only_races(const struct hd_findings *all)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->list[i].kind != HD_FK_DATA_RACE)
            return false;
    return true;
}

static bool only_nondeterminism(const struct hd_findings *all)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->list[i].kind != HD_FK_NONDETERMINISM)
            return false;
    return all->n > 0;
}

static enum hd_verdict verdict_of(const struct hd_findings *all, const struct hd_result *r)
{
    if (all->n > 0)
        return only_nondeterminism(all) ? HD_VERDICT_DIVERGED : HD_VERDICT_BUG;
    if (r->error != NULL)
        return HD_VERDICT_ERROR;
    return hd_result_complete(r) ? HD_VERDICT_CLEAN : HD_VERDICT_BUDGET;
}

void hd_findings_result(struct hd_findings *all, struct hd_result *r)
{
    struct hd_session *s = all->s;

    hd_session_result(s, r);
    order_findings(all);
    if (s->wire->config.races == HD_RACES_PREDICT && s->wire->nmodules > 0)
        hd_races_predicted(&all->races, s->wires.common, hd_session_symbols(s));
    r->predicted = (const char (*)[HD_PREDICTION_TEXT])all->races.predicted;
    r->npredicted = all->races.npredicted;
    r->findings = all->list;
    r->nfindings = all->n;
    r->stopped_early = all->stopped_early;
    r->not_looked_at = all->not_looked_at;
    hd_suppression_result(&all->suppression, r);
    r->verdict = verdict_of(all, r);
    hd_warnings_judge(&all->warnings, &all->suppression, r);
    hd_races_judge(&all->races, s->wires.common, r, all->list);
}

void hd_findings_deliver(const struct hd_findings *all, const struct hd_result *r, int code)
{
    if (all->outputs != NULL)
        hd_outputs_add(all->outputs, r, all->s->argv, code);
}

bool hd_findings_add_minimized(struct hd_findings *all, const struct hd_schedule *original,
                               struct hd_minimized *m)
{
    struct hd_report r;
    struct hd_schedule schedule;

    hd_minimized_report(m, hd_session_symbols_from(all->s, &m->wire), &r);
    struct hd_result_finding *f = new_finding(all, &m->wire, r.finding);

    f->execution = original->execution;
    hd_schedule_like(&schedule, original);
    bool runs = take_smaller(all, m, r.finding->occurrence, &schedule, f);

    f->minimized = m;
    if (runs) {
        open_report(all, f, &r);
        show(all, &r, &schedule, f);
    }
    hd_schedule_free(&schedule);
    return runs;
}

bool hd_findings_open(struct hd_findings *all, struct hd_session *s, struct hd_outputs *outputs)
{
    *all = (struct hd_findings){ .s = s, .outputs = outputs };
    s->on.finding = take;
    s->on.over = over;
    s->on.ctx = all;
    return hd_suppression_open(&all->suppression, s);
}

void hd_findings_close(struct hd_findings *all)
{
    for (size_t i = 0; i < all->n; i++) {
        for (unsigned k = 0; k < HD_FORMATS; k++)
            free(all->list[i].kept[k]);
        hd_minimized_free(all->list[i].minimized);
    }
    free(all->list);
    free(all->later);
    hd_suppression_close(&all->suppression);
    hd_warnings_free(&all->warnings);
    hd_races_free(&all->races);
}
