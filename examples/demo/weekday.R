# extfn: weekday(ordered: datetime) -> text
result <- format(ordered, "%A")
# extfn-example: weekday(2024-02-28T12:00:00Z) = "Wednesday"
