/* Inside of a cancel object: a pipe that has something to read once it was triggered.
 * SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_CANCEL_H
#define XF_EVAL_CANCEL_H

#include <extfn/host.h>

struct extfn_cancel {
    int read_end;
    int write_end;
};

#endif
