/* SPDX-License-Identifier: BSD-2-Clause
 *
 * races.c - see races.h. */
#include "kernel/drive/races.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "kernel/drive/linux.h"
#include "kernel/drive/session.h"

#define TRIED 48 /* races of which both orders are run */

static const char *const order_words[] = {
    [HD_KO_UNTRIED] = "untried", [HD_KO_LOST] = "lost", [HD_KO_SAME] = "same", [HD_KO_DIFFER] = "differ",
};

/* ---- groups ------------------------------------------------------------------------------ */

/* True for functions that are there to synchronise, by the begin of their name. */
static bool synchronises(const struct hd_ksession *s, uint64_t pc)
{
    static const char *const heads[] = {
        "_raw_", "native_queued_", "queued_", "mutex_", "__mutex", "rwsem_", "down_", "__down", "up_", "__up_", "rcu_", "__rcu",
        "call_rcu", "osq_", "lockref_", "refcount_", "rt_mutex", "percpu_", "__percpu", "wake_", "__wake", "prepare_to_",
        "finish_wait", "add_wait_", "remove_wait_", "autoremove_wake", "default_wake", "complete", "futex_wait_queue",
        "irq_work_", "schedule", "__schedule", "preempt_", "exit_to_user", "syscall_exit", "irqentry_",
    };
    const char *name = hd_kimage_function_at(s->image, pc);

    for (unsigned i = 0; name != NULL && i < sizeof heads / sizeof *heads; i++)
        if (strncmp(name, heads[i], strlen(heads[i])) == 0)
            return true;
    return false;
}

static bool share_instruction(const struct hd_k_race *a, const struct hd_k_race *b)
{
    return a->first.pc == b->first.pc || a->first.pc == b->second.pc || a->second.pc == b->first.pc ||
           a->second.pc == b->second.pc;
}

/* Gives each race the smallest number of a race that it is connected with. */
static void connect(const struct hd_klink *l, uint16_t *root)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < l->nraces; i++)
            for (uint32_t k = 0; k < i; k++)
                if (root[k] != root[i] && root[k] != UINT16_MAX && root[i] != UINT16_MAX &&
                    share_instruction(&l->race[i], &l->race[k])) {
                    root[i] = root[k] = root[i] < root[k] ? root[i] : root[k];
                    changed = true;
                }
    }
}

static void group(struct hd_ksession *s)
{
    const struct hd_klink *l = s->machine.link;
    struct hd_k_races *all = &s->races;
    uint16_t root[HD_K_RACES];

    *all = (struct hd_k_races){ .ngroups = 0 };
    for (uint16_t i = 0; i < l->nraces; i++) {
        bool hidden = synchronises(s, l->race[i].first.pc) || synchronises(s, l->race[i].second.pc);

        root[i] = hidden ? UINT16_MAX : i;
        all->hidden += hidden;
    }
    connect(l, root);
    for (uint16_t i = 0; i < l->nraces; i++) {
        unsigned g = 0;

        all->of[i] = -1;
        if (root[i] == UINT16_MAX)
            continue;
        while (g < all->ngroups && all->group[g].race != root[i])
            g++;
        if (g == HD_K_RACE_GROUPS)
            continue;
        if (g == all->ngroups)
            all->group[all->ngroups++] = (struct hd_k_race_group){ .race = root[i] };
        all->of[i] = (int16_t)g;
        all->group[g].pairs++;
        all->group[g].count += l->race[i].count;
    }
}

/* ---- both orders --------------------------------------------------------------------------- */

/* Returns what the calls of each thread returned in the last run, and how it ended: a text to be freed. */
static char *results_of(const struct hd_ksession *s)
{
    const struct hd_klink *l = s->machine.link;
    char *text = NULL, line[200], kind[32];
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);

    if (f == NULL)
        return hd_copied("");
    for (unsigned k = 0; k < l->ncontexts; k++)
        for (uint32_t i = 0; i < l->nlog; i++)
            if (l->log[i].row == HD_KLOG_CALL && l->log[i].context == k) {
                hd_linux_line(s, l->log[i].object, line, sizeof line);
                fprintf(f, line[0] == '=' ? " %s\n" : strncmp(line, "wrong: ", 7) == 0 ? "%s\n" : "%s", line);
            }
    hd_ksession_kind(s, kind, sizeof kind);
    fprintf(f, "%s\n", kind[0] == '\0' ? "no finding" : kind);
    fclose(f);
    return text;
}

/* Writes the first line in which the texts differ. */
static bool differ(const char *one, const char *other, char *buf, size_t cap)
{
    while (*one != '\0' || *other != '\0') {
        int n = (int)strcspn(one, "\n"), m = (int)strcspn(other, "\n");

        if (n != m || strncmp(one, other, (size_t)n) != 0) {
            snprintf(buf, cap, "%.*s; in the other order %.*s", n < 100 ? n : 100, one, m < 100 ? m : 100, other);
            return true;
        }
        one += n + (one[n] == '\n');
        other += m + (other[m] == '\n');
    }
    return false;
}

