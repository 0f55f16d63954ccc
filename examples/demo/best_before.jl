# extfn: best_before(ordered: datetime, quantity: number) -> datetime
using Dates
months = quantity < 5 ? 6 : 12
result = lastdayofmonth(ordered + Month(months))
