/* SPDX-License-Identifier: BSD-2-Clause
 *
 * estimate.c - computes the two estimates along a path.  Makes no libc calls.
 *
 * Let v be a point on the path with `all` branches, of which `explored` are finished.  Then size(v) = all /
 * (explored + 1) * (size of the explored branches + size of the branch on the path).  This is linear in the
 * last term, so one walk from the root down is enough: scale and fixed express size(root) in terms of size(v). */
#include "search/core/estimate.h"

void hd_estimate_start(struct hd_estimate *e)
{
    *e = (struct hd_estimate){ .share = 1, .scale = 1 };
}

void hd_estimate_branch(struct hd_estimate *e, uint32_t all, uint32_t explored, double size)
{
    double each = e->share / all;

    e->explored += each * explored;
    e->share = each;
    e->scale *= (double)all / (explored + 1);
    e->fixed += e->scale * size;
}

void hd_estimate_leaf(struct hd_estimate *e, double size)
{
    e->explored += e->share;
    e->recursive = e->scale * size + e->fixed;
}
