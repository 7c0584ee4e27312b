/* SPDX-License-Identifier: BSD-2-Clause
 *
 * finding.h - kinds of findings, spelled as on the command line and in JSON. */
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

#endif
