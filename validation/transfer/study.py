"""What transfers: rendered ground against photographs of the Moon. docs/transfer.md tells methods and numbers; `make study` runs it.

    study.py --old OLD/build/tycho [--tycho build/tycho] [--photos ../shared/data/photos] [--out out/transfer] [PART]...

Parts: sets, segmentation, patches, photometry (all by default); page, which puts tables and plots into docs/. What is done is kept, and a
study that was stopped goes on.
"""
import argparse
import os
import resource
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PARTS = ["sets", "segmentation", "patches", "photometry"]


def say(text):
    print(text, flush=True)


def refuse(text):
    print(f"study.py: {text}", file=sys.stderr)
    sys.exit(2)


class Timed:
    """Adds a line to timing.csv: part, seconds of the clock, seconds of processor time with all children."""

    def __init__(self, out, part):
        self.out, self.part = out, part

    def used(self):
        own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return sum(u.ru_utime + u.ru_stime for u in (own, children))

    def __enter__(self):
        say(f"{self.part}:")
        self.wall, self.cpu = time.time(), self.used()

    def __exit__(self, *why):
        os.makedirs(self.out, exist_ok=True)
        line = f"{self.part},{time.time() - self.wall:.0f},{self.used() - self.cpu:.0f}"
        with open(f"{self.out}/timing.csv", "a") as f:
            f.write(line + "\n")
        say(f"{self.part}: {line.split(',')[1]} s, {line.split(',')[2]} s of processor time")


def fill_page(out):
    """Tables between their marks in docs/transfer.md, numbers and plots beside it; no patches, which are of photographs."""
    import shutil
    page = f"{ROOT}/docs/transfer.md"
    with open(page) as f:
        text = f.read()
    for name in ("segmentation", "patches", "photometry", "fill"):
        if os.path.exists(f"{out}/{name}.md"):
            head, rest = text.split(f"<!-- {name} -->\n")
            with open(f"{out}/{name}.md") as f:
                text = f"{head}<!-- {name} -->\n{f.read()}<!-- end -->{rest.split('<!-- end -->', 1)[1]}"
    with open(page, "w") as f:
        f.write(text)
    import plots
    plots.table(out, f"{ROOT}/docs/pictures/transfer.png")
    plots.examples(out, f"{ROOT}/docs/pictures/transfer_sets.png")
    shutil.copy(f"{out}/segmentation.csv", f"{ROOT}/docs/transfer.csv")
    for name in ("patches", "photometry", "fill"):
        if os.path.exists(f"{out}/{name}.csv"):
            shutil.copy(f"{out}/{name}.csv", f"{ROOT}/docs/transfer_{name}.csv")


def run(part, said):
    if part == "sets":
        import grounds
        for name in said.sets or grounds.SETS:
            kind = grounds.SETS[name]
            grounds.make(said.old if kind["ground"] == "old" else said.tycho, f"{said.out}/sets/{name}", kind, said.threads, say, said.before.split())
    elif part == "segmentation":
        import segmentation
        segmentation.all_of_it(said.out, said.photos, said.seeds, said.steps, say, said.rows, said.threads)
        import plots
        plots.table(said.out, f"{said.out}/transfer.png")
        plots.examples(said.out, f"{said.out}/transfer_sets.png")
    elif part == "patches":
        import patches
        old_tree = os.path.dirname(os.path.dirname(os.path.abspath(said.old)))
        patches.all_of_it(said.out, said.photos, {"old": (said.old, f"{old_tree}/scenarios/mare_plain.yaml"),
                                                  "new": (said.tycho, f"{ROOT}/scenarios/mare_plain.yaml")}, say, said.seeds)
    elif part == "photometry":
        import photometry
        photometry.all_of_it(said.tycho, said.out, said.photos, say)


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("part", nargs="*", default=[], metavar="PART")
    ask.add_argument("--tycho", default=f"{ROOT}/build/tycho")
    ask.add_argument("--old", default=f"{ROOT}/out/transfer/old/build/tycho", help="the program of 5265e9b")
    ask.add_argument("--photos", default=f"{ROOT}/../shared/data/photos")
    ask.add_argument("--out", default=f"{ROOT}/out/transfer")
    ask.add_argument("--seeds", type=int, default=3)
    ask.add_argument("--steps", type=int, default=300)
    ask.add_argument("--before", default="", help="words before every tycho, as nice")
    ask.add_argument("--sets", nargs="*", help="sets to make; all")
    ask.add_argument("--threads", type=int, default=1, help="of tycho dataset, and trainings side by side")
    ask.add_argument("--rows", nargs="*", help="rows of the table; all")
    said = ask.parse_args()
    unknown = [p for p in said.part if p not in [*PARTS, "page"]]
    if unknown:
        refuse(f"there is no part {unknown[0]}; {', '.join(PARTS)} and page are known")
    if not os.path.isdir(f"{said.photos}/change3"):
        refuse(f"the photographs are not there: {said.photos}/change3 is no folder; the study needs the project's shared data beside the checkout")
    if said.rows:
        import segmentation
        known = [*segmentation.ROWS, "real"]
        unknown = [r for r in said.rows if r not in known]
        if unknown:
            refuse(f"there is no row {unknown[0]}; {', '.join(known)} are known")
    parts = said.part or PARTS
    for part in PARTS:
        if part in parts:
            with Timed(said.out, part):
                run(part, said)
    if "page" in parts:
        fill_page(said.out)


if __name__ == "__main__":
    main()
