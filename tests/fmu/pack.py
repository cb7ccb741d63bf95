"""A controller's FMU from its library: pack.py VERSION LIBRARY OUT.fmu [keeps]"""
import sys
import zipfile

version, library, out = int(sys.argv[1]), sys.argv[2], sys.argv[3]
keeps = "true" if "keeps" in sys.argv else "false"
variables = [("heading", "input", "continuous"), ("speed", "input", "continuous"), ("kp", "parameter", "fixed"), ("ki", "parameter", "fixed"), ("kd", "parameter", "fixed"),
             ("target", "input", "continuous"), ("cruise", "parameter", "fixed"), ("turn", "output", "continuous"), ("v", "output", "continuous")]
if version == 3:
    lines = ['<Float64 name="time" valueReference="99" causality="independent" variability="continuous"/>']
    lines += [f'<Float64 name="{n}" valueReference="{i}" causality="{c}" variability="{v}"' + (' start="0"' if c != "output" else "") + "/>" for i, (n, c, v) in enumerate(variables)]
    head = f'fmiVersion="3.0" modelName="pid" instantiationToken="{{pid}}"'
    kind = f'<CoSimulation modelIdentifier="pid" canGetAndSetFMUState="{keeps}" canSerializeFMUState="{keeps}"/>'
    structure = "".join(f'<Output valueReference="{i}"/>' for i in (7, 8)) + "".join(f'<InitialUnknown valueReference="{i}"/>' for i in (7, 8))
    place = "x86_64-linux"
else:
    lines = [f'<ScalarVariable name="{n}" valueReference="{i}" causality="{c}" variability="{v}"><Real' + (' start="0"' if c != "output" else "") + "/></ScalarVariable>" for i, (n, c, v) in enumerate(variables)]
    head = 'fmiVersion="2.0" modelName="pid" guid="{pid}"'
    kind = f'<CoSimulation modelIdentifier="pid" canGetAndSetFMUstate="{keeps}" canSerializeFMUstate="{keeps}"/>'
    unknowns = '<Unknown index="8"/><Unknown index="9"/>'
    structure = f"<Outputs>{unknowns}</Outputs><InitialUnknowns>{unknowns}</InitialUnknowns>"
    place = "linux64"
text = f"""<?xml version="1.0" encoding="UTF-8"?>
<!-- a controller -->
<fmiModelDescription {head}>{kind}<ModelVariables>{''.join(lines)}</ModelVariables><ModelStructure>{structure}</ModelStructure></fmiModelDescription>
"""
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("modelDescription.xml", text)
    z.write(library, f"binaries/{place}/pid.so")
