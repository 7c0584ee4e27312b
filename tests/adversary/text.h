/* SPDX-License-Identifier: BSD-2-Clause
 *
 * text.h - small programs as text.  The player runs them on the real thread library, the model
 * (model.c) on its own idea of it; nothing but this file is common to both.
 *
 * "2;c110c210j100/l000u000/..." : the first value of the semaphore, then the threads, main
 * first; an operation is four characters: kind, object (a), value (b), and how many of the next
 * operations are left out when its result is not 0 (skip).
 *
 *   r w a x g   load, store b, add b, exchange if b by b+1 (0: done), exchange by b: cell a
 *   %           like x, but weak
 *   = ~ _       loops that load cell a until it is b; while it is b; the same with a yield
 *   # :         loops that exchange b by b+1 until they succeed; by b until it was another value
 *   + |         loops that load cell a and cell 1-a until both are b; until one is
 *   ? -         loops of two operations: load cell a while it is b, then exchange it by b until it was
 *               another value; load it, then exchange that value by the next one
 *   ( ) }       the same as -, but they leave when the value is b (1: so they did); load it again while it is b;
 *               wait for the futex while it is b
 *   {           a loop that locks mutex 0, loads cell a and unlocks it, until the value was b
 *   [ >         loops after an addition of 1 to cell a: until cell 1-a is what cell a was (a ticket); until cell a
 *               is at least b (a latch)
 *   $           a barrier of b: loads cell 1-a and adds 1 to cell a; the last one clears cell a and adds 1 to cell
 *               1-a, the others load that until it has changed
 *   , .         lock, unlock a lock with a queue (MCS): threads wait in loops for what is in their own node
 *   "           a loop that loads cell a while it is b, and backs off longer and longer, up to a limit
 *   ]           a loop that loads cell a until it is b, three times at most (1: it never was)
 *   2           a loop that locks mutex a, tries mutex 1-a and unlocks a again, until it has both; b = 1: each
 *               round begins with the other one
 *   `           loops that try to lock a until they can: 0 and 1 the normal mutexes, 2 the spin lock, 3 and 4
 *               the read-write lock (to read, to write), 5 the semaphore
 *   l t T u     lock, try, timed, unlock mutex a: 0 and 1 normal, 2 recursive, 3 error-checking,
 *               4 robust, 5 mtx_t
 *   k K s b     wait, timed wait, signal, broadcast condition a: 0 with mutex 0, 1 cnd_t with 5
 *   R W S V Y Z U   read, write, try both, timed both, unlock: the read-write lock
 *   p d e D G   post, wait, try, timed, value: the semaphore
 *   B           the barrier of two (0, or 1 for the serial thread)
 *   O           once (a = 1: call_once): adds 1 to cell 0
 *   i h I       lock, try, unlock: the spin lock
 *   c j y J z   create thread a (b = 1: thrd_create), join it, try, timed, detach; all of it by
 *               one thread, and nothing when it was joined or detached before
 *   X Q         end this thread, exit with what it has seen so far
 *   o n         set key a to b (a = 1: tss_t), delete it; its destructor adds b to cell 2
 *   C N         cancel thread a (as above), look whether one was cancelled
 *   f F v       wait while cell a is b, timed, wake b of them: futexes
 *   A H L       write 1, read, look (b: poll, select, epoll): a = 0 an eventfd, 1 a pipe, 2 a
 *               timerfd (not written), 3 a pair of sockets
 *   ^           set the timerfd to expire once, soon
 *   M & *       a signal whose handler adds 1 to cell 1: raise it, send it thread a (as above), let a
 *               timer send it the process, once, soon (at most one of these in a program)
 *   @ ! m       send the process a signal that all keep out, wait for it, send it thread a (as above)
 *   P E         sleep, yield
 *   q           choose one of b
 *   < (a, b)    back a operations unless the last result was 0, b times at most in all */
#ifndef ADVERSARY_TEXT_H
#define ADVERSARY_TEXT_H

#include <stdint.h>
#include <string.h>

enum { TEXT_THREADS = 4, TEXT_OPS = 16, TEXT_CELLS = 3, TEXT_MUTEXES = 6, TEXT_CHANNELS = 4,
       TEXT_TRIES = 3, /* of a loop that gives up */
       TEXT_LENGTH = TEXT_THREADS * (4 * TEXT_OPS + 1) + 4 };

struct text_op {
    char kind;
    int8_t a, b, skip;
};

struct text {
    struct text_op op[TEXT_THREADS][TEXT_OPS];
    uint8_t n[TEXT_THREADS]; /* operations; a thread without any is never created */
    uint8_t threads, semaphore;
};

static inline int text_parse(struct text *p, const char *s)
{
    unsigned t = 0;

    memset(p, 0, sizeof *p);
    if (s[0] < '0' || s[1] != ';')
        return -1;
    p->semaphore = (uint8_t)(s[0] - '0');
    for (s += 2; *s != '\0';) {
        if (*s == '/') {
            s++;
            if (++t == TEXT_THREADS)
                return -1;
            continue;
        }
        if (strlen(s) < 4 || p->n[t] == TEXT_OPS)
            return -1;
        p->op[t][p->n[t]++] =
            (struct text_op){ s[0], (int8_t)(s[1] - '0'), (int8_t)(s[2] - '0'), (int8_t)(s[3] - '0') };
        s += 4;
    }
    p->threads = (uint8_t)(t + 1);
    return 0;
}

static inline void text_print(const struct text *p, char *to)
{
    *to++ = (char)('0' + p->semaphore);
    *to++ = ';';
    for (unsigned t = 0; t < p->threads; t++) {
        if (t > 0)
            *to++ = '/';
        for (unsigned i = 0; i < p->n[t]; i++) {
            *to++ = p->op[t][i].kind;
            *to++ = (char)('0' + p->op[t][i].a);
            *to++ = (char)('0' + p->op[t][i].b);
            *to++ = (char)('0' + p->op[t][i].skip);
        }
    }
    *to = '\0';
}

enum { TEXT_EVENTFD, TEXT_PIPE, TEXT_TIMERFD, TEXT_SOCKETS };

/* What an operation has returned, as far as programs tell it. */
enum { TEXT_OK, TEXT_BUSY, TEXT_TIMEOUT, TEXT_SELF, TEXT_DEAD, TEXT_AGAIN, TEXT_INTERRUPTED,
       TEXT_OTHER };

/* Whether the result of an operation is a part of the outcome. */
static inline int text_tells(char kind)
{
    return strchr("rax%g(]ltTKRWSVYZdeDGBhjyJfFvHL!q", kind) != NULL;
}

static inline uint32_t text_add(uint32_t seen, int result)
{
    return seen * 37 + (uint32_t)result + 1;
}

static inline int text_code(uint32_t seen)
{
    seen ^= seen >> 15;
    seen *= 0x9e3779b1u;
    return 1 + (int)((seen >> 8) % 250);
}

#endif
