/* SPDX-License-Identifier: BSD-2-Clause
 *
 * watch_test.c - launching, watching and ending a target.  The target is this
 * program itself: started with the environment of a target it plays the part
 * that its first argument names, and never runs the tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "conductor/merge.h"
#include "conductor/watch.h"

/* ---- the target ------------------------------------------------------------------------ */

static void nap(void)
{
    nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
}

static void put_finding(struct hd_wire *w)
{
    struct hd_finding f = { .size = sizeof f + sizeof(struct hd_section), .number = 1 };

    memcpy(w->findings + w->findings_used, &f, sizeof f);
    __atomic_store_n(&w->findings_used, w->findings_used + f.size, __ATOMIC_RELEASE);
}

static _Noreturn void finish(struct hd_wire *w, uint32_t phase)
{
    __atomic_store_n(&w->phase, phase, __ATOMIC_RELEASE);
    _exit(0);
}

/* The worker hangs until the conductor kills it; then all is well. */
static _Noreturn void play_hanging_worker(struct hd_wire *w)
{
    pid_t worker = fork();

    if (worker == 0)
        for (;;)
            pause();
    w->worker_pid = worker;
    w->phase = HD_PHASE_RUNNING;
    int status;

    waitpid(worker, &status, 0);
    w->workers_lost = WIFSIGNALED(status) && w->watchdog_kill == 1;
    w->heartbeat++;
    finish(w, HD_PHASE_DONE);
}

static double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void use_one_processor(void)
{
    cpu_set_t one;

    sched_getaffinity(0, sizeof one, &one);
    for (int i = 0, found = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &one) && found++ > 0)
            CPU_CLR(i, &one);
    sched_setaffinity(0, sizeof one, &one);
}

/* Longer than the watchdog waits: no code of the target runs meanwhile. */
static _Noreturn void play_analysing_worker(struct hd_wire *w)
{
    pid_t worker = fork();
    int status;

    if (worker == 0) {
        usleep(700000);
        w->analysing = 0;
        _exit(0);
    }
    w->analysing = 1;
    w->worker_pid = worker;
    w->phase = HD_PHASE_RUNNING;
    waitpid(worker, &status, 0);
    w->workers_lost = WIFSIGNALED(status);
    finish(w, HD_PHASE_DONE);
}

/* The worker ends, and its parent notices so late that together they take longer than the watchdog waits. */
static _Noreturn void play_ended_worker(struct hd_wire *w)
{
    pid_t worker = fork();
    int status;

    if (worker == 0) {
        usleep(600000);
        _exit(0);
    }
    w->worker_pid = worker;
    w->phase = HD_PHASE_RUNNING;
    usleep(1200000);
    waitpid(worker, &status, 0);
    w->workers_lost = WIFSIGNALED(status);
    finish(w, HD_PHASE_DONE);
}

/* The worker has work for a tenth of a second, and shares its processor with others: it
 * takes a second. */
static _Noreturn void play_starved_worker(struct hd_wire *w)
{
    pid_t process[10];
    int n = sizeof process / sizeof *process, status;

    use_one_processor();
    for (int i = 0; i < n; i++) {
        process[i] = fork();
        while (process[i] == 0)
            if (i == n - 1 && cpu_seconds() > 0.1)
                _exit(0);
    }
    w->worker_pid = process[n - 1];
    w->phase = HD_PHASE_RUNNING;
    waitpid(w->worker_pid, &status, 0);
    w->worker_pid = 0;
    w->workers_lost = WIFSIGNALED(status);
    w->analysing = 1; /* the others need the processor to end, and that can take longer than the watchdog waits */
    for (int i = 0; i < n - 1; i++) {
        kill(process[i], SIGKILL);
        waitpid(process[i], NULL, 0);
    }
    finish(w, HD_PHASE_DONE);
}

/* Killed in the middle, while its worker lives; the next one must not meet that. */
static _Noreturn void play_killed_once(struct hd_wire *w)
{
    w->phase = HD_PHASE_RUNNING;
    if (w->workers_lost > 0) {
        w->heartbeat = kill(w->zygote_pid, 0) == -1 && errno == ESRCH;
        finish(w, HD_PHASE_DONE);
    }
    pid_t worker = fork();

    if (worker == 0)
        for (;;)
            pause();
    w->zygote_pid = worker; /* the conductor forgets worker_pid, but not this one */
    raise(SIGKILL);
    _exit(99);
}

