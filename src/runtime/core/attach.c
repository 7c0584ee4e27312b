/* SPDX-License-Identifier: BSD-2-Clause
 *
 * attach.c - finds out whether the process runs under Heddle, and maps the conductor's memory. */
#include "runtime/core/attach.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include "base/check.h"
#include "base/sys.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/state.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"
#include "wire/wire.h"

static int wire_fd = -2; /* -2: not looked up yet; -1: not under Heddle */
static uint32_t worker;  /* the number of this worker */

/* Parses a decimal number and advances *text past it.  Returns -1 if there is none. */
static int parse_number(const char **text)
{
    int v = 0;

    if (**text < '0' || **text > '9')
        return -1;
    for (; **text >= '0' && **text <= '9'; ++*text)
        v = v * 10 + (**text - '0');
    return v;
}

/* Parses "descriptor:worker" and sets worker.  Returns the descriptor, or -1 if the text is
 * invalid. */
static int parse_wire(const char *text)
{
    int fd = parse_number(&text);
    int number = *text == ':' ? (text++, parse_number(&text)) : -1;

    worker = (uint32_t)number;
    return number >= 0 && number < HD_MAX_WORKERS ? fd : -1;
}

/* Finds the variable HD_WIRE_ENV.  Returns the descriptor of the wire, -1 if there is none.  Reads
 * /proc, because the first allocation may come before libc has set environ.  The conductor puts the
 * variable first, so a short read is enough. */
static int look_up_wire(void)
{
    static char buf[4096];
    long fd = hd_sys6(SYS_openat, AT_FDCWD, (long)"/proc/self/environ", O_RDONLY | O_CLOEXEC, 0, 0, 0);
    int found = -1;
    long n = 0, got;

    if (fd < 0)
        return -1;
    /* Keep the end of the last piece, so that no variable is split between two pieces. */
    while (found < 0 && (got = hd_sys(SYS_read, fd, buf + n, (long)sizeof buf - 1 - n)) > 0) {
        n += got;
        buf[n] = '\0';
        for (long i = 0; i < n; i++)
            if ((i == 0 || buf[i - 1] == '\0') && hd_begins_with(buf + i, HD_WIRE_ENV "="))
                found = parse_wire(buf + i + sizeof HD_WIRE_ENV);
        if (n > 2048) {
            hd_mem_copy(buf, buf + n - 64, 64);
            n = 64;
        }
    }
    hd_sys(SYS_close, fd, 0, 0);
    return found;
}

bool hd_under_heddle(void)
{
    if (HD_UNLIKELY(wire_fd == -2)) {
        wire_fd = look_up_wire();
        if (wire_fd >= 0)
            hd_callbacks.attached();
    }
    return wire_fd >= 0;
}

/* The runtime depends on libc only, so this constructor runs before those of all instrumented
 * objects. */
__attribute__((constructor(101))) static void look_early(void)
{
    hd_under_heddle();
}

/* Constructors of libraries run before __libc_start_main, and may need the conductor's memory. */
bool hd_attach(void)
{
    if (!hd_under_heddle())
        return false;
    if (hd.wire != NULL)
        return true;
    hd.wire = hd_wire_attach(wire_fd, worker);
    HD_INVARIANT(hd.wire != NULL, "the conductor's memory does not fit this runtime");
    hd.exec = &hd.wire->exec;
    hd.cfg = &hd.wire->config;
    return true;
}

void hd_attach_close(void)
{
    hd_sys(SYS_close, wire_fd, 0, 0);
}
