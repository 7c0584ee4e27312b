/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plugin_part.c - the library that plugin.c loads. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int cell;

void *plugin_work(void *arg)
{
    pthread_mutex_lock(&lock);
    cell = cell * 2 + *(int *)arg;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int plugin_cell(void)
{
    return cell;
}