/* Runs the execution twice: with the last interrupt right before the second access, so that the first access comes
 * first, and with the last interrupt right after the second access.  Nothing else differs. */
static bool try_both(struct hd_ksession *s, struct hd_k_race_group *g, struct hd_k_race *r)
{
    struct hd_klink *l = s->machine.link;

    l->batch = 1;
    l->nticks = r->nticks;
    memcpy(l->ticks, r->tick, r->nticks * sizeof *r->tick);
    for (uint32_t k = 0; k < l->nticks; k++)
        l->ticks[k].window = 0;
    r->seen = false;
    if (!hd_ksession_run(s))
        return false;
    char *one = results_of(s);

    g->orders = g->orders == HD_KO_UNTRIED ? HD_KO_LOST : g->orders;
    if (r->seen) {
        l->ticks[l->nticks - 1].address = r->second.pc;
        if (!hd_ksession_run(s)) {
            free(one);
            return false;
        }
        char *other = results_of(s);

        if (l->matched == l->nticks)
            g->orders = differ(one, other, g->difference, sizeof g->difference) ? HD_KO_DIFFER : HD_KO_SAME;
        g->race = g->orders == HD_KO_DIFFER ? (uint16_t)(r - l->race) : g->race; /* the one to be shown */
        free(other);
    }
    free(one);
    return true;
}

void hd_kraces_judge(struct hd_ksession *s)
{
    struct hd_klink *l = s->machine.link;
    struct hd_k_counters total = l->total;
    unsigned tried = 0;

    group(s);
    l->recorded = true;
    for (uint32_t i = 0; i < l->nraces && tried < TRIED; i++) {
        struct hd_k_race_group *g = s->races.of[i] < 0 ? NULL : &s->races.group[s->races.of[i]];

        if (g == NULL || g->orders == HD_KO_DIFFER || l->race[i].nticks == 0)
            continue;
        tried++;
        if (!try_both(s, g, &l->race[i]))
            break;
    }
    l->recorded = false;
    l->total = total;
}

/* ---- output ---------------------------------------------------------------------------------- */

static void describe(const struct hd_ksession *s, const struct hd_k_access *a, char *buf, size_t cap)
{
    char place[160];

    hd_kimage_symbol(s->image, a->pc, place, sizeof place);
    snprintf(buf, cap, "%s%s of %u byte%s in %s", a->atomic ? "atomic " : "", a->store ? "write" : "read", a->bytes,
             a->bytes == 1 ? "" : "s", place);
}

void hd_kraces_print(const struct hd_ksession *s, FILE *out)
{
    static const char *const notes[] = {
        [HD_KO_UNTRIED] = "its orders were not tried",
        [HD_KO_LOST] = "its orders could not be compared, because it needs the executions before this one",
        [HD_KO_SAME] = "the calls return the same in both orders",
    };
    const struct hd_klink *l = s->machine.link;
    const struct hd_k_races *all = &s->races;
    char first[256], second[256];

    if (l->nraces == 0)
        return;
    fprintf(out, "\nData races (no findings: a kernel has some on purpose, and marks such as READ_ONCE cannot be seen): %u "
                 "group%s; %u pair%s in functions that synchronise left out\n",
            all->ngroups, all->ngroups == 1 ? "" : "s", all->hidden, all->hidden == 1 ? "" : "s");
    for (unsigned g = 0; g < all->ngroups; g++) {
        const struct hd_k_race_group *at = &all->group[g];
        const struct hd_k_race *r = &l->race[at->race];

        describe(s, &r->first, first, sizeof first);
        describe(s, &r->second, second, sizeof second);
        fprintf(out, "  %2u %s\n     %s\n     %u time%s", g + 1, first, second, at->count, at->count == 1 ? "" : "s");
        if (at->pairs > 1)
            fprintf(out, ", with %u other pair%s that share%s an instruction", at->pairs - 1, at->pairs == 2 ? "" : "s",
                    at->pairs == 2 ? "s" : "");
        if (at->orders == HD_KO_DIFFER)
            fprintf(out, "; THE ORDER MATTERS: %s\n", at->difference);
        else
            fprintf(out, "; %s\n", notes[at->orders]);
    }
}

void hd_kraces_json(const struct hd_ksession *s, struct hd_json *j)
{
    const struct hd_klink *l = s->machine.link;
    char text[256];

    hd_json_put_uint(j, "races_left_out", s->races.hidden);
    hd_json_put_array(j, "races");
    for (unsigned g = 0; g < s->races.ngroups; g++) {
        const struct hd_k_race_group *at = &s->races.group[g];

        hd_json_line(j);
        hd_json_object(j);
        describe(s, &l->race[at->race].first, text, sizeof text);
        hd_json_put_string(j, "first", text);
        describe(s, &l->race[at->race].second, text, sizeof text);
        hd_json_put_string(j, "second", text);
        hd_json_put_uint(j, "pairs", at->pairs);
        hd_json_put_uint(j, "count", at->count);
        hd_json_put_string(j, "orders", order_words[at->orders]);
        hd_json_put_string(j, "difference", at->difference);
        hd_json_end(j);
    }
    hd_json_end(j);
}
