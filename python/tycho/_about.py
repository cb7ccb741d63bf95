"""Version, devices, where the shipped files lie."""

import os

from . import _tycho


def version():
    """The version of program, library and package, which are one."""
    return _tycho.version


def built_with():
    """The libraries that results may depend on and the compiler, with their versions."""
    return _tycho.built_with()


def devices():
    """The OpenCL devices of this machine, one dict each: name, platform, version, gpu, fp64, units, memory [bytes]."""
    return _tycho.devices()


def share(*parts):
    """Path of a file or folder that came with the package: share('models', 'rovers', 'viper.yaml')."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "share", *parts)


def check(path, settings=()):
    """What a file (scenario, rover, soil, sensor, table, model, ...) is, in a few lines; raises the sentence where Tycho refuses it."""
    return _tycho.check(os.fspath(path), list(settings))
