/* SPDX-License-Identifier: BSD-2-Clause
 *
 * harness.cc - pbzip2 as a whole: its main, compiled under another name, compresses the
 * file `input` with two consumers; what it has written must be the input again.
 *
 * Six threads: main produces, two consume, one writes, one waits for signals and one for
 * the order to terminate. */
#include <bzlib.h>

#include <cassert>
#include <cstdio>
#include <vector>

int pbzip2_main(int argc, char *argv[]);

static std::vector<char> contents(const char *path)
{
    std::vector<char> all;
    char piece[4096];
    size_t n;
    FILE *f = std::fopen(path, "rb");

    assert(f != nullptr);
    while ((n = std::fread(piece, 1, sizeof piece, f)) > 0)
        all.insert(all.end(), piece, piece + n);
    std::fclose(f);
    return all;
}

/* Each block is a stream of its own. */
static std::vector<char> unpacked(std::vector<char> packed, size_t room)
{
    std::vector<char> all(room);
    bz_stream s = {};

    s.next_in = packed.data();
    s.avail_in = (unsigned)packed.size();
    s.next_out = all.data();
    s.avail_out = (unsigned)all.size();
    while (s.avail_in > 0) {
        assert(BZ2_bzDecompressInit(&s, 0, 0) == BZ_OK);
        assert(BZ2_bzDecompress(&s) == BZ_STREAM_END);
        assert(BZ2_bzDecompressEnd(&s) == BZ_OK);
    }
    all.resize(room - s.avail_out);
    return all;
}

int main()
{
    char words[][10] = { "pbzip2", "-k", "-f", "-q", "-p2", "-b1", "input" };
    char *arguments[8] = {};

    for (int i = 0; i < 7; i++)
        arguments[i] = words[i];
    std::vector<char> input = contents("input");

    assert(pbzip2_main(7, arguments) == 0);
    assert(unpacked(contents("input.bz2"), input.size() + 1) == input);
    return 0;
}
