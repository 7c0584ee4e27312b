/* SPDX-License-Identifier: BSD-2-Clause
 *
 * liveness.c - follows the code after an operation.  See liveness.h. */
#include "runtime/progress/liveness.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/limits.h"
#include "runtime/core/imports.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/instruction.h"

enum {
    HOOKS = HD_LIMIT(512, 8),  /* limit of pointers to hooks in the tables of imports */
    PLACES = HD_LIMIT(64, 2), /* as many as hd_common.waits has rows */
    MOST = 160,  /* limit of instructions that one walk follows */
    TARGETS = 32, /* limit of jump targets that one walk remembers */
    REGISTERS = 16,
    CALL_CLOBBERS = 0x0fc7 /* all registers but rbx, rsp, rbp, r12 to r15 */
};

/* ---- hooks ----------------------------------------------------------------------------- */

enum hook { NO_HOOK, ACCESS, LOAD, ATOMIC, EXCHANGE /* called with a pointer to the expected value */ };

static struct {
    uintptr_t pointer; /* address of the pointer, in the table of imports of some ELF object */
    enum hook hook;
    uint8_t size; /* bytes that the hook accesses */
} hooks[HOOKS];
static uint32_t nhooks;

static bool begins(const char *s, const char *with)
{
    while (*with != '\0' && *s == *with)
        s++, with++;
    return *with == '\0';
}

static enum hook hook_named(const char *name)
{
    static const char *const accesses[] = { "__tsan_read", "__tsan_write", "__tsan_unaligned_", "__tsan_volatile_",
                                            "__tsan_func_", NULL };

    for (const char *const *a = accesses; *a != NULL; a++)
        if (begins(name, *a))
            return ACCESS;
    if (!begins(name, "__tsan_atomic"))
        return NO_HOOK;
    for (; *name != '\0'; name++) {
        if (begins(name, "_load"))
            return LOAD;
        if (begins(name, "exchange_strong") || begins(name, "exchange_weak"))
            return EXCHANGE;
    }
    return ATOMIC;
}

/* Returns the number of bytes in the name of a hook, such as "__tsan_atomic64_load". */
static uint8_t size_named(const char *name)
{
    unsigned bits = 0;

    for (name += sizeof "__tsan_atomic" - 1; *name >= '0' && *name <= '9'; name++)
        bits = bits * 10 + (unsigned)(*name - '0');
    return (uint8_t)(bits / 8);
}

static void note_import(const char *name, const ElfW(Rela) *at, uintptr_t bias, void *unused)
{
    enum hook hook = hook_named(name);

    (void)unused;
    if (hook == NO_HOOK || nhooks == HOOKS)
        return;
    hooks[nhooks].pointer = bias + at->r_offset;
    hooks[nhooks].hook = hook;
    hooks[nhooks++].size = hook == ACCESS ? 0 : size_named(name);
}

void hd_liveness_init(void)
{
    nhooks = 0;
    hd_imports_each(note_import, NULL);
}

static enum hook hook_called(const struct hd_instruction *i, uint8_t *size)
{
    uintptr_t pointer = i->target != NULL ? hd_instruction_linkage(i->target) : i->address;

    for (uint32_t k = 0; pointer != 0 && k < nhooks; k++)
        if (hooks[k].pointer == pointer) {
            *size = hooks[k].size;
            return hooks[k].hook;
        }
    return NO_HOOK;
}

/* ---- one register or word --------------------------------------------------------------- */

enum use { GOES_ON, WRITTEN, READ };

/* Follows the code for one register, for one word (reg is HD_NO_REGISTER), or for all words that the code writes
 * (found is not NULL). */
struct walk {
    unsigned reg;
    struct hd_dead_word word;
    struct hd_dead *found;
    unsigned left; /* instructions that may still be followed */
    unsigned ntargets;
    struct {
        const uint8_t *at;
        int32_t shift;
    } target[TARGETS];
};

/* What is known before one instruction of the walk. */
struct values {
    int32_t shift;                        /* increase of rsp since the start */
    struct hd_dead_address reg[REGISTERS]; /* addresses in registers */
};

static bool calls_no_hook(const struct hd_instruction *i)
{
    uint8_t size;

    return i->flow == HD_CODE_CALLS && hook_called(i, &size) == NO_HOOK;
}

static enum use use_of_register(const struct walk *w, const struct hd_instruction *i)
{
    if (i->flow == HD_CODE_RETURNS || i->reads >> w->reg & 1)
        return READ;
    if (calls_no_hook(i))
        return READ;
    return i->writes >> w->reg & 1 ? WRITTEN : GOES_ON;
}

