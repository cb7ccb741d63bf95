"""Scenarios: files, dicts, and changes to them."""

import json
import os

from . import _tycho
from ._about import share


def _text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(float(value)) if isinstance(value, float) else str(value)


def _settings(key, value):
    """'a.b=c' texts of a value; a dict or a list replaces what is there."""
    if isinstance(value, (dict, list, tuple)):
        return [f"{key}={json.dumps(_plain(value), ensure_ascii=False)}"]
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        value = value.item()
    if not isinstance(value, (str, int, float, os.PathLike)):
        raise TypeError(f"{key} is {value!r}, but takes a number, a text, a list or a dict")
    return [f"{key}={_text(os.fspath(value) if isinstance(value, os.PathLike) else value)}"]


def _plain(value):
    """A dict of a scenario with numpy's numbers and paths as Python's, so that it can be written down."""
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    return value


def _again(path, text, settings):
    """A scenario in another process, or a copy."""
    scenario = Scenario.__new__(Scenario)
    scenario.path, scenario._text, scenario.settings = path, text, []
    scenario._load(settings)
    return scenario


class Scenario:
    """A scenario: where, when, on what ground, who drives, what is measured.

    Scenario("viper_traverse")             one that came with the package (Scenario.shipped() lists them)
    Scenario("mine.yaml")                  a file
    Scenario({"version": 1, ...})          a dict with the keys of such a file; its paths are meant from `folder`
    Scenario("rock_field", {"soil.model": "scm", "rovers.0.sensors": [...]}, duration=5)

    Changes are keys of the scenario file (docs/reference.md), `a.b.0.c` for those inside others; each meets the checks of the file. A dict or a
    list replaces all that is there.
    What is wrong raises tycho.Error with file, line, key, value and what is accepted.
    """

    def __init__(self, source, settings=None, *, folder=None, **keys):
        self._text = None
        if isinstance(source, Scenario):
            self.path, self._text, self.settings = source.path, source._text, list(source.settings)
        elif isinstance(source, dict):
            self.path = os.path.join(os.fspath(folder) if folder is not None else os.getcwd(), "scenario of a dict")
            self._text, self.settings = json.dumps(_plain(source), ensure_ascii=False), []
        else:
            path = os.fspath(source)
            if not os.path.exists(path) and os.sep not in path and os.path.exists(share("scenarios", path + ".yaml")):
                path = share("scenarios", path + ".yaml")
            self.path, self.settings = path, []
        self._load(self._more(settings, keys))

    @staticmethod
    def shipped():
        """Names of the scenarios that came with the package."""
        return sorted(f[:-5] for f in os.listdir(share("scenarios")) if f.endswith(".yaml"))

    @staticmethod
    def _more(settings, keys):
        more = []
        for key, value in list((settings or {}).items()) + list(keys.items()):
            more += _settings(str(key), value)
        return more

    def _load(self, more):
        settings = self.settings + more
        self._c = _tycho.Scenario(self.path, self._text, settings)
        self.settings = settings

    def set(self, settings=None, **keys):
        """Changes keys: set(duration=5), set({"terrain.seed": 7}). Runs that were made of it before keep what they have. Returns itself."""
        self._load(self._more(settings, keys))
        return self

    def copy(self):
        """Another one that can be changed by itself."""
        return Scenario(self)

    def __reduce__(self):
        return _again, (self.path, self._text, self.settings)

    @property
    def file(self):
        """The file that it was read from; None: it was made of a dict."""
        return None if self._text is not None else self.path

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        facts = self._c.facts()
        if name in facts:
            return facts[name]
        raise AttributeError(f"a scenario has {', '.join(facts)}, not '{name}'")

    def __dir__(self):
        return sorted(set(super().__dir__()) | set(self._c.facts()))

    def __repr__(self):
        f = self._c.facts()
        return f"<tycho scenario {f['name']}: {f['duration']:g} s at {f['lat_deg']:.4g} deg, {f['lon_deg']:.4g} deg, rovers {[r['name'] for r in f['rovers']]}>"
