/* SPDX-License-Identifier: BSD-2-Clause
 *
 * machine.h - one virtual machine: starts QEMU, boots the kernel up to its `begin`, takes a snapshot,
 * and runs executions from it.
 *
 * Only documented interfaces of an unmodified QEMU are used: QMP (stop, cont, loadvm), the gdb stub (a
 * breakpoint, so that the snapshot is taken at an exact instruction), -qtest (interrupts; its client
 * is the plugin), -icount (time is the number of instructions, so that a machine repeats itself), and
 * -singlestep (one instruction in a translated block, so that an interrupt comes where it is wanted). */
#ifndef HD_KERNEL_DRIVE_MACHINE_H
#define HD_KERNEL_DRIVE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "kernel/link/link.h"

#define HD_QEMU_DEFAULT "qemu-system-x86_64" /* or what HEDDLE_QEMU names */

struct hd_machine;

struct hd_machine_plan {
    const char *initrd;     /* file, for Linux; NULL: another kernel */
    uint32_t knows;         /* Linux: address at which the test has sent the kernel's symbols */
    bool (*learn)(struct hd_machine *m); /* called there; false: m->message says what is wrong */
    void *data;             /* for it */
    const char *kernel;     /* file */
    const char *words;      /* its command line */
    const char *plugin;     /* file */
    uint32_t megabytes;
    uint32_t begin;         /* address */
    bool verbose;
};

enum hd_machine_result {
    HD_M_OK,
    HD_M_MISSING,  /* there is no QEMU, or one that this build cannot use */
    HD_M_FAILED,   /* the message says why */
};

struct hd_machine {
    struct hd_machine_plan plan;
    struct hd_klink *link;
    int link_fd;
    pid_t pid;              /* 0: none */
    int qmp, gdb, console, lines, errors; /* lines: what the test in Linux sends; errors: what QEMU prints */
    off_t console_from, lines_from; /* where those of this run begin */
    char dir[64];           /* with its sockets and files; "": they are removed already */
    char message[512];      /* after a failure */
    int status;             /* of QEMU, when it has ended */
};

/* Makes the link; *m is then closed with hd_machine_close whatever happens. */
bool hd_machine_open(struct hd_machine *m);
enum hd_machine_result hd_machine_boot(struct hd_machine *m, const struct hd_machine_plan *plan);
/* Runs one execution; the link then tells how it ended.  When QEMU has ended by itself (a triple fault),
 * its end is HD_KE_DIED, and the next execution boots the kernel again. */
enum hd_machine_result hd_machine_run(struct hd_machine *m);
/* What the kernel has printed in this run, and what its test has sent; NUL-terminated, to be freed. */
char *hd_machine_console(const struct hd_machine *m);
char *hd_machine_lines(const struct hd_machine *m);
void hd_machine_stop(struct hd_machine *m);
void hd_machine_close(struct hd_machine *m);

/* The version line of QEMU; false: there is none. */
bool hd_machine_version(char *buf, size_t cap);
const char *hd_machine_qemu(void);
/* Can QEMU load the plugin?  `why`: what it says if not. */
bool hd_machine_loads(const char *plugin, char *why, size_t cap);

#endif
