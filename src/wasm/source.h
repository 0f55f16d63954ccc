/* From a function's body to the bytes of its module: `wat:` and text, `base64:` and bytes, else the
 * path of a file. SPDX-License-Identifier: MIT */
#ifndef XF_WASM_SOURCE_H
#define XF_WASM_SOURCE_H

#include "base/buf.h"
#include "wasm/binary.h"

#include <stdint.h>

typedef struct xf_wasm_source {
    const char *body;
    size_t body_size;
    const char *library_path; /* of the file that the function is from, or NULL: a relative path is
                                 one from its folder */
    bool are_paths_forbidden;
} xf_wasm_source;

typedef enum xf_wasm_form {
    XF_WASM_TEXT,  /* the bytes are to be translated yet */
    XF_WASM_BYTES, /* they came in the body */
    XF_WASM_FILE,  /* they are a file's: nobody may be shown any of them */
} xf_wasm_form;

xf_wasm_form xf_wasm_source_form(const xf_wasm_source *source);

/* Which file it is, and in which state; all zero for other forms and where there is none.
 */
typedef struct xf_wasm_stamp {
    uint64_t device;
    uint64_t inode;
    int64_t size;
    int64_t modified_ns;
    int64_t changed_ns;
} xf_wasm_stamp;

/* That of no file. */
#define XF_WASM_NO_STAMP ((xf_wasm_stamp){.size = -1})

/* Appends text or bytes. Whatever is wrong with the body is EXTFN_ERUNTIME; of a file it is never
 * told what lies there, not even whether anything does. `ret_stamp`, which may be NULL, is that of
 * the file that the bytes are of, wherever its path leads by now; XF_WASM_NO_STAMP where it changed
 * meanwhile, all zero for other forms. */
EXTFN_MUST_CHECK extfn_status xf_wasm_source_read(const xf_wasm_source *source, xf_buf *ret_bytes,
                                                  xf_wasm_stamp *ret_stamp, extfn_error *err);

/* Of the file that the path leads to now. */
xf_wasm_stamp xf_wasm_source_stamp(const xf_wasm_source *source);
bool xf_wasm_stamp_is_equal(const xf_wasm_stamp *a, const xf_wasm_stamp *b);

#endif
