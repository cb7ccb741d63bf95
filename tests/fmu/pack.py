"""An FMU from its library: pack.py VERSION LIBRARY OUT.fmu [keeps] [kite]"""
import sys
import zipfile

version, library, out = int(sys.argv[1]), sys.argv[2], sys.argv[3]
keeps = "true" if "keeps" in sys.argv else "false"
model = "kite" if "kite" in sys.argv else "pid"
names = {"pid": ("heading> speed> kp ki kd target> cruise turn< v<"), "kite": ("north> east> radius rate height x< y< z< yaw<")}[model].split()
kinds = {">": ("input", "continuous"), "<": ("output", "continuous")}
variables = [(n.rstrip("<>"), *kinds.get(n[-1], ("parameter", "fixed"))) for n in names]
outputs = [i for i, v in enumerate(variables) if v[1] == "output"]
if version == 3:
    lines = ['<Float64 name="time" valueReference="99" causality="independent" variability="continuous"/>']
    lines += [f'<Float64 name="{n}" valueReference="{i}" causality="{c}" variability="{v}"' + (' start="0"' if c != "output" else "") + "/>" for i, (n, c, v) in enumerate(variables)]
    head = f'fmiVersion="3.0" modelName="{model}" instantiationToken="{{{model}}}"'
    kind = f'<CoSimulation modelIdentifier="{model}" canGetAndSetFMUState="{keeps}" canSerializeFMUState="{keeps}"/>'
    structure = "".join(f'<Output valueReference="{i}"/>' for i in outputs) + "".join(f'<InitialUnknown valueReference="{i}"/>' for i in outputs)
    place = "x86_64-linux"
else:
    lines = [f'<ScalarVariable name="{n}" valueReference="{i}" causality="{c}" variability="{v}"><Real' + (' start="0"' if c != "output" else "") + "/></ScalarVariable>" for i, (n, c, v) in enumerate(variables)]
    head = f'fmiVersion="2.0" modelName="{model}" guid="{{{model}}}"'
    kind = f'<CoSimulation modelIdentifier="{model}" canGetAndSetFMUstate="{keeps}" canSerializeFMUstate="{keeps}"/>'
    unknowns = "".join(f'<Unknown index="{i + 1}"/>' for i in outputs)
    structure = f"<Outputs>{unknowns}</Outputs><InitialUnknowns>{unknowns}</InitialUnknowns>"
    place = "linux64"
text = f"""<?xml version="1.0" encoding="UTF-8"?>
<!-- a model -->
<fmiModelDescription {head}>{kind}<ModelVariables>{''.join(lines)}</ModelVariables><ModelStructure>{structure}</ModelStructure></fmiModelDescription>
"""
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("modelDescription.xml", text)
    z.write(library, f"binaries/{place}/{model}.so")
