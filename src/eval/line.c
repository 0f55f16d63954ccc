#include "eval/line.h"

#include <stddef.h>

static xf_turn *find_before(const xf_line *line, const xf_turn *turn)
{
    xf_turn *before = NULL;
    for (xf_turn *at = line->first; at != turn; at = at->next)
        before = at;
    return before;
}

static void take_out(xf_line *line, xf_turn *turn, int64_t now_us)
{
    xf_turn *before = find_before(line, turn);
    *(before ? &before->next : &line->first) = turn->next;
    if (line->last == turn)
        line->last = before;
    if (!before && line->first)
        line->first->first_us = now_us;
    turn->next = NULL;
    turn->is_in_line = false;
}

void xf_line_ask(xf_line *line, xf_turn *turn, uint64_t wanted, int64_t now_us)
{
    turn->wanted = wanted;
    turn->asked_us = now_us;
    if (turn->is_in_line)
        return;
    turn->is_in_line = true;
    turn->first_us = now_us;
    *(line->first ? &line->last->next : &line->first) = turn;
    line->last = turn;
}

void xf_line_serve(xf_line *line, xf_turn *turn, int64_t now_us)
{
    turn->is_served |= turn->is_in_line;
    if (turn->is_in_line)
        take_out(line, turn, now_us);
    turn->asked_us = 0;
}

void xf_line_leave(xf_line *line, xf_turn *turn, int64_t now_us)
{
    if (turn->is_in_line)
        take_out(line, turn, now_us);
    if (turn->is_served && line->first)
        line->first->first_us = now_us;
    *turn = (xf_turn){0};
}

static bool is_absent(const xf_turn *turn, int64_t now_us)
{
    return !turn->is_clearing && now_us - turn->asked_us >= XF_TURN_ABSENT_US;
}

const xf_turn *xf_line_whose(xf_line *line, int64_t now_us)
{
    while (line->first && is_absent(line->first, now_us))
        take_out(line, line->first, now_us);
    const xf_turn *first = line->first;
    return first && now_us - first->first_us >= XF_TURN_PASS_US ? first : NULL;
}
