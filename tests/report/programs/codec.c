/* SPDX-License-Identifier: BSD-2-Clause
 *
 * codec.c - a program that loads its codec when it runs.  With -DPLUGIN this file is the codec, which counts
 * the frames in a variable of its own. */
#ifdef PLUGIN
struct {
    int frames;
} total;

int encode(int bytes)
{
    total.frames++;
    return bytes / 2;
}
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static int (*encode)(int);

static void *encode_frame(void *arg)
{
    encode(*(int *)arg);
    return NULL;
}

int main(void)
{
    void *codec = dlopen("./codec.so", RTLD_NOW);
    pthread_t other;
    int first = 100, second = 200;

    if (codec == NULL || (encode = (int (*)(int))dlsym(codec, "encode")) == NULL) {
        fprintf(stderr, "no codec: %s\n", dlerror());
        return 1;
    }
    pthread_create(&other, NULL, encode_frame, &first);
    encode_frame(&second);
    pthread_join(other, NULL);
    return 0;
}
#endif
