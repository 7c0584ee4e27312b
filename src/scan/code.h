/* SPDX-License-Identifier: BSD-2-Clause
 *
 * code.h - analyses the instructions of one function. */
#ifndef HD_SCAN_CODE_H
#define HD_SCAN_CODE_H

#include "scan/image.h"

enum { HD_CODE_RANGES = 2 };

struct hd_code_range {
    uint64_t addr, size;
};

/* What is known about a function. */
struct hd_code_facts {
    bool hooks;    /* it refers to a hook of an access or an atomic operation */
    bool entries;  /* it refers to a hook of function entry or exit */
    bool accesses; /* it accesses memory that other threads may share */
    bool locked;
    bool syscall;
    bool point;    /* its inline assembly is preceded by calls of the runtime */
    bool runtime_helper; /* it is code of the compiler's start files, not of the program */
};

struct hd_code;

/* Returns the number, in machine code, of a register or of the register to which this part belongs. */
enum { HD_CODE_NO_REGISTER = 16 };
unsigned hd_code_register(unsigned reg);

struct hd_code *hd_code_open(const struct hd_image *image);
void hd_code_close(struct hd_code *c);

/* Analyses the function in these ranges, the first of which contains its entry.  Calls `resume`, unless it is
 * NULL, for each place at which the function may be entered other than at its entry and after calls. */
void hd_code_look(struct hd_code *c, const struct hd_code_range *range, unsigned n,
                  struct hd_code_facts *out, void (*resume)(uint64_t, void *), void *arg);

#endif
