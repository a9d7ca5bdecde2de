import os
import shutil
import subprocess
import sysconfig


class OomdocError(RuntimeError):
    """The program is not there, or could not read what it was given."""


def find_program():
    """The path of the program: $OOMDOC, that of this installation, or the first on PATH."""
    name = "oomdoc.exe" if os.name == "nt" else "oomdoc"
    places = [os.environ.get("OOMDOC", "")]
    schemes = [None, "posix_user" if os.name == "posix" else os.name + "_user"]
    for scheme in schemes:
        try:
            scripts = sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts")
            places.append(os.path.join(scripts, name))
        except KeyError:
            continue
    # pip install --target DIR puts programs into DIR/bin.
    places.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin", name))
    for place in places:
        if place and os.path.isfile(place) and os.access(place, os.X_OK):
            return place
    found = shutil.which(name)
    if found:
        return found
    raise OomdocError("the program oomdoc is not there; install this package again, or name it in $OOMDOC")


def run(arguments, text=None):
    """Runs the program on arguments, with text on its standard input, and returns what it prints.

    An OomdocError says what the program says when it cannot read its input."""
    done = subprocess.run(
        [find_program(), *arguments],
        input=None if text is None else text.encode("utf-8", "surrogateescape"),
        stdin=subprocess.DEVNULL if text is None else None,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
    )
    if done.returncode not in (0, 1, 3):
        said = done.stderr.decode("utf-8", "replace").strip()
        raise OomdocError(said or "oomdoc ended with status %d" % done.returncode)
    return done.stdout.decode("utf-8")

