/* SPDX-License-Identifier: BSD-2-Clause
 *
 * session.h - a search in a kernel, from its options to its exit code. */
#ifndef HD_KERNEL_DRIVE_SESSION_H
#define HD_KERNEL_DRIVE_SESSION_H

#include "kernel/drive/image.h"
#include "kernel/drive/machine.h"
#include "kernel/drive/races.h"

#define HD_K_FILTERS 32

#define HD_K_TESTS 16

struct hd_kernel_request {
    const char *kernel, *words, *plugin;
    const char *test[HD_K_TESTS]; /* C files of the tests; only if the kernel is Linux */
    uint32_t ntests;
    const char *modules;         /* directory with Linux's modules; NULL: none */
    const char *include, *guest; /* for tests of Linux: directory of the headers, and path of the library */
    const char *describe;        /* file with a description; NULL: use a built-in one */
    const char *strategy;        /* name with parameters */
    int64_t bound;
    uint64_t seed, executions, budget_ms; /* 0: no limit */
    uint32_t megabytes, max_instructions, max_points;
    struct {
        bool within;
        const char *function;
    } filter[HD_K_FILTERS];
    uint32_t nfilters;
    const char *out_dir, *json, *html;  /* json, html: file, "-": standard output, NULL: none */
    bool keep_going, quiet, minimize;
    bool races;                  /* look for data races of Linux */
    uint32_t verbose;
    uint32_t repeats;            /* replay: number of repetitions */
};

struct hd_kernel_finding {
    char id[17], kind[24], message[256], schedule[512];
    uint64_t execution, hash;
    uint32_t ticks, reproduced, tried;
    uint32_t windows; /* number of executions from the snapshot to the finding */
    bool minimal; /* the finding needs each interrupt of the schedule */
};

#define HD_K_FINDINGS 32

struct hd_ksession {
    const struct hd_kernel_request *request;
    struct hd_machine machine;
    struct hd_kimage *image;
    char describe_name[256];
    /* Linux */
    char boot_image[64];         /* Pintos: the file from which QEMU boots; "": none */
    char initrd_dir[64], initrd[80];
    uint32_t knows, ready;       /* addresses of hd_guest_knows and hd_guest_ready in the test's program */
    uint64_t hash;               /* hash of kernel and image */
    struct hd_kernel_finding finding[HD_K_FINDINGS];
    unsigned nfindings;
    struct hd_k_races races;
    char *page;       /* HTML of the findings so far; NULL: none */
    bool complete;
    double seconds;
    uint64_t limit;              /* maximum number of executions; 0: none */
    bool (*goes_on)(void *ctx);  /* asked after each run of QEMU; NULL: not asked */
    void *ctx;
};

/* Returns an exit code, as for programs. */
int hd_kernel_run(const struct hd_kernel_request *r);
/* Runs a recorded schedule again. */
int hd_kernel_replay(const struct hd_kernel_request *r, const char *file);

/* For replay and minimising: opens image and link, reads the description and starts the machine.  Returns
 * HD_EXIT_CLEAN or another exit code. */
int hd_ksession_open(struct hd_ksession *s, const struct hd_kernel_request *r);
void hd_ksession_close(struct hd_ksession *s);
/* Samples the n executions from this index on, in an open session, with s->goes_on.  Counters and findings are then those of
 * this part; s->machine.link->total.executions is how many there were.  Returns an exit code. */
int hd_ksession_part(struct hd_ksession *s, uint64_t first, uint64_t n);
/* True if the user has sent SIGINT or SIGTERM. */
bool hd_ksession_interrupted(void);

/* Runs one execution.  Returns false after a message. */
bool hd_ksession_run(struct hd_ksession *s);
/* Writes the kind of the execution's end; "": clean. */
void hd_ksession_kind(const struct hd_ksession *s, char *buf, size_t cap);
/* Returns a number that identifies the finding of the execution, from its kind and place. */
uint64_t hd_ksession_signature(const struct hd_ksession *s);

#endif
