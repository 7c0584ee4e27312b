/* SPDX-License-Identifier: BSD-2-Clause
 *
 * float_modes.c - see float_modes.h. */
#include "runtime/core/float_modes.h"

#include <link.h>
#include <stddef.h>

#include "runtime/core/imports.h"
#include "runtime/core/program.h"

enum { MOST_CODE = 16 << 20 }; /* bytes of code in an object; searching more would delay the
                                * start */

/* switch_x86_64.S reads both. */
unsigned char hd_float_modes_exchanged __attribute__((visibility("hidden"))) = 1;
uint32_t hd_float_modes_first __attribute__((visibility("hidden"))); /* MXCSR of all threads, as long as it is the
                                                                      * same for all */

static bool code_made;

static uint32_t read_mxcsr(void)
{
    uint32_t mxcsr;

    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    return mxcsr;
}

/* Looks for the encodings of the instructions that read or write the modes.  FXSAVE, FXRSTOR, LDMXCSR, STMXCSR, XSAVE
 * and XRSTOR are 0F AE /0 to /5 with a memory operand (with a register operand they are fences).  LDMXCSR and STMXCSR
 * also have a VEX form with the opcode AE.  XSAVEC and XSAVES are 0F C7 /4 and /5. */
static bool may_use_modes(const unsigned char *code, size_t n)
{
    for (size_t i = 1; i + 1 < n; i++) {
        bool vex = (code[i - 1] & 0x7f) == 0x78; /* the last byte of such a prefix */
        unsigned reg = code[i + 1] >> 3 & 7;

        if (code[i + 1] >= 0xc0)
            continue;
        if (code[i] == 0xae && ((code[i - 1] == 0x0f && reg <= 5) || (vex && (reg == 2 || reg == 3))))
            return true;
        if (code[i] == 0xc7 && code[i - 1] == 0x0f && reg >= 3 && reg <= 5)
            return true;
    }
    return false;
}

/* True for libraries whose functions neither change the modes nor reveal the flags, except the
 * functions that N2 names. */
static bool is_known(const char *path)
{
    const char *name = path;

    for (const char *p = path; *p != '\0'; p++)
        if (*p == '/')
            name = p + 1;
    return hd_imports_is_same(name, "libm.so.6") || hd_imports_is_same(name, "libgcc_s.so.1") ||
           hd_imports_is_same(name, "linux-vdso.so.1");
}

/* N1: searches the code of an object.  Code that the program may change counts as code made at run time. */
static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
    bool *found = arg;

    (void)size;
    if (hd_program_is_own_or_loader(info->dlpi_addr) || hd_program_is_libc(info->dlpi_addr) ||
        is_known(info->dlpi_name))
        return 0;
    for (int i = 0; i < info->dlpi_phnum && !*found; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];

        if (h->p_type == PT_LOAD && h->p_flags & PF_X)
            *found = h->p_flags & PF_W || !(h->p_flags & PF_R) || h->p_memsz > MOST_CODE ||
                     may_use_modes((const unsigned char *)(info->dlpi_addr + h->p_vaddr), h->p_memsz);
    }
    return *found;
}

void hd_float_modes_init(void)
{
    static const char *const names[] = {
        "fegetround", "fesetround", "fegetenv", "fesetenv", "feupdateenv", "feholdexcept", "fegetmode",
        "fesetmode", "fegetexcept", "feenableexcept", "fedisableexcept", "feclearexcept", "feraiseexcept",
        "fesetexcept", "fetestexcept", "fetestexceptflag", "fegetexceptflag", "fesetexceptflag",
        "getcontext", "setcontext", "makecontext", "swapcontext", NULL
    };
    bool found = code_made || hd_program_has_code_on_stacks() || hd_imports_may(names);

    if (!found)
        dl_iterate_phdr(look, &found);
    hd_float_modes_first = read_mxcsr();
    hd_float_modes_exchanged = found;
}

/* The frames of suspended fibers contain valid modes: those that all threads have had so far. */
void hd_float_modes_code_made(void)
{
    code_made = true;
    hd_float_modes_exchanged = 1;
}

uint64_t hd_float_modes(void)
{
    uint16_t x87;

    __asm__ volatile("fnstcw %0" : "=m"(x87));
    return (hd_float_modes_exchanged ? read_mxcsr() : hd_float_modes_first) | (uint64_t)x87 << 32;
}
