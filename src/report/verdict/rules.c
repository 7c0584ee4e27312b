/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rules.c - the table of kinds; docs/detectors.md says more about each. */
#include "report/verdict/rules.h"

#include <string.h>

const struct hd_rule hd_rules[] = {
    { "assertion", "a failed assert()",
      "In this order of the threads an assertion does not hold. Look for the step of another thread "
      "that changed what the assertion is about, and keep it out with the lock that protects it." },
    { "abort", "abort(), an uncaught C++ exception, a failed check of libc",
      "In this order of the threads the program gives itself up. What it printed before usually "
      "says why." },
    { "crash", "SIGSEGV, SIGBUS, SIGFPE, SIGILL or another deadly signal",
      "In this order of the threads the program crashes, often because one thread uses what another "
      "one has not set yet, or has taken away." },
    { "exit-code", "main returned, or exit() was called with, a value other than 0",
      "The program itself found that something is wrong, in this order of the threads only." },
    { "deadlock", "threads that wait for each other, or for what nobody will do",
      "None of these threads will ever go on. Take locks in the same order everywhere; signal a "
      "condition with its mutex held, and wait in a loop that looks at the state first." },
    { "livelock", "threads that poll for ever, and executions that do not end",
      "These threads run and get nowhere. Somebody has to change what they wait for, or to give way." },
    { "use-after-free", "an access to a block that was freed, or to the stack of a thread that ended",
      "One thread still uses memory that another one has given back. Let the last user free it: join "
      "the thread, or count references." },
    { "heap-overflow", "an access beyond the end or before the start of a heap block",
      "An index or size was changed by another thread between its check and its use, or never fitted." },
    { "data-race", "two accesses to the same memory, one a write, one not atomic, that nothing orders",
      "In C and C++ the behaviour of a program with a data race is undefined. Protect both accesses "
      "with the same lock, or make the object atomic." },
    { "double-free", "free() of a block that is free already",
      "Two threads free the same block. Make the decision who frees it part of a critical section." },
    { "bad-free", "free() of what malloc() did not return",
      "The pointer is not the start of a block of the heap, in this order of the threads." },
    { "leak", "blocks that are lost in some order of the threads and not in another",
      "In this order a pointer is overwritten or forgotten before its block is freed." },
    { "lock-misuse", "unlocking what is not held, destroying what is in use, and the like",
      "What the standard says of such a call is that anything may happen. Only who holds a lock may "
      "unlock it; objects are destroyed when nobody can use them any more." },
    { "check-failed", "heddle_assert, heddle_always or a check at the end of <heddle/heddle.h> failed",
      "In this order of the threads a condition does not hold that the test says must." },
    { "nondeterminism", "the program did not repeat itself under the same schedule",
      "Something that Heddle does not control decides what the program does: input, files, time, other "
      "processes, the machine. Take it out of the test." },
    { "potential-deadlock", "locks in an order that may deadlock, though no execution has",
      "Threads take the same locks in different orders and nothing that was seen keeps them apart. "
      "Take locks in the same order everywhere." },
    { "thread-not-joined", "a thread that has ended, and that nobody joins or detaches",
      "Its stack is kept until somebody does. Join it, or create it detached." },
};
const size_t hd_rule_count = sizeof hd_rules / sizeof *hd_rules;
const size_t hd_rule_findings = sizeof hd_rules / sizeof *hd_rules - 2;

size_t hd_rule_find(const char *name)
{
    size_t i = 0;

    while (i < hd_rule_count && strcmp(hd_rules[i].name, name) != 0)
        i++;
    return i;
}
