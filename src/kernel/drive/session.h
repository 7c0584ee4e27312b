/* SPDX-License-Identifier: BSD-2-Clause
 *
 * session.h - a search in a kernel, from its options to its exit code. */
#ifndef HD_KERNEL_DRIVE_SESSION_H
#define HD_KERNEL_DRIVE_SESSION_H

#include "kernel/drive/image.h"
#include "kernel/drive/machine.h"

#define HD_K_FILTERS 32

#define HD_K_TESTS 16

struct hd_kernel_request {
    const char *kernel, *words, *plugin;
    const char *test[HD_K_TESTS]; /* C files: the kernel is Linux */
    uint32_t ntests;
    const char *modules;         /* directory with Linux's modules; NULL: none */
    const char *include, *guest; /* the directory of headers and the library for tests of Linux */
    const char *describe;        /* file; NULL: a description that is built in */
    const char *strategy;        /* with its parameters */
    int64_t bound;
    uint64_t seed, executions, budget_ms; /* 0: no limit */
    uint32_t megabytes, max_instructions, max_points;
    struct {
        bool within;
        const char *function;
    } filter[HD_K_FILTERS];
    uint32_t nfilters;
    const char *out_dir, *json;  /* json: file, "-": standard output, NULL: none */
    bool keep_going, quiet, minimize;
    uint32_t verbose;
    uint32_t repeats;            /* replay: how many times */
};

struct hd_kernel_finding {
    char id[17], kind[24], message[256], schedule[512];
    uint64_t execution, hash;
    uint32_t ticks, reproduced, tried;
    uint32_t windows; /* executions from the snapshot to the finding */
    bool minimal; /* each interrupt is needed */
};

#define HD_K_FINDINGS 32

struct hd_ksession {
    const struct hd_kernel_request *request;
    struct hd_machine machine;
    struct hd_kimage *image;
    char describe_name[256];
    /* Linux */
    char initrd_dir[64], initrd[80];
    uint32_t knows, ready;       /* addresses in the test's program */
    uint64_t hash;               /* of kernel and image */
    struct hd_kernel_finding finding[HD_K_FINDINGS];
    unsigned nfindings;
    bool complete;
    double seconds;
};

/* Exit codes as for programs. */
int hd_kernel_run(const struct hd_kernel_request *r);
/* Runs a recorded schedule again. */
int hd_kernel_replay(const struct hd_kernel_request *r, const char *file);

/* For replay and minimising: opens image and link, reads the description, starts the machine.  Returns an exit
 * code, HD_EXIT_CLEAN when all went well. */
int hd_ksession_open(struct hd_ksession *s, const struct hd_kernel_request *r);
void hd_ksession_close(struct hd_ksession *s);
/* One execution.  False: a message was printed. */
bool hd_ksession_run(struct hd_ksession *s);
/* How the execution ended, in words.  "": clean. */
void hd_ksession_kind(const struct hd_ksession *s, char *buf, size_t cap);
/* What identifies the finding of the execution: kind and place. */
uint64_t hd_ksession_signature(const struct hd_ksession *s);

#endif
