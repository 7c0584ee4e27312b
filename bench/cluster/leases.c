/* SPDX-License-Identifier: BSD-2-Clause
 *
 * leases.c URL PROCESSES SECONDS ROWS - how many leases a store sustains: processes claim a row, send one heartbeat
 * and commit, again and again, with the statements of src/store but without a search.  Each process continues its
 * own rows, ROWS of them, as busy workers do. In one cycle of ten it finishes its row and adds new rows below it, as
 * when a worker divides its work.  Prints cycles per second, and the milliseconds that a claim, a heartbeat and both
 * kinds of commit take. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "store/store.h"

enum { CLAIM, BEAT, COMMIT, DIVIDE, KINDS };

struct figures {
    double seconds[KINDS];
    long n[KINDS];
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void die(struct hd_cluster *st)
{
    fprintf(stderr, "leases: %s\n", hd_cluster_error(st));
    exit(1);
}

static struct hd_cluster *open_store(const char *url)
{
    char error[512];
    struct hd_cluster *st = hd_cluster_open(url, error, sizeof error);

    if (st == NULL) {
        fprintf(stderr, "leases: %s\n", error);
        exit(1);
    }
    return st;
}

static void add_time(struct figures *f, int kind, double begun)
{
    f->seconds[kind] += now() - begun;
    f->n[kind]++;
}

/* Commits the row as finished and adds a tree of n rows below it, with four children per node.  The rows have the
 * sizes of those of a real search. */
static void divide(struct hd_cluster *st, const struct hd_cluster_lease *l, const char *who, uint32_t n)
{
    enum { FAN = 4 };
    static char bytes[2000];
    struct hd_cluster_row *rows = calloc(n, sizeof *rows);
    uint32_t *labels = calloc(n, sizeof *labels);
    struct hd_cluster_slice s = { .worker = who, .seconds = 1, .executions = 1000, .totals = { bytes, 1000 }, .state = HD_ROW_INNER,
                                  .rows = rows, .nrows = n };

    for (uint32_t i = 0; i < n; i++) {
        labels[i] = i;
        rows[i] = (struct hd_cluster_row){ .parent = i < FAN ? l->row : 0, .parent_at = i < FAN ? 0 : i / FAN - 1, .order = i,
                                           .known = true, .state = FAN * (i + 1) < n ? HD_ROW_INNER : HD_ROW_QUEUED,
                                           .label = { &labels[i], sizeof *labels }, .step = { bytes, 24 }, .cursor = { bytes, 600 } };
    }
    if (hd_cluster_commit(st, l, &s) != HD_COMMIT_DONE)
        die(st);
    free(rows);
    free(labels);
}

static void go_on(struct hd_cluster *st, const struct hd_cluster_lease *l, const char *who)
{
    static char bytes[1000];
    const struct hd_cluster_slice s = { .worker = who, .seconds = 1, .executions = 1000, .totals = { bytes, 1000 },
                                        .state = HD_ROW_QUEUED, .cursor = { bytes, 600 } };

    if (hd_cluster_commit(st, l, &s) != HD_COMMIT_DONE)
        die(st);
}

static void work(const char *url, int64_t campaign, int number, double end, struct figures *f)
{
    struct hd_cluster *st = open_store(url);
    struct hd_cluster_lease l;
    struct hd_cluster_beat b;
    char who[32];

    snprintf(who, sizeof who, "host:%d", number);
    for (unsigned round = 0; now() < end; round++) {
        double begun = now();

        if (hd_cluster_claim(st, campaign, who, 60, 1, &l) != HD_CLAIM_WORK)
            continue;
        add_time(f, CLAIM, begun);
        begun = now();
        if (!hd_cluster_heartbeat(st, who, &l, 60, NULL, &b))
            die(st);
        add_time(f, BEAT, begun);
        begun = now();
        if (round % 10 == 9)
            divide(st, &l, who, 2);
        else
            go_on(st, &l, who);
        add_time(f, round % 10 == 9 ? DIVIDE : COMMIT, begun);
        hd_cluster_lease_free(&l);
    }
    hd_cluster_close(st);
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 1;
    int processes = atoi(argv[2]), rows = atoi(argv[4]);
    double seconds = atof(argv[3]), mean[KINDS] = { 0 };
    struct figures *all = mmap(NULL, sizeof *all * (size_t)processes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct hd_cluster *st = open_store(argv[1]);
    const struct hd_cluster_spec spec = { .name = "leases", .kind = HD_CLUSTER_TREE, .spec = "", .hash = "" };
    struct hd_cluster_campaign c;
    struct hd_cluster_lease l;
    long cycles = 0;

    if (!hd_cluster_join(st, &spec, &c) || hd_cluster_claim(st, c.id, "first", 60, 1, &l) != HD_CLAIM_WORK)
        die(st);
    divide(st, &l, "first", (uint32_t)(processes * rows * 4 / 3 + 4)); /* three of four rows are leaves */
    double end = now() + seconds;

    for (int i = 0; i < processes; i++)
        if (fork() == 0) {
            work(argv[1], c.id, i, end, &all[i]);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    for (int k = 0; k < KINDS; k++) {
        long n = 0;

        for (int i = 0; i < processes; i++) {
            mean[k] += all[i].seconds[k];
            n += all[i].n[k];
        }
        mean[k] = n > 0 ? mean[k] / (double)n * 1e3 : 0;
        cycles += k == COMMIT || k == DIVIDE ? n : 0;
    }
    printf("%d\t%.0f\t%.2f\t%.2f\t%.2f\t%.2f\n", processes, (double)cycles / seconds, mean[CLAIM], mean[BEAT], mean[COMMIT],
           mean[DIVIDE]);
    return !hd_cluster_delete(st, c.id);
}
