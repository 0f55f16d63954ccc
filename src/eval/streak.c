#include "eval/streak.h"

extfn_status xf_streak_add_deadly(xf_streak *streak, int64_t row, extfn_error *err)
{
    const xf_deadly_row deadly = {.row = row,
                                  .place = streak->last + 1,
                                  .is_broken = streak->is_broken};
    XF_TRY(xf_buf_append(&streak->rows, &deadly, sizeof(deadly), err));
    streak->last++;
    return EXTFN_OK;
}

void xf_streak_add_other(xf_streak *streak)
{
    streak->last = 0;
    streak->is_broken = true;
}

void xf_streak_clear(xf_streak *streak)
{
    xf_buf_clear(&streak->rows);
}

int64_t xf_streak_last_straw(const xf_streak *streak, unsigned before, int64_t row_count)
{
    const xf_deadly_row *rows = (const void *)streak->rows.data;
    for (size_t i = 0; i < streak->rows.size / sizeof(*rows); i++) {
        unsigned place = rows[i].is_broken ? rows[i].place : before + rows[i].place;
        if (place >= XF_DEADLY_ROW_LIMIT && rows[i].row + 1 < row_count)
            return rows[i].row;
    }
    return -1;
}

unsigned xf_streak_end(const xf_streak *streak, unsigned before)
{
    return streak->is_broken ? streak->last : before + streak->last;
}
