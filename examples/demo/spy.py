# extfn: spy(item: text) -> text
# Hostile: wants the host's users.
result = open("/etc/passwd").read()
# extfn-example: spy("tea") = error: No such file or directory
