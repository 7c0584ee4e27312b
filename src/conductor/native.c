/* SPDX-License-Identifier: BSD-2-Clause
 *
 * native.c - runs a program without control and waits for it. */
#include "conductor/native.h"

#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

/* The state letter of a thread from /proc: it follows the name, which is in brackets and
 * may contain brackets. */
static char state_in(const char *path)
{
    char line[512] = "";
    FILE *f = fopen(path, "re");

    if (f == NULL)
        return '?';
    bool read = fgets(line, sizeof line, f) != NULL;

    fclose(f);
    const char *end = strrchr(line, ')');

    return read && end != NULL && end[1] == ' ' ? end[2] : '?';
}

/* True if no thread of the process is running. */
static bool is_asleep(pid_t pid)
{
    char path[64 + sizeof((struct dirent *)0)->d_name];
    bool asleep = true;

    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);

    if (tasks == NULL)
        return false;
    for (struct dirent *d = readdir(tasks); d != NULL && asleep; d = readdir(tasks)) {
        if (d->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/stat", (int)pid, d->d_name);
        asleep = state_in(path) == 'S';
    }
    closedir(tasks);
    return asleep;
}

static int milliseconds_until(double then)
{
    double left = (then - hd_seconds_now()) * 1e3;

    return left <= 0 ? 0 : left > 1e6 ? 1000000 : (int)left + 1;
}

static enum hd_native_end wait_for(struct hd_target *t, double hangs_at, double stop_at, int signals)
{
    double until = hangs_at < stop_at ? hangs_at : stop_at;

    for (;;) {
        struct pollfd fds[] = { { t->pidfd, POLLIN, 0 }, { t->output, POLLIN, 0 },
                                { signals, POLLIN, 0 } };

        poll(fds, sizeof fds / sizeof *fds, milliseconds_until(until));
        hd_target_drain(t);
        if (hd_target_ended(t))
            return HD_NATIVE_ENDED;
        if (fds[2].revents != 0)
            return HD_NATIVE_STOPPED;
        if (hd_seconds_now() >= until)
            return hangs_at <= stop_at ? HD_NATIVE_HUNG : HD_NATIVE_STOPPED;
    }
}

void hd_native_run(const struct hd_launch *l, double hangs_at, double stop_at, int signals,
                   struct hd_native *out)
{
    struct hd_target t;

    *out = (struct hd_native){ .end = HD_NATIVE_NOT_STARTED };
    if (!hd_launch(l, &t, &out->what))
        return;
    out->end = wait_for(&t, hangs_at, stop_at, signals);
    out->status = t.status;
    out->asleep = out->end == HD_NATIVE_HUNG && is_asleep(t.pid);
    hd_target_kill(&t); /* also its leftover processes */
    memcpy(out->output, t.tail, t.tail_used);
    out->output[t.tail_used] = '\0';
}
