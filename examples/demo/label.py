# extfn: label(item: text, quantity: number) -> text
result = f"{int(quantity)} x {item.title()}"
# extfn-example: label("apple pie", 3) = "3 x Apple Pie"
