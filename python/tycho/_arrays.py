"""Arrays for results: numpy's where it is installed, else memoryviews of the same format and shape."""

try:
    import numpy
except ImportError:
    numpy = None

_BYTES = {"d": 8, "f": 4, "I": 4, "B": 1}


def empty(format, *shape):
    """An array of zeros to be filled."""
    if numpy is not None:
        return numpy.zeros(shape, dtype=format)
    count = 1
    for n in shape:
        count *= n
    view = memoryview(bytearray(count * _BYTES[format]))
    return view.cast("B").cast(format, shape) if count else view.cast(format)


def flat(values):
    """Numbers of any shape as a contiguous array of doubles, and that shape (None: a single number)."""
    if numpy is not None:
        array = numpy.ascontiguousarray(values, dtype="d")
        return array.reshape(-1), None if numpy.ndim(values) == 0 else array.shape
    if isinstance(values, (int, float)):
        values, shape = [values], None
    else:
        values = [float(v) for v in values]
        shape = (len(values),)
    out = empty("d", len(values))
    for i, v in enumerate(values):
        out[i] = v
    return out, shape


def shaped(array, shape, more=()):
    """A flat result in the shape of the question; a single number as a float where nothing more belongs to it."""
    if shape is None and not more:
        return float(array[0])
    if numpy is not None:
        return array.reshape(tuple(shape or ()) + tuple(more))
    return array


def rows(data, columns):
    """Bytes of doubles as rows of `columns` numbers."""
    if numpy is not None:
        return numpy.frombuffer(data, dtype="d").reshape(-1, columns)
    view = memoryview(data)
    return view.cast("d", (len(data) // 8 // columns, columns)) if data else view.cast("d")
