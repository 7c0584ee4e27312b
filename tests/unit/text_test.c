/* SPDX-License-Identifier: BSD-2-Clause
 *
 * text_test.c - a finding as a person sees it. */
#include <unistd.h>

#include "support/made.h"

#include "model/heap.h"
#include "report/evidence/deadlock.h"
#include "report/evidence/race.h"
#include "report/names/path.h"

/* ---- the tests --------------------------------------------------------------------------- */

static void a_deadlock_names_who_waits_for_whom(void **state)
{
    struct made *m = make(HD_FK_DEADLOCK, HD_NO_TID, 3);
    uint32_t a = object(m, HD_OBJ_MUTEX, 0xa0), b = object(m, HD_OBJ_MUTEX, 0xb0);

    (void)state;
    strcpy(m->threads[1].name, "reader");
    event(m, 1, HD_EV_MUTEX_LOCK, a, 0, 0);
    event(m, 2, HD_EV_MUTEX_LOCK, b, HD_EVF_PREEMPTED, 0);
    m->pending[0] = (struct hd_event){ .kind = HD_EV_THREAD_JOIN, .peer = 1 };
    m->pending[1] = (struct hd_event){ .tid = 1, .kind = HD_EV_MUTEX_LOCK, .obj = b };
    m->pending[2] = (struct hd_event){ .tid = 2, .kind = HD_EV_MUTEX_LOCK, .obj = a };
    m->holds[0] = (struct hd_hold){ a, 1, 0 };
    m->holds[1] = (struct hd_hold){ b, 2, 0 };
    m->report.nholds = 2;
    char *text = rendered(whole, m);

    want_line(text, "FOUND deadlock in ./t, execution 1,234, 1 preemption\n"
                    "3 threads are blocked for ever:\n"
                    "  main waits at ? for the end of T1 (reader)\n"
                    "  T1 (reader) waits at ? for mutex 0xb0, held by T2\n"
                    "  T2 waits at ? for mutex 0xa0, held by T1 (reader)\n");
    want_line(text, "    1                        lock 0xa0");
    want_line(text, "    2                        (preempted)            lock 0xb0");
    want_line(text, "waits: lock 0xa0");
    want_width(text);
    unmake(m);
}

/* A thread that runs on is neither blocked nor shown as such. */
static void a_partial_deadlock_tells_who_runs_on(void **state)
{
    struct made *m = make(HD_FK_DEADLOCK, HD_NO_TID, 3);
    uint32_t a = object(m, HD_OBJ_MUTEX, 0xa0), b = object(m, HD_OBJ_MUTEX, 0xb0);
    const struct hd_stand stands[] = { { 1, HD_BLOCKED_STATE_IN_CYCLE, 2, 1 },
                                       { 2, HD_BLOCKED_STATE_IN_CYCLE, 1, 1 },
                                       { 0, HD_BLOCKED_STATE_FREE, HD_NO_TID, 0 } };

    (void)state;
    event(m, 1, HD_EV_MUTEX_LOCK, a, 0, 0);
    event(m, 2, HD_EV_MUTEX_LOCK, b, 0, 0);
    m->pending[0] = (struct hd_event){ .kind = HD_EV_YIELD };
    m->pending[1] = (struct hd_event){ .tid = 1, .kind = HD_EV_MUTEX_LOCK, .obj = b };
    m->pending[2] = (struct hd_event){ .tid = 2, .kind = HD_EV_MUTEX_LOCK, .obj = a };
    m->holds[0] = (struct hd_hold){ a, 1, 0 };
    m->holds[1] = (struct hd_hold){ b, 2, 0 };
    m->report.nholds = 2;
    m->report.stands = stands;
    m->report.nstands = 3;
    char *text = rendered(whole, m), message[512];

    want_line(text, "T1 and T2 wait for each other for ever, while others run on:\n"
                    "  T1 waits at ? for mutex 0xb0, held by T2\n"
                    "  T2 waits at ? for mutex 0xa0, held by T1\n"
                    "  main runs on\n");
    assert_null(strstr(text, "waits: yield"));
    hd_deadlock_message(&m->report, message, sizeof message);
    assert_string_equal(message, "T1 and T2 wait for each other for ever, while others run on: "
                                 "T1 waits for mutex 0xb0, held by T2; "
                                 "T2 waits for mutex 0xa0, held by T1");
    unmake(m);
}

