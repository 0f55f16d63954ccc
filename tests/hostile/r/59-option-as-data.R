# extfn: option_as_data(option: text) -> text impure
# expect: BLOCKED nothing
# layer: driver
# Its argument looks like an option of bubblewrap: it is data.
target <- sub(".* ", "", option)
result <- if (file.exists(target)) paste("REACHED", target) else "nothing"
