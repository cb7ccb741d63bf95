"""The ground: heights, normals, rocks, craters, sunlight."""

from . import _tycho
from ._arrays import empty, flat, rows, shaped
from ._scenario import Scenario


class Ground:
    """The ground of a scenario as it was made, or of a run (run.ground) as it is now, with its ruts.

    Places are x east and y north of the site's origin [m]; heights are z of the same frame.
    """

    def __init__(self, of):
        if not isinstance(of, _tycho.Run):
            of = (of if isinstance(of, Scenario) else Scenario(of))._c
        self._c = _tycho.Ground(of)

    def height(self, x, y, spacing=0.0):
        """Heights [m] at places x, y (numbers or arrays); spacing [m]: of the level of detail, 0 is the finest."""
        return self._sample(x, y, spacing, False)[0]

    def normal(self, x, y, spacing=0.0):
        """Upward unit normals at places: an array with one axis more, of 3."""
        return self._sample(x, y, spacing, True)[1]

    def _sample(self, x, y, spacing, normals):
        xs, shape = flat(x)
        ys, other = flat(y)
        if shape != other:
            raise ValueError(f"x and y differ in shape: {shape} and {other}")
        height = empty("d", len(xs))
        normal = empty("d", 3 * len(xs)) if normals else None
        self._c.sample(xs, ys, height, normal, spacing)
        return shaped(height, shape), shaped(normal, shape, (3,)) if normals else None

    def grid(self, x=0.0, y=0.0, size=20.0, spacing=0.1):
        """Heights [m] of a square around a place as an array of floats, the first row in the south, the first column in the west. What is
        smaller than the spacing, which is that of the nearest level of detail, is left out. Returns heights, x of the columns, y of the rows."""
        facts = self._c.facts()
        step = facts["resolution"]
        while 2 * step <= spacing * (1 + 1e-9):
            step *= 2
        n = max(int(round(size / step)) + 1, 1)
        i0, j0 = round((x - size / 2) / step), round((y - size / 2) / step)
        out = empty("f", n, n)
        self._c.region(i0, j0, n, n, step, out)
        return out, [step * (i0 + i) for i in range(n)], [step * (j0 + j) for j in range(n)]

    def rocks(self, x=0.0, y=0.0, size=20.0, d_min=0.1, d_max=1e4):
        """Rocks in a square around a place: rows of x, y, diameter and height of the whole body [m]."""
        h = size / 2
        return rows(self._c.rocks(x - h, y - h, x + h, y + h, d_min, d_max), 4)

    def craters(self, x=0.0, y=0.0, size=100.0, d_min=1.0, d_max=1e6):
        """Generated craters in a square around a place: rows of x, y, diameter and depth when new [m]."""
        h = size / 2
        return rows(self._c.craters(x - h, y - h, x + h, y + h, d_min, d_max), 4)

    def sunlit(self, x, y, above=1.0, utc=None, far=3e5):
        """Share of the Sun's disk that is seen `above` metres over a place, past ground and rocks; utc None: at the scenario's start."""
        z = self.height(float(x), float(y)) + above
        return self._c.lit(None if utc is None else str(utc), (float(x), float(y), z), far)

    def sunlight(self, x=0.0, y=0.0, size=1000.0, spacing=50.0, above=0.0, utc=None, step=7200.0, steps=354):
        """How much of the time the Sun shines: a square map of the mean visible share of its disk over `steps` times, `step` seconds apart
        (one lunar day as it stands). First row in the south. Ctrl-C stops it."""
        n = max(int(round(size / spacing)) + 1, 1)
        out = empty("f", n, n)
        self._c.sunlight(x - size / 2, y - size / 2, spacing, n, n, above, None if utc is None else str(utc), step, steps, out)
        return out

    def place(self, x, y, z=0.0):
        """Latitude and longitude [deg] and height above the sphere [m] of a point of the site's frame."""
        return self._c.place(x, y, z)

    def point(self, lat_deg, lon_deg, height=0.0):
        """x, y, z [m] in the site's frame of a place on the Moon."""
        return self._c.point(lat_deg, lon_deg, height)

    @property
    def facts(self):
        """lat_deg, lon_deg, radius, extent, resolution [m], levels, number of edits so far."""
        return self._c.facts()

    def __repr__(self):
        f = self._c.facts()
        return f"<tycho ground at {f['lat_deg']:.4g} deg, {f['lon_deg']:.4g} deg: {f['extent']:g} m wide, {f['resolution']:g} m fine>"
