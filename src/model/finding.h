/* SPDX-License-Identifier: BSD-2-Clause
 *
 * finding.h - kinds of findings and warnings, spelled as on the command line and in JSON.
 *
 * A finding is something that went wrong.  A warning is something that may, or that is
 * merely untidy: it ends no search and changes no verdict. */
#ifndef HD_MODEL_FINDING_H
#define HD_MODEL_FINDING_H

#define HD_FINDING_KINDS(X)                 \
    X(ASSERTION, "assertion")               \
    X(ABORT, "abort")                       \
    X(CRASH, "crash")                       \
    X(EXIT_CODE, "exit-code")               \
    X(DEADLOCK, "deadlock")                 \
    X(LIVELOCK, "livelock")                 \
    X(DATA_RACE, "data-race")               \
    X(USE_AFTER_FREE, "use-after-free")     \
    X(HEAP_OVERFLOW, "heap-overflow")       \
    X(DOUBLE_FREE, "double-free")           \
    X(BAD_FREE, "bad-free")                 \
    X(LEAK, "leak")                         \
    X(LOCK_MISUSE, "lock-misuse")           \
    X(CHECK_FAILED, "check-failed")         \
    X(NOT_LINEARIZABLE, "not-linearizable") \
    X(NONDETERMINISM, "nondeterminism")

enum hd_finding_kind {
#define X(id, text) HD_FK_##id,
    HD_FINDING_KINDS(X)
#undef X
    HD_FK_COUNT
};

const char *hd_finding_kind_text(enum hd_finding_kind k);

enum hd_warning_kind {
    HD_WARN_NONE,       /* a finding */
    HD_WARN_LOCK_ORDER, /* locks in an order that may deadlock, though it has not */
    HD_WARN_NOT_JOINED, /* a thread has ended that nobody joins or detaches */
    HD_WARN_COUNT
};

const char *hd_warning_kind_text(enum hd_warning_kind k);

#endif
