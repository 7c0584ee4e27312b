/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stringbuffer - one thread appends a string buffer to another while a second
 * thread erases the source and fills it again (SCT study, row 2:
 * CB.stringbuffer-jdk1.4).
 *
 * Claim: append copies what is there.  Defect: it asks the source for its length in
 * one locked call and for the characters in another; in between the source may have
 * shrunk.  Needs two preemptions, since the eraser must stop again before it has
 * refilled.  Nothing races: every call locks the buffer that it looks at, so the
 * study had no other points.  No thread joins.
 * Fix: append holds the source's lock over both calls. */
#include "../program.h"

#include <string.h>

struct buffer {
    pthread_mutex_t lock;
    int length;
    char text[16];
};

static struct buffer target = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct buffer source = {.lock = PTHREAD_MUTEX_INITIALIZER, .length = 3, .text = "abc"};

static int length_of(struct buffer *b)
{
    int length;

    pthread_mutex_lock(&b->lock);
    length = b->length;
#ifndef FIXED
    pthread_mutex_unlock(&b->lock);
#endif
    return length;
}

static void copy_from(struct buffer *b, int length, char *to)
{
#ifndef FIXED
    pthread_mutex_lock(&b->lock);
#endif
    assert(length <= b->length);
    memcpy(to, b->text, (size_t)length);
    pthread_mutex_unlock(&b->lock);
}

static void append(struct buffer *to, struct buffer *from)
{
    int length;

    pthread_mutex_lock(&to->lock);
    length = length_of(from);
    copy_from(from, length, to->text + to->length);
    to->length += length;
    pthread_mutex_unlock(&to->lock);
}

static void erase(struct buffer *b)
{
    pthread_mutex_lock(&b->lock);
    b->length = 0;
    pthread_mutex_unlock(&b->lock);
}

static void fill(struct buffer *b, const char *text)
{
    pthread_mutex_lock(&b->lock);
    b->length = (int)strlen(text);
    memcpy(b->text, text, strlen(text));
    pthread_mutex_unlock(&b->lock);
}

static void *rewrite(void *arg)
{
    erase(&source);
    fill(&source, "abc");
    return arg;
}

int main(void)
{
    spawn(rewrite);
    append(&target, &source);
    return 0;
}