static _Noreturn void play(const char *part)
{
    int fd;
    unsigned worker;
    struct hd_wire *w = sscanf(getenv(HD_WIRE_ENV), "%d:%u", &fd, &worker) == 2
                            ? hd_wire_attach(fd, worker) : NULL;

    if (w == NULL)
        _exit(99);
    if (strcmp(part, "second-refuses") == 0)
        part = worker == 1 ? "refuse" : "obedient";
    if (strcmp(part, "killed-once") == 0)
        play_killed_once(w);
    if (strcmp(part, "early") == 0) {
        fputs("cannot start\n", stderr);
        exit(7);
    }
    if (strcmp(part, "early-loop") == 0)
        while (cpu_seconds() < 100)
            continue;
    if (strcmp(part, "early-wait") == 0)
        for (;;)
            pause();
    if (strcmp(part, "refuse") == 0)
        finish(w, HD_PHASE_REFUSED);
    if (strcmp(part, "clean-surroundings") == 0) {
        char byte;
        bool good = (personality(0xffffffff) & ADDR_NO_RANDOMIZE) != 0 &&
                    read(STDIN_FILENO, &byte, 1) == 0 && getpgrp() == getpid() &&
                    strcmp(getenv("LD_BIND_NOW"), "1") == 0 && getenv("HEDDLE_OTHER") == NULL &&
                    strcmp(getenv("LD_LIBRARY_PATH"), "/some/where:/inherited") == 0;

        w->heartbeat = good;
        finish(w, HD_PHASE_DONE);
    }
    if (strcmp(part, "hanging-worker") == 0)
        play_hanging_worker(w);
    if (strcmp(part, "analysing-worker") == 0)
        play_analysing_worker(w);
    if (strcmp(part, "ended-worker") == 0)
        play_ended_worker(w);
    if (strcmp(part, "starved-worker") == 0)
        play_starved_worker(w);
    w->phase = HD_PHASE_RUNNING;
    if (strcmp(part, "two-findings") == 0) {
        put_finding(w);
        nap();
        put_finding(w);
        finish(w, HD_PHASE_DONE);
    }
    if (strcmp(part, "die") == 0)
        raise(SIGKILL);
    if (strcmp(part, "chatter") == 0) {
        for (int i = 0; i < 100000; i++)
            printf("line %d\n", i);
        fflush(stdout);
        finish(w, HD_PHASE_DONE);
    }
    for (;;) { /* "obedient", "deaf", "hung-replay" */
        if (strcmp(part, "hung-replay") != 0)
            w->heartbeat++;
        nap();
        if (w->stop && strcmp(part, "obedient") == 0)
            finish(w, HD_PHASE_DONE);
    }
}

/* ---- the tests ------------------------------------------------------------------------- */

enum { WORKERS = 3 }; /* at most */

struct run {
    struct hd_wires wires;
    struct hd_wire *wire; /* the first one */
    char *argv[3];
    struct hd_launch launch;
    struct hd_target targets[WORKERS];
    struct hd_target *target; /* the first one */
    struct hd_merge merge;
    unsigned findings;
    unsigned looks_at_end;
    pid_t interrupt_after_ticks; /* 0: never */
};

static void count_finding(void *ctx, const struct hd_wire *wire, const struct hd_finding *f)
{
    (void)wire;
    (void)f;
    ((struct run *)ctx)->findings++;
}

static void look(void *ctx, bool at_end, double seconds)
{
    struct run *r = ctx;

    (void)seconds;
    r->looks_at_end += at_end;
    hd_merge_findings(&r->merge, at_end, count_finding, r);
    if (r->interrupt_after_ticks > 0 && --r->interrupt_after_ticks == 0)
        kill(getpid(), SIGINT);
}

static void start_several(struct run *r, const char *part, uint32_t workers)
{
    const char *what;

    memset(r, 0, sizeof *r);
    r->argv[0] = (char *)(uintptr_t)"target";
    r->argv[1] = (char *)(uintptr_t)part;
    assert_true(hd_wires_create(&r->wires, workers));
    r->wire = r->wires.wire[0];
    r->target = &r->targets[0];
    r->merge.wires = &r->wires;
    r->launch = (struct hd_launch){ .path = "/proc/self/exe", .argv = r->argv,
                                    .library_path = "/some/where", .wire_fd = r->wires.fd };
    setenv("HEDDLE_OTHER", "1", 1);
    setenv("LD_LIBRARY_PATH", "/inherited", 1);
    for (uint32_t i = 0; i < workers; i++) {
        r->launch.worker = i;
        if (!hd_launch(&r->launch, &r->targets[i], &what))
            fail_msg("%s: %s", what, strerror(errno));
    }
}

static void start(struct run *r, const char *part)
{
    start_several(r, part, 1);
}

static struct hd_watched watch(struct run *r, uint64_t budget_ms, uint64_t watchdog_ms)
{
    struct hd_watch w = { .wires = &r->wires, .targets = r->targets, .launch = &r->launch,
                          .budget_ms = budget_ms, .watchdog_ms = watchdog_ms, .on_look = look,
                          .ctx = r };
    pid_t pid[WORKERS] = { 0 };

