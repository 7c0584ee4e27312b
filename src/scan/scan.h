/* SPDX-License-Identifier: BSD-2-Clause
 *
 * scan.h - finds the functions of a linked object that Heddle does not see.
 *
 * Instrumented code announces its accesses by calls of __tsan_* functions (hooks).  But even in an instrumented
 * object, some parts may not be: an archive, a file compiled with other options, or a function with an
 * attribute.  Nothing in the object shows that.  So the machine code of each function is analysed.  A function
 * is unseen, for one of these reasons, if
 *
 *   plain     it calls no hook, and it accesses memory that is neither its stack nor
 *             thread-local nor constant, or has a locked instruction or a system call
 *   entry     it has only the hooks of entry and exit, and does the same (clang's no_sanitize)
 *   assembly  it has hooks, but also a locked instruction or a system call; in instrumented code these come
 *             only from inline assembly
 *   noted     the compiler's wrapper (cli/cmd_assemble.c) noted inline assembly in it that accesses memory; a
 *             plain mov instruction cannot be recognised otherwise
 *   returned  it stores a structure returned by a call in memory that other threads may see, which gcc does not
 *             announce; also noted by the wrapper (program/struct_returns.h)
 *
 * The scan considers only the code.  Whether it ever runs while there are several threads is determined by the
 * runtime (runtime/watch/unseen_probe.h). */
#ifndef HD_SCAN_SCAN_H
#define HD_SCAN_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hd_unseen_kind { HD_UNSEEN_PLAIN, HD_UNSEEN_ENTRY, HD_UNSEEN_ASSEMBLY, HD_UNSEEN_NOTED, HD_UNSEEN_RETURNED };

/* Returns the word for the kind in messages and JSON. */
const char *hd_unseen_word(enum hd_unseen_kind kind);

/* Addresses are those in the object file. */
struct hd_unseen {
    uint64_t addr, size;
    char *name;  /* from the symbol table, or "code at 0x1234" */
    char *place; /* for a note: "file.c:12"; otherwise NULL */
    enum hd_unseen_kind kind;
    bool certain; /* a function certainly begins there */
    bool locked;  /* it has an instruction with a lock prefix, an exchange with memory, or a transaction */
    bool syscall;
    bool trusted; /* the source declares it with HEDDLE_TRUSTED */
    bool point;   /* its inline assembly was made a scheduling point (--asm=point) */
    uint32_t first_resume, nresumes; /* range in hd_scan.resumes */
};

struct hd_scan {
    bool readable;     /* the object could be read */
    bool instrumented; /* it refers to hooks */
    uint32_t nfunctions;
    struct hd_unseen *list; /* sorted by address */
    size_t n;
    /* Where control may enter an unseen function other than at its entry or after a call:
     * exception handlers, and the instructions after setjmp. */
    uint64_t *resumes;
    size_t nresumes;
    /* Members of std::string that the object calls in the C++ library. */
    char **strings;
    size_t nstrings;
};

/* Scans the object.  With `quick`, if the object has no hooks, lists every function as unseen without analysing
 * it; hd_scan_function does that later. */
void hd_scan_object(const char *path, bool quick, struct hd_scan *out);
void hd_scan_free(struct hd_scan *s);

/* True if the object calls this member of std::string in the C++ library. */
bool hd_scan_calls_string(const struct hd_scan *s, const char *name);

/* Analyses a function that a quick scan has listed.  Returns false if it accesses nothing; otherwise sets kind,
 * locked and syscall. */
bool hd_scan_function(const char *path, struct hd_unseen *u);

#endif
