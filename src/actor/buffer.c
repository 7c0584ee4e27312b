/* SPDX-License-Identifier: BSD-2-Clause
 *
 * buffer.c - a queue of requests and a queue of responses (heddle_buffer): two arrays, the oldest element first. */
#include <stdlib.h>
#include <string.h>

#include "actor/cell.h"

struct queue {
    void **item;
    size_t n, room;
};

struct heddle_buffer {
    struct queue requests, responses;
};

heddle_buffer *heddle_buffer_new(void)
{
    heddle_buffer *b = ha_allocate(sizeof *b);

    *b = (heddle_buffer){ .requests = { .n = 0 } };
    return b;
}

void heddle_buffer_free(heddle_buffer *b)
{
    if (b == NULL)
        return;
    free(b->requests.item);
    free(b->responses.item);
    free(b);
}

static void append(struct queue *q, void *item)
{
    if (q->n == q->room) {
        size_t room = q->room == 0 ? 8 : 2 * q->room;
        void **more = ha_allocate(room * sizeof *more);

        if (q->n != 0)
            memcpy(more, q->item, q->n * sizeof *more);
        free(q->item);
        q->item = more;
        q->room = room;
    }
    q->item[q->n++] = item;
}

static void take_out(struct queue *q, size_t i)
{
    q->n--;
    memmove(q->item + i, q->item + i + 1, (q->n - i) * sizeof *q->item);
}

/* The caller's function may drop elements, but it must not add any: that would reallocate the arrays while this loop
 * uses them. */
void heddle_buffer_process_matching(heddle_buffer *b, heddle_pair *pair, void *context)
{
    for (size_t i = 0; i < b->requests.n;) {
        bool dropped = false;

        for (size_t j = 0; j < b->responses.n && !dropped;) {
            void *response = b->responses.item[j];
            unsigned drop = pair(context, b->requests.item[i], response);

            dropped = (drop & HEDDLE_DROP_REQUEST) != 0;
            if (drop & HEDDLE_DROP_RESPONSE && response != NULL)
                take_out(&b->responses, j);
            else
                j++;
        }
        if (dropped)
            take_out(&b->requests, i);
        else
            i++;
    }
}

void heddle_buffer_add_request(heddle_buffer *b, void *request, heddle_pair *pair, void *context)
{
    append(&b->requests, request);
    heddle_buffer_process_matching(b, pair, context);
}

void heddle_buffer_add_response(heddle_buffer *b, void *response, heddle_pair *pair, void *context)
{
    append(&b->responses, response);
    heddle_buffer_process_matching(b, pair, context);
}

size_t heddle_buffer_requests(const heddle_buffer *b)
{
    return b->requests.n;
}

size_t heddle_buffer_responses(const heddle_buffer *b)
{
    return b->responses.n;
}
