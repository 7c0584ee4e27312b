/* SPDX-License-Identifier: BSD-2-Clause
 *
 * session.c - opens the parts, runs executions until something ends the search, keeps findings. */
#include "kernel/drive/session.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/memory.h"
#include "kernel/drive/bootimage.h"
#include "kernel/drive/describe.h"
#include "kernel/drive/linux.h"
#include "kernel/drive/minimize.h"
#include "kernel/drive/report.h"
#include "kernel/drive/schedule.h"
#include "search/core/strategy.h"

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    interrupted = number;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int usage(const char *file, const char *why)
{
    fprintf(stderr, "heddle: %s: %s\n", file, why);
    return HD_EXIT_USAGE;
}

static void configure(struct hd_ksession *s)
{
    const struct hd_kernel_request *r = s->request;
    struct hd_klink *l = s->machine.link;

    snprintf(l->strategy, sizeof l->strategy, "%s", r->strategy);
    l->seed = r->seed;
    l->bound = r->bound;
    l->max_instructions = r->max_instructions;
    l->max_points = r->max_points;
    l->batch = 1;
    l->races = r->races;
}

static int describe(struct hd_ksession *s)
{
    const struct hd_kernel_request *r = s->request;
    struct hd_klink *l = s->machine.link;
    char why[400];
    char *text = r->describe == NULL ? NULL : hd_text_of_file(r->describe);

    if (r->describe != NULL && text == NULL)
        return usage(r->describe, "the description cannot be read");
    const char *name = hd_describe(l, s->image, text, r->describe, why, sizeof why);

    free(text);
    if (name == NULL)
        return usage(r->kernel, why);
    snprintf(s->describe_name, sizeof s->describe_name, "%s", name);
    for (uint32_t i = 0; i < r->nfilters; i++)
        if (!hd_describe_filter(l, s->image, r->filter[i].function, r->filter[i].within))
            return usage(r->filter[i].function, "the kernel has no function of this name");
    return HD_EXIT_CLEAN;
}

/* Pintos is not booted from its ELF file. */
static bool make_boot_image(struct hd_ksession *s, char *why, size_t cap)
{
    snprintf(s->boot_image, sizeof s->boot_image, "/tmp/heddle-boot-XXXXXX");
    int fd = mkstemp(s->boot_image);

    if (fd == -1) {
        s->boot_image[0] = '\0';
        snprintf(why, cap, "cannot write to /tmp");
        return false;
    }
    close(fd);
    return hd_bootimage_write(s->request->kernel, s->request->words, s->boot_image, why, cap);
}

static int boot(struct hd_ksession *s)
{
    const struct hd_kernel_request *r = s->request;
    struct hd_machine_plan plan = {
        .kernel = r->kernel, .words = r->words, .plugin = r->plugin, .megabytes = r->megabytes,
        .begin = hd_describe_address(s->machine.link, HD_KR_BEGIN), .verbose = r->verbose > 1,
    };

    char why[256];

    if (r->ntests == 0 && hd_kimage_is_pintos(s->image)) {
        if (!make_boot_image(s, why, sizeof why))
            return usage(r->kernel, why);
        plan.kernel = s->boot_image;
        plan.words = "";
    }
    if (r->ntests > 0) {
        plan.initrd = s->initrd;
        plan.knows = s->knows;
        plan.begin = s->ready;
        plan.learn = hd_linux_learn;
        plan.data = s;
    }
    enum hd_machine_result result = hd_machine_boot(&s->machine, &plan);

    if (result == HD_M_OK)
        return HD_EXIT_CLEAN;
    fprintf(stderr, "heddle: %s\n", s->machine.message);
    return result == HD_M_MISSING ? HD_EXIT_SKIPPED : HD_EXIT_USAGE;
}

int hd_ksession_open(struct hd_ksession *s, const struct hd_kernel_request *r)
{
    char why[256];

    *s = (struct hd_ksession){ .request = r };
    if (!hd_machine_open(&s->machine)) {
        fputs("heddle: there is not enough memory for the search\n", stderr);
        return HD_EXIT_USAGE;
    }
    configure(s);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    if (r->ntests > 0) {
        s->machine.link->is_linux = true;
        return hd_linux_build(s, why, sizeof why) ? boot(s) : usage(r->test[0], why);
    }
    s->image = hd_kimage_open(r->kernel, why, sizeof why);
    if (s->image == NULL)
        return usage(r->kernel, why);
    int code = describe(s);

    return code != HD_EXIT_CLEAN ? code : boot(s);
}

