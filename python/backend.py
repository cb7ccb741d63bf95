"""Builds the wheel of the package tycho, for pip (PEP 517) and for `make python`: the extension, the program, the shared libraries that they need,
models, scenarios and tasks. Needs what building Tycho needs (scripts/setup bundle), and no package of PyPI.

    python3 python/backend.py FOLDER

Built without GDAL, as the bundle is: rasters are then refused with a sentence. Runs on x86-64 Linux whose C library is at least as new as here.
"""

import base64
import glob
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, "build-bundle")
# what comes with every Linux stays there: the C library. That of C++ is the system's where it has one: two of them in a process do not go together.
SYSTEM = re.compile(r"(libc|libm|libpthread|libdl|librt|libresolv)\.so\.|ld-linux")
FALLBACK = re.compile(r"(libstdc\+\+|libgcc_s)\.so\.")


def version():
    with open(os.path.join(ROOT, "CMakeLists.txt")) as f:
        return re.search(r"project\(tycho VERSION ([0-9.]+)", f.read()).group(1)


def tag():
    return f"cp311-abi3-manylinux_{platform.libc_ver()[1].replace('.', '_')}_{platform.machine()}"


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"python/backend.py: {' '.join(command[:4])} ... failed:\n{done.stdout[-3000:]}")
    return done.stdout


def compile():
    for tool in ("cmake", "ninja", "patchelf", "strip", "ldd"):
        if not shutil.which(tool):
            sys.exit(f"python/backend.py: {tool} is not installed; scripts/setup bundle installs what a wheel needs")
    if not os.path.exists(os.path.join(BUILD, "build.ninja")):
        run("cmake", "-G", "Ninja", "-S", ROOT, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", "-DTYCHO_GDAL=OFF")
    run("cmake", "-S", ROOT, "-B", BUILD)  # new files of the package
    run("cmake", "--build", BUILD, "-j", str(os.cpu_count()), "--target", "tycho", "tycho_python", "tycho_fmu")


def libraries(*binaries):
    """Paths of all shared libraries that they need, by name."""
    found = {}
    for binary in binaries:
        for name, path in re.findall(r"^\s*(\S+) => (/\S+)", run("ldd", binary), re.M):
            if not SYSTEM.search(os.path.basename(path)):
                found[name] = path
    return found


def fill(package):
    """The package's folder, ready to be used from anywhere."""
    built = os.path.join(BUILD, "pytycho", "tycho", "_tycho.abi3.so")
    program = os.path.join(BUILD, "tycho")
    shutil.copytree(os.path.join(ROOT, "python", "tycho"), package, ignore=shutil.ignore_patterns("__pycache__"))
    lib, fallback = os.path.join(package, "lib"), os.path.join(package, "lib", "fallback")
    os.makedirs(fallback)
    os.makedirs(os.path.join(package, "bin"))
    for name, path in libraries(built, program).items():
        shutil.copy(os.path.realpath(path), os.path.join(fallback if FALLBACK.search(name) else lib, name))
    shutil.copy(os.path.join(BUILD, "libtycho_fmu.so"), lib)
    shutil.copy(built, package)
    shutil.copy(program, os.path.join(package, "bin", "tycho"))
    for path in [p for p in glob.glob(lib + "/**/*.so*", recursive=True)]:
        os.chmod(path, 0o755)
        subprocess.run(["strip", "--strip-unneeded", path], stderr=subprocess.DEVNULL)
        run("patchelf", "--set-rpath", "$ORIGIN", path)
    for path, rpath in ((os.path.join(package, "_tycho.abi3.so"), "$ORIGIN/lib"), (os.path.join(package, "bin", "tycho"), "$ORIGIN/../lib")):
        run("strip", "--strip-unneeded", path)
        run("patchelf", "--set-rpath", rpath, path)
    for folder in ("models", "scenarios", "tasks"):
        shutil.copytree(os.path.join(ROOT, folder), os.path.join(package, "share", folder), ignore=shutil.ignore_patterns("expected"))


def metadata(info):
    os.makedirs(info)
    with open(os.path.join(ROOT, "docs", "python.md")) as f:
        about = f.read()
    files = {
        "METADATA": f"Metadata-Version: 2.1\nName: tycho\nVersion: {version()}\nSummary: Lunar rovers, their sensors and the ground they drive on, simulated\n"
                    f"License: BSD-3-Clause\nRequires-Python: >=3.11\nRequires-Dist: numpy\nProvides-Extra: gym\nRequires-Dist: gymnasium >=1.1 ; extra == 'gym'\n"
                    f"Description-Content-Type: text/markdown\n\n{about}",
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: tycho {version()}\nRoot-Is-Purelib: false\nTag: {tag()}\n",
        "entry_points.txt": "[console_scripts]\ntycho = tycho._program:main\n\n[gymnasium.envs]\nTycho = tycho.gym:register_envs\n",
    }
    for name, text in files.items():
        with open(os.path.join(info, name), "w") as f:
            f.write(text)
    shutil.copy(os.path.join(ROOT, "LICENSE"), info)


def pack(folder, info, wheel):
    """The same files give the same bytes."""
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for path in sorted(p for p in glob.glob(folder + "/**/*", recursive=True) if os.path.isfile(p)):
            name = os.path.relpath(path, folder)
            with open(path, "rb") as f:
                data = f.read()
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
            out.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")
        name = os.path.basename(info) + "/RECORD"
        out.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), "\n".join(record + [f"{name},,"]) + "\n")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    compile()
    name = f"tycho-{version()}-{tag()}.whl"
    with tempfile.TemporaryDirectory() as folder:
        info = os.path.join(folder, f"tycho-{version()}.dist-info")
        fill(os.path.join(folder, "tycho"))
        metadata(info)
        pack(folder, info, os.path.join(wheel_directory, name))
    return name


def build_sdist(sdist_directory, config_settings=None):
    """What git has of the source."""
    name = f"tycho-{version()}"
    with open(os.path.join(sdist_directory, name + ".tar.gz"), "wb") as f:
        subprocess.run(["git", "-C", ROOT, "archive", "--format=tar.gz", f"--prefix={name}/", "HEAD"], stdout=f, check=True)
    return name + ".tar.gz"


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    made = os.path.join(sys.argv[1], build_wheel(sys.argv[1]))
    print(f"{made}: {os.path.getsize(made) / 1e6:.1f} MB")
