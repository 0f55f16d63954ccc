/* Whole regular files. SPDX-License-Identifier: MIT */
#ifndef XF_REGISTRY_FILE_H
#define XF_REGISTRY_FILE_H

#include "base/buf.h"

/* Appends what the file holds to `out`; its limit is that of the file. Never waits on a FIFO or a
 * device: only regular files (behind symbolic links too) are read. EXTFN_EIO: cannot be read;
 * EXTFN_EINVAL: no regular file, over the limit. Messages begin with the path. */
EXTFN_MUST_CHECK extfn_status xf_file_read(const char *path, xf_buf *out, extfn_error *err);

#endif
