/* SPDX-License-Identifier: BSD-2-Clause
 *
 * scan.h - which functions of a linked object Heddle does not see.
 *
 * Instrumented code announces its accesses by calls of __tsan_*.  Whether an object was
 * compiled that way tells nothing of its parts: a plain archive, a file with another option,
 * a function with an attribute are linked into it without a trace.  So the machine code
 * itself is looked at, function by function.  A function is unseen when
 *
 *   plain     it calls no hook, and accesses memory that is neither its stack, nor thread-local,
 *             nor constant, or has a locked instruction or a system call
 *   entry     it has the hooks of entry and exit only, and does the same (clang's no_sanitize)
 *   assembly  it has hooks, and yet a locked instruction or a system call, which instrumented
 *             code never has: inline assembly
 *   noted     inline assembly of its that accesses memory was noted by the compiler's wrapper
 *             (cli/cmd_assemble.c): of a mere mov nothing else tells
 *   returned  it stores a structure that a call returns where others may see it, which gcc does
 *             not announce, and which was noted likewise (program/struct_returns.h)
 *
 * What is asked is about code, not about what it does: whether it ever runs, and while there
 * are threads, is for the runtime to find out (runtime/hooks/unseen_probe.h). */
#ifndef HD_SCAN_SCAN_H
#define HD_SCAN_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hd_unseen_kind { HD_UNSEEN_PLAIN, HD_UNSEEN_ENTRY, HD_UNSEEN_ASSEMBLY, HD_UNSEEN_NOTED, HD_UNSEEN_RETURNED };

/* The word for it in messages and JSON. */
const char *hd_unseen_word(enum hd_unseen_kind kind);

/* Addresses are those of the object's file. */
struct hd_unseen {
    uint64_t addr, size;
    char *name;  /* as the symbol table has it, or "code at 0x1234" */
    char *place; /* "file.c:12" of what was noted; else NULL */
    enum hd_unseen_kind kind;
    bool certain; /* that a function begins there, and nothing else */
    bool locked;  /* has an instruction with a lock prefix, or an exchange with memory */
    bool syscall;
    bool point;   /* its inline assembly was made a scheduling point (--asm=point) */
    uint32_t first_resume, nresumes; /* in resumes of the scan */
};

struct hd_scan {
    bool readable;     /* it could be looked at */
    bool instrumented; /* it refers to hooks */
    uint32_t nfunctions;
    struct hd_unseen *list; /* by address */
    size_t n;
    /* Where control may come back into an unseen function other than by its entry or behind
     * a call: handlers of exceptions, what follows setjmp. */
    uint64_t *resumes;
    size_t nresumes;
};

/* Look at the object.  quick: take every function of an object without hooks for unseen, and
 * look at none of them (hd_scan_function does, later). */
void hd_scan_object(const char *path, bool quick, struct hd_scan *out);
void hd_scan_free(struct hd_scan *s);

/* Look at the one function that a quick scan has listed: false when it accesses nothing.
 * Kind, locked and syscall are then known. */
bool hd_scan_function(const char *path, struct hd_unseen *u);

#endif
