/* Rows of a batch that repeat are evaluated once, where that is quicker; the results are those that
 * there would be without it. SPDX-License-Identifier: MIT */
#include "eval/batch.h"

#include "base/auto.h"
#include "base/clock.h"
#include "eval/repeats.h"
#include "value/column.h"

#include <math.h>

/* Repeats are looked for in so many of the first rows, or one in so many: a look costs little then.
 */
#define SAMPLE_SHARE 16
#define SMALLEST_SAMPLE 256
#define LARGEST_SAMPLE 4096

/* Fewer of them say nothing about the other rows, of which one in so many has to be one. */
#define FEWEST_REPEATS 8
#define REPEATS_SHARE 0.25

/* What repeats has to save so much for each row of the batch: twice what looking at it and handing
 * out its result takes. Handing it out alone takes less. */
#define SAVED_NS 100
#define SPREAD_NS 30

/* Measuring a row is for nothing in less than this: the way to a worker and back takes longer. */
#define PROBE_NS 2e6
#define PROBE_GAIN 4

/* Whether a function that ends its workers is given up depends on the rows between those that do
 * it. With so few of them it never is. */
#define LOST_MOST 16

typedef enum phase {
    PHASE_SAMPLE, /* what differs among the first rows is evaluated */
    PHASE_PROBE,  /* some rows are evaluated only to see how long that takes */
    PHASE_REST,   /* what differs among all others */
    PHASE_AGAIN,  /* repeats of rows that failed: an error is never shared, it may be the row's own
                     (time, memory) */
} phase;

typedef struct distinct {
    xf_repeats repeats;
    int64_t sample;
    phase phase;
    xf_batch part; /* evaluates the slots that have no result in `found` */
    bool has_part;
    int64_t part_begun_us;
    double row_ns;                               /* what one row took in it */
    extfn_column *columns[EXTFN_ARGUMENT_LIMIT]; /* the part's arguments */
    extfn_column *found;                         /* what came of the slots before */
} distinct;

/* ---- The part ---- */

static void free_columns(distinct *state)
{
    for (size_t i = 0; i < EXTFN_ARGUMENT_LIMIT; i++)
        extfn_column_free(XF_STEAL(state->columns[i]));
}

static extfn_status gather(distinct *state, uint32_t first, extfn_error *err)
{
    const xf_repeats *repeats = &state->repeats;
    for (size_t i = 0; i < repeats->arguments->column_count; i++) {
        const extfn_column *column = repeats->arguments->columns[i];
        XF_TRY(extfn_column_new(column->type, &state->columns[i], err));
        for (uint32_t slot = first; slot < repeats->slot_count; slot++)
            XF_TRY(xf_column_append_row(state->columns[i], column, repeats->slots[slot].row, err));
    }
    return EXTFN_OK;
}

static extfn_status begin_part(xf_batch *run, const xf_arguments *arguments, extfn_error *err)
{
    distinct *state = run->state;
    state->has_part = true;
    XF_TRY(xf_batch_begin_part(&state->part, run, arguments, err));
    state->part_begun_us = xf_clock_now();
    return EXTFN_OK;
}

/* Evaluates the slots that have no result yet. */
static extfn_status begin_slots(xf_batch *run, extfn_error *err)
{
    distinct *state = run->state;
    uint32_t first = (uint32_t)extfn_column_rows(state->found);
    XF_TRY(gather(state, first, err));
    xf_arguments arguments = run->arguments;
    arguments.columns = (const extfn_column *const *)state->columns;
    arguments.rows = state->repeats.slot_count - first;
    return begin_part(run, &arguments, err);
}

static extfn_status begin_probe(xf_batch *run, int64_t rows, extfn_error *err)
{
    distinct *state = run->state;
    state->phase = PHASE_PROBE;
    xf_arguments arguments = run->arguments;
    arguments.rows = rows;
    return begin_part(run, &arguments, err);
}

static void end_part(xf_batch *run, bool is_done, extfn_column **ret_result)
{
    distinct *state = run->state;
    if (state->has_part)
        xf_batch_end_part(&state->part, run, is_done, ret_result);
    state->has_part = false;
    free_columns(state);
}

/* ---- Results ---- */

/* What came of a slot, or NULL as long as nothing has. */
static const extfn_column *result_of(const distinct *state, uint32_t slot, int64_t *ret_row)
{
    int64_t known = extfn_column_rows(state->found);
    *ret_row = slot < known ? slot : slot - known;
    if (slot < known)
        return state->found;
    bool is_there = state->has_part && *ret_row < extfn_column_rows(state->part.result);
    return is_there ? state->part.result : NULL;
}

