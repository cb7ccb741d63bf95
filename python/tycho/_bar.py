"""Progress of long work: tqdm's bar where tqdm is installed, or a function of the user's."""

import contextlib


@contextlib.contextmanager
def bar(progress, unit):
    """A function of (what, done, total): the user's own, or that of a bar; None where there is neither."""
    if progress is not True:
        yield progress or None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield lambda what, done, total: None
        return
    with tqdm(unit=unit) as shown:

        def tell(what, done, total):
            shown.total = total
            shown.update(done - shown.n)

        yield tell
