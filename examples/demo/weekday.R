# extfn: weekday(ordered: datetime) -> text
result <- format(ordered, "%A")
