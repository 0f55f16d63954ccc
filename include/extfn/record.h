/* A call that failed, as one JSON text by which it can be made again elsewhere.
 * SPDX-License-Identifier: MIT */
#ifndef EXTFN_RECORD_H
#define EXTFN_RECORD_H

#include <extfn/host.h>

EXTFN_BEGIN

/* A longer text is no record. */
#define EXTFN_RECORD_LIMIT (64U << 20)

/* Starts as `= {0}`; all that it points to is owned, texts are UTF-8 and NULL where nothing is
 * known. */
typedef struct extfn_record {
    extfn_function *function; /* a Wasm module that lay in a file is in its body */
    extfn_value *args;
    size_t arg_count;
    extfn_error outcome;
    char *stderr_data; /* bytes that were no UTF-8 are U+FFFD; NULL where it was not told */
    size_t stderr_size;
    /* The limits that were in force. */
    int64_t timeout_us;
    int64_t start_timeout_us;
    uint64_t memory_bytes;
    uint64_t tmp_bytes;
    /* The circumstances, for people: a record may come from anybody, so that who makes the call
     * again takes none of these from it. */
    extfn_policy policy;
    bool is_unsandboxed;
    char *version;  /* of this library */
    char *platform; /* `Linux 6.1.0 x86_64` */
    char *interpreter;
    char *interpreter_version;
    char *packages; /* the operator's folders for the language */
} extfn_record;

EXTFN_API void extfn_record_clear(extfn_record *record);

/* Asks the interpreter for its version, once a host object and language. Nothing of the environment
 * is in a record. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_record_make(extfn_host *host,
                                                          const extfn_failure *failure,
                                                          extfn_record *ret_record,
                                                          extfn_error *err);

/* A few lines of JSON, NUL-terminated, freed by extfn_text_free. EXTFN_EINVAL: over the limit, or a
 * body that is not UTF-8. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_record_to_json(const extfn_record *record,
                                                             EXTFN_OWN char **ret_json,
                                                             extfn_error *err);

/* EXTFN_EINVAL says what is wrong: an unknown member, a limit out of range. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_record_from_json(const char *json, size_t size,
                                                               extfn_record *ret_record,
                                                               extfn_error *err);

EXTFN_END

#endif
