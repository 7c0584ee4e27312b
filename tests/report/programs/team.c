/* SPDX-License-Identifier: BSD-2-Clause
 *
 * team.c - a team in the heap whose members point back to it.  Its creator keeps the pointer in no
 * variable that lives as long as the program: only the line that allocates the team, and the members,
 * can name it.  Two members take the locks of the team in different orders. */
#include <pthread.h>
#include <stdlib.h>

struct team;

struct member {
    struct team *team;
    pthread_t thread;
    int odd;
};

struct team {
    pthread_mutex_t jobs, results;
    struct member **members;
    int done;
};

static void *work(void *arg)
{
    struct member *me = arg;
    pthread_mutex_t *first = me->odd ? &me->team->results : &me->team->jobs;
    pthread_mutex_t *second = me->odd ? &me->team->jobs : &me->team->results;

    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    me->team->done++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    return NULL;
}

static struct member *make_member(struct team *team, int odd)
{
    struct member *m = calloc(1, sizeof *m);

    m->team = team;
    m->odd = odd;
    pthread_create(&m->thread, NULL, work, m);
    return m;
}

static __attribute__((noinline)) void run_team(void)
{
    struct team *crew = calloc(1, sizeof *crew);

    pthread_mutex_init(&crew->jobs, NULL);
    pthread_mutex_init(&crew->results, NULL);
    crew->members = calloc(2, sizeof *crew->members);
    for (int i = 0; i < 2; i++)
        crew->members[i] = make_member(crew, i);
    for (int i = 0; i < 2; i++) {
        pthread_join(crew->members[i]->thread, NULL);
        free(crew->members[i]);
    }
    free(crew->members);
    free(crew);
}

int main(void)
{
    run_team();
    return 0;
}