/* V3: what becomes of the word when a hook accesses this many bytes there. */
static enum use use_at(struct hd_dead_word *w, const struct hd_dead_address *p, uint8_t size)
{
    if (p->base == w->at.base) {
        int64_t apart = (int64_t)p->offset - w->at.offset;

        return apart >= w->size || apart <= -(int64_t)size ? GOES_ON : READ;
    }
    for (unsigned k = 0; k < w->npointers; k++)
        if (w->pointer[k].base == p->base && w->pointer[k].offset == p->offset && w->pointed[k] == size)
            return GOES_ON;
    if (p->base == HD_RSP || w->npointers == HD_DEAD_POINTERS)
        return READ;
    w->pointer[w->npointers] = *p;
    w->pointed[w->npointers++] = size;
    return GOES_ON;
}

static enum use use_in_hook(struct hd_dead_word *w, const struct hd_instruction *i, const struct values *v)
{
    uint8_t size;
    enum hook hook = hook_called(i, &size);
    const struct hd_dead_address *object = &v->reg[HD_RDI], *expected = &v->reg[HD_RSI];

    if (hook == NO_HOOK || (hook == EXCHANGE && expected->base == HD_NO_REGISTER))
        return READ;
    if (hook == ACCESS)
        return GOES_ON;
    if (w->shared && hook != LOAD)
        return READ; /* V5: the operation may release the word to other threads */
    if (object->base != HD_NO_REGISTER && use_at(w, object, size) == READ)
        return READ;
    return hook == EXCHANGE ? use_at(w, expected, size) : GOES_ON;
}

/* What becomes of the word at this instruction (V2). */
static enum use use_of_word(struct walk *w, const struct hd_instruction *i, const struct values *v)
{
    const struct hd_dead_address *at = &w->word.at;
    int32_t from = at->offset - (at->base == HD_RSP ? v->shift : 0), to = from + w->word.size;
    bool relative = i->base == at->base && !i->indexed;
    bool elsewhere = !i->indexed && (w->word.shared ? i->base == HD_RSP : i->base == HD_NO_REGISTER && i->address != 0);

    if (i->flow == HD_CODE_RETURNS) /* if addressed by rsp: the frame no longer exists; otherwise the register may
                                     * point to other memory */
        return at->base == HD_RSP ? WRITTEN : READ;
    if (i->flow == HD_CODE_CALLS)
        return use_in_hook(&w->word, i, v);
    if (i->loads && !elsewhere && !(relative && (i->offset >= to || i->offset + i->size <= from)))
        return READ;
    if (i->stores && relative && i->offset <= from && i->offset + i->size >= to)
        return WRITTEN;
    if (at->base == HD_RSP && i->shift > 0 && to <= i->shift)
        return WRITTEN; /* the word lies below the stack pointer */
    if (i->changes & 1u << HD_RSP) /* the instruction leave: the frame is addressed by rbp */
        return at->base == HD_RBP && !w->word.shared && i->reads & 1u << HD_RBP && to <= 0 ? WRITTEN : READ;
    return i->changes & 1u << at->base ? READ : GOES_ON;
}

static void add_word(struct hd_dead *d, struct hd_dead_word word);

/* Each word that the code writes, in the frame or through a register that hooks preserve, may be dead. */
static enum use use_of_all(const struct walk *w, const struct hd_instruction *i, const struct values *v)
{
    struct hd_dead_word word = { .at = { i->base, i->offset + (i->base == HD_RSP ? v->shift : 0) }, .size = i->size };

    if (i->flow == HD_CODE_RETURNS || calls_no_hook(i))
        return WRITTEN;
    if (!i->stores || i->loads || i->indexed)
        return GOES_ON;
    if (i->base == HD_RSP || i->base == HD_RBP)
        add_word(w->found, word);
    word.shared = true;
    if (i->base < REGISTERS && i->base != HD_RSP && !(CALL_CLOBBERS >> i->base & 1))
        add_word(w->found, word);
    return GOES_ON;
}

static enum use use_of(struct walk *w, const struct hd_instruction *i, const struct values *v)
{
    if (w->found != NULL)
        return use_of_all(w, i, v);
    return w->reg != HD_NO_REGISTER ? use_of_register(w, i) : use_of_word(w, i, v);
}

