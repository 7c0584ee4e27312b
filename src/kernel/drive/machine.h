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

#define HD_QEMU_DEFAULT "qemu-system-x86_64" /* unless HEDDLE_QEMU names another one */

struct hd_machine;

struct hd_machine_plan {
    const char *initrd;     /* path of the initial RAM disk, for Linux; NULL: another kernel */
    uint32_t knows;         /* for Linux: address that the test reaches when it has sent the kernel's symbols */
    bool (*learn)(struct hd_machine *m); /* called at `knows`; returns false after setting m->message */
    void *data;             /* data for `learn` */
    const char *kernel;     /* file */
    const char *words;      /* command line of the kernel */
    const char *plugin;     /* file */
    uint32_t megabytes;
    uint32_t begin;         /* address */
    bool verbose;
};

enum hd_machine_result {
    HD_M_OK,
    HD_M_MISSING,  /* there is no QEMU, or one that this build cannot use */
    HD_M_FAILED,   /* m->message gives the reason */
};

struct hd_machine {
    struct hd_machine_plan plan;
    struct hd_klink *link;
    int link_fd;
    pid_t pid;              /* 0: none */
    int qmp, gdb, console, lines, errors; /* lines: output of the test in Linux; errors: output of QEMU */
    off_t console_from, lines_from; /* offsets at which the output of this run begins */
    char dir[64];           /* directory with its sockets and files; "": they are already removed */
    char message[512];      /* set after a failure */
    uint32_t restores;      /* number of times the snapshot was loaded */
    double restore_seconds; /* time that this took, in total */
    int status;             /* exit status of QEMU, when it has ended */
};

/* Creates the link.  The caller must call hd_machine_close even if this fails. */
bool hd_machine_open(struct hd_machine *m);
enum hd_machine_result hd_machine_boot(struct hd_machine *m, const struct hd_machine_plan *plan);
/* Runs one execution.  The link then contains its end.  If QEMU has ended by itself (a triple fault), the end is
 * HD_KE_DIED, and the next execution boots the kernel again. */
enum hd_machine_result hd_machine_run(struct hd_machine *m);
/* Return the output of the kernel and of its test in this run.  NUL-terminated; the caller frees it. */
char *hd_machine_console(const struct hd_machine *m);
char *hd_machine_lines(const struct hd_machine *m);
void hd_machine_stop(struct hd_machine *m);
void hd_machine_close(struct hd_machine *m);

/* Writes the version line of QEMU.  Returns false if there is no QEMU. */
bool hd_machine_version(char *buf, size_t cap);
const char *hd_machine_qemu(void);
/* True if QEMU can load the plugin; otherwise `why` is QEMU's message. */
bool hd_machine_loads(const char *plugin, char *why, size_t cap);

#endif
