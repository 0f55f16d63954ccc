#include "base/auto.h"
#include "eval/streak.h"
#include "support/oom.h"
#include "support/unit.h"

#include <string.h>

#define ROWS 310

/* Letters: d a deadly row, o another one, . one that is neither. */
static void add(xf_streak *streak, const char *letters, int64_t first, int64_t end)
{
    for (int64_t row = first; row < end; row++) {
        if (letters[row] == 'd')
            assert_int_equal(xf_streak_add_deadly(streak, row, NULL), EXTFN_OK);
        else if (letters[row] == 'o')
            xf_streak_add_other(streak);
    }
}

/* The last straw of rows that come in two parts, the second from `cut` on. */
static int64_t straw_of(const char *letters, int64_t cut)
{
    int64_t rows = (int64_t)strlen(letters);
    XF_AUTO(xf_streak_clear) xf_streak head = {0};
    XF_AUTO(xf_streak_clear) xf_streak tail = {0};
    add(&head, letters, 0, cut);
    add(&tail, letters, cut, rows);
    int64_t straw = xf_streak_last_straw(&head, 0, rows);
    return straw >= 0 ? straw : xf_streak_last_straw(&tail, xf_streak_end(&head, 0), rows);
}

/* `deadly` rows from `first` on, then others up to `rows`. */
static const char *letters_of(int first, int deadly, int rows, char other, char ret_letters[ROWS])
{
    memset(ret_letters, other, (size_t)rows);
    ret_letters[rows] = '\0';
    memset(ret_letters, 'o', (size_t)first);
    memset(ret_letters + first, 'd', (size_t)deadly);
    return ret_letters;
}

static void the_hundredth_with_a_row_behind_it_is_found_wherever_it_is_cut(void **state)
{
    (void)state;
    static const struct {
        int first;
        int deadly;
        int rows;
        char other;
        int64_t straw;
    } cases[] = {
        {0, 99, 300, 'o', -1},   {0, 100, 100, 'o', -1},   {0, 100, 101, '.', 99},
        {0, 101, 101, 'o', 99},  {7, 100, 107, 'o', -1},   {7, 100, 108, '.', 106},
        {7, 250, 300, 'o', 106}, {200, 100, 300, 'o', -1}, {199, 101, 300, 'o', 298},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char letters[ROWS];
        letters_of(cases[i].first, cases[i].deadly, cases[i].rows, cases[i].other, letters);
        for (int64_t cut = 0; cut <= cases[i].rows; cut++)
            assert_int_equal(straw_of(letters, cut), cases[i].straw);
    }
}

static void only_another_row_breaks_a_streak(void **state)
{
    (void)state;
    char letters[ROWS];
    letters_of(0, 150, 200, 'o', letters);
    letters[50] = '.';
    assert_int_equal(straw_of(letters, 75), 100);
    letters[50] = 'o';
    assert_int_equal(straw_of(letters, 75), -1);
    letters[49] = 'o';
    letters[50] = 'd';
    assert_int_equal(straw_of(letters, 75), 149);
}

static void add_survives_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        xf_streak streak = {0};
        status = xf_streak_add_deadly(&streak, 0, NULL);
        assert_int_equal(streak.last, status == EXTFN_OK);
        xf_streak_clear(&streak);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hundredth_with_a_row_behind_it_is_found_wherever_it_is_cut),
        cmocka_unit_test(only_another_row_breaks_a_streak),
        cmocka_unit_test(add_survives_oom),
    };
    return cmocka_run_group_tests_name("eval/streak", tests, NULL, NULL);
}
