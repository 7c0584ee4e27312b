/* SPDX-License-Identifier: BSD-2-Clause
 *
 * player.c - runs the random actor program that its argument describes (tests/actor/oracle, which also says what it means), and
 * ends with a code that depends on the states of all actors at the end. */
#include <stdlib.h>
#include <string.h>

#include <heddle/actor.h>

enum { ACTORS = 4, KINDS = 2, OPS = 6, STATES = 6 };

#define PLAYER(I, MESSAGE, REQUEST)                          \
    MESSAGE(I, play, (int, kind), (int, value), (int, left)) \
    REQUEST(I, state, int)                                   \
    MESSAGE(I, answer, (int, value))
HEDDLE_INTERFACE(player, PLAYER);

struct part {
    int number, state;
};
static struct part parts[ACTORS];
static player players[ACTORS];
static const char *script[ACTORS][KINDS]; /* what an actor does with a message of this kind */
static int nactors;

static int is_answer(const heddle_message *m, void *unused)
{
    (void)unused;
    return m->type == &player_answer_type;
}

HEDDLE_IMPLEMENT(player, PLAYER, part);

static void add(struct part *self, int value)
{
    self->state = (self->state * 5 + value + 1) % STATES;
}

static void part_play(struct part *self, int kind, int value, int left)
{
    for (const char *op = script[self->number][kind]; *op != '\0' && *op != '/'; op++) {
        if (*op == '+') {
            add(self, value);
        } else if (*op == 's' && left > 0) { /* s12: sends a message of kind 2 to actor 1 */
            player_play(players[op[1] - '0'], op[2] - '0', self->state, left - 1);
        } else if (*op == 'b' && left > 0) { /* b12: the same with try_send */
            if (player_try_play(players[op[1] - '0'], op[2] - '0', self->state, left - 1) != 0)
                add(self, 2);
        } else if (*op == 'q') { /* q1: asks actor 1, which has a higher number */
            int got = 0;

            player_state(players[op[1] - '0'], &got);
            add(self, got);
        } else if (*op == 'a' && left > 0) { /* a1: sends actor 1 an answer */
            player_answer(players[op[1] - '0'], self->state);
        } else if (*op == 'p') { /* takes an answer, if there is one */
            heddle_message *m = heddle_poll(is_answer, 0);

            add(self, m != NULL ? ((struct player_answer_message *)(void *)m)->value : 3);
            heddle_message_free(m);
        } else if (*op == 'x') {
            heddle_fail(1);
        }
        op += *op == 's' || *op == 'b' ? 2 : *op == 'q' || *op == 'a';
    }
}

static void part_state(struct part *self, player_state_request from)
{
    player_state_reply(from, self->state);
}

static void part_answer(struct part *self, int value)
{
    add(self, value + 1);
}

int main(int argc, char **argv)
{
    const char *text = argc > 1 ? argv[1] : "";
    const char *start = argc > 2 ? argv[2] : "";
    int code = 0;

    for (; *text != '\0' && nactors < ACTORS; nactors++) /* "ops/ops/,ops/ops/": kinds 0 and 1 of each actor */
        for (int k = 0; k < KINDS; k++) {
            script[nactors][k] = text;
            text = strchr(text, '/') + 1;
        }
    heddle_self();
    for (int i = 0; i < nactors; i++) {
        heddle_actor_options o = { .capacity = i == nactors - 1 && argc > 3 ? 1 : 0 };

        parts[i].number = i;
        players[i] = part_create_with(&parts[i], &o);
    }
    for (; *start != '\0'; start += 3) /* "013": to actor 0, kind 1, 3 further hops */
        player_play(players[start[0] - '0'], start[1] - '0', 0, start[2] - '0');
    heddle_quiesce();
    for (int i = 0; i < nactors; i++)
        code = code * STATES + parts[i].state;
    exit(code % 216 + 1);
}
