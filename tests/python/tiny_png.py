"""Gray PNG files of 8 and 16 bits, read and written with the standard library alone."""
import struct
import zlib


def read(path):
    """Width, height, rows of numbers."""
    with open(path, "rb") as f:
        data = f.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0], path
        if kind == b"IHDR":
            width, height, bits, color = struct.unpack(">IIBB", body[:10])
            assert color == 0 and bits in (8, 16), path
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    raw, step = zlib.decompress(packed), bits // 8
    stride = width * step
    before, rows = bytes(stride), []
    for y in range(height):
        line = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        how = raw[y * (stride + 1)]
        for i in range(stride):
            a = line[i - step] if i >= step else 0
            b = before[i]
            c = before[i - step] if i >= step else 0
            if how == 1:
                add = a
            elif how == 2:
                add = b
            elif how == 3:
                add = (a + b) // 2
            elif how == 4:
                p = a + b - c
                add = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            else:
                add = 0
            line[i] = (line[i] + add) & 255
        before = bytes(line)
        rows.append(list(struct.unpack(f">{width}{'H' if step == 2 else 'B'}", before)))
    return width, height, rows


def write16(path, rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    raw = b"".join(b"\0" + struct.pack(f">{len(r)}H", *r) for r in rows)
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", len(rows[0]), len(rows), 16, 0, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))
