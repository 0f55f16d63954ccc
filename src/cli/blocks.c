#include "cli/blocks.h"

#define CHUNK_SIZE 4096

extfn_status cli_blocks_read(cli_input *input, cli_csv_reader *reader, const cli_blocks *blocks,
                             void *context, extfn_error *err)
{
    char chunk[CHUNK_SIZE];
    size_t size = 0;
    bool is_begun = false;
    do {
        CLI_TRY(cli_input_read(input, chunk, sizeof(chunk), &size, err));
        CLI_TRY(size > 0 ? cli_csv_reader_feed(reader, chunk, size, err)
                         : cli_csv_reader_finish(reader, err));
        if (!is_begun && reader->columns > 0) {
            CLI_TRY(blocks->begin(context, err));
            is_begun = true;
        }
        if (size == 0 || cli_csv_reader_is_full(reader))
            CLI_TRY(blocks->take(context, err));
    } while (size > 0);
    return EXTFN_OK;
}
