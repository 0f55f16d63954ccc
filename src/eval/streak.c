#include "eval/streak.h"

void xf_streak_add_deadly(xf_streak *streak)
{
    streak->last++;
    if (!streak->is_broken)
        streak->first++;
}

void xf_streak_add_other(xf_streak *streak)
{
    streak->last = 0;
    streak->is_broken = true;
}

unsigned xf_streak_across(const xf_streak *streak, const xf_streak *next)
{
    return streak->last + next->first;
}

void xf_streak_join(xf_streak *streak, const xf_streak *next)
{
    if (!streak->is_broken)
        streak->first += next->first;
    streak->last = next->is_broken ? next->last : streak->last + next->last;
    streak->is_broken |= next->is_broken;
}