    for (uint32_t i = 0; i < r->wires.n; i++)
        pid[i] = r->targets[i].pid;
    struct hd_watched out = hd_watch_targets(&w);

    for (uint32_t i = 0; i < r->wires.n; i++)
        assert_int_equal(kill(-pid[i], 0), -1); /* nothing of it is left */
    assert_int_equal(r->looks_at_end, 1);
    return out;
}

static void end(struct run *r)
{
    hd_merge_free(&r->merge);
    hd_wires_destroy(&r->wires);
}

static void each_end_is_told_apart(void **state)
{
    static const struct { const char *part; enum hd_watch_end want; } rows[] = {
        { "early", HD_WATCH_DIED_EARLY }, { "refuse", HD_WATCH_REFUSED },
        { "die", HD_WATCH_DIED },         { "two-findings", HD_WATCH_DONE },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct run r;

        start(&r, rows[i].part);
        struct hd_watched got = watch(&r, 0, 0);

        if (got.end != rows[i].want)
            fail_msg("%s: end %d, want %d", rows[i].part, got.end, rows[i].want);
        end(&r);
    }
}

static void findings_are_handed_on_once(void **state)
{
    struct run r;

    (void)state;
    start(&r, "two-findings");
    watch(&r, 0, 0);
    assert_int_equal(r.findings, 2);
    end(&r);
}

static void what_it_said_before_dying_is_kept(void **state)
{
    struct run r;

    (void)state;
    start(&r, "early");
    watch(&r, 0, 0);
    assert_int_equal(r.target->tail_used, strlen("cannot start\n"));
    assert_memory_equal(r.target->tail, "cannot start\n", r.target->tail_used);
    assert_true(WIFEXITED(r.target->status) && WEXITSTATUS(r.target->status) == 7);
    end(&r);
}

static void much_output_neither_blocks_nor_grows(void **state)
{
    static const char last[] = "line 99999\n";
    struct run r;

    (void)state;
    start(&r, "chatter");
    assert_int_equal(watch(&r, 0, 0).end, HD_WATCH_DONE);
    assert_true(r.target->tail_used <= HD_OUTPUT_KEPT);
    assert_memory_equal(r.target->tail + r.target->tail_used - (sizeof last - 1), last,
                        sizeof last - 1);
    end(&r);
}

static void the_target_starts_in_clean_surroundings(void **state)
{
    struct run r;

    (void)state;
    start(&r, "clean-surroundings");
    assert_int_equal(watch(&r, 0, 0).end, HD_WATCH_DONE);
    if (r.target->randomised)
        skip(); /* a sandbox that forbids personality() */
    assert_int_equal(r.wire->heartbeat, 1);
    end(&r);
}

static void the_budget_ends_a_search(void **state)
{
    struct run r;

    (void)state;
    start(&r, "obedient");
    struct hd_watched got = watch(&r, 200, 0);

    assert_true(got.end == HD_WATCH_DONE && got.out_of_time && !got.interrupted);
    assert_true(got.seconds >= 0.2 && got.seconds < 1.5);
    end(&r);
}

/* Constructors run before main, where nothing else ends them. */
static void who_never_reaches_main_is_told(void **state)
{
    struct run r;

    (void)state;
    if (access("/proc/self/schedstat", R_OK) == 0) {
        start(&r, "early-loop");
        assert_int_equal(watch(&r, 0, 300).end, HD_WATCH_STUCK_EARLY);
        end(&r);
    }
    start(&r, "early-wait");
    struct hd_watched got = watch(&r, 100, 300);

    assert_int_equal(got.end, HD_WATCH_STUCK_EARLY);
    assert_true(got.seconds >= 2 && got.seconds < 4); /* the budget, and the grace after it */
    end(&r);
}

static void who_does_not_listen_is_killed(void **state)
{
    struct run r;

    (void)state;
    start(&r, "deaf");
    struct hd_watched got = watch(&r, 100, 0);

    assert_true(got.end == HD_WATCH_DONE && got.out_of_time);
    assert_true(got.seconds >= 2 && got.seconds < 4);
    end(&r);
}

static void an_interrupt_ends_a_search(void **state)
{
    struct run r;

    (void)state;
    start(&r, "obedient");
    r.interrupt_after_ticks = 5;
    struct hd_watched got = watch(&r, 0, 0);

    assert_true(got.end == HD_WATCH_DONE && got.interrupted && got.signal == SIGINT);
    end(&r);
}

static void a_hanging_worker_is_killed_and_the_search_goes_on(void **state)
{
    struct run r;

    (void)state;
    start(&r, "hanging-worker");
    struct hd_watched got = watch(&r, 0, 200);

    assert_int_equal(got.end, HD_WATCH_DONE);
    assert_int_equal(got.hangs, 1);
    assert_int_equal(r.wire->workers_lost, 1);
    end(&r);
}

