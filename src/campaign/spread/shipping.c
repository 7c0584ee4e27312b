/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shipping.c - see shipping.h. */
#include "campaign/spread/shipping.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "campaign/spread/slice.h"
#include "program/loads.h"

const char *hd_shipping_obstacle(const struct hd_options *o)
{
    if (o->expect_file != NULL)
        return "the file of --expect is not carried with the program; leave one of the two out";
    if (o->nspelled == HD_MAX_SPELLED)
        return "there are too many options";
    return NULL;
}

/* ---- the command and the hash of the campaign (P1) ------------------------------------------ */

/* Returns the words of the command, each terminated by a zero byte.  The word "--" separates them from the program's
 * arguments. */
static struct hd_bytes make_command(const struct hd_options *o, const struct hd_one *one)
{
    char *text;
    size_t size;
    FILE *f = hd_memory_stream(&text, &size);

    fprintf(f, "%s%c", o->verb_name, 0);
    for (uint32_t i = 0; i < o->nspelled; i++)
        fprintf(f, "--%s%s%s%c", o->spelled[i].name, o->spelled[i].value != NULL ? "=" : "",
                o->spelled[i].value != NULL ? o->spelled[i].value : "", 0);
    fprintf(f, "--%c", 0);
    for (char *const *a = one->argv + 1; *a != NULL; a++)
        fprintf(f, "%s%c", *a, 0);
    fclose(f);
    return (struct hd_bytes){ text, size };
}

void hd_shipping_hash(const char *program_hash, const struct hd_bytes *command, char hash[65])
{
    char *text;
    size_t size;
    FILE *f = hd_memory_stream(&text, &size);

    fprintf(f, "%s%c", program_hash, 0);
    fwrite(command->data, 1, command->size, f);
    fclose(f);
    hd_sha256(text, size, hash);
    free(text);
}

/* ---- the processor (P3) ------------------------------------------------------------------------ */

/* Processor features by which a compiler or library may choose instructions.  None of them depends on the kernel. */
#define FEATURES(X) \
    X("sse3") X("ssse3") X("sse4.1") X("sse4.2") X("popcnt") X("avx") X("avx2") X("fma") X("bmi") X("bmi2") X("aes") \
    X("pclmul") X("avx512f") X("avx512vl") X("avx512bw") X("avx512dq") X("avx512cd") X("avx512vbmi") X("avx512ifma") \
    X("avx512vpopcntdq") X("avx512vbmi2") X("gfni") X("vpclmulqdq") X("avx512vnni") X("avx512bitalg")

static char *processor_features(void)
{
    char *text;
    size_t size;
    FILE *f = hd_memory_stream(&text, &size);

    __builtin_cpu_init();
#define PUT(feature) if (__builtin_cpu_supports(feature)) fputs(feature " ", f);
    FEATURES(PUT)
#undef PUT
    fclose(f);
    return text;
}

static bool has_word(const char *words, const char *word, size_t n)
{
    for (const char *at = words; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " "))
        if (strcspn(at, " ") == n && memcmp(at, word, n) == 0)
            return true;
    return false;
}

/* Returns the wanted features that this processor lacks, as text that the caller frees; "" if it has all. */
static char *missing_features(const char *wanted)
{
    char *here = processor_features(), *text;
    size_t size;
    FILE *f = hd_memory_stream(&text, &size);
    const char *comma = "";

    for (const char *at = wanted + strspn(wanted, " "); *at != '\0'; at += strcspn(at, " "), at += strspn(at, " "))
        if (!has_word(here, at, strcspn(at, " "))) {
            fprintf(f, "%s%.*s", comma, (int)strcspn(at, " "), at);
            comma = ", ";
        }
    fclose(f);
    free(here);
    return text;
}

/* ---- the reference execution (P2) ------------------------------------------------------------------ */

#define KEPT 4096 /* steps that are stored, so that the first difference can be named */

struct reference {
    uint32_t nsteps, ending;
    uint64_t hash; /* hash of all steps */
    struct hd_decision step[KEPT]; /* the first nsteps or KEPT steps */
};

static size_t size_of(const struct reference *r)
{
    return offsetof(struct reference, step) + (r->nsteps < KEPT ? r->nsteps : KEPT) * sizeof *r->step;
}

/* Runs one execution with the random strategy and a fixed seed.  It is the same on every machine on which the
 * program behaves in the same way. */
static int run_reference(const struct hd_shipping *s, struct reference *out)
{
    static struct hd_slice slice;
    struct hd_options with = *s->o;
    int code;

    memset(&slice, 0, sizeof slice);
    memset(out, 0, sizeof *out);
    snprintf(with.strategy, sizeof with.strategy, "random");
    with.params[0] = '\0';
    with.bound = -1;
    with.seed = 1;
    if (hd_slice_look(&slice, &with, s->one, &code)) {
        const struct hd_execution *x = &slice.session.wire->exec;

        out->nsteps = x->nsteps;
        out->ending = x->ending;
        out->hash = hd_hash_bytes(0, x->decisions, x->nsteps * sizeof *x->decisions);
        memcpy(out->step, x->decisions, (x->nsteps < KEPT ? x->nsteps : KEPT) * sizeof *x->decisions);
    }
    hd_slice_close(&slice);
    return code;
}

