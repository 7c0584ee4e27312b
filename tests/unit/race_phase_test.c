/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_phase_test.c - what names of functions say about the life of an object. */
#include "support/unit.h"

#include "report/evidence/race_phase.h"

static void names(void **state)
{
    static const struct {
        const char *name;
        enum hd_race_phase phase;
    } all[] = {
        { "queue_init", HD_RACE_INITIALISES }, { "init_queue", HD_RACE_INITIALISES }, { "initQueue", HD_RACE_INITIALISES },
        { "Queue::Queue(int)", HD_RACE_INITIALISES }, { "a::Queue::Queue", HD_RACE_INITIALISES },
        { "pthread_mutex_destroy", HD_RACE_DESTROYS }, { "list_free", HD_RACE_DESTROYS }, { "freeNode", HD_RACE_DESTROYS },
        { "Queue::~Queue()", HD_RACE_DESTROYS }, { "Queue::destroy(Node*)", HD_RACE_DESTROYS },
        { "free_list_push", HD_RACE_USES }, { "initial", HD_RACE_USES }, { "worker", HD_RACE_USES }, { "main", HD_RACE_USES },
        { "Queue::push(Queue::Queue)", HD_RACE_USES }, { "", HD_RACE_USES }, { "carefree", HD_RACE_USES },
    };

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        EXPECT_EQ(all[i].name, hd_race_phase_of_name(all[i].name), all[i].phase);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(names) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