void hd_ksession_close(struct hd_ksession *s)
{
    hd_machine_close(&s->machine);
    hd_linux_remove(s);
    if (s->boot_image[0] != '\0')
        unlink(s->boot_image);
    free(s->page);
    if (s->image != NULL)
        hd_kimage_close(s->image);
}

bool hd_ksession_run(struct hd_ksession *s)
{
    if (hd_machine_run(&s->machine) == HD_M_OK)
        return true;
    fprintf(stderr, "heddle: %s\n", s->machine.message);
    return false;
}

void hd_ksession_kind(const struct hd_ksession *s, char *buf, size_t cap)
{
    static const char *const words[HD_KE_ENDS] = {
        [HD_KE_PANIC] = "panic", [HD_KE_FAULT] = "crash", [HD_KE_DEADLOCK] = "deadlock", [HD_KE_HANG] = "hang",
        [HD_KE_FREED] = "use-after-free", [HD_KE_DIED] = "crash", [HD_KE_WRONG] = "wrong-result",
    };
    const char *word = words[s->machine.link->end];

    if (s->request->ntests > 0 && s->machine.link->end == HD_KE_PANIC)
        hd_linux_complaint(s, buf, cap);
    else
        snprintf(buf, cap, "%s", word == NULL ? "" : word);
}

/* Writes the message of Linux or of the test without numbers, because addresses and counts may vary. */
static void words_of_message(const struct hd_ksession *s, char *buf, size_t cap)
{
    char message[256];
    size_t n = 0;

    hd_linux_message(s, message, sizeof message);
    for (const char *c = message; *c != '\0' && n + 1 < cap; c++)
        if (strchr("0123456789abcdef", *c) == NULL)
            buf[n++] = *c;
    buf[n] = '\0';
}

uint64_t hd_ksession_signature(const struct hd_ksession *s)
{
    const struct hd_klink *l = s->machine.link;
    char kind[24], place[128] = "";

    hd_ksession_kind(s, kind, sizeof kind);
    if (s->request->ntests > 0)
        words_of_message(s, place, sizeof place);
    else if (l->end != HD_KE_DEADLOCK && l->end != HD_KE_HANG && l->end != HD_KE_DIED && l->nlog > 0) {
        const struct hd_k_log *last = &l->log[l->nlog - 1];

        hd_kimage_symbol(s->image, last->pc[last->nframes > 1 ? 1 : 0], place, sizeof place);
    }
    return hd_hash_bytes(hd_hash_bytes(0, kind, strlen(kind)), place, strlen(place));
}

/* Replays the schedule in the link and counts the repetitions with the same finding. */
static void confirm(struct hd_ksession *s, struct hd_kernel_finding *f, uint64_t signature)
{
    struct hd_klink *l = s->machine.link;

    for (f->tried = 0; f->tried < 3; f->tried++) {
        if (!hd_ksession_run(s))
            return;
        if (f->tried == 0)
            f->hash = l->hash;
        f->reproduced += hd_ksession_signature(s) == signature && l->hash == f->hash;
    }
}

/* Handles the finding of the last execution: minimises, confirms, saves and shows it. Restores the state of the
 * search afterwards. */
static void keep(struct hd_ksession *s, uint64_t signature)
{
    struct hd_klink *l = s->machine.link;
    struct hd_kernel_finding *f = &s->finding[s->nfindings++];
    uint32_t nsites = l->nsites;
    uint64_t found_in = l->total.executions;

    *f = (struct hd_kernel_finding){ .execution = found_in };
    hd_ksession_kind(s, f->kind, sizeof f->kind);
    snprintf(f->id, sizeof f->id, "%016llx", (unsigned long long)hd_hash_mix(signature, hd_kimage_hash(s->image)));
    struct hd_k_counters total = l->total;
    bool died = l->died;

    l->recorded = true;
    l->died = false;
    l->nsites = l->active;
    if (s->request->ntests > 0)
        hd_linux_shorten(s, signature);
    f->windows = l->batch;
    f->minimal = s->request->minimize && hd_kminimize(s, signature);
    confirm(s, f, signature);
    f->ticks = l->nticks;
    hd_kreport_message(s, f->message, sizeof f->message);
    hd_kschedule_save(s, f);
    if (!s->request->quiet)
        hd_kreport_finding(s, f, stdout);
    if (s->request->html != NULL)
        hd_kpage_finding(s, f);
    l->recorded = false;
    l->died = died;
    l->nsites = nsites;
    l->total = total;
}

