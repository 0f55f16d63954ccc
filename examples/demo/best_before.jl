# extfn: best_before(ordered: datetime, quantity: number) -> datetime
using Dates
months = quantity < 5 ? 6 : 12
result = lastdayofmonth(ordered + Month(months))
# extfn-example: best_before(2024-02-28T12:00:00Z, 3) = 2024-08-31T00:00:00Z
