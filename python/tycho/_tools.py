"""The soil bin, data sets, scores."""

import os

from . import _tycho
from ._about import share
from ._arrays import empty, flat, numpy, rows, shaped
from ._bar import bar
from ._scenario import _settings


def _rig(model, soil, settings, wheel, cell):
    if soil is not None and not os.path.exists(soil) and os.sep not in str(soil):
        soil = share("models", "soils", str(soil).removesuffix(".yaml") + ".yaml")
    texts = [t for k, v in (settings or {}).items() for t in _settings(k, v)]
    size = {"radius": 0.25, "width": 0.2, "lug": 0.0, "lugs": 0}
    if set(wheel or {}) - set(size):
        raise TypeError(f"a wheel has {', '.join(size)}, not {', '.join(set(wheel) - set(size))}")
    size.update(wheel or {})
    return model, None if soil is None else os.fspath(soil), texts, (size["radius"], size["width"], size["lug"], size["lugs"]), cell


def wheel_rig(slip, load=180.0, beta=0.0, *, model="static", soil=None, settings=None, wheel=None, speed=0.1, cell=0.01):
    """A single wheel led at forced slip over flat soil, as `tycho wheel` does it: a dict of sinkage [m], fx, fy, fz [N], torque [N m] and ripple [N], each in the shape of
    `slip`. load [N], beta [rad] the slip angle. model: static (Bekker-Wong's steady solution), bekker, scm, ...; soil: a shipped one by name, a file, or None for nominal lunar
    soil; settings: its keys; wheel: a dict of radius, width, lug (height) [m] and lugs (how many); cell [m]: of scm's grid. Ctrl-C stops it."""
    slips, shape = flat(slip)
    out = empty("d", len(slips), 6)
    _tycho.wheel_rig(_rig(model, soil, settings, wheel, cell), load, slips, beta, speed, out)
    names = ("sinkage", "fx", "fy", "fz", "torque", "ripple")
    if numpy is None:
        return {n: out[0, k] if shape is None else [out[i, k] for i in range(len(slips))] for k, n in enumerate(names)}
    return {n: shaped(numpy.ascontiguousarray(out[:, k]), shape) for k, n in enumerate(names)}


def plate_pressure(depth, b=0.1, *, model="static", soil=None, settings=None, cell=0.01):
    """Pressure [Pa] under a plate pressed to depths [m]; b is Bekker's width, the radius of a round plate [m]."""
    depths, shape = flat(depth)
    out = empty("d", len(depths))
    _tycho.plate(_rig(model, soil, settings, None, cell), False, b, depths, out)
    return shaped(out, shape)


def plate_shear(j, normal=5000.0, *, model="static", soil=None, settings=None, cell=0.01):
    """Shear stress [Pa] of a plate under a normal stress [Pa] after displacements j [m]."""
    ways, shape = flat(j)
    out = empty("d", len(ways))
    _tycho.plate(_rig(model, soil, settings, None, cell), True, normal, ways, out)
    return shaped(out, shape)


def beds():
    """The experiments of bed(), a dict of names and what they show."""
    return dict(_tycho.beds())


def bed(experiment, model="crm", settings=None, *, threads=0, progress=None, **keys):
    """An experiment on a bed of soil that flows, as `tycho bed` makes it: model crm (a continuum) or dem (grains), for plate and wheel also scm (soil columns) or bekker. Keys: spacing [m], gravity, seconds, height, angle [rad], aspect, load, speed,
    rate, width, friction, ... and lists diameter and slip; of the soil by settings={"soil.mu_s": 0.6} (crm: rho, e, nu, mu_s, mu_2, i0, d, c) or {"grains.mu": 0.5} (dem: rho, e, nu, mu,
    roll, restitution, gamma, spread) or {"bekker.k_phi": 8e5} (scm, bekker: the keys of a soil file). What is not given is the experiment's own. Returns a dict: what it measured by name, `series` (rows of `columns`), `positions` of all particles at the
    end [m], particles, steps, wall_s. Ctrl-C stops it; progress as in dataset()."""
    with bar(progress, "s") as tell:
        out = _tycho.bed(experiment, model, {**(settings or {}), **keys}, threads, tell)
    out["series"] = rows(out["series"], max(1, len(out["columns"])))
    out["positions"] = rows(out["positions"], 3)
    return out


def dataset(path, folder=None, settings=None, threads=0, progress=None):
    """Makes a data set of labelled stereo images (docs/dataset.md) in a folder, going on where it was stopped; without a folder only tells what would be made. progress: a
    function of (what, done, total), or True for tqdm's bar. Returns a dict of numbers. Ctrl-C stops it, and the next call goes on."""
    if folder is not None:
        os.makedirs(folder, exist_ok=True)
    texts = [t for k, v in (settings or {}).items() for t in _settings(k, v)]
    with bar(progress, "pair") as tell:
        return _tycho.dataset(os.fspath(path), texts, None if folder is None else os.fspath(folder), threads, tell)


def score_depth(truth, predicted):
    """How good a predicted depth map [m] is: the mean depth error ratio `der`, pixels whose truth is known, of those scored, mean depth [m], success."""
    a, b = numpy.ascontiguousarray(truth, dtype="f"), numpy.ascontiguousarray(predicted, dtype="f")
    if a.shape != b.shape:
        raise ValueError(f"the maps differ in shape: {a.shape} and {b.shape}")
    return _tycho.score_depth(a.reshape(-1), b.reshape(-1))


def score_boxes(labels, predictions):
    """Average precision of predicted boxes (COCO's results file) against labels (COCO's file): map50, map, mean_iou and counts."""
    return _tycho.score_boxes(os.fspath(labels), os.fspath(predictions))