static bool is_known(const struct hd_ksession *s, uint64_t signature)
{
    char id[17];

    snprintf(id, sizeof id, "%016llx", (unsigned long long)hd_hash_mix(signature, hd_kimage_hash(s->image)));
    for (unsigned i = 0; i < s->nfindings; i++)
        if (strcmp(s->finding[i].id, id) == 0)
            return true;
    return s->nfindings == HD_K_FINDINGS;
}

/* Returns true if the search continues. */
static bool judge(struct hd_ksession *s)
{
    const struct hd_klink *l = s->machine.link;

    if (l->end == HD_KE_CLEAN || l->end == HD_KE_CUT)
        return true;
    if (l->end == HD_KE_TOO_MANY) {
        fprintf(stderr, "heddle: the kernel has more than %d threads in one execution\n", HD_K_CONTEXTS - 1);
        return false;
    }
    if (l->end == HD_KE_DIVERGED)
        return false;
    uint64_t signature = hd_ksession_signature(s);

    if (!is_known(s, signature))
        keep(s, signature);
    return s->request->keep_going;
}

static bool is_over(const struct hd_ksession *s, double started)
{
    const struct hd_kernel_request *r = s->request;
    uint64_t ms = (uint64_t)((now() - started) * 1000);

    return interrupted != 0 || (s->limit != 0 && s->machine.link->total.executions >= s->limit) ||
           (r->budget_ms != 0 && ms >= r->budget_ms) || (s->goes_on != NULL && !s->goes_on(s->ctx));
}

bool hd_ksession_interrupted(void)
{
    return interrupted != 0;
}

/* Returns the number of executions in the next run.  In an exhaustive search each execution must begin with the
 * snapshot, so it is 1. */
static uint32_t batch_of(const struct hd_ksession *s)
{
    uint64_t limit = s->limit, done = s->machine.link->total.executions;
    struct hd_traits traits = hd_strategy_traits(s->request->strategy);

    if (s->request->ntests == 0 || !hd_traits_samples(&traits))
        return 1;
    return limit != 0 && limit - done < HD_LINUX_BATCH ? (uint32_t)(limit - done) : HD_LINUX_BATCH;
}

static int explore(struct hd_ksession *s)
{
    struct hd_klink *l = s->machine.link;
    double started = now();

    do {
        l->batch = batch_of(s);
        if (!hd_ksession_run(s))
            return HD_EXIT_INTERNAL;
        if (l->phase == HD_KP_EXHAUSTED)
            break;
        l->total.executions += l->end == HD_KE_DIED;
    } while (judge(s) && !is_over(s, started));
    s->seconds = now() - started;
    s->complete = hd_campaign_totals(&l->campaign)->complete && l->nsites < HD_K_SITES;
    if (s->nfindings > 0)
        return HD_EXIT_FINDING;
    if (l->end == HD_KE_DIVERGED)
        return HD_EXIT_DIVERGED;
    if (l->end == HD_KE_TOO_MANY)
        return HD_EXIT_USAGE;
    return s->complete ? HD_EXIT_CLEAN : HD_EXIT_BUDGET;
}

int hd_ksession_part(struct hd_ksession *s, uint64_t first, uint64_t n)
{
    struct hd_klink *l = s->machine.link;

    l->campaign.totals[l->campaign.current & 1].begun = first;
    l->died = false; /* that execution belongs to an earlier part */
    l->total = (struct hd_k_counters){ .executions = 0 };
    s->nfindings = 0;
    s->limit = n;
    return explore(s);
}

int hd_kernel_run(const struct hd_kernel_request *r)
{
    struct hd_ksession s;
    int code = hd_ksession_open(&s, r);

    if (code == HD_EXIT_CLEAN) {
        mkdir(r->out_dir, 0777);
        s.limit = r->executions;
        code = explore(&s);
        if (s.machine.link->nraces > 0 && code != HD_EXIT_INTERNAL)
            hd_kraces_judge(&s);
        if (!r->quiet) {
            hd_kreport_verdict(&s, code, stdout);
            hd_kraces_print(&s, stdout);
        }
        if ((r->json != NULL && !hd_kreport_json(&s, code, r->json)) ||
            (r->html != NULL && !hd_kpage_write(&s, code, r->html)))
            code = HD_EXIT_USAGE;
    }
    hd_ksession_close(&s);
    return code;
}
