/* The host object: policy, limits and warm workers; evaluates functions. SPDX-License-Identifier:
 * MIT */
#ifndef EXTFN_HOST_H
#define EXTFN_HOST_H

#include <extfn/column.h>
#include <extfn/failure.h>
#include <extfn/function.h>
#include <extfn/receipt.h>

EXTFN_BEGIN

typedef enum extfn_policy {
    EXTFN_RESTRICTED = 0, /* sandboxed, or refused */
    EXTFN_TRUSTED = 1,    /* no sandbox; time limit, output caps and group kill stay */
} extfn_policy;

/* Zero in a field means its default. Paths and texts are copied. */
typedef struct extfn_host_options {
    size_t struct_size;
    extfn_policy policy;
    bool is_unsandboxed_allowed; /* without bubblewrap run with limits and filters alone, and say so
                                  */
    const char
        *search_path; /* where bwrap is looked for, as PATH; default /usr/local/bin:/usr/bin:/bin */
    int64_t timeout_us;       /* one row; 5 s */
    int64_t start_timeout_us; /* start of a worker and its compilation; 30 s */
    uint64_t memory_bytes;    /* of a worker; 1 GiB */
    uint64_t tmp_bytes;       /* /tmp of a worker; 64 MiB */
    size_t warm_workers;      /* idle ones kept; 16 */
    const char *interpreters[EXTFN_LANGUAGE_COUNT]; /* paths; default: found */
    const char *packages[EXTFN_LANGUAGE_COUNT];     /* directories, separated by colons */
    uint32_t uid_first; /* a root host's sandboxes each run as a free uid of this range; */
    uint32_t uid_count; /* default 2000000000, 1000 */
    bool are_module_files_forbidden; /* a Wasm body may not be the path of a module */
    size_t workers; /* most worker processes of one batch; as many as there are processors */
    int64_t idle_timeout_us;       /* a warm worker that nobody uses ends; 300 s */
    uint64_t workers_memory_bytes; /* of all workers together, each counted with all that its limits
                                      allow, an idle one with what it has and the growth that its
                                      supervisor lets it keep (an eighth); half of the machine's.
                                      Without room a call ends idle workers, oldest first, and then
                                      waits for busy ones, up to its deadline, in line: the first is
                                      served before calls that came later */
    int64_t worker_age_us;         /* an older one serves no more calls; 1 h */
    uint64_t worker_calls; /* nor does one that served so many, calls that travelled together
                              counted as one; 0: any number */
    bool is_spare_kept;  /* the call that leaves no worker of its language without a function starts
                            one before it returns, which takes a millisecond or two; the next new
                            function, or impure call, finds the interpreter running */
    uint64_t memo_bytes; /* for values of pure functions, so that they are not evaluated again;
                            those used longest ago go first; 0: none are kept. None are kept any
                            more of a language after a file of its interpreter or packages changed,
                            and none at all of one with more than 100,000 such files: its calls are
                            memo_misses then */
} extfn_host_options;

/* Fills the options from the environment, whose strings stay borrowed, struct_size included:
 * IMPROV_EXTFN_TRUSTED=1, IMPROV_EXTFN_ALLOW_UNSANDBOXED=1, PATH, EXTFN_INTERPRETER_PYTHON and so
 * on. The only function that reads the environment. */
EXTFN_API void extfn_host_options_from_environment(extfn_host_options *ret_options);

/* May be used by many threads at once. Invalid in a forked child (EXTFN_EINVAL there). */
typedef struct extfn_host extfn_host;

/* Starts nothing. `options` may be NULL. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_host_new(const extfn_host_options *options,
                                                       EXTFN_OWN extfn_host **ret_host,
                                                       extfn_error *err);

/* Ends every worker and waits until nothing of them is left. No call may be under way. */
EXTFN_API void extfn_host_free(extfn_host *host);

/* What a body printed, the first 1 MiB of each stream, and how it ran. Starts as `= {0}`. */
typedef struct extfn_output {
    char *stdout_data; /* owned; NULL when empty; bytes, of any encoding */
    size_t stdout_size;
    char *stderr_data;
    size_t stderr_size;
    bool is_unsandboxed; /* no bubblewrap was there and the operator allowed it */
} extfn_output;

EXTFN_API void extfn_output_clear(extfn_output *output);

/* Ends calls from another thread or from a signal handler. */
typedef struct extfn_cancel extfn_cancel;
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_cancel_new(EXTFN_OWN extfn_cancel **ret_cancel,
                                                         extfn_error *err);
EXTFN_API void extfn_cancel_free(extfn_cancel *cancel);

/* Every call that was given this object ends with EXTFN_ECANCELED, now and later; safe in signal
 * handlers. */
EXTFN_API void extfn_cancel_trigger(extfn_cancel *cancel);

/* Told after each chunk; rows_done of rows_total have their result. */
typedef void extfn_progress_fn(int64_t rows_done, int64_t rows_total, void *context);

typedef struct extfn_call_options {
    size_t struct_size;
    int64_t timeout_us; /* one row (a vectorized function: one chunk); 0: the host's */
    int64_t
        deadline_us;    /* the whole call from now on; 0: none. Past it EXTFN_ETIMEOUT, no result */
    int64_t chunk_rows; /* most rows handed to a worker at once; 0: chosen */
    extfn_cancel *cancel;           /* or NULL */
    extfn_output *output;           /* filled on success and on failure; or NULL */
    extfn_progress_fn *on_progress; /* or NULL */
    void *context;
    size_t workers; /* most worker processes at once; 0: the host's. Results do not depend on it */
    extfn_receipt *receipt; /* filled on success and on failure, but for arguments that do not fit;
                               or NULL: asking costs some 100 us for each worker */
    extfn_failure_fn *on_failure; /* or NULL */
    void *failure_context;
} extfn_call_options;

