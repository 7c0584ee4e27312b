/* SPDX-License-Identifier: BSD-2-Clause
 *
 * api_linear.c - the functions that <heddle/linear.h> calls when the program runs under Heddle.  Like api.c,
 * this file does not include the header.  The header calls all but the first only in a mode other than 0. */
#include <stdint.h>

#include "runtime/calls/misc.h"
#include "runtime/core/entry.h"
#include "runtime/core/state.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/linear.h"
#include "wire/wire.h"

int heddle_rt_linear_mode(void);
unsigned heddle_rt_linear_script(int n);
void heddle_rt_linear_begin(const char *names, int n);
void heddle_rt_linear_client(int client);
int heddle_rt_linear_self(void);
int heddle_rt_linear_stage(void);
void heddle_rt_linear_joined(void);
const char *heddle_rt_linear_alternative(int i, const char **call, const char **result);
void heddle_rt_linear_accept(const char *result);
int heddle_rt_linear_may_end(int after);
void heddle_rt_linear_unfinished(void);
void heddle_rt_linear_truncated(void);
void heddle_rt_linear_call(const char *text);
void heddle_rt_linear_return(const char *text, int error);
void heddle_rt_linear_component(const char *name, int kind);
void heddle_rt_linear_compare(int rule);
void heddle_rt_linear_element(const char *text);
void heddle_rt_linear_change(const char *name, int removes, const char *element);

HD_EXPORT int heddle_rt_linear_mode(void)
{
    return hd.cur != NULL ? (int)hd.cfg->linear : HD_LINEAR_OFF;
}

HD_EXPORT unsigned heddle_rt_linear_script(int n)
{
    hd.wire->common->linear.steps = (uint32_t)n;
    return hd.cfg->split;
}

HD_EXPORT void heddle_rt_linear_begin(const char *names, int n)
{
    hd_linear_begin(names, (unsigned)n);
}

HD_EXPORT void heddle_rt_linear_client(int client)
{
    hd_set_name(hd_linear_client((unsigned)client));
}

HD_EXPORT int heddle_rt_linear_self(void)
{
    return hd_linear_self();
}

HD_EXPORT int heddle_rt_linear_stage(void)
{
    return hd_linear_stage();
}

HD_EXPORT void heddle_rt_linear_joined(void)
{
    hd_linear_joined();
}

HD_EXPORT const char *heddle_rt_linear_alternative(int i, const char **call, const char **result)
{
    return hd_linear_alternative((unsigned)i, call, result);
}

HD_EXPORT void heddle_rt_linear_accept(const char *result)
{
    hd_linear_accept(result);
}

HD_EXPORT int heddle_rt_linear_may_end(int after)
{
    return hd_linear_may_end(after != 0);
}

HD_EXPORT void heddle_rt_linear_unfinished(void)
{
    hd_linear_unfinished();
}

HD_EXPORT void heddle_rt_linear_truncated(void)
{
    hd_linear_truncated();
}

HD_EXPORT void heddle_rt_linear_call(const char *text)
{
    hd_linear_call(text, HD_RETURN_PC);
}

HD_EXPORT void heddle_rt_linear_return(const char *text, int error)
{
    hd_linear_return(text, error ? HD_LIN_ERROR : HD_LIN_RETURNED, HD_RETURN_PC);
}

HD_EXPORT void heddle_rt_linear_component(const char *name, int kind)
{
    struct hd_lin_record *state = hd_linear_state();

    if (state != NULL && kind >= 0 && kind < HD_LIN_KINDS)
        hd_lin_begin_component(state, name, (enum hd_lin_kind)kind);
}

HD_EXPORT void heddle_rt_linear_compare(int rule)
{
    struct hd_lin_record *state = hd_linear_state();

    if (state != NULL && rule >= 0 && rule < HD_LIN_RULES)
        hd_lin_compare(state, (enum hd_lin_rule)rule);
}

HD_EXPORT void heddle_rt_linear_element(const char *text)
{
    struct hd_lin_record *state = hd_linear_state();

    if (state != NULL)
        hd_lin_add(state, text);
}

HD_EXPORT void heddle_rt_linear_change(const char *name, int removes, const char *element)
{
    hd_linear_change(name, removes != 0, element, HD_RETURN_PC);
}
