/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plugin.c - a library for dlopen, with state that must be new every time. */
static int calls;
static __thread int mine = 10;

int plugin_call(void)
{
    return ++calls + mine++;
}
