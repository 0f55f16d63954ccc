# extfn: label(item: text, quantity: number) -> text
result = f"{int(quantity)} x {item.title()}"
