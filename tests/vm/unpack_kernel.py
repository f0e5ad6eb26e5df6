"""unpack_kernel.py VMLINUZ VMLINUX: takes the plain ELF kernel out of a packed one."""
import subprocess
import sys

PACKERS = (
    (b"\xfd7zXZ\0", ["xz", "-dc", "--single-stream"]),
    (b"\x28\xb5\x2f\xfd", ["zstd", "-dc"]),
    (b"\x1f\x8b\x08", ["gzip", "-dc"]),
)


def payloads(packed: bytes):
    """Each place that begins like a packed stream; the real one is the first that unpacks to an ELF file."""
    for magic, command in PACKERS:
        start = packed.find(magic)
        while start >= 0:
            # What follows the stream makes the packer fail at its end: its exit status says nothing here.
            packer = subprocess.run(command, input=packed[start:], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            yield packer.stdout
            start = packed.find(magic, start + 1)


def main() -> None:
    source, target = sys.argv[1:]
    with open(source, "rb") as file:
        packed = file.read()
    for kernel in payloads(packed):
        if kernel.startswith(b"\x7fELF"):
            with open(target, "wb") as file:
                file.write(kernel)
            return
    sys.exit(f"unpack_kernel: no ELF kernel found in {source}")


main()
