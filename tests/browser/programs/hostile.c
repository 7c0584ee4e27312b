/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hostile.c - names and texts that a page must not take for markup.  The test
 * copies this file to a name of the same kind, with characters for the numbers in braces.
 * </script><script>document.title = "taken"</script><img src=x onerror="document.title='taken'">
 * <!-- <script> ]]> &lt; &#60; "quotes" 'single' \u003c backslash \ and U+2028: {2028} end
 * turned around: {202e}txet{202c} */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stddef.h>

static void *work(void *unused)
{
    pthread_setname_np(pthread_self(), "</script><b>&");
    return unused;
}

int main(void)
{
    pthread_t t;

    printf("</script><img src=x onerror=\"document.title='taken'\"><!-- \xff\xfe \x01 &amp;\n");
    fflush(stdout);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(!"<img src=x onerror=\"document.title='taken'\">");
    return 0;
}
