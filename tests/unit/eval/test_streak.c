#include "eval/streak.h"
#include "support/unit.h"

#include <string.h>

/* Letters: d a deadly row, o another one. */
static xf_streak streak_of(const char *rows)
{
    xf_streak streak = {0};
    for (; *rows; rows++)
        (*rows == 'd' ? xf_streak_add_deadly : xf_streak_add_other)(&streak);
    return streak;
}

static void parts_join_to_what_the_whole_is(void **state)
{
    (void)state;
    static const char *const wholes[] = {"",       "d",    "o",    "ddd", "dod",
                                         "ddoodd", "oddo", "dddo", "oddd"};
    for (size_t i = 0; i < sizeof(wholes) / sizeof(wholes[0]); i++) {
        const xf_streak whole = streak_of(wholes[i]);
        for (size_t cut = 0; cut <= strlen(wholes[i]); cut++) {
            char head[8] = "";
            memcpy(head, wholes[i], cut);
            xf_streak joined = streak_of(head);
            const xf_streak tail = streak_of(wholes[i] + cut);
            xf_streak_join(&joined, &tail);
            assert_int_equal(joined.first, whole.first);
            assert_int_equal(joined.last, whole.last);
            assert_int_equal(joined.is_broken, whole.is_broken);
        }
    }
}

static void a_streak_goes_on_across_a_border(void **state)
{
    (void)state;
    const xf_streak left = streak_of("dodd");
    const xf_streak right = streak_of("dddod");
    assert_int_equal(xf_streak_across(&left, &right), 5);
    const xf_streak broken = streak_of("oddd");
    assert_int_equal(xf_streak_across(&left, &broken), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_join_to_what_the_whole_is),
        cmocka_unit_test(a_streak_goes_on_across_a_border),
    };
    return cmocka_run_group_tests_name("eval/streak", tests, NULL, NULL);
}
