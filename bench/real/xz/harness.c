/* SPDX-License-Identifier: BSD-2-Clause
 *
 * harness.c - liblzma's threaded coders on a small input, once per execution.
 *
 *   harness decode WORKERS PIECE [ROUNDS]   the valid stream (input.xz)
 *   harness corrupt WORKERS PIECE [ROUNDS]  the stream whose first block is damaged
 *   harness encode WORKERS PIECE [ROUNDS]   compress; the result is known (input.xz)
 *   harness make                            write input.xz and corrupt.xz
 *
 * PIECE is how many bytes lzma_code gets at a time: with small pieces the main thread
 * still writes into a worker's buffer while that works.  0: all at once, and the end of
 * the input is announced when all is taken; -1: with the input.  ROUNDS is for native runs
 * that are measured.
 * The streams are part of the program, so that no execution reads a file; `make`
 * is therefore linked with empty ones.
 *
 * What must hold in every interleaving: the output is the input's, and when all
 * is done the progress that the library reports is the whole of it. */
#include <assert.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../text.h"

#ifndef BLOCKS
#define BLOCKS 2
#endif
#define BLOCK_SIZE 4096
#define TEXT_SIZE (BLOCKS * BLOCK_SIZE)
#define STREAM_CAP (TEXT_SIZE * 2 + 1024)

extern const uint8_t input_xz[], input_xz_end[], corrupt_xz[], corrupt_xz_end[];

static uint8_t text[TEXT_SIZE], result[TEXT_SIZE], stream[STREAM_CAP];

/* Gives the stream its input in pieces, until it ends or fails.  With LZMA_FINISH the
 * decoder waits for each block. */
static lzma_ret run(lzma_stream *s, const uint8_t *in, size_t size, long piece)
{
    lzma_ret ret = LZMA_OK;
    size_t given = 0;

    s->next_in = in;
    while (ret == LZMA_OK) {
        bool end = piece < 0 || (s->avail_in == 0 && given == size);

        if (s->avail_in == 0 && given < size) {
            s->avail_in = piece > 0 && size - given > (size_t)piece ? (size_t)piece : size - given;
            given += s->avail_in;
        }
        ret = lzma_code(s, end ? LZMA_FINISH : LZMA_RUN);
    }
    return ret;
}

static void check_progress(lzma_stream *s, uint64_t in, uint64_t out)
{
    uint64_t progress_in, progress_out;

    lzma_get_progress(s, &progress_in, &progress_out);
    assert(progress_in == in);
    assert(progress_out == out);
}

static lzma_ret decode(uint32_t workers, const uint8_t *in, size_t size, long piece)
{
    lzma_stream s = LZMA_STREAM_INIT;
    lzma_mt options = { .threads = workers,
                        .memlimit_threading = UINT64_MAX,
                        .memlimit_stop = UINT64_MAX };
    lzma_ret ret = lzma_stream_decoder_mt(&s, &options);

    if (ret == LZMA_OK) {
        s.next_out = result;
        s.avail_out = sizeof result;
        ret = run(&s, in, size, piece);
        if (ret == LZMA_STREAM_END)
            check_progress(&s, size, TEXT_SIZE);
    }
    lzma_end(&s);
    return ret;
}

static size_t encode(uint32_t workers, long piece)
{
    lzma_stream s = LZMA_STREAM_INIT;
    lzma_options_lzma lzma;
    lzma_filter filters[] = { { LZMA_FILTER_LZMA2, &lzma }, { LZMA_VLI_UNKNOWN, NULL } };
    lzma_mt options = { .threads = workers,
                        .block_size = BLOCK_SIZE,
                        .filters = filters,
                        .check = LZMA_CHECK_CRC32 };

    lzma_lzma_preset(&lzma, 0);
    lzma.dict_size = LZMA_DICT_SIZE_MIN;
    if (lzma_stream_encoder_mt(&s, &options) != LZMA_OK)
        return 0;
    s.next_out = stream;
    s.avail_out = sizeof stream;
    if (run(&s, text, sizeof text, piece) != LZMA_STREAM_END)
        s.total_out = 0;
    else
        check_progress(&s, TEXT_SIZE, s.total_out);
    lzma_end(&s);
    return s.total_out;
}

static void check_decode(uint32_t workers, long piece)
{
    lzma_ret ret = decode(workers, input_xz, (size_t)(input_xz_end - input_xz), piece);

    assert(ret == LZMA_STREAM_END);
    assert(memcmp(result, text, sizeof text) == 0);
}

static void check_corrupt(uint32_t workers, long piece)
{
    lzma_ret ret = decode(workers, corrupt_xz, (size_t)(corrupt_xz_end - corrupt_xz), piece);

    assert(ret == LZMA_DATA_ERROR);
}

/* Block by block the encoder's work depends on its input alone, so the stream is
 * the same in every interleaving: that of `make`. */
static void check_encode(uint32_t workers, long piece)
{
    size_t size = encode(workers, piece);

    assert(size == (size_t)(input_xz_end - input_xz));
    assert(memcmp(stream, input_xz, size) == 0);
}

static int save(const char *path, size_t size)
{
    FILE *f = fopen(path, "wb");

    if (f == NULL || fwrite(stream, 1, size, f) != size || fclose(f) != 0) {
        perror(path);
        return 1;
    }
    return 0;
}

/* The first LZMA2 chunk follows the stream header and the block header, whose first byte
 * tells its size; 3 is no control byte, so the worker fails as soon as it looks. */
static int make(void)
{
    size_t size = encode(1, 0);
    size_t chunk = LZMA_STREAM_HEADER_SIZE + ((size_t)stream[LZMA_STREAM_HEADER_SIZE] + 1) * 4;

    if (size == 0 || save("input.xz", size) != 0)
        return 1;
    stream[chunk] = 3;
    return save("corrupt.xz", size);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*check)(uint32_t workers, long piece);
    } modes[] = { { "decode", check_decode }, { "corrupt", check_corrupt }, { "encode", check_encode } };
    int rounds = argc > 4 ? atoi(argv[4]) : 1;

    make_text(text, sizeof text);
    if (argc == 2 && strcmp(argv[1], "make") == 0)
        return make();
    for (size_t i = 0; argc > 3 && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(argv[1], modes[i].name) == 0) {
            while (rounds-- > 0)
                modes[i].check((uint32_t)atoi(argv[2]), atol(argv[3]));
            return 0;
        }
    fprintf(stderr, "usage: harness decode|corrupt|encode WORKERS PIECE [ROUNDS] | make\n");
    return 2;
}
