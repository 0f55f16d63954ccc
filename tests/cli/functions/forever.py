# extfn: forever(x: number) -> number
while True:
    pass