static uint64_t text_size_at(const extfn_column *column, int64_t row)
{
    return column->type == EXTFN_TEXT ? xf_column_view(column, row).as.text.size : 0;
}

/* Rows that follow each other and have values that are found already. */
static extfn_status spread_values(const xf_batch *run, extfn_error *err)
{
    const distinct *state = run->state;
    const uint32_t *index = state->repeats.index;
    uint64_t size = xf_column_text_size(run->result);
    int64_t row = extfn_column_rows(run->result);
    int64_t end = state->found->error_count > 0 ? row : state->repeats.looked;
    int64_t next = row;
    while (next < end && index[next] < extfn_column_rows(state->found))
        size += text_size_at(state->found, index[next++]);
    XF_TRY(xf_batch_judge_size(run, size, err));
    return xf_column_append_rows(run->result, state->found, index + row, (size_t)(next - row), err);
}

/* Hands out rows in order, as far as they are decided. */
static extfn_status spread(const xf_batch *run, extfn_error *err)
{
    const distinct *state = run->state;
    const xf_repeats *repeats = &state->repeats;
    XF_TRY(spread_values(run, err));
    for (int64_t row = extfn_column_rows(run->result); row < repeats->looked; row++) {
        int64_t at = 0;
        const extfn_column *from = result_of(state, repeats->index[row], &at);
        if (!from)
            break;
        if (from->error_count > 0 && xf_column_error_at(from, at) &&
            !xf_repeats_is_first(repeats, row))
            break;
        XF_TRY(xf_column_append_row(run->result, from, at, err));
        XF_TRY(xf_batch_judge_size(run, xf_column_text_size(run->result), err));
    }
    return EXTFN_OK;
}

/* ---- From phase to phase ---- */

static void state_free(distinct *state)
{
    xf_repeats_clear(&state->repeats);
    extfn_column_free(state->found);
    xf_free(state);
}

/* All rows the usual way, from the first on. */
static extfn_status make_way(xf_batch *run, bool is_part_done, extfn_error *err)
{
    end_part(run, is_part_done, NULL);
    state_free(run->state);
    return xf_batch_begin_again(run, xf_executor_of(run->arguments.language), err);
}

static double row_time(const distinct *state)
{
    int64_t begun_us = state->part.work_us > 0 ? state->part.work_us : state->part_begun_us;
    return 1e3 * (double)(xf_clock_now() - begun_us) / (double)state->part.arguments.rows;
}

/* The share of all rows that are repeats, going by the sample: if values were drawn from a hat, so
 * many different ones would be in it. */
static double share_of_repeats(const distinct *state)
{
    double sample = (double)state->sample;
    double all = (double)state->repeats.arguments->rows;
    double repeats = sample - state->repeats.slot_count;
    if (sample == all || repeats < FEWEST_REPEATS)
        return repeats / sample;
    double different = sample * sample / (2 * repeats);
    return 1 + different / all * expm1(-all / different);
}

static bool pays(const distinct *state)
{
    return state->row_ns * share_of_repeats(state) > SAVED_NS;
}

static extfn_status begin_rest(xf_batch *run, extfn_error *err)
{
    distinct *state = run->state;
    xf_repeats *repeats = &state->repeats;
    state->phase = PHASE_REST;
    bool is_all = repeats->looked == run->arguments.rows;
    if (!is_all && !xf_repeats_look(repeats, run->arguments.rows))
        return make_way(run, true, err);
    double saved = (double)(run->arguments.rows - repeats->slot_count) * state->row_ns;
    if (!is_all && saved < SPREAD_NS * (double)run->arguments.rows)
        return make_way(run, true, err);
    return repeats->slot_count > extfn_column_rows(state->found) ? begin_slots(run, err) : EXTFN_OK;
}

static extfn_status end_sample(xf_batch *run, extfn_error *err)
{
    const distinct *state = run->state;
    if (state->sample == run->arguments.rows)
        return begin_rest(run, err);
    if (!pays(state))
        return make_way(run, true, err);
    double rows = PROBE_NS / state->row_ns;
    rows = rows < (double)state->sample ? rows : (double)state->sample;
    return rows > PROBE_GAIN * (double)state->repeats.slot_count
               ? begin_probe(run, (int64_t)rows, err)
               : begin_rest(run, err);
}

static extfn_status end_probe(xf_batch *run, extfn_error *err)
{
    return pays(run->state) ? begin_rest(run, err) : make_way(run, true, err);
}

