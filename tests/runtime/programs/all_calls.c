/* SPDX-License-Identifier: BSD-2-Clause
 *
 * all_calls - system calls with arguments that the kernel refuses: those that are to be named in the
 * verdict ("named"), or the one of that name.  The first argument tells how: "instruction", or
 * "function" (syscall). */
#include <string.h>
#include <unistd.h>

static const struct {
    long nr;
    const char *name;
    const char *class;
} calls[] = {
#define HD_SYSCALL(nr, name, class, inside) { nr, #name, #class },
#include "runtime/hooks/syscalls.def"
    { 9999, "", "OUTSIDE" },
};

static void make(long nr, long second, const char *how)
{
    long result = nr;
    register long fourth __asm__("r10") = -1;
    register long fifth __asm__("r8") = -1;
    register long sixth __asm__("r9") = -1;

    if (strcmp(how, "function") == 0)
        syscall(nr, -1, second, -1, -1, -1, -1);
    else
        __asm__ volatile("syscall"
                         : "+a"(result)
                         : "D"(-1L), "S"(second), "d"(-1L), "r"(fourth), "r"(fifth), "r"(sixth)
                         : "rcx", "r11", "memory");
}

static int is_wanted(unsigned i, const char *what)
{
    if (strcmp(what, "named") != 0)
        return strcmp(calls[i].name, what) == 0;
    return strcmp(calls[i].class, "OUTSIDE") == 0 || strcmp(calls[i].class, "REFUSED") == 0;
}

int main(int argc, char **argv)
{
    for (unsigned i = 0; argc == 3 && i < sizeof calls / sizeof *calls; i++)
        if (is_wanted(i, argv[2]) && strcmp(calls[i].name, "restart_syscall") != 0)
            make(calls[i].nr, strcmp(calls[i].name, "msgget") == 0 ? 0 : -1, argv[1]); /* -1 would make a queue */
    return 0;
}
