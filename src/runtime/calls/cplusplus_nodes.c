/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cplusplus_nodes.c - functions of libstdc++ that link the nodes of std::list, and of std::map, std::set and their
 * relatives.  Containers are templates, so the program contains their code, and it is instrumented; only these
 * functions are in the library.  Their reads and writes of nodes are plain accesses (caller_memory.c, C1).  The names
 * are those of the C++ ABI. */
#include <stdbool.h>
#include <stdint.h>

#include "runtime/calls/caller_memory.h"
#include "runtime/sys/mem.h"

/* ---- lists ----------------------------------------------------------------------------------- */

struct link {
    struct link *next, *previous;
};

static void note_write(const void *p, size_t n, uint64_t pc)
{
    hd_range(p, n, true, pc);
}

static void note_next(struct link *l, uint64_t pc)
{
    note_write(&l->next, sizeof l->next, pc);
}

static void note_previous(struct link *l, uint64_t pc)
{
    note_write(&l->previous, sizeof l->previous, pc);
}

static void note_hooked(struct link *l, struct link *before, uint64_t pc)
{
    note_write(l, sizeof *l, pc);
    note_previous(before, pc);
    note_next(before->previous, pc);
}

static void note_unhooked(const struct link *l, uint64_t pc)
{
    hd_range(l, sizeof *l, false, pc);
    note_previous(l->next, pc);
    note_next(l->previous, pc);
}

static void note_transferred(struct link *before, struct link *first, struct link *last, uint64_t pc)
{
    if (before == last)
        return;
    note_previous(before, pc);
    note_previous(first, pc);
    note_previous(last, pc);
    note_next(before->previous, pc);
    note_next(first->previous, pc);
    note_next(last->previous, pc);
}

static void note_reversed(struct link *l, uint64_t pc)
{
    struct link *at = l;

    do {
        note_write(at, sizeof *at, pc);
        at = at->next;
    } while (at != l);
}

static void note_swapped(struct link *a, struct link *b, uint64_t pc)
{
    note_write(a, sizeof *a, pc);
    note_write(b, sizeof *b, pc);
    note_previous(a->next, pc);
    note_next(a->previous, pc);
    note_previous(b->next, pc);
    note_next(b->previous, pc);
}

/* ---- trees ----------------------------------------------------------------------------------- */

struct tree_node {
    uint32_t colour; /* 0: red */
    struct tree_node *parent, *left, *right;
};

/* The nodes that a change of the tree may write, with their contents before the change: the nodes from the place of
 * the change up to the root, and those that rotations there may move. */
enum { MAX_KEPT = 1024, ROTATED = 3 /* levels below the place of the change */, MAX_CHANGES = 256 };
static struct kept {
    struct tree_node *node, was;
} kept[MAX_KEPT];
static unsigned nkept;

/* The words that a change has written.  They are on the stack of the thread, because other threads may run while it
 * notes them. */
struct changes {
    unsigned n;
    struct {
        const void *at;
        size_t size;
    } word[MAX_CHANGES];
};

static void keep(struct tree_node *n, unsigned levels)
{
    if (n == NULL || nkept == MAX_KEPT)
        return;
    kept[nkept++] = (struct kept){ n, *n };
    if (levels > 0) {
        keep(n->left, levels - 1);
        keep(n->right, levels - 1);
    }
}

static void keep_path(struct tree_node *from, struct tree_node *header)
{
    nkept = 0;
    keep(header, 0);
    for (struct tree_node *n = from; n != NULL && n != header; n = n->parent)
        keep(n, ROTATED);
}

static void add_change(struct changes *c, const void *now, const void *was, size_t n)
{
    if (!hd_mem_equal(now, was, n) && c->n < MAX_CHANGES) {
        c->word[c->n].at = now;
        c->word[c->n++].size = n;
    }
}

