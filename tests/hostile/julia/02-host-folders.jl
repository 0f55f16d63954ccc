# extfn: host_folders() -> text impure
# expect: BLOCKED nothing
# layer: mounts
# Lists the folders of the host; /home is there and empty.
folders = ["/root", "/var", "/run", "/sys", "/boot", "/opt", "/srv", "/mnt", "/home"]
found = [name for folder in folders if isdir(folder) for name in readdir(folder)]
result = isempty(found) ? "nothing" : "REACHED $found"
