# extfn: next_day(day: datetime, label: text) -> datetime
from datetime import timedelta
result = day + timedelta(days=1)
