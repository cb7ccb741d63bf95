"""Formulas and the sky on arrays."""

from . import _tycho
from ._arrays import empty, flat, numpy, shaped

_models = _tycho.models()


def formulas(name=None):
    """Names of all formulas; formulas(name): a dict of its inputs with their defaults (None: it must be given), and a list of outputs."""
    if name is None:
        return sorted(_models)
    if name not in _models:
        raise KeyError(f"there is no formula '{name}', but {', '.join(sorted(_models))}")
    inputs, outputs = _models[name]
    return {i: default for i, default, _ in inputs}, list(outputs)


def _words(value, rows):
    """A column of texts: a text for all rows, or one for each; numbers as they would stand in a table."""
    if isinstance(value, str):
        return [value] * rows
    if isinstance(value, (int, float)) or getattr(value, "ndim", 1) == 0:
        return [repr(float(value))] * rows
    column = [v if isinstance(v, str) else repr(float(v)) for v in value]
    return column


def _length(value):
    if isinstance(value, str) or isinstance(value, (int, float)):
        return None
    if numpy is not None:
        return numpy.shape(value) or None
    return (len(value),)


def evaluate(name, **inputs):
    """Evaluates a formula of the simulator, the very function that a run calls, on numbers or arrays.

        evaluate("hapke", w=0.3, b=0.3, c=0.2, i_deg=30, e_deg=numpy.linspace(0, 80, 9))["r"]

    Inputs are those of `tycho eval NAME` (formulas(name) lists them); arrays are combined as numpy does. Returns a dict of its outputs.
    """
    known, outputs = formulas(name)
    for key in inputs:
        if key not in known:
            raise TypeError(f"{name} has no input '{key}'; it takes {', '.join(known)}")
    for key, default in known.items():
        if default is None and key not in inputs:
            raise TypeError(f"{name} needs '{key}', which has no default")
    shapes = [s for s in (_length(v) for v in inputs.values()) if s]
    if numpy is not None:
        shape = numpy.broadcast_shapes(*shapes) if shapes else None
    else:
        shape = max(shapes) if shapes else None
    rows = 1
    for n in shape or ():
        rows *= n
    columns = []
    for key, default, is_text in _models[name][0]:
        value = inputs.get(key, default)
        if is_text:
            column = _words(value, rows)
            columns.append(column * rows if len(column) == 1 else column)
        elif numpy is not None:
            number = numpy.asarray(value, dtype="d")
            columns.append(numpy.ascontiguousarray(numpy.broadcast_to(number, shape or (1,))).reshape(-1))
        else:
            column, length = flat(float(value) if isinstance(value, str) else value)
            columns.append(column if length else flat([column[0]] * rows)[0])
    out = [empty("d", rows) for _ in outputs]
    _tycho.eval(name, rows, columns, out)
    return {key: shaped(column, shape) for key, column in zip(outputs, out)}


_SKY = ("sun_az_deg", "sun_el_deg", "sun_distance", "sun_radius_deg", "earth_az_deg", "earth_el_deg", "earth_distance", "earth_radius_deg",
        "irradiance")


def sky(utc, lat_deg, lon_deg, step=0.0, rows=None):
    """Sun and Earth over a place of the Moon at a UTC time ('2027-03-20T18:30'): a dict of azimuths (from north over east) and elevations
    [deg], distances [m], radii of the disks [deg] and the Sun's irradiance [W/m2]. rows: arrays at times `step` seconds apart."""
    out = empty("d", 1 if rows is None else rows, 9)
    _tycho.sky(lat_deg, lon_deg, str(utc), step, 1 if rows is None else rows, out)
    if rows is None:
        return {key: float(out[0, i]) for i, key in enumerate(_SKY)}
    if numpy is None:
        return {key: [out[r, i] for r in range(rows)] for i, key in enumerate(_SKY)}
    return {key: out[:, i] for i, key in enumerate(_SKY)}
