/* SPDX-License-Identifier: BSD-2-Clause
 *
 * job_process.c - the process of a search, and the functions by which its parent controls it. */
#include "campaign/search/job_process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "campaign/rerun/child_session.h"
#include "campaign/session/resume.h"
#include "campaign/session/unseen_watch.h"
#include "conductor/signals.h"
#include "model/point_class.h"
#include "report/verdict/claim.h"

enum command { RUN, PARK, CONCLUDE, END };

struct request {
    enum command command;
    uint64_t ms;
    bool keeps; /* keep the state at the end */
};

/* ---- the process ------------------------------------------------------------------------ */

struct worker {
    struct hd_session session;
    struct hd_findings findings;
    struct hd_outputs outputs;
    struct hd_job_status status;
    int fd;
};

static bool is_paused(struct hd_findings *all, void *ctx)
{
    (void)all;
    (void)ctx;
    return true;
}

static uint32_t classes_of(const struct hd_execution *x)
{
    uint32_t classes = 0;

    for (uint32_t i = 0; i < x->nevents; i++)
        if (x->events[i].kind < HD_EV_COUNT)
            classes |= hd_point_class((enum hd_kind)x->events[i].kind);
    return classes & ~(uint32_t)HD_POINT_ACCESS;
}

/* Decisions use the larger of the two estimates, because both tend to be too small.  Several workers have only the
 * weighted one (tree_size is 0). */
static void take_estimates(struct hd_job_status *st, const struct hd_totals *t, double seconds)
{
    double done = (double)(t->executions + t->redundant);

    st->left = st->left_least = -1;
    if (t->explored <= 0 || done <= 0)
        return;
    double weighted = done / t->explored, recursive = t->tree_size > 0 ? t->tree_size : weighted;
    double most = weighted > recursive ? weighted : recursive, least = weighted < recursive ? weighted : recursive;

    st->left = most > done ? seconds * (most / done - 1) : 0;
    st->left_least = least > done ? seconds * (least / done - 1) : 0;
}

/* Returns the runtime's name of a place in the code, or 0 if the place is in no module. */
static hd_cname name_of(const struct hd_wire *w, uint64_t pc)
{
    for (unsigned i = 0; i < w->nmodules && i < HD_MAX_MODULES; i++)
        if (pc >= w->modules[i].lo && pc < w->modules[i].hi)
            return hd_cname_make(HD_REG_MODULE, i, pc - w->modules[i].bias);
    return 0;
}

static void predict(struct hd_job_status *st, struct hd_session *s, const struct hd_race_access *a)
{
    hd_cname name = a->atomic || a->frees ? 0 : name_of(s->wire, a->pc); /* atomics and frees are scheduling points already */

    for (uint32_t i = 0; i < st->npredicted; i++)
        if (st->predicted[i] == name)
            return;
    if (name == 0 || st->npredicted == HD_DEEP_PLACES)
        return;
    st->predicted[st->npredicted] = name;
    snprintf(st->predicted_sites[st->npredicted++], sizeof st->predicted_sites[0], "%s",
             hd_symbols_site(hd_session_symbols(s), a->pc));
}

static void take_predictions(struct hd_job_status *st, struct hd_session *s)
{
    const struct hd_prediction *p = s->wires.common->predictions;

    for (uint32_t i = 0; i < HD_MAX_PREDICTIONS && p[i].key != 0; i++)
        if (p[i].ready) {
            predict(st, s, &p[i].race.first);
            predict(st, s, &p[i].race.second);
        }
}

/* Adds new places.  Known places keep their rows. */
static void take_places(struct hd_job_status *st, struct hd_session *s)
{
    const struct hd_site *sites = s->wires.common->sites;

    for (; st->nplaces < HD_DEEP_PLACES && sites[st->nplaces].name != 0; st->nplaces++) {
        hd_cname name = sites[st->nplaces].name;
        unsigned module = hd_cname_index(name);
        uint64_t bias = module < s->wire->nmodules ? s->wire->modules[module].bias : 0;

        st->places[st->nplaces] = name;
        snprintf(st->sites[st->nplaces], sizeof st->sites[0], "%s",
                 hd_symbols_site(hd_session_symbols(s), bias + hd_cname_offset(name)));
    }
}

/* Returns the processor time of this process and its targets.  The kernel includes the time of a target only after
 * the target has ended; between turns all targets have ended. */
