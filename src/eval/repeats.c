#include "eval/repeats.h"

#include "base/alloc.h"
#include "eval/hash.h"
#include "value/column.h"

#include <string.h>

#define FIRST_SLOTS 256U

bool xf_repeats_init(xf_repeats *repeats, const xf_arguments *arguments, size_t limit,
                     uint64_t seed)
{
    *repeats = (xf_repeats){.arguments = arguments, .limit = limit, .seed = seed};
    size_t rows = (size_t)arguments->rows;
    if (rows > UINT32_MAX / 4 || rows * sizeof(*repeats->index) > limit / 2)
        return false;
    repeats->index = xf_alloc(rows * sizeof(*repeats->index));
    return repeats->index != NULL;
}

void xf_repeats_clear(xf_repeats *repeats)
{
    xf_free(repeats->slots);
    xf_free(repeats->places);
    xf_free(repeats->index);
    *repeats = (xf_repeats){0};
}

/* ---- Rows ---- */

static const char *bytes_at(const extfn_column *column, int64_t row, size_t *ret_size)
{
    if (column->type == EXTFN_TEXT) {
        const extfn_value text = xf_column_view(column, row);
        *ret_size = text.as.text.size;
        return text.as.text.data;
    }
    *ret_size = xf_column_width(column->type);
    return column->values.data + (size_t)row * *ret_size;
}

static uint64_t hash_of(const xf_repeats *repeats, int64_t row)
{
    uint64_t hash = repeats->seed;
    for (size_t i = 0; i < repeats->arguments->column_count; i++) {
        size_t size = 0;
        const char *bytes = bytes_at(repeats->arguments->columns[i], row, &size);
        hash = XXH3_64bits_withSeed(bytes, size, hash);
    }
    return hash;
}

static bool are_equal(const xf_arguments *arguments, int64_t a, int64_t b)
{
    for (size_t i = 0; i < arguments->column_count; i++) {
        size_t a_size = 0;
        size_t b_size = 0;
        const char *a_bytes = bytes_at(arguments->columns[i], a, &a_size);
        const char *b_bytes = bytes_at(arguments->columns[i], b, &b_size);
        if (a_size != b_size || (a_size > 0 && memcmp(a_bytes, b_bytes, a_size) != 0))
            return false;
    }
    return true;
}

static bool has_error(const xf_arguments *arguments, int64_t row)
{
    for (size_t i = 0; i < arguments->column_count; i++) {
        const extfn_column *column = arguments->columns[i];
        if (column->error_count > 0 && xf_column_error_at(column, row))
            return true;
    }
    return false;
}

/* ---- Slots ---- */

/* The place of the row's slot, or the empty one where it belongs. */
static uint32_t *place_of(const xf_repeats *repeats, int64_t row, uint64_t hash)
{
    uint32_t mask = repeats->place_count - 1;
    uint32_t at = (uint32_t)hash & mask;
    for (;; at = (at + 1) & mask) {
        uint32_t *place = &repeats->places[at];
        const xf_slot *slot = *place ? &repeats->slots[*place - 1] : NULL;
        if (!slot || (slot->hash == hash && are_equal(repeats->arguments, slot->row, row)))
            return place;
    }
}

/* Slots all differ: an empty place is where one belongs. */
static void enter_all(const xf_repeats *repeats)
{
    uint32_t mask = repeats->place_count - 1;
    for (uint32_t i = 0; i < repeats->slot_count; i++) {
        uint32_t at = (uint32_t)repeats->slots[i].hash & mask;
        while (repeats->places[at])
            at = (at + 1) & mask;
        repeats->places[at] = i + 1;
    }
}

/* Room for one slot more; those with a row of its own take a place too, which nobody finds. */
static bool reserve(xf_repeats *repeats)
{
    if (repeats->slot_count < repeats->slot_capacity)
        return true;
    size_t capacity = repeats->slot_capacity ? repeats->slot_capacity * (size_t)2 : FIRST_SLOTS;
    size_t size = capacity * (sizeof(xf_slot) + 2 * sizeof(uint32_t));
    if (size > repeats->limit - (size_t)repeats->arguments->rows * sizeof(*repeats->index))
        return false;
    uint32_t *places = xf_alloc(2 * capacity * sizeof(*places));
    xf_slot *slots = places ? xf_realloc_array(repeats->slots, capacity, sizeof(*slots)) : NULL;
    if (!slots) {
        xf_free(places);
        return false;
    }
    xf_free(repeats->places);
    repeats->slots = slots;
    repeats->slot_capacity = (uint32_t)capacity;
    repeats->places = places;
    repeats->place_count = (uint32_t)(2 * capacity);
    enter_all(repeats);
    return true;
}

static void add(xf_repeats *repeats, int64_t row, uint64_t hash)
{
    repeats->slots[repeats->slot_count] = (xf_slot){.row = row, .hash = hash};
    repeats->index[row] = repeats->slot_count++;
}

bool xf_repeats_look(xf_repeats *repeats, int64_t end)
{
    for (; repeats->looked < end; repeats->looked++) {
        int64_t row = repeats->looked;
        if (!reserve(repeats))
            return false;
        if (has_error(repeats->arguments, row)) {
            add(repeats, row, 0);
            continue;
        }
        uint64_t hash = hash_of(repeats, row);
        uint32_t *place = place_of(repeats, row, hash);
        if (*place) {
            repeats->index[row] = *place - 1;
        } else {
            add(repeats, row, hash);
            *place = repeats->slot_count;
        }
    }
    return true;
}

bool xf_repeats_set_apart(xf_repeats *repeats, int64_t row)
{
    if (!reserve(repeats))
        return false;
    add(repeats, row, 0);
    return true;
}