/* What became of the last signal: lost, taken by another, never sent. */
static void a_waiter_is_told_of_the_last_signal(void **state)
{
    static const struct {
        int first, second, third; /* 0 signal, 1 wait, 2 wake-up of another */
        uint64_t value;
        const char *want;
    } rows[] = {
        { 0, 1, -1, 0, "T1 waits at ? for condition 0xc0; the last signal was sent by main at ?,\n"
                       "    before it waited: nobody did then, so it was lost\n" },
        { 0, 1, -1, 1, "T1 waits at ? for condition 0xc0; the last signal was sent by main at ?,\n"
                       "    before it waited\n" },
        { 1, 0, 2, 1, "T1 waits at ? for condition 0xc0; the last signal, sent by main at ?, woke T2\n" },
        { 1, -1, -1, 0, "T1 waits at ? for condition 0xc0; nobody has sent it a signal, and nobody is\n"
                        "    left to do so\n" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct made *m = make(HD_FK_DEADLOCK, HD_NO_TID, 3);
        uint32_t c = object(m, HD_OBJ_COND, 0xc0), tokens = object(m, HD_OBJ_COND_TOKENS, 0xc0);
        uint32_t mutex = object(m, HD_OBJ_MUTEX, 0xa0);
        const int order[] = { rows[i].first, rows[i].second, rows[i].third };

        for (unsigned k = 0; k < 3; k++) {
            if (order[k] == 0)
                event(m, 0, HD_EV_COND_SIGNAL, c, 0, rows[i].value);
            else if (order[k] == 1)
                event(m, 1, HD_EV_COND_WAIT, mutex, 0, 0);
            else if (order[k] == 2)
                event(m, 2, HD_EV_COND_WAKE, mutex, 0, 1);
            if (order[k] > 0)
                m->events[m->report.nevents - 1].obj2 = order[k] == 1 ? c : tokens;
        }
        m->threads[0].state = m->threads[2].state = HD_TH_FINISHED;
        m->pending[1] = (struct hd_event){ .tid = 1, .kind = HD_EV_COND_WAKE, .obj = mutex,
                                           .obj2 = tokens };
        want_line(rendered(whole, m), rows[i].want);
        unmake(m);
    }
}

static void each_switch_has_its_reason(void **state)
{
    struct made *m = make(HD_FK_ASSERTION, 0, 3);
    uint32_t x = object(m, HD_OBJ_MEMORY, 0x10);

    (void)state;
    strcpy(m->head.message, "assertion `x == 2' failed");
    event(m, 0, HD_EV_YIELD, 0, 0, 0);
    event(m, 1, HD_EV_ATOMIC_LOAD, x, 2u << HD_EVF_SIZE_SHIFT, 0xffffffff);
    event(m, 2, HD_EV_ATOMIC_STORE, x, HD_EVF_PREEMPTED | 2u << HD_EVF_SIZE_SHIFT, 7);
    event(m, 2, HD_EV_THREAD_END, 0, 0, 0);
    event(m, 1, HD_EV_ATOMIC_CAS, x, HD_EVF_FAILED | 2u << HD_EVF_SIZE_SHIFT, 0x12345678);
    event(m, 0, HD_EV_THREAD_START, 0, 0, 0);
    char *text = rendered(whole, m);

    want_line(text, "main: assertion `x == 2' failed\n");
    want_line(text, "(yielded)    load 0x10 = -1");
    want_line(text, "(preempted)                 store 0x10 = 7");
    want_line(text, "cas 0x10 = 0x12345678 fails (finished)");
    want_line(text, "start        (blocked)");
    want_line(text, ">     ** assertion");
    want_width(text);
    unmake(m);
}

/* ---- the rest of a report -------------------------------------------------------------- */

static void locks_that_are_held_are_named(void **state)
{
    struct made *m = make(HD_FK_ASSERTION, 0, 2);
    uint32_t a = object(m, HD_OBJ_MUTEX, 0xa0), b = object(m, HD_OBJ_BARRIER, 0xb0);

    (void)state;
    event(m, 1, HD_EV_MUTEX_LOCK, a, 0, 0);
    m->holds[0] = (struct hd_hold){ a, 1, 0 };
    m->holds[1] = (struct hd_hold){ b, 1, 0 };
    m->report.nholds = 2;
    char *text = rendered(whole, m);

    want_line(text, "\nLocks held\n  T1 holds mutex 0xa0\n");
    assert_null(strstr(text, "barrier"));
    unmake(m);
}

static void paths_below_the_working_directory_are_short(void **state)
{
    char here[4096], text[9000], want[9000];

    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    snprintf(text, sizeof text, "%s/src/a.c", here);
    assert_string_equal(hd_path_shown(text), "src/a.c");
    assert_string_equal(hd_path_shown("/elsewhere/a.c"), "/elsewhere/a.c");
    assert_string_equal(hd_path_shown("a.c"), "a.c");
    snprintf(text, sizeof text, "failed at %s/a.c:7, not at /other%s/a.c:7", here, here);
    snprintf(want, sizeof want, "failed at a.c:7, not at /other%s/a.c:7", here);
    hd_path_shorten(text);
    assert_string_equal(text, want);
}

static void a_deadlock_has_details_for_tools(void **state)
{
    struct made *m = make(HD_FK_DEADLOCK, HD_NO_TID, 3);
    uint32_t a = object(m, HD_OBJ_MUTEX, 0xa0), b = object(m, HD_OBJ_MUTEX, 0xb0);
    char buf[2000] = "";
    FILE *f = fmemopen(buf, sizeof buf, "w");
    struct hd_json j;

    (void)state;
    m->stands[0] = (struct hd_stand){ 1, HD_BLOCKED_STATE_IN_CYCLE, 2, 1 };
    m->stands[1] = (struct hd_stand){ 2, HD_BLOCKED_STATE_IN_CYCLE, 1, 1 };
    m->stands[2] = (struct hd_stand){ 0, HD_BLOCKED_STATE_BLOCKED, HD_NO_TID, 0 };
    m->pending[0] = (struct hd_event){ .kind = HD_EV_THREAD_JOIN, .peer = 1 };
    m->pending[1] = (struct hd_event){ .tid = 1, .kind = HD_EV_MUTEX_LOCK, .obj = b };
    m->pending[2] = (struct hd_event){ .tid = 2, .kind = HD_EV_MUTEX_LOCK, .obj = a };
    m->holds[0] = (struct hd_hold){ a, 1, 0 };
    m->holds[1] = (struct hd_hold){ b, 2, 0 };
    m->report.nholds = 2;
    m->report.stands = m->stands;
    m->report.nstands = 3;
    hd_json_open(&j, f, 3); /* as in the member of a finding */
    hd_deadlock_json(&j, &m->report);
    fclose(f);
    assert_string_equal(buf,
        "{\"cycle\": [\"T1\", \"T2\"], \"threads\": [\n"
        "     {\"thread\": \"main\", \"state\": \"blocked\", \"operation\": \"join T1\", \"at\": null, "
        "\"waits_for\": \"the end of T1\", \"blocked_by\": \"T1\", \"taken_at\": null, \"holds\": []},\n"
        "     {\"thread\": \"T1\", \"state\": \"cycle\", \"operation\": \"lock 0xb0\", \"at\": null, "
        "\"waits_for\": \"mutex 0xb0\", \"blocked_by\": \"T2\", \"taken_at\": null, "
        "\"holds\": [{\"object\": \"mutex 0xa0\", \"taken_at\": null}]},\n"
        "     {\"thread\": \"T2\", \"state\": \"cycle\", \"operation\": \"lock 0xa0\", \"at\": null, "
        "\"waits_for\": \"mutex 0xa0\", \"blocked_by\": \"T1\", \"taken_at\": null, "
        "\"holds\": [{\"object\": \"mutex 0xb0\", \"taken_at\": null}]}]}");
    unmake(m);
}

static void output_of_the_program_cannot_touch_the_terminal(void **state)
{
    static const char printed[] = "one\ntwo\n\033[2Jthree\rfour";
    char buf[200] = "";
    FILE *f = fmemopen(buf, sizeof buf, "w");
    struct hd_text t = { .out = f };

    (void)state;
    hd_text_output(&t, printed, sizeof printed - 1, 2);
    fclose(f);
    assert_string_equal(buf, "  | two\n  | \\x1b[2Jthree\\x0dfour\n");
}

/* T1 reads under lock a after T2 has written under lock b; both accesses have no event. */
static void a_race_shows_both_accesses(void **state)
{
    struct made *m = make(HD_FK_DATA_RACE, 1, 3);
    uint32_t a = object(m, HD_OBJ_MUTEX, 0xa0), b = object(m, HD_OBJ_MUTEX, 0xb0);
    struct hd_race_info info = {
        .race = { .addr = 0x1234, .size = 4, .first = { .position = 1, .tid = 2, .write = true },
                  .second = { .position = 4, .tid = 1 } } };
    struct hd_witness *w = calloc(1, sizeof *w);
    char places[200];

    (void)state;
    event(m, 2, HD_EV_MUTEX_LOCK, b, 0, 0);
    event(m, 2, HD_EV_MUTEX_UNLOCK, b, 0, 0);
    event(m, 1, HD_EV_MUTEX_LOCK, b, 0, 0);
    event(m, 1, HD_EV_MUTEX_UNLOCK, b, 0, 0);
    event(m, 1, HD_EV_MUTEX_LOCK, a, 0, 0);
    info.race.second.position = 5;
    m->report.race = &info;
    char *text = rendered(whole, m);

    want_line(text, "T1 reads 0x1234 at ?, and nothing orders this after the write of T2 at ?\n");
    want_line(text, "  memory: 0x1234, 4 bytes\n");
    want_line(text, "in ?\n"); /* the locks of the first are not shown if its place is not known */
    want_line(text, "in ?, holding mutex 0xa0 (taken at ?)\n");
    assert_null(strstr(text, "like a counter"));
    w->first = (struct hd_capture){ .position = 1, .tid = 2 };
    w->labels = HD_RACE_COUNTER;
    w->valued[0] = true;
    w->value[0] = 7;
    m->report.witness = w;
    hd_race_places(&m->report, places, sizeof places);
    assert_string_equal(places, "0x1234, read and written at ?");
    info.race.second.write = true;
    hd_race_places(&m->report, places, sizeof places);
    assert_string_equal(places, "0x1234, written by both at ?");
    info.race.second.write = false;
    text = rendered(whole, m);
    want_line(text, "** writes 0x1234 = 7 ");
    want_line(text, "** reads 0x1234 "); /* of which nothing is known */
    assert_null(strstr(text, "** reads 0x1234 ="));
    want_line(text, "in ?, holding mutex 0xb0 (taken at ?)\n");
    want_line(text, "like a counter");
    const char *first = strstr(text, "** writes 0x1234"), *second = strstr(text, "** reads 0x1234");
    const char *unlock = strstr(text, "unlock 0xb0");

    assert_true(first != NULL && second != NULL && unlock != NULL);
    assert_true(first < unlock && unlock < second);
    want_width(text);
    free(w);
    unmake(m);
}

static void pending_operations_have_no_value(void **state)
{
    struct made *m = make(HD_FK_LIVELOCK, HD_NO_TID, 2);
    uint32_t a = object(m, HD_OBJ_MEMORY, 0xa0);

    (void)state;
    event(m, 1, HD_EV_ATOMIC_LOAD, a, 2 << HD_EVF_SIZE_SHIFT, 2);
    m->pending[1] = (struct hd_event){ .tid = 1, .kind = HD_EV_ATOMIC_LOAD, .obj = a };
    char *text = rendered(whole, m);

    want_line(text, "load 0xa0 = 2");
    want_line(text, "next: load 0xa0 ");
    want_line(text, "T1 is at ?: load 0xa0\n");
    assert_null(strstr(text, "= 0"));
    unmake(m);
}

/* Four columns of 80 characters have 16 each: the value is left out first, then the middle of the name. */
/* The cells of T1 go on in the empty columns behind them; those of T4 have no room but their own. */
static void narrow_cells_keep_operation_and_name(void **state)
{
    struct made *m = make(HD_FK_ASSERTION, 0, 5);
    uint32_t a = object(m, HD_OBJ_MEMORY, 0x1234), b = object(m, HD_OBJ_MEMORY, 0x123456789abcdef);

    (void)state;
    for (hd_tid t = 0; t < 5; t++) {
        event(m, t, HD_EV_ATOMIC_CAS, a, HD_EVF_FAILED | 2 << HD_EVF_SIZE_SHIFT, 77777);
        event(m, t, HD_EV_ATOMIC_STORE, b, 3 << HD_EVF_SIZE_SHIFT, UINT64_C(0xfedcba9876543210));
    }
    char *text = rendered(whole, m);

    want_line(text, " cas 0x1234 = 77777 fails ");
    want_line(text, " store 0x123456789abcdef = 0xfedcba9876543210 ");
    want_line(text, " cas 0x1234 fails ");
    want_line(text, " store 0x1..bcdef ");
    want_width(text);
    unmake(m);
}

/* Main and T2 have little to say: their room goes to T1, which needs 44 columns. */
static void columns_share_the_room(void **state)
{
    struct made *m = make(HD_FK_ASSERTION, 0, 3);
    uint32_t b = object(m, HD_OBJ_MEMORY, 0x123456789abcdef);

    (void)state;
    event(m, 0, HD_EV_YIELD, 0, 0, 0);
    event(m, 2, HD_EV_YIELD, 0, 0, 0);
    event(m, 1, HD_EV_ATOMIC_STORE, b, 3 << HD_EVF_SIZE_SHIFT, UINT64_C(0xfedcba9876543210));
    char *text = rendered(whole, m);

    want_line(text, "store 0x123456789abcdef = 0xfedcba9876543210 ");
    want_width(text);
    unmake(m);
}

static void an_address_in_the_heap_is_told_by_its_offset(void **state)
{
    struct made *m = make(HD_FK_ASSERTION, 0, 3);
    uint32_t a = object(m, HD_OBJ_MEMORY, 0xa0);
    const unsigned wide = 3 << HD_EVF_SIZE_SHIFT;

    (void)state;
    event(m, 0, HD_EV_ATOMIC_STORE, a, wide, HD_HEAP_BASE + 0x10);
    event(m, 0, HD_EV_ATOMIC_LOAD, a, wide, HD_HEAP_BASE + 2 * HD_HEAP_STRIDE + 0x20);
    char *text = rendered(whole, m);

    want_line(text, "store 0xa0 = heap+0x10 ");
    want_line(text, "load 0xa0 = heap T2+0x20 ");
    unmake(m);
}

static void waits_tell_how_they_ended(void **state)
{
    struct made *m = make(HD_FK_ASSERTION, 0, 2);
    uint32_t c = object(m, HD_OBJ_COND, 0xc0), mutex = object(m, HD_OBJ_MUTEX, 0xa0);

    (void)state;
    event(m, 0, HD_EV_FAULT_WAKEUP, c, HD_EVF_CHOICE, HD_FAULT_TAKEN);
    event(m, 0, HD_EV_COND_WAIT, mutex, 0, 0);
    event(m, 1, HD_EV_YIELD, 0, 0, 0);
    event(m, 0, HD_EV_COND_TIMEOUT, c, HD_EVF_FAILED, 0);
    event(m, 0, HD_EV_COND_WAIT, mutex, 0, 0);
    event(m, 0, HD_EV_COND_TIMEOUT, c, HD_EVF_FAILED, 0);
    char *text = rendered(whole, m);
    const char *first = strstr(text, "woken for no reason (fault) ");
    const char *second = strstr(text, "cond timeout 0xc0 ");

    assert_true(first != NULL && second != NULL && first < second);
    assert_null(strstr(second, "woken"));
    assert_null(strstr(text, "fails"));
    unmake(m);
}

static void a_choice_tells_its_range(void **state)
{
    struct made *m = make(HD_FK_ASSERTION, 0, 1);

    (void)state;
    event(m, 0, HD_EV_CHOOSE, 0, HD_EVF_CHOICE, 1);
    m->events[0].aux = 2;
    want_line(rendered(whole, m), "choose: 1 (of 0..1) ");
    unmake(m);
}

/* A free stores no value, so the report shows none. */
static void a_race_with_a_free_says_so(void **state)
{
    struct made *m = make(HD_FK_DATA_RACE, 1, 3);
    struct hd_race_info info = {
        .race = { .addr = 0x1234, .size = 4, .first = { .tid = 2 },
                  .second = { .tid = 1, .write = true, .frees = true } } };
    struct hd_witness *w = calloc(1, sizeof *w);

    (void)state;
    w->labels = HD_RACE_SAME_VALUE;
    m->report.race = &info;
    m->report.witness = w;
    char *text = rendered(whole, m);

    want_line(text, "T1 frees 0x1234 at ?, and nothing orders this after the read of T2 at ?\n");
    want_line(text, "second: T1 frees at ?");
    want_line(text, "** frees 0x1234");
    want_line(text, "use after free");
    assert_null(strstr(text, "the value that is there"));
    assert_null(strstr(text, "writes"));
    free(w);
    unmake(m);
}

static void words_are_wrapped(void **state)
{
    char buf[400] = "", text[201];
    FILE *f = fmemopen(buf, sizeof buf, "w");
    struct hd_text t = { .out = f };

    (void)state;
    for (int i = 0; i < 20; i++)
        memcpy(text + i * 10, "123456789 ", 11);
    hd_text_wrap(&t, 0, 4, text);
    fclose(f);
    want_width(buf);
    assert_non_null(strstr(buf, "123456789\n    123456789"));
}

/* The schedule of a finding: each decision gets the event that it led to. */
static void steps_get_their_operations(void **state)
{
    struct made *m = make(HD_FK_ASSERTION, 1, 2);
    uint32_t a = object(m, HD_OBJ_MUTEX, 0xa0);
    struct hd_schedule s;

    (void)state;
    event(m, 0, HD_EV_MUTEX_INIT, a, 0, 0);
    event(m, 0, HD_EV_MUTEX_LOCK, a, 0, 0);
    event(m, 1, HD_EV_THREAD_START, 0, 0, 0);
    m->decisions[m->report.ndecisions++] = (struct hd_decision){ 2, 3, 0 };
    m->events[m->report.nevents++] = (struct hd_event){ .tid = 1, .kind = HD_EV_CHOOSE,
                                                        .flags = HD_EVF_CHOICE, .value = 2 };
    m->decisions[m->report.ndecisions++] = (struct hd_decision){ 1, 0, 0 }; /* it failed in this */
    m->pending[1] = (struct hd_event){ .tid = 1, .kind = HD_EV_MUTEX_UNLOCK, .obj = a };
    hd_schedule_init(&s);
    hd_report_schedule(&m->report, &s);
    assert_int_equal(s.nsteps, 4);
    assert_int_equal(s.steps[0].kind, HD_EV_MUTEX_LOCK);
    assert_string_equal(s.steps[0].object, "0xa0");
    assert_int_equal(s.steps[1].kind, HD_EV_THREAD_START);
    assert_int_equal(s.steps[2].decision.alternatives, 3);
    assert_int_equal(s.steps[2].kind, HD_EV_CHOOSE);
    assert_int_equal(s.steps[3].kind, HD_EV_MUTEX_UNLOCK);
    hd_schedule_free(&s);
    unmake(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deadlock_names_who_waits_for_whom),
        cmocka_unit_test(a_partial_deadlock_tells_who_runs_on),
        cmocka_unit_test(a_waiter_is_told_of_the_last_signal),
        cmocka_unit_test(each_switch_has_its_reason),
        cmocka_unit_test(locks_that_are_held_are_named),
        cmocka_unit_test(paths_below_the_working_directory_are_short),
        cmocka_unit_test(a_deadlock_has_details_for_tools),
        cmocka_unit_test(output_of_the_program_cannot_touch_the_terminal),
        cmocka_unit_test(a_race_shows_both_accesses),
        cmocka_unit_test(pending_operations_have_no_value),
        cmocka_unit_test(narrow_cells_keep_operation_and_name),
        cmocka_unit_test(columns_share_the_room),
        cmocka_unit_test(an_address_in_the_heap_is_told_by_its_offset),
        cmocka_unit_test(waits_tell_how_they_ended),
        cmocka_unit_test(a_choice_tells_its_range),
        cmocka_unit_test(a_race_with_a_free_says_so),
        cmocka_unit_test(words_are_wrapped),
        cmocka_unit_test(steps_get_their_operations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