static extfn_status end_rest(xf_batch *run, extfn_error *err)
{
    distinct *state = run->state;
    xf_repeats *repeats = &state->repeats;
    state->phase = PHASE_AGAIN;
    if (state->found->error_count == 0)
        return EXTFN_OK;
    uint32_t before = repeats->slot_count;
    for (int64_t row = 0; row < run->arguments.rows; row++) {
        bool is_repeat = !xf_repeats_is_first(repeats, row);
        if (is_repeat && xf_column_error_at(state->found, repeats->index[row]) &&
            !xf_repeats_set_apart(repeats, row))
            return make_way(run, true, err);
    }
    return repeats->slot_count > before ? begin_slots(run, err) : EXTFN_OK;
}

/* What came of it joins the rest. */
static extfn_status take_part(xf_batch *run, extfn_error *err)
{
    distinct *state = run->state;
    extfn_column *result = NULL;
    state->row_ns = row_time(state);
    end_part(run, true, &result);
    extfn_status status =
        state->phase == PHASE_PROBE ? EXTFN_OK : xf_column_join(state->found, result, err);
    extfn_column_free(result);
    XF_TRY(status);
    return xf_batch_judge_size(run, xf_column_text_size(state->found), err);
}

/* A phase that has nothing to evaluate is over at once. */
static extfn_status advance(xf_batch *run, extfn_error *err)
{
    static extfn_status (*const next[])(xf_batch *, extfn_error *) = {
        [PHASE_SAMPLE] = end_sample, [PHASE_PROBE] = end_probe, [PHASE_REST] = end_rest};
    const distinct *state = run->state;
    while (run->executor == &xf_distinct && !state->has_part && state->phase != PHASE_AGAIN)
        XF_TRY(next[state->phase](run, err));
    return EXTFN_OK;
}

/* ---- The executor ---- */

static int64_t sample_of(int64_t rows)
{
    int64_t sample = rows / SAMPLE_SHARE;
    sample = sample < SMALLEST_SAMPLE ? SMALLEST_SAMPLE : sample;
    sample = sample > LARGEST_SAMPLE ? LARGEST_SAMPLE : sample;
    return sample < rows ? sample : rows;
}

static bool repeats_enough(const extfn_host *host, distinct *state, const xf_arguments *arguments)
{
    state->sample = sample_of(arguments->rows);
    if (!xf_repeats_init(&state->repeats, arguments, (size_t)host->options.memo_bytes,
                         host->memo_seed) ||
        !xf_repeats_look(&state->repeats, state->sample))
        return false;
    return share_of_repeats(state) >= REPEATS_SHARE;
}

static extfn_status begin(xf_batch *run, extfn_error *err)
{
    distinct *state = xf_alloc(sizeof(*state));
    if (!state)
        return xf_fail_oom(err);
    run->state = state;
    if (!repeats_enough(run->host, state, &run->arguments))
        return make_way(run, true, err);
    XF_TRY(extfn_column_new(extfn_column_type(run->result), &state->found, err));
    return begin_slots(run, err);
}

/* What is printed belongs to each row that prints it: then all of them are evaluated. Until then
 * the sample goes to its end, so that its worker stays. */
static bool must_make_way(const xf_batch *run, bool is_part_done)
{
    const distinct *state = run->state;
    bool is_sample_on = state->phase == PHASE_SAMPLE && !is_part_done;
    return (state->part.has_printed && !is_sample_on) ||
           run->rows_lost + state->part.rows_lost > LOST_MOST;
}

static extfn_status step(xf_batch *run, bool may_wait, extfn_error *err)
{
    distinct *state = run->state;
    XF_TRY(xf_batch_step(&state->part, may_wait, err));
    bool is_done = xf_batch_is_done(&state->part);
    if (must_make_way(run, is_done))
        return make_way(run, is_done, err);
    if (is_done) {
        XF_TRY(take_part(run, err));
        XF_TRY(advance(run, err));
    }
    bool is_sure = run->executor == &xf_distinct && state->phase >= PHASE_REST;
    return is_sure ? spread(run, err) : EXTFN_OK;
}

static extfn_status watch(const xf_batch *run, xf_watch *watch, extfn_error *err)
{
    const distinct *state = run->state;
    return state->part.executor->watch(&state->part, watch, err);
}

static void end(xf_batch *run, bool is_done)
{
    distinct *state = run->state;
    if (!state)
        return;
    end_part(run, is_done, NULL);
    if (is_done) {
        uint64_t repeats = (uint64_t)(run->arguments.rows - state->repeats.slot_count);
        run->receipt.memo_hits += repeats;
        xf_memo_count(&run->host->memo, repeats, 0);
    }
    state_free(state);
}

const xf_executor xf_distinct = {.begin = begin, .step = step, .watch = watch, .end = end};
