/* Hosts that keep values, and what shows whether they did. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_MEMO_H
#define XF_TESTS_MEMO_H

#include "support/batch.h"
#include "support/files.h"

#define MEMO_BYTES (UINT64_C(1) << 20)

/* A pure function that breaks its word, so that it shows whether it was evaluated. */
#define ENTROPY "import os\nresult = float(int.from_bytes(os.urandom(6), 'big'))"

static inline extfn_host *memo_host(extfn_host_options options)
{
    options.memo_bytes = MEMO_BYTES;
    return test_host(&options);
}

/* (module (func (export "improv_call") (result f64) (f64.const N))), N at its place: a file that
 * takes the place of the one of that name. */
static inline void write_constant(const char *folder, const char *name, double number)
{
    unsigned char bytes[] =
        "\0asm\1\0\0\0\1\5\1\x60\0\1\x7c\3\2\1\0\7\x0f\1\x0bimprov_call\0\0\x0a\x0d\1\x0b\0"
        "\x44\0\0\0\0\0\0\0\0\x0b";
    memcpy(bytes + sizeof(bytes) - 10, &number, sizeof(number));
    const char *written = folder_write(folder, "new.wasm", bytes, sizeof(bytes) - 1);
    assert_int_equal(rename(written, folder_path(folder, name)), 0);
}

static inline extfn_stats stats_of(extfn_host *host)
{
    extfn_stats stats = {.struct_size = sizeof(stats)};
    extfn_host_stats(host, &stats);
    return stats;
}

#endif
