/* SPDX-License-Identifier: BSD-2-Clause
 *
 * harness.c - libzstd's compression with workers on a small input, once per execution.
 *
 *   harness WORKERS MODE [ROUNDS]   compress; the bytes must be those of input.zst
 *   harness make                    write input.zst with one worker, and compare with none
 *
 * MODE: `plain`; `ldm` (with long distance matching, for which jobs hand a state on in
 * their order); `progress` (the main thread asks for progress and takes little output at a
 * time); `reset` (the first frame is given up in the middle).
 *
 * What a frame looks like depends on its jobs, and those on the input alone: with one or
 * more workers it is the same to the byte.  Without workers the input is not cut into jobs,
 * and the frame differs; what it contains does not.
 *
 * The library is built with small jobs (ZSTDMT_JOBSIZE_MIN, which its header leaves to the
 * builder): as shipped, two jobs need more than half a megabyte. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "../text.h"

#define JOB_SIZE 4096
#define JOBS 3
#define TEXT_SIZE (JOBS * JOB_SIZE - 100)
#define FRAME_CAP (2 * TEXT_SIZE)

extern const uint8_t input_zst[], input_zst_end[];

static uint8_t text[TEXT_SIZE], frame[FRAME_CAP];

static ZSTD_CCtx *open_context(int workers, int ldm)
{
    const struct {
        ZSTD_cParameter parameter;
        int value;
    } wanted[] = {
        { ZSTD_c_compressionLevel, 1 }, { ZSTD_c_windowLog, 11 }, { ZSTD_c_hashLog, 8 },
        { ZSTD_c_chainLog, 8 },         { ZSTD_c_checksumFlag, 1 }, { ZSTD_c_nbWorkers, workers },
        { ZSTD_c_jobSize, workers > 0 ? JOB_SIZE : 0 },
        { ZSTD_c_enableLongDistanceMatching, ldm }, { ZSTD_c_ldmHashLog, ldm ? 7 : 0 },
    };
    ZSTD_CCtx *c = ZSTD_createCCtx();

    assert(c != NULL);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert(!ZSTD_isError(ZSTD_CCtx_setParameter(c, wanted[i].parameter, wanted[i].value)));
    return c;
}

/* Room for at most `step` more bytes of output in each call. */
static size_t compress(ZSTD_CCtx *c, size_t step, int progress)
{
    ZSTD_inBuffer in = { text, TEXT_SIZE, 0 };
    ZSTD_outBuffer out = { frame, 0, 0 };
    size_t left = 1;

    while (left != 0) {
        out.size = out.pos + step < FRAME_CAP ? out.pos + step : FRAME_CAP;
        left = ZSTD_compressStream2(c, &out, &in, ZSTD_e_end);
        assert(!ZSTD_isError(left));
        if (progress) {
            ZSTD_frameProgression p = ZSTD_getFrameProgression(c);

            assert(p.ingested <= TEXT_SIZE && p.consumed <= p.ingested);
            assert(p.flushed <= p.produced && ZSTD_toFlushNow(c) <= FRAME_CAP);
        }
    }
    return out.pos;
}

/* A frame is begun, and the context used for another one. */
static void give_up(ZSTD_CCtx *c)
{
    ZSTD_inBuffer in = { text, 2 * JOB_SIZE, 0 };
    ZSTD_outBuffer out = { frame, 16, 0 };

    assert(!ZSTD_isError(ZSTD_compressStream2(c, &out, &in, ZSTD_e_continue)));
    assert(!ZSTD_isError(ZSTD_CCtx_reset(c, ZSTD_reset_session_only)));
}

static size_t run(int workers, const char *mode)
{
    int progress = strcmp(mode, "progress") == 0;
    ZSTD_CCtx *c = open_context(workers, strcmp(mode, "ldm") == 0);
    size_t size;

    if (strcmp(mode, "reset") == 0)
        give_up(c);
    size = compress(c, progress ? 512 : FRAME_CAP, progress);
    ZSTD_freeCCtx(c);
    return size;
}

static void check_contents(size_t size)
{
    static uint8_t back[TEXT_SIZE];

    assert(ZSTD_decompress(back, sizeof back, frame, size) == TEXT_SIZE);
    assert(memcmp(back, text, sizeof text) == 0);
}

static int make(void)
{
    size_t alone = run(0, "plain"), size;
    FILE *f = fopen("input.zst", "wb");

    check_contents(alone);
    size = run(1, "plain");
    check_contents(size);
    printf("without workers %zu bytes, with one %zu\n", alone, size);
    if (f == NULL || fwrite(frame, 1, size, f) != size || fclose(f) != 0) {
        perror("input.zst");
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    int rounds = argc > 3 ? atoi(argv[3]) : 1;

    make_text(text, sizeof text);
    if (argc == 2 && strcmp(argv[1], "make") == 0)
        return make();
    if (argc < 3) {
        fprintf(stderr, "usage: harness WORKERS plain|ldm|progress|reset [ROUNDS] | make\n");
        return 2;
    }
    while (rounds-- > 0) {
        size_t size = run(atoi(argv[1]), argv[2]);

        if (strcmp(argv[2], "ldm") == 0) {
            check_contents(size);
        } else {
            assert(size == (size_t)(input_zst_end - input_zst));
            assert(memcmp(frame, input_zst, size) == 0);
        }
    }
    return 0;
}
