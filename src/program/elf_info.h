/* SPDX-License-Identifier: BSD-2-Clause
 *
 * elf_info.h - inspects a program file before it is started: whether Heddle can run it, and what
 * Heddle will see. */
#ifndef HD_PROGRAM_ELF_INFO_H
#define HD_PROGRAM_ELF_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* std::__future_base::_State_baseV2::_Make_ready::_M_set(), as it is called in symbol tables. */
#define HD_LATE_RESULT "_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv"

/* Which runtime the program was linked with. */
enum hd_elf_runtime {
    HD_ELF_RT_NONE,   /* a plain program: the runtime is preloaded */
    HD_ELF_RT_HEDDLE, /* linked by `heddle cc` */
    HD_ELF_RT_GCC,    /* libtsan.so.2: replaced by file name */
    HD_ELF_RT_CLANG,  /* libclang_rt.tsan-x86_64.so: replaced by file name */
};

struct hd_elf_info {
    char path[4096];    /* path of the file, found as a shell would find it */
    char problem[512];  /* why it is refused, one sentence; empty if it is not */
    char remedy[512];   /* the remedy, one sentence; empty if unknown */

    /* valid if the file is an ELF program for this machine */
    bool instrumented;  /* contains calls of __tsan_* */
    bool built_in_tsan; /* defines __tsan_init itself: refused */
    bool pie;
    bool static_program; /* no loader: refused */
    char loader[512];   /* the dynamic linker that the kernel starts (PT_INTERP) */
    bool debug_info;
    bool late_results;  /* the program calls a function of libstdc++ that sets the results of promises when a
                         * thread ends, by atomics inside the library */
    enum hd_elf_runtime runtime;
    uint8_t build_id[32];
    uint32_t build_id_len; /* 0: none */
};

/* Inspects `program` (a path, or a name to look up in PATH).  Returns false if Heddle cannot run
 * it; problem and remedy then contain the reason. */
bool hd_elf_inspect(const char *program, struct hd_elf_info *info);

#endif
