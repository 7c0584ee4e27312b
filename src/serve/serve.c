/* SPDX-License-Identifier: BSD-2-Clause
 *
 * serve.c - the server: one thread, which answers one request after the other. */
#include "serve/serve.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "serve/address.h"
#include "serve/guard.h"
#include "serve/reply.h"

/* Limits against clients that use too many resources: connections in total, connections from one address, seconds
 * without data, bytes of a request's headers. */
enum { CONNECTIONS = 128, OF_ONE = 32, SILENCE_S = 15, HEAD_BYTES = 32768 };

struct server {
    const struct hd_serve_settings *s;
    struct hd_guard guard;
    struct hd_address address;
    struct hd_replies replies;
    struct MHD_Daemon *daemon;
    int signals;
    char name[512]; /* name of the store */
};

void hd_serve_store_name(const char *url, char *buf, size_t cap)
{
    const char *host = strstr(url, "://"), *end = url + (host != NULL ? strcspn(url, "?") : strlen(url));
    const char *at = host != NULL ? memrchr(host, '@', (size_t)(end - host)) : NULL;

    if (at == NULL)
        snprintf(buf, cap, "%.*s", (int)(end - url), url);
    else
        snprintf(buf, cap, "%.*s%.*s", (int)(host + 3 - url), url, (int)(end - at - 1), at + 1);
}

/* ---- access ---------------------------------------------------------------------------------- */

static bool settle_guard(struct server *v, char *error, size_t cap)
{
    const struct hd_serve_settings *s = v->s;

    if (!hd_address_read(s->listen, &v->address)) {
        snprintf(error, cap, "--listen: '%s' is no address with a port; write 127.0.0.1:8421 or [::1]:8421", s->listen);
        return false;
    }
    v->guard.proxy = s->proxy;
    if (s->token_file != NULL && !hd_guard_read_token(&v->guard, s->token_file, error, cap))
        return false;
    if (hd_address_is_local(&v->address) || v->guard.asks || s->proxy != NULL)
        return true;
    snprintf(error, cap, "others can reach %s; give --token-file FILE, so that only those who know the token can look, or --behind-proxy "
                         "NAME if a proxy asks them who they are", s->listen);
    return false;
}

/* ---- running ------------------------------------------------------------------------------------- */

static int block_signals(sigset_t *before)
{
    sigset_t ours;

    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGTERM);
    sigprocmask(SIG_BLOCK, &ours, before);
    return signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
}

static bool start(struct server *v, const struct hd_mhd *mhd, int fd, char *error, size_t cap)
{
    const struct MHD_OptionItem options[] = {
        { MHD_OPTION_LISTEN_SOCKET, fd, NULL },
        { MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS, NULL },
        { MHD_OPTION_PER_IP_CONNECTION_LIMIT, v->s->proxy != NULL ? CONNECTIONS : OF_ONE, NULL },
        { MHD_OPTION_CONNECTION_TIMEOUT, SILENCE_S, NULL },
        { MHD_OPTION_CONNECTION_MEMORY_LIMIT, HEAD_BYTES, NULL },
        { MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL },
        { MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)hd_reply_keep_escapes, NULL },
        { MHD_OPTION_END, 0, NULL },
    };

    v->daemon = mhd->MHD_start_daemon(MHD_NO_FLAG, 0, NULL, NULL, hd_reply, &v->replies, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
    if (v->daemon == NULL)
        snprintf(error, cap, "cannot start the web server: %s", strerror(errno));
    return v->daemon != NULL;
}

/* Waits with select: libmicrohttpd's epoll does not notice that the client has closed the connection if its last
 * bytes arrived together with the close. */
static void run(struct server *v, const struct hd_mhd *mhd)
{
    struct signalfd_siginfo taken;

    do {
        fd_set in, out, odd;
        MHD_socket highest = v->signals;
        MHD_UNSIGNED_LONG_LONG ms = 1000;

        FD_ZERO(&in);
        FD_ZERO(&out);
        FD_ZERO(&odd);
        FD_SET(v->signals, &in);
        mhd->MHD_get_fdset2(v->daemon, &in, &out, &odd, &highest, FD_SETSIZE);
        mhd->MHD_get_timeout(v->daemon, &ms);
        ms = ms < 1000 ? ms : 1000;
        if (select(highest + 1, &in, &out, &odd, &(struct timeval){ .tv_sec = (time_t)(ms / 1000), .tv_usec = (suseconds_t)(ms % 1000) * 1000 }) < 0)
            continue;
        mhd->MHD_run_from_select(v->daemon, &in, &out, &odd);
    } while (read(v->signals, &taken, sizeof taken) <= 0);
    while (read(v->signals, &taken, sizeof taken) > 0) /* a signal left pending would end this process as soon as it
                                                        * is no longer blocked */
        ;
}

static void announce(const struct server *v)
{
    char where[80];

    hd_address_text(&v->address, where, sizeof where);
    printf("the dashboard of %s: http://%s/\n", v->name, where);
    fflush(stdout);
}

static bool serve(struct server *v, const struct hd_mhd *mhd, char *error, size_t cap)
{
    int fd = hd_address_listen(&v->address, error, cap);

    if (fd < 0)
        return false;
    if (!start(v, mhd, fd, error, cap)) {
        close(fd);
        return false;
    }
    announce(v);
    run(v, mhd);
    mhd->MHD_stop_daemon(v->daemon); /* also closes the socket */
    return true;
}

bool hd_serve(const struct hd_serve_settings *s, char *error, size_t cap)
{
    struct server v = { .s = s };
    const struct hd_mhd *mhd = NULL;
    sigset_t before;

    if (!settle_guard(&v, error, cap) || (mhd = hd_mhd_load(error, cap)) == NULL)
        return false;
    struct hd_view *view = hd_view_open(s->store, error, cap);

    if (view == NULL)
        return false;
    hd_serve_store_name(s->store, v.name, sizeof v.name);
    signal(SIGPIPE, SIG_IGN);
    v.signals = block_signals(&before);
    hd_replies_open(&v.replies, mhd, &v.guard, view, v.name);
    bool ok = serve(&v, mhd, error, cap);

    hd_replies_close(&v.replies);
    hd_view_close(view);
    close(v.signals);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ok;
}
