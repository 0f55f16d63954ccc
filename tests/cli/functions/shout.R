# extfn: shout(text: text) -> text
result <- paste0(toupper(text), "!")