static double processor_time(void)
{
    double seconds = 0;
    struct rusage u;

    for (int children = 0; children < 2; children++)
        if (getrusage(children ? RUSAGE_CHILDREN : RUSAGE_SELF, &u) == 0)
            seconds += (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
                       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
    return seconds;
}

static void take_order(struct hd_job_status *st, const struct hd_wire *w, const struct hd_result_finding *f)
{
    if ((f->seen & HD_RACE_BOTH) != HD_RACE_BOTH)
        return;
    for (uint32_t i = 0; i < st->nplaces; i++)
        if (st->places[i] == name_of(w, f->race_pc[0]) || st->places[i] == name_of(w, f->race_pc[1]))
            st->both_orders |= UINT64_C(1) << i;
}

static void take_races(struct worker *w, struct hd_result *r)
{
    struct hd_job_status *st = &w->status;

    r->findings = w->findings.list;
    r->nfindings = w->findings.n;
    hd_races_judge(&w->findings.races, w->session.wires.common, r, w->findings.list);
    st->nraces = 0;
    for (size_t i = 0; i < w->findings.n && st->nraces < HD_RESULT_OPEN_RACES; i++) {
        const struct hd_result_finding *f = &w->findings.list[i];
        struct hd_job_race *race = &st->races[st->nraces];

        if (f->race_key == 0)
            continue;
        *race = (struct hd_job_race){ .key = f->race_key, .seen = f->seen };
        snprintf(race->places, sizeof race->places, "%s", f->places);
        st->nraces++;
        take_order(st, w->session.wire, f);
    }
}

static void take_stock(struct worker *w)
{
    struct hd_session *s = &w->session;
    struct hd_job_status *st = &w->status;
    struct hd_result r;

    hd_session_result(s, &r);
    hd_suppression_result(&w->findings.suppression, &r);
    st->interrupted = s->watched.interrupted;
    st->over = !s->watched.out_of_time && !st->interrupted;
    st->bug = !hd_findings_only_races(&w->findings) || s->watched.end != HD_WATCH_DONE || r.hangs > 0;
    st->complete = r.totals.exhausted && hd_result_complete(&r) && !st->bug;
    st->verified = st->bug ? -1 : hd_result_verified_bound(&r);
    st->cannot_wait = s->targets[0].randomised;
    st->nfindings = w->findings.n;
    st->executions = r.totals.executions;
    st->redundant = r.totals.redundant;
    st->threads_max = r.totals.threads_max;
    st->steps_max = r.totals.steps_max;
    st->seconds = r.seconds;
    take_estimates(st, &r.totals, r.seconds);
    st->cpu = processor_time();
    st->classes |= classes_of(&s->wire->exec);
    take_places(st, s);
    take_predictions(st, s);
    take_races(w, &r);
}

static void run(struct worker *w, uint64_t ms)
{
    if (w->status.code == HD_EXIT_CLEAN)
        w->status.code = hd_session_run(&w->session, ms);
    if (w->status.code == HD_EXIT_CLEAN)
        take_stock(w);
}

static void conclude(struct worker *w, const struct hd_one *one, const struct hd_result_quicksand *all)
{
    struct hd_text *text = &w->session.text;
    struct hd_result r;

    hd_signals_take(); /* one that came after its last turn has ended the campaign, and no more */
    if (w->status.code == HD_EXIT_CLEAN) {
        hd_session_over(&w->session);
        hd_findings_finish(&w->findings);
    }
    hd_findings_result(&w->findings, &r);
    r.quicksand = all;
    r.resumed = all->resumed;
    r.interrupted |= all->interrupted && r.verdict == HD_VERDICT_BUDGET;
    if (w->status.code == HD_EXIT_CLEAN) {
        if (!w->session.o->quiet)
            hd_result_summary(text, &r);
        fflush(text->out);
        w->status.code = hd_verdict_exit_code(r.verdict);
    }
    hd_findings_deliver(&w->findings, &r, w->status.code);
    if (!hd_outputs_write(&w->outputs, one->argv[0], NULL) && w->status.code != HD_EXIT_FINDING)
        w->status.code = HD_EXIT_USAGE;
}

/* Returns false if the process at the other end has closed the socket. */
static bool read_all(int fd, void *to, size_t size)
{
    for (size_t got = 0; got < size;) {
        ssize_t n = read(fd, (char *)to + got, size - got);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        got += (size_t)n;
    }
    return true;
}

static void answer(const struct worker *w)
{
    ssize_t n = write(w->fd, &w->status, sizeof w->status);

    if (n != sizeof w->status)
        _exit(HD_EXIT_INTERNAL);
}

/* Without --resume an existing state belongs to an earlier campaign and is removed. */
static int begin_saving(struct hd_session *s, unsigned number)
{
    struct hd_kept at;

    if (s->o->checkpoint_ms == 0)
        return HD_EXIT_CLEAN;
    hd_resume_place(s, (int)number, &at);
    if (!s->o->resume)
        hd_kept_remove(&at);
    hd_resume_open(s, &at, (double)s->o->checkpoint_ms / 1e3);
    return s->o->resume && s->resume != NULL ? hd_resume_continue(s) : HD_EXIT_CLEAN;
}

static void open_worker(struct worker *w, const struct hd_options *o, const struct hd_one *one, unsigned number)
{
    hd_outputs_open(&w->outputs, o);
    w->status.code = hd_session_open(&w->session, o, one->argv[0], one->argv);
    w->session.in_turns = true;
    w->session.test = one->test;
    w->session.preloads_test = one->preloads;
    if (w->status.code != HD_EXIT_CLEAN)
        return;
    if (!hd_findings_open(&w->findings, &w->session, &w->outputs))
        w->status.code = HD_EXIT_USAGE;
    w->findings.is_paused = is_paused;
    hd_unseen_begin(&w->session);
    if (w->status.code == HD_EXIT_CLEAN)
        w->status.code = begin_saving(&w->session, number);
}

static _Noreturn void in_process(int fd, const struct hd_options *o, const struct hd_one *one, unsigned number)
{
    static struct worker w;
    static struct hd_result_quicksand all;
    struct request q = { END, 0, true };
    sigset_t before;

    hd_signals_hold(&before); /* hd_watch_targets handles the signals */
    w.fd = fd;
    open_worker(&w, o, one, number);
    while (read(fd, &q, sizeof q) == sizeof q && (q.command == RUN || q.command == PARK)) {
        if (q.command == RUN)
            run(&w, q.ms);
        else
            w.status.parked = hd_resume_park(&w.session);
        answer(&w);
    }
    if (q.command == CONCLUDE && read_all(fd, &all, sizeof all)) {
        conclude(&w, one, &all);
        answer(&w);
    } else if (w.findings.s != NULL && !w.status.bug) {
        hd_findings_drop(&w.findings);
    }
    if (!q.keeps)
        hd_resume_remove(&w.session);
    hd_session_close(&w.session);
    fflush(NULL);
    _exit(HD_EXIT_CLEAN);
}

/* ---- functions for the parent ------------------------------------------------------------------------ */

bool hd_job_process_start(struct hd_job_process *p, const struct hd_options *o, const struct hd_one *one, unsigned number)
{
    int fds[2];

    fflush(NULL);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
        return false;
    p->pid = hd_child_session_fork();
    if (p->pid == 0) {
        close(fds[0]);
        in_process(fds[1], o, one, number);
    }
    close(fds[1]);
    p->fd = fds[0];
    p->busy = false;
    if (p->pid > 0)
        return true;
    close(p->fd);
    p->pid = 0;
    return false;
}

static void ask(const struct hd_job_process *p, enum command command, uint64_t ms, bool keeps)
{
    struct request q = { command, ms, keeps };

    /* if the process has died, reading its answer fails */
    send(p->fd, &q, sizeof q, MSG_NOSIGNAL);
}

void hd_job_process_run(struct hd_job_process *p, uint64_t ms)
{
    ask(p, RUN, ms, true);
    p->busy = true;
}

bool hd_job_process_wait(const struct hd_job_process *const *p, unsigned n, int ms)
{
    struct pollfd fd[HD_JOB_PROCESSES];

    HD_INVARIANT(n <= HD_JOB_PROCESSES, "as many turns at a time as there is space for");
    for (unsigned i = 0; i < n; i++)
        fd[i] = (struct pollfd){ .fd = p[i]->fd, .events = POLLIN };
    return poll(fd, n, ms) > 0;
}

void hd_job_process_interrupt(const struct hd_job_process *p)
{
    kill(p->pid, SIGTERM);
}

bool hd_job_process_answer(struct hd_job_process *p, struct hd_job_status *out)
{
    p->busy = false;
    return read_all(p->fd, out, sizeof *out);
}

static void wait_for(struct hd_job_process *p)
{
    close(p->fd);
    hd_child_session_wait(p->pid);
    p->pid = 0;
}

int hd_job_process_conclude(struct hd_job_process *p, const struct hd_result_quicksand *all, bool keeps)
{
    struct hd_job_status st = { .code = HD_EXIT_INTERNAL };

    ask(p, CONCLUDE, 0, keeps);
    send(p->fd, all, sizeof *all, MSG_NOSIGNAL);
    if (!hd_job_process_answer(p, &st))
        st.code = HD_EXIT_INTERNAL;
    wait_for(p);
    return st.code;
}

bool hd_job_process_park(struct hd_job_process *p)
{
    struct hd_job_status st;

    if (p->pid == 0)
        return false;
    ask(p, PARK, 0, true);
    return hd_job_process_answer(p, &st) && st.parked; /* if the process has died, its next turn fails */
}

void hd_job_process_end(struct hd_job_process *p, bool keeps)
{
    if (p->pid == 0)
        return;
    ask(p, END, 0, keeps);
    wait_for(p);
}