/* Finds the words that were written, and restores them. */
static void undo_changes(struct changes *c)
{
    c->n = 0;
    for (unsigned i = 0; i < nkept; i++) {
        const struct tree_node *n = kept[i].node, *was = &kept[i].was;

        add_change(c, &n->colour, &was->colour, sizeof n->colour);
        add_change(c, &n->parent, &was->parent, sizeof n->parent);
        add_change(c, &n->left, &was->left, sizeof n->left);
        add_change(c, &n->right, &was->right, sizeof n->right);
    }
    for (unsigned i = 0; i < nkept; i++)
        *kept[i].node = kept[i].was;
}

static void note_changes(const struct changes *c, uint64_t pc)
{
    for (unsigned i = 0; i < c->n; i++)
        note_write(c->word[i].at, c->word[i].size, pc);
}

#define INSERT _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_
#define ERASE _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_

void INSERT(bool left, struct tree_node *new, struct tree_node *parent, struct tree_node *header);
struct tree_node *ERASE(struct tree_node *gone, struct tree_node *header);

/* Inserts the node, records what that writes, undoes it, notes the accesses (C1), and inserts again.  The root
 * becomes black in any case. */
HD_EXPORT void INSERT(bool left, struct tree_node *new, struct tree_node *parent, struct tree_node *header)
{
    uint64_t pc = HD_RETURN_PC;
    struct changes changes;

    if (hd_watched(pc)) {
        keep_path(parent, header);
        keep(new, 0);
        HD_REAL(_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_)(left, new, parent, header);
        struct tree_node *root = header->parent;

        undo_changes(&changes);
        hd_notes_begin();
        note_changes(&changes, pc);
        note_write(new, sizeof *new, pc);
        note_write(&root->colour, sizeof root->colour, pc);
        hd_notes_end();
    }
    HD_REAL(_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_)(left, new, parent, header);
}

/* If the node has two children, the next node replaces it, and rebalancing starts at the old place of that node. */
HD_EXPORT struct tree_node *ERASE(struct tree_node *gone, struct tree_node *header)
{
    uint64_t pc = HD_RETURN_PC;
    struct changes changes;

    if (hd_watched(pc)) {
        struct tree_node *from = gone;

        if (gone->left != NULL && gone->right != NULL)
            for (from = gone->right; from->left != NULL; from = from->left)
                ;
        keep_path(from, header);
        HD_REAL(_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_)(gone, header);
        undo_changes(&changes);
        hd_notes_begin();
        note_changes(&changes, pc);
        hd_notes_end();
    }
    return HD_REAL(_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_)(gone, header);
}

static void note_read(const void *p, uint64_t pc)
{
    hd_range(p, sizeof(void *), false, pc);
}

/* Returns the child pointer of a node on one side.  A walk backwards uses the opposite sides of a walk forwards. */
static struct tree_node **side(struct tree_node *n, bool right)
{
    return right ? &n->right : &n->left;
}

static void note_walk(struct tree_node *n, bool forward, uint64_t pc)
{
    note_read(side(n, forward), pc);
    if (*side(n, forward) != NULL) {
        for (n = *side(n, forward); note_read(side(n, !forward), pc), *side(n, !forward) != NULL;)
            n = *side(n, !forward);
        return;
    }
    for (struct tree_node *up = n->parent; note_read(&n->parent, pc), note_read(side(up, forward), pc),
                          n == *side(up, forward) && up->parent != n;) {
        n = up;
        up = up->parent;
    }
}

/* The end of the tree is its header, which is red and the parent of its parent. */
static void note_walk_back(struct tree_node *n, uint64_t pc)
{
    hd_range(&n->colour, sizeof n->colour, false, pc);
    if (n->colour == 0 && n->parent != NULL && n->parent->parent == n)
        note_read(&n->right, pc);
    else
        note_walk(n, false, pc);
}

#define CALLS_CPLUSPLUS_NODES
#include "runtime/calls/calls.def"