/* The target that plays this part ends well, and nothing of it is called hanging. */
static void does_not_hang(const char *part, uint64_t watchdog_ms)
{
    struct run r;

    start(&r, part);
    struct hd_watched got = watch(&r, 0, watchdog_ms);

    assert_int_equal(got.end, HD_WATCH_DONE);
    assert_int_equal(got.hangs, 0);
    assert_int_equal(r.wire->workers_lost, 0);
    end(&r);
}

static void a_worker_that_analyses_does_not_hang(void **state)
{
    (void)state;
    does_not_hang("analysing-worker", 200);
}

static void a_worker_that_has_ended_does_not_hang(void **state)
{
    (void)state;
    does_not_hang("ended-worker", 1000);
}

static void a_worker_without_a_processor_does_not_hang(void **state)
{
    (void)state;
    if (access("/proc/self/schedstat", R_OK) != 0)
        skip();
    does_not_hang("starved-worker", 500);
}

static void a_hanging_replay_is_over(void **state)
{
    struct run r;

    (void)state;
    start(&r, "hung-replay");
    r.wire->config.replay = 1;
    assert_int_equal(watch(&r, 0, 200).end, HD_WATCH_HUNG);
    end(&r);
}

/* "die" gets itself killed again and again: that is not forever. */
static void a_target_that_was_killed_is_started_again(void **state)
{
    struct run r;

    (void)state;
    start(&r, "killed-once");
    assert_int_equal(watch(&r, 0, 0).end, HD_WATCH_DONE);
    assert_int_equal(r.wire->workers_lost, 1);
    assert_int_equal(r.wire->heartbeat, 1); /* its worker was gone */
    end(&r);
    start(&r, "die");
    assert_int_equal(watch(&r, 0, 0).end, HD_WATCH_DIED);
    assert_int_equal(r.wire->workers_lost, 5);
    end(&r);
}

static void several_targets_are_watched_together(void **state)
{
    struct run r;

    (void)state;
    start_several(&r, "two-findings", 3);
    for (uint32_t i = 0; i < 3; i++) /* all have the same signature */
        r.wires.wire[i]->config.keep_going = 1;
    assert_int_equal(watch(&r, 0, 0).end, HD_WATCH_DONE);
    assert_int_equal(r.findings, 1);
    end(&r);
    start_several(&r, "killed-once", 3);
    assert_int_equal(watch(&r, 0, 0).end, HD_WATCH_DONE);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(r.wires.wire[i]->workers_lost, 1);
    end(&r);
    start_several(&r, "obedient", 3);
    struct hd_watched got = watch(&r, 200, 0);

    assert_true(got.end == HD_WATCH_DONE && got.out_of_time && got.seconds < 1.5);
    end(&r);
}

static void the_first_to_fail_ends_all(void **state)
{
    struct run r;

    (void)state;
    start_several(&r, "second-refuses", 3);
    struct hd_watched got = watch(&r, 0, 0);

    assert_int_equal(got.end, HD_WATCH_REFUSED);
    assert_int_equal(got.culprit, 1);
    end(&r);
}

static void a_program_that_is_not_there_is_an_error(void **state)
{
    char *argv[] = { (char *)(uintptr_t)"x", NULL };
    struct hd_launch l = { .path = "/no/such/program", .argv = argv, .wire_fd = 0 };
    struct hd_target t;
    const char *what;

    (void)state;
    assert_false(hd_launch(&l, &t, &what));
    assert_int_equal(errno, ENOENT);
    assert_string_equal(what, "starting the program");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_end_is_told_apart),
        cmocka_unit_test(findings_are_handed_on_once),
        cmocka_unit_test(what_it_said_before_dying_is_kept),
        cmocka_unit_test(much_output_neither_blocks_nor_grows),
        cmocka_unit_test(the_target_starts_in_clean_surroundings),
        cmocka_unit_test(the_budget_ends_a_search),
        cmocka_unit_test(who_never_reaches_main_is_told),
        cmocka_unit_test(who_does_not_listen_is_killed),
        cmocka_unit_test(an_interrupt_ends_a_search),
        cmocka_unit_test(a_hanging_worker_is_killed_and_the_search_goes_on),
        cmocka_unit_test(a_worker_that_analyses_does_not_hang),
        cmocka_unit_test(a_worker_that_has_ended_does_not_hang),
        cmocka_unit_test(a_worker_without_a_processor_does_not_hang),
        cmocka_unit_test(a_hanging_replay_is_over),
        cmocka_unit_test(a_target_that_was_killed_is_started_again),
        cmocka_unit_test(several_targets_are_watched_together),
        cmocka_unit_test(the_first_to_fail_ends_all),
        cmocka_unit_test(a_program_that_is_not_there_is_an_error),
    };

    if (argc > 1 && getenv(HD_WIRE_ENV) != NULL)
        play(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