/* Writes the first difference between the executions.  Returns false if they are equal. */
static bool differ(const struct reference *there, const struct reference *here, char *how, size_t cap)
{
    uint32_t n = there->nsteps < here->nsteps ? there->nsteps : here->nsteps;
    uint32_t i = 0;

    while (i < n && i < KEPT && memcmp(&there->step[i], &here->step[i], sizeof *there->step) == 0)
        i++;
    if (i < n && i < KEPT)
        snprintf(how, cap, "its step %u is another operation", i + 1);
    else if (there->nsteps != here->nsteps)
        snprintf(how, cap, "it has %u steps instead of %u", here->nsteps, there->nsteps);
    else if (there->hash != here->hash)
        snprintf(how, cap, "it differs after step %d", KEPT);
    else if (there->ending != here->ending)
        snprintf(how, cap, "it ends in another way");
    else
        return false;
    return true;
}

static int compare(const struct hd_shipping *s, const struct hd_bytes *stored)
{
    static struct reference there, here;
    char how[128];

    memset(&there, 0, sizeof there);
    if (stored->size >= offsetof(struct reference, step) && stored->size <= sizeof there)
        memcpy(&there, stored->data, stored->size);
    if (stored->data == NULL || size_of(&there) != stored->size) {
        fprintf(stderr, "heddle: campaign %s: the reference execution in the store is damaged\n", s->c->name);
        return HD_EXIT_USAGE;
    }
    int code = run_reference(s, &here);

    if (code != HD_EXIT_CLEAN || !differ(&there, &here, how, sizeof how))
        return code;
    fprintf(stderr, "heddle: campaign %s: this machine does not repeat the reference execution: %s. Its libraries, environment or "
                    "files differ from those of the machine that has shipped the program\n", s->c->name, how);
    return HD_EXIT_USAGE;
}

/* ---- shipping ---------------------------------------------------------------------------------------- */

static bool finds_libraries(const struct hd_shipping *s)
{
    struct hd_elf_info elf = *s->elf;

    if (hd_loads(&elf))
        return true;
    fprintf(stderr, "heddle: campaign %s: %s\n", s->c->name, elf.problem);
    if (elf.remedy[0] != '\0')
        fprintf(stderr, "heddle: %s\n", elf.remedy);
    return false;
}

static int check(const struct hd_shipping *s, const struct hd_cluster_program *p)
{
    if (!finds_libraries(s))
        return HD_EXIT_USAGE;
    char *missing = missing_features(p->features);
    bool lacks = missing[0] != '\0';

    if (lacks)
        fprintf(stderr, "heddle: campaign %s: this processor lacks what the one has from which the program was shipped: %s. Ship it "
                        "from the machine with the fewest features, compiled for that one\n", s->c->name, missing);
    free(missing);
    return lacks ? HD_EXIT_USAGE : compare(s, &p->reference);
}

static int put(const struct hd_shipping *s)
{
    static struct reference r;
    struct hd_cluster_program p = { .features = processor_features(), .command = make_command(s->o, s->one), .content = *s->program };
    const char *slash = strrchr(s->elf->path, '/');
    char hash[65];

    snprintf(p.name, sizeof p.name, "%.127s", slash != NULL ? slash + 1 : s->elf->path);
    for (uint32_t i = 0; i < s->elf->build_id_len; i++)
        snprintf(p.build_id + 2 * i, sizeof p.build_id - 2 * i, "%02x", s->elf->build_id[i]);
    int code = run_reference(s, &r);

    p.reference = (struct hd_bytes){ &r, size_of(&r) };
    if (code == HD_EXIT_CLEAN && !hd_cluster_ship(s->st, s->c->id, &p)) {
        fprintf(stderr, "heddle: %s\n", hd_cluster_error(s->st));
        code = HD_EXIT_USAGE;
    }
    hd_shipping_hash(s->c->hash, &p.command, hash);
    if (code == HD_EXIT_CLEAN && !s->o->quiet)
        fprintf(stderr, "heddle: campaign %s is in the store; other machines work on it with\n"
                        "heddle: heddle worker --store URL --allow %s\n", s->c->name, hash);
    free(p.features);
    free(p.command.data);
    return code;
}

int hd_shipping_begin(const struct hd_shipping *s)
{
    struct hd_cluster_program p;
    int code = HD_EXIT_CLEAN;

    if (hd_cluster_shipped(s->st, s->c->id, false, &p)) {
        code = check(s, &p);
        hd_cluster_program_free(&p);
    } else if (hd_cluster_error(s->st)[0] != '\0') {
        fprintf(stderr, "heddle: %s\n", hd_cluster_error(s->st));
        code = HD_EXIT_USAGE;
    } else if (s->o->ship) {
        code = put(s);
    }
    return code;
}
