#include "eval/room.h"

#include <assert.h>

static bool fits(const xf_room *room, uint64_t others, uint64_t wanted)
{
    return others <= room->limit && wanted <= room->limit - others;
}

bool xf_room_take(xf_room *room, uint64_t has, uint64_t wanted)
{
    assert(room->taken >= has);
    uint64_t others = room->taken - has;
    bool is_alone = room->count == (has > 0 ? 1 : 0);
    if (wanted > has && !is_alone && !fits(room, others, wanted))
        return false;
    room->taken = others + wanted;
    if (has == 0 && wanted > 0)
        room->count++;
    return true;
}

bool xf_room_would_fit(const xf_room *room, uint64_t has, uint64_t wanted, uint64_t less)
{
    uint64_t others = room->taken - has;
    return less >= others || fits(room, others - less, wanted);
}

void xf_room_give_back(xf_room *room, uint64_t has)
{
    assert(room->taken >= has);
    room->taken -= has;
    if (has > 0)
        room->count--;
}