/* Evaluates once. Checks in the contract's order: count (EXTFN_EARITY), each argument's type
 * (EXTFN_ETYPE; an Error value always mismatches), then runs; `options` may be NULL. With
 * memo_bytes a pure function is not evaluated again for the same arguments, bit for bit, and the
 * same time limit, unless it failed or printed. A changed file of the interpreter or of the
 * packages ends that for the language, within a second or a hundred times as long as it takes to
 * look. The call that looks takes so much longer: some milliseconds for 1,500 files, up to seconds
 * for the most that are looked at, if the disk is slow. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_host_eval(extfn_host *host, extfn_function *function,
                                                        const extfn_value *args, size_t arg_count,
                                                        const extfn_call_options *options,
                                                        extfn_value *ret_value, extfn_error *err);

/* Evaluates every row, in order; a row with an Error argument is not evaluated: the leftmost one is
 * its result. `rows` is the number of rows where column_count is 0, else each column's. The call
 * fails only for what is wrong with the function or the request as a whole; a row that fails is an
 * error in the result. A function that ended its worker on 100 rows one after the other counts as
 * wrong as a whole (EXTFN_ERUNTIME), if rows are left behind the 100th. So does a batch
 * whose results take too much: texts and messages together more than an eighth of the machine's
 * memory, or of what its cgroup leaves this process, but 256 MiB at least. An impure function has
 * one process for all rows, a new one only after a row that ended it. With memo_bytes a column in
 * which many rows repeat is evaluated once for each that differs, where that is quicker; of a pure
 * function that is not vectorized and prints nothing. Repeats are found within this call alone.
 * That takes memo_bytes at most, beside a copy of the rows that differ. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_host_apply(extfn_host *host, extfn_function *function,
                                                         const extfn_column *const *columns,
                                                         size_t column_count, int64_t rows,
                                                         const extfn_call_options *options,
                                                         EXTFN_OWN extfn_column **ret_column,
                                                         extfn_error *err);

/* Compiles the function in a worker without running it. Of the options, which may be NULL, cancel
 * and deadline_us count. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_host_check(extfn_host *host, extfn_function *function,
                                                         const extfn_call_options *options,
                                                         extfn_error *err);

/* How a function is served. */
typedef enum extfn_form {
    EXTFN_COMPILED = 0,  /* made into a function once; a row calls it */
    EXTFN_EVALUATED = 1, /* its statements are evaluated anew for each row, which is far slower */
} extfn_form;

/* The same, and tells the form: a language may have to evaluate some bodies anew (Julia, Pure). */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_host_check_form(extfn_host *host,
                                                              extfn_function *function,
                                                              const extfn_call_options *options,
                                                              extfn_form *ret_form,
                                                              extfn_error *err);

/* Whether the sandbox that the policy demands can be had: EXTFN_ESANDBOX says why not and what to
 * do. `cancel` may be NULL. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_host_probe_sandbox(extfn_host *host,
                                                                 extfn_cancel *cancel,
                                                                 extfn_error *err);

/* What a sandboxed body has where the kernel and the machine offer it: Landlock, which forbids once
 * more, and a cgroup (version 2). */
typedef enum extfn_layer {
    EXTFN_LAYER_FILES = 1,         /* to read what is not shown, write outside of /tmp, execute */
    EXTFN_LAYER_NETWORK = 2,       /* to bind and connect TCP */
    EXTFN_LAYER_SCOPES = 4,        /* to reach others by signals and abstract sockets */
    EXTFN_LAYER_GROUP = 8,         /* a cgroup of its own, which is killed as a whole */
    EXTFN_LAYER_GROUP_MEMORY = 16, /* which bounds its memory, the kernel's for it included, */
    EXTFN_LAYER_GROUP_TASKS = 32,  /* and its threads */
} extfn_layer;

/* The same, and which of these (bits of extfn_layer) a worker has here; 0 under EXTFN_TRUSTED. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_host_probe_layers(extfn_host *host,
                                                                extfn_cancel *cancel,
                                                                uint32_t *ret_layers,
                                                                extfn_error *err);

/* Path and first line of the version of a language's interpreter, both freed by extfn_text_free.
 * EXTFN_EUNAVAILABLE says what to install. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_host_probe_language(extfn_host *host,
                                                                  extfn_language language,
                                                                  EXTFN_OWN char **ret_path,
                                                                  EXTFN_OWN char **ret_version,
                                                                  extfn_error *err);

typedef struct extfn_stats {
    size_t struct_size;
    uint64_t workers_started;
    uint64_t workers_warm; /* idle now */
    uint64_t workers_ended;
    uint64_t workers_proven_gone; /* of those that ended: it was seen that no process is left */
    uint64_t memo_hits;           /* rows that were not evaluated again */
    uint64_t memo_misses;         /* calls of one row that had to be */
    uint64_t memo_entries;        /* values that are kept now, */
    uint64_t memo_bytes;          /* and all that they take */
    uint64_t memo_evictions;      /* values that had to go */
} extfn_stats;

/* Set `struct_size` first. A worker counts as ended before the call that ended it returns. */
EXTFN_API void extfn_host_stats(extfn_host *host, extfn_stats *ret_stats);

EXTFN_END

#endif
