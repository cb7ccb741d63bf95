"""Tycho: lunar rovers, their sensors and the ground they drive on, simulated.

    import tycho
    run = tycho.Run("viper_traverse", driver="external", duration=20)
    run.command(v=0.2)
    run.advance(5)
    print(run.rover.position, run.rover.slip)
    run.render(above=3, behind=6).save("viper.png")

Scenario    a scenario: a shipped one by name, a file, or a dict; its keys can be changed
Run         a scenario in motion: steps, commands, messages of sensors as numpy arrays, save and restore, pictures, a record in a folder
resume      goes on with a record that was stopped
Ground      heights, normals, rocks, craters and sunlight of a scenario's or a run's ground
Scene       pictures of a scenario's ground without a run
evaluate    any formula of the simulator on arrays; formulas() lists them
sky         Sun and Earth over a place
Sensor      a kind of sensor of your own; soil models, actions, filters and drivers of your own: help(Run)
bed         experiments on soil that flows, particles or grains; beds() lists them
wheel_rig   a single wheel in a soil bin; plate_pressure, plate_shear: a bevameter
dataset     labelled stereo images; score_depth, score_boxes judge what somebody makes of them
devices     the OpenCL devices that frames can be made on
check       what a file is and whether Tycho takes it

SI units; angles are in radians unless a name ends in _deg. Frames: x east, y north, z up at the site; attitudes are unit quaternions,
scalar first, that take a body's vectors to the site's. What the library refuses raises tycho.Error with the library's own sentence.
"""

from . import _libraries  # before what needs them
from ._tycho import (CancelledError, DefinitionError, DeviceError, Error, FileError, FormatError, InputError, Message, NumericError,
                     OutOfMemoryError, Part, RangeError)
from ._tycho import version as __version__
from ._about import built_with, check, devices, share, version
from ._formulas import evaluate, formulas, sky
from ._ground import Ground
from ._kinds import HIT_COLUMNS, SOIL_COLUMNS, Sensor, Shot
from ._picture import Camera, Picture, Scene
from ._run import Rover, Run, resume
from ._scenario import Scenario
from ._tools import bed, beds, dataset, plate_pressure, plate_shear, score_boxes, score_depth, wheel_rig

__all__ = ["Camera", "CancelledError", "DefinitionError", "DeviceError", "Error", "FileError", "FormatError", "Ground", "HIT_COLUMNS", "InputError",
           "Message", "NumericError", "OutOfMemoryError", "Part", "Picture", "RangeError", "Rover", "Run", "SOIL_COLUMNS", "Scenario", "Scene",
           "Sensor", "Shot", "bed", "beds", "built_with", "check", "dataset", "devices", "evaluate", "formulas", "plate_pressure", "plate_shear", "resume", "score_boxes", "score_depth", "share", "sky", "version",
           "wheel_rig"]
