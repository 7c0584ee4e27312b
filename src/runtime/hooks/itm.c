/* SPDX-License-Identifier: BSD-2-Clause
 *
 * itm.c - the functions that gcc -fgnu-tm calls (the ABI of libitm), under Heddle.
 *
 * Code of `heddle cc` announces each access also to TSan's hooks, inside transactions as well, so the reads and writes
 * here just take place: otherwise they would count twice.  Clones of functions for transactions are never run: the
 * functions themselves announce their accesses.  The table of clones tells which functions may run in a transaction. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/sys/compiler.h"
#include "runtime/watch/transaction.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* ---- transactions ------------------------------------------------------------------------------- */

HD_EXPORT void _ITM_commitTransaction(void)
{
    hd_itm_commit(HD_RETURN_PC);
}

HD_EXPORT void _ITM_commitTransactionEH(void *exception)
{
    (void)exception;
    hd_itm_commit(HD_RETURN_PC);
}

HD_EXPORT void _ITM_abortTransaction(int reason)
{
    hd_itm_cancel((uint32_t)reason, HD_RETURN_PC);
}

HD_EXPORT void _ITM_changeTransactionMode(int mode)
{
    (void)mode; /* there is only one: irrevocable */
    hd_itm_irrevocable(HD_RETURN_PC);
}

/* 0: outside; 1: inside, can be undone. */
HD_EXPORT int _ITM_inTransaction(void)
{
    return hd_tx_active;
}

HD_EXPORT uint32_t _ITM_getTransactionId(void)
{
    return hd_tx_active ? 2 : 1;
}

/* ---- clones --------------------------------------------------------------------------------------- */

/* The tables of the loaded objects: functions that were compiled for transactions, each with its clone. */
struct clone {
    void *function, *clone;
};

enum { TABLES = 64 };

static struct {
    const struct clone *table; /* NULL: none */
    size_t n;
} tables[TABLES];

HD_EXPORT void _ITM_registerTMCloneTable(void *table, size_t n)
{
    for (unsigned i = 0; i < TABLES; i++)
        if (tables[i].table == NULL) {
            tables[i].table = table;
            tables[i].n = n;
            return;
        }
}

HD_EXPORT void _ITM_deregisterTMCloneTable(void *table)
{
    for (unsigned i = 0; i < TABLES; i++)
        if (tables[i].table == table)
            tables[i].table = NULL;
}

static bool has_clone(const void *function)
{
    for (unsigned i = 0; i < TABLES; i++)
        for (size_t k = 0; tables[i].table != NULL && k < tables[i].n; k++)
            if (tables[i].table[k].function == function)
                return true;
    return tables[TABLES - 1].table != NULL; /* there may be more tables */
}

/* The function announces its accesses, so it takes the place of its clone. */
HD_EXPORT void *_ITM_getTMCloneOrIrrevocable(void *function)
{
    if (!has_clone(function))
        hd_itm_irrevocable(HD_RETURN_PC);
    return function;
}

HD_EXPORT void *_ITM_getTMCloneSafe(void *function)
{
    if (!has_clone(function))
        hd_itm_irrevocable(HD_RETURN_PC);
    return function;
}

/* ---- accesses ------------------------------------------------------------------------------------- */

#define READ(how, type, name) \
    HD_EXPORT type _ITM_##how##name(const type *p) \
    { \
        return *p; \
    }
#define WRITE(how, type, name) \
    HD_EXPORT void _ITM_##how##name(type *p, type value) \
    { \
        *p = value; \
    }
#define LOG(type, name) \
    HD_EXPORT void _ITM_L##name(const type *p) \
    { \
        (void)p; \
    }
#define ACCESSES(type, name) \
    READ(R, type, name) READ(RaR, type, name) READ(RaW, type, name) READ(RfW, type, name) \
    WRITE(W, type, name) WRITE(WaR, type, name) WRITE(WaW, type, name) LOG(type, name)

typedef int hd_m64 __attribute__((vector_size(8)));
typedef float hd_m128 __attribute__((vector_size(16)));
typedef float hd_m256 __attribute__((vector_size(32)));

ACCESSES(uint8_t, U1)
ACCESSES(uint16_t, U2)
ACCESSES(uint32_t, U4)
ACCESSES(uint64_t, U8)
ACCESSES(float, F)
ACCESSES(double, D)
ACCESSES(long double, E)
ACCESSES(_Complex float, CF)
ACCESSES(_Complex double, CD)
ACCESSES(_Complex long double, CE)
ACCESSES(hd_m64, M64)
ACCESSES(hd_m128, M128)
#pragma GCC push_options
#pragma GCC target("avx") /* only programs that use AVX call these */
ACCESSES(hd_m256, M256)
#pragma GCC pop_options

HD_EXPORT void _ITM_LB(const void *p, size_t size)
{
    (void)p;
    (void)size;
}

/* n: not transactional, t: transactional; aR, aW: after a read, after a write of the same memory. */
#define COPY(call, how) \
    HD_EXPORT void _ITM_##call##how(void *to, const void *from, size_t n) \
    { \
        call(to, from, n); \
    }
#define COPIES(call) \
    COPY(call, RnWt) COPY(call, RnWtaR) COPY(call, RnWtaW) COPY(call, RtWn) COPY(call, RtWt) COPY(call, RtWtaR) \
    COPY(call, RtWtaW) COPY(call, RtaRWn) COPY(call, RtaRWt) COPY(call, RtaRWtaR) COPY(call, RtaRWtaW) \
    COPY(call, RtaWWn) COPY(call, RtaWWt) COPY(call, RtaWWtaR) COPY(call, RtaWWtaW)

COPIES(memcpy)
COPIES(memmove)

#define SET(how) \
    HD_EXPORT void _ITM_memset##how(void *p, int value, size_t n) \
    { \
        memset(p, value, n); \
    }

SET(W)
SET(WaR)
SET(WaW)

/* ---- the heap --------------------------------------------------------------------------------------- */

HD_EXPORT void *_ITM_malloc(size_t size)
{
    return malloc(size);
}

HD_EXPORT void *_ITM_calloc(size_t n, size_t size)
{
    return calloc(n, size);
}

HD_EXPORT void _ITM_free(void *p)
{
    free(p);
}
