/* Rows through an executor: the one path of every evaluation. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_BATCH_H
#define XF_EVAL_BATCH_H

#include "eval/acquire.h"
#include "eval/recall.h"
#include "eval/streak.h"

typedef struct xf_executor xf_executor;

/* A batch under way. */
typedef struct xf_batch {
    const xf_executor *executor;
    extfn_host *host;
    extfn_function *function;
    xf_arguments arguments;
    extfn_call_options options;
    xf_patience patience;
    int64_t work_us;  /* when the first rows were handed to a worker; 0: not yet */
    int64_t begun_us; /* for the receipt, as far as there is to be one */
    extfn_receipt receipt;
    int64_t limit_us; /* of a row */
    uint32_t take;    /* most rows that are handed out at once, now */
    uint32_t largest_take;
    xf_buf out; /* the first XF_OUTPUT_LIMIT bytes of the batch */
    xf_buf err;
    bool is_unsandboxed;
    bool is_never_given_up; /* however many rows end their workers */
    unsigned deadly_rows;   /* that ended their workers, right before the first row not decided */
    uint64_t result_limit;  /* bytes of texts and messages of all rows */
    uint64_t text_size;     /* of those that workers gave, put in order or not */
    unsigned rows_lost;     /* each with its worker */
    bool has_printed;
    int64_t rows_told;    /* to on_progress: it never goes back */
    xf_wasm_stamp stamp;  /* of the module that evaluates it: that of no file if several do */
    bool is_stamped;      /* there is one already */
    xf_question question; /* of a batch of one row */
    extfn_column *result; /* its length is the first row not decided yet */
    void *state;          /* the executor's */
} xf_batch;

/* A descriptor to poll for reading, and the process that it is of: once that has ended, the same
 * number may stand for another. */
typedef struct xf_watched {
    int fd;
    pid_t owner;
} xf_watched;

/* What a batch waits for. */
typedef struct xf_watch {
    xf_watched *items; /* owned */
    size_t count;
    size_t capacity;
    int64_t until_us; /* step no later than that, whatever the descriptors say; negative: no such */
} xf_watch;

EXTFN_MUST_CHECK extfn_status xf_watch_add(xf_watch *watch, xf_watched item, extfn_error *err);

/* Who evaluates rows: worker processes, or the engine in this one. */
struct xf_executor {
    /* Sets `state`. */
    extfn_status (*begin)(xf_batch *run, extfn_error *err);

    /* Begins what can begin, or, if it may, waits for some of it; appends to the result what is
     * decided, errors of rows that cannot be evaluated among it. Fails for what is wrong with the
     * batch as a whole. */
    extfn_status (*step)(xf_batch *run, bool may_wait, extfn_error *err);

    /* Adds what the next step waits for. */
    extfn_status (*watch)(const xf_batch *run, xf_watch *watch, extfn_error *err);

    /* Frees `state`; called in any case. `is_done`: no step failed. */
    void (*end)(xf_batch *run, bool is_done);
};

extern const xf_executor xf_workers;
extern const xf_executor xf_in_process;

/* Evaluates rows that repeat once, by means of one of the others, or makes way for it. */
extern const xf_executor xf_distinct;

/* Of the first two the one for the language. */
const xf_executor *xf_executor_of(const xf_language *language);

/* Compiles a function of a language that is evaluated in this process. */
EXTFN_MUST_CHECK extfn_status xf_in_process_check(extfn_host *host, extfn_function *function,
                                                  const extfn_call_options *options,
                                                  extfn_error *err);

/* What is handed out next is less after something slow and, where it may grow, more after something
 * quick: cancelling, progress and lost work stay small. */
void xf_batch_adapt(xf_batch *run, int64_t count, int64_t elapsed_us, bool may_grow);

/* The row for which the batch is given up, of rows of which `streak` knows the deadly ones and that
 * come after `before` more; negative: none. A function is given up at the 100th row in a row that
 * ended its worker, unless that is the batch's last one: whatever the rows behind it are, also such
 * as are not evaluated. Rows that are not evaluated or took too long neither count nor come
 * between. So the outcome is decided by the rows, not by who evaluates them and when. */
int64_t xf_batch_last_straw(const xf_batch *run, const xf_streak *streak, unsigned before);

/* `reason`: how that row ended its worker. */
EXTFN_MUST_CHECK extfn_status xf_batch_give_up(const char *reason, extfn_error *err);

/* Fails where the texts and messages of the results take `size` bytes together, and that is more
 * than a batch may hand out. Results that are not in order yet count: whoever has them, they are a
 * part of the sum that decides. */
EXTFN_MUST_CHECK extfn_status xf_batch_judge_size(const xf_batch *run, uint64_t size,
                                                  extfn_error *err);

/* Keeps what a body printed; all of it together up to XF_OUTPUT_LIMIT bytes. */
void xf_batch_keep(xf_buf *kept, const xf_buf *more);

/* Notes the module that rows of the batch are evaluated by. */
void xf_batch_note_stamp(xf_batch *run, xf_wasm_stamp stamp);

/* Arguments are checked: the columns fit the function and are `rows` long; they and the batch stay
 * where they are until its end, which is called in any case. See extfn_host_apply. */
EXTFN_MUST_CHECK extfn_status xf_batch_begin(xf_batch *run, extfn_host *host,
                                             extfn_function *function,
                                             const xf_arguments *arguments,
                                             const extfn_call_options *options,
                                             const xf_patience *patience, extfn_error *err);
bool xf_batch_is_done(const xf_batch *run);
EXTFN_MUST_CHECK extfn_status xf_batch_step(xf_batch *run, bool may_wait, extfn_error *err);

/* Hands out what was printed, and, if no step failed (`failure` is NULL), the result. */
void xf_batch_end(xf_batch *run, const extfn_error *failure, EXTFN_OWN extfn_column **ret_result);

/* Forgets what the batch has decided, and begins with this executor; the former one has ended. */
EXTFN_MUST_CHECK extfn_status xf_batch_begin_again(xf_batch *run, const xf_executor *executor,
                                                   extfn_error *err);

/* A batch that evaluates some rows for another one: with its limits, telling nobody. Step it with
 * xf_batch_step. Ended in any case; what it cost is the whole's then, `ret_result` may be NULL. */
EXTFN_MUST_CHECK extfn_status xf_batch_begin_part(xf_batch *part, const xf_batch *whole,
                                                  const xf_arguments *arguments, extfn_error *err);
void xf_batch_end_part(xf_batch *part, xf_batch *whole, bool is_done,
                       EXTFN_OWN extfn_column **ret_result);

/* From begin to end. */
EXTFN_MUST_CHECK extfn_status xf_batch_run(extfn_host *host, extfn_function *function,
                                           const extfn_column *const *columns, int64_t rows,
                                           const extfn_call_options *options,
                                           EXTFN_OWN extfn_column **ret_result, extfn_error *err);

#endif
