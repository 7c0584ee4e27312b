/* SPDX-License-Identifier: BSD-2-Clause
 *
 * start.c - the start of the process.  The runtime interposes __libc_start_main: constructors run
 * as usual, and all of main becomes one function that can run again.
 *
 * The runtime passes its own rtld_fini to libc.  The real exit runs every handler and calls that
 * function last, instead of ending the process.  ld.so's own rtld_fini never runs: it would mark
 * objects as finalised in memory that the runtime does not restore. */

#include "runtime/worker/start.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/check.h"
#include "base/sys.h"
#include "runtime/calls/exit.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/calls/misc.h"
#include "runtime/calls/signal.h"
#include "runtime/core/attach.h"
#include "runtime/core/early_threads.h"
#include "runtime/core/entry.h"
#include "runtime/core/fiber.h"
#include "runtime/core/float_modes.h"
#include "runtime/core/imports.h"
#include "runtime/core/program.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/hooks/library_atomics.h"
#include "runtime/kernel/processor_clock.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/progress/liveness.h"
#include "runtime/progress/prologue.h"
#include "runtime/restore/heap.h"
#include "runtime/restore/maps.h"
#include "runtime/restore/process.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"
#include "runtime/watch/openmp.h"
#include "runtime/watch/tx_cpuid.h"
#include "runtime/watch/unseen_probe.h"
#include "runtime/watch/unseen_sections.h"
#include "runtime/worker/zygote.h"
#include "wire/wire.h"

static int (*program_main)(int, char **, char **);
static int program_argc;
static char **program_argv;
static const ElfW(auxv_t) *auxiliary;

/* ---- before main ------------------------------------------------------------------- */

static void *throw_away(void *unused)
{
    HD_REAL(pthread_exit)(unused);
    return NULL;
}

/* The first pthread_exit makes libc load its unwinder, so this happens before the snapshot.  The thread gets a
 * stack of the runtime: libc would keep its own stack for later, and write to it. */
static void prime_unwinder(void)
{
    enum { STACK = 256 * 1024 };
    pthread_attr_t attr;
    pthread_t t;
    void *stack = hd_mem_map_stack(STACK);

    hd_jump_find();
    HD_INVARIANT(stack != NULL, "no memory for a stack");
    HD_REAL(pthread_attr_init)(&attr);
    HD_REAL(pthread_attr_setstack)(&attr, stack, STACK);
    if (HD_REAL(pthread_create)(&t, &attr, throw_away, NULL) == 0)
        HD_REAL(pthread_join)(t, NULL);
    HD_REAL(pthread_attr_destroy)(&attr);
    hd_sys(SYS_munmap, stack, STACK, 0);
}

/* libc maps the files of a locale when a program asks for it, and keeps them.  Programs mostly ask
 * for the locale of the environment, so load it before the snapshot.  Otherwise each execution
 * would map the files again: restoring memory makes libc forget the mappings, but they would stay. */
static void prime_locale(void)
{
    char before[256];
    static const char *const users[] = { "setlocale", "newlocale", "__newlocale", NULL };

    if (!hd_imports_may(users))
        return; /* avoids about a dozen mappings, which every fork would copy */
    const char *now = setlocale(LC_ALL, NULL);
    int error = errno;
    wchar_t wide;

    if (now == NULL || strlen(now) >= sizeof before)
        return;
    strcpy(before, now);
    if (setlocale(LC_ALL, "") != NULL && mbtowc(&wide, "a", 1) == 1)
        mbtowc(NULL, NULL, 0);
    setlocale(LC_ALL, before);
    errno = error;
}

void *hd_start_main_fiber(void *unused)
{
    (void)unused;
    if (hd.cfg->study)
        hd_early_thread_start_eagerly();
    hd_exit_run(program_main(program_argc, program_argv, environ), 0);
}

/* Random values that the kernel chose for this process must not affect an execution: the bytes at
 * AT_RANDOM, and the stack protector value that libc made from them.  No frame that is checked
 * against the old value ever returns. */
static void forget_randomness(void)
{
    unsigned char *bytes = (unsigned char *)getauxval(AT_RANDOM);

    for (int i = 0; bytes != NULL && i < 16; i++)
        bytes[i] = (unsigned char)(0x51 + 7 * i);
    __asm__ volatile("movq %0, %%fs:0x28" : : "r"(UINT64_C(0x6865646c6532a700)) : "memory");
}

/* libc calls this in place of main, when everything is initialised. */
static int take_over(int argc, char **argv, char **envp)
{
    enum { HOME_STACK = 1 << 20 };

    (void)envp;
    program_argc = argc;
    program_argv = argv;
    hd_process_make_room();
    hd_program_find(argv, auxiliary);
    hd_real_find_all();
    hd_program_note_modules();
    hd_maps_keep_constructed();
    prime_unwinder();
    prime_locale();
    forget_randomness();
    hd_processor_clock_lead_vdso();
    hd_early_thread_settle();
    hd_heap_open();
    hd_exit_init();
    hd_stdio_init();
    hd_openmp_init();
    hd_environment_init();
    hd_signal_init();
    hd_thread_ends_init();
    hd_cancel_init();
    hd_keys_init();
    hd_attributes_init();
    hd_unseen_sections_init();
    hd_tx_cpuid_name();
    hd_locked_init();
    hd_probe_init();
    hd_float_modes_init();
    hd_liveness_init();
    hd_prologue_init();
    hd_fiber_init();
    hd_fiber_provide(1); /* from here on libc knows that the program has threads */
    char *home = hd_mem_map_stack(HOME_STACK);

    HD_INVARIANT(home != NULL, "no memory for the scheduler's stack");
    hd_run_on(home + HOME_STACK - 64, hd_zygote_run);
}

/* Removes the variables that the conductor put at the end of the environment, from HD_WIRE_ENV on:
 * programs that this one starts must run natively. */
static void hide_from_children(char **envp)
{
    char **to = envp, **end = envp;

    while (*end != NULL)
        end++;
    auxiliary = (const ElfW(auxv_t) *)(end + 1);
    while (*to != NULL && !hd_begins_with(*to, HD_WIRE_ENV "="))
        to++;
    for (char **from = to; from < end; from++) {
        bool list = hd_begins_with(*from, "LD_PRELOAD=") || hd_begins_with(*from, "LD_LIBRARY_PATH=");
        char *value = *from, *rest;

        while (list && value[-1] != '=')
            value++;
        for (rest = value; list && *rest != '\0' && *rest != ':'; rest++)
            ;
        if (!list || *rest == '\0')
            continue;
        do /* keep the user's own part */
            *value++ = *++rest;
        while (*rest != '\0');
        *to++ = *from;
    }
    *to = NULL;
}

typedef int main_fn(int, char **, char **);
typedef int start_fn(main_fn *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

HD_EXPORT int __libc_start_main(main_fn *main, int argc, char **argv, void (*init)(void),
                                void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    start_fn *real = (start_fn *)dlsym(RTLD_NEXT, "__libc_start_main");

    HD_INVARIANT(real != NULL, "no __libc_start_main");
    if (!hd_attach())
        return real(main, argc, argv, init, fini, rtld_fini, stack_end);
    hide_from_children(argv + argc + 1);
    hd_attach_close();
    program_main = main;
    return real(take_over, argc, argv, init, fini, hd_exit_last, stack_end);
}
