# SPDX-License-Identifier: BSD-2-Clause
# Two threads with a lock and, in line 14, a data race.
cat >t.c <<'EOF'
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, last;

static void *add(void *value)
{
    int *added = value;
    pthread_mutex_lock(&lock);
    total += *added;
    pthread_mutex_unlock(&lock);

    /* nothing protects this one */
    last = *added;
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    int values[2] = { 1, 2 };

    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, add, &values[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
EOF
heddle cc -o t t.c