/* Updates the addresses in registers after the instruction. */
static void keep_values(struct values *v, const struct hd_instruction *i)
{
    struct hd_dead_address is = { HD_NO_REGISTER, 0 };
    uint32_t written = i->changes | (i->flow == HD_CODE_CALLS ? CALL_CLOBBERS : 0);

    if (i->copied != HD_NO_REGISTER)
        is = i->copied == HD_RSP ? (struct hd_dead_address){ HD_RSP, v->shift } : v->reg[i->copied];
    else if (i->computes && !i->indexed && i->base == HD_RSP)
        is = (struct hd_dead_address){ HD_RSP, i->offset + v->shift };
    else if (i->computes && !i->indexed && i->base != HD_NO_REGISTER && v->reg[i->base].base != HD_NO_REGISTER)
        is = (struct hd_dead_address){ v->reg[i->base].base, v->reg[i->base].offset + i->offset };
    for (unsigned r = 0; r < REGISTERS; r++)
        if (written >> r & 1)
            v->reg[r] = is;
    v->shift += i->shift;
}

/* True if the walk has already visited that target; *same: with the same stack pointer. */
static bool has_been(struct walk *w, const uint8_t *at, int32_t shift, bool *same)
{
    *same = true;
    for (unsigned k = 0; k < w->ntargets; k++)
        if (w->target[k].at == at) {
            *same = w->target[k].shift == shift;
            return true;
        }
    if (w->ntargets == TARGETS) {
        *same = false;
        return true;
    }
    w->target[w->ntargets].at = at;
    w->target[w->ntargets++].shift = shift;
    return false;
}

static bool is_read(struct walk *w, const uint8_t *at, struct values v);

static bool is_read_at(struct walk *w, const uint8_t *target, const struct values *v)
{
    bool same;

    if (target == NULL || hd_instruction_linkage(target) != 0)
        return true;
    return has_been(w, target, v->shift, &same) ? !same : is_read(w, target, *v);
}

/* True if some path from here reads the register or word, or may read it. */
static bool is_read(struct walk *w, const uint8_t *at, struct values v)
{
    struct hd_instruction i;

    for (; w->left > 0 && hd_instruction_read(at, &i); at = i.next) {
        w->left--;
        enum use use = use_of(w, &i, &v);

        if (use != GOES_ON)
            return use == READ;
        keep_values(&v, &i);
        if (i.flow == HD_CODE_JUMPS)
            return is_read_at(w, i.target, &v);
        if (i.flow == HD_CODE_BRANCHES && is_read_at(w, i.target, &v) && w->found == NULL)
            return true;
    }
    return true;
}

/* ---- all registers and words --------------------------------------------------------------------------- */

static const uint8_t preserved[] = { HD_RBX, HD_RBP, 12, 13, 14, 15 };

static bool walk_from(struct walk *w, uint64_t pc)
{
    struct values v = { 0 };

    for (unsigned r = 0; r < REGISTERS; r++)
        v.reg[r].base = HD_NO_REGISTER;
    for (unsigned k = 0; k < sizeof preserved; k++)
        v.reg[preserved[k]].base = preserved[k];
    w->left = MOST;
    return is_read(w, (const uint8_t *)pc, v);
}

static void add_word(struct hd_dead *d, struct hd_dead_word word)
{
    struct walk w = { .reg = HD_NO_REGISTER, .word = word };

    for (uint32_t k = 0; k < d->nwords; k++)
        if (d->word[k].at.base == word.at.base && d->word[k].at.offset == word.at.offset &&
            d->word[k].shared == word.shared)
            return;
    if (d->nwords < HD_DEAD_WORDS && !walk_from(&w, d->pc))
        d->word[d->nwords++] = w.word;
}

static HD_COLD void find(struct hd_dead *d, uint64_t pc)
{
    *d = (struct hd_dead){ .pc = pc };
    for (unsigned k = 0; k < sizeof preserved; k++) {
        struct walk w = { .reg = preserved[k] };

        if (!walk_from(&w, pc))
            d->registers |= 1u << preserved[k];
    }
    struct walk words = { .found = d };

    walk_from(&words, pc);
}

const struct hd_dead *hd_liveness_at(uint64_t pc)
{
    static struct hd_dead known[PLACES];
    struct hd_dead *d = &known[pc % PLACES];

    for (unsigned k = 0; k < PLACES && d->pc != 0 && d->pc != pc; k++)
        d = &known[(pc + k) % PLACES];
    if (d->pc != pc)
        find(d, pc);
    return d;
}
