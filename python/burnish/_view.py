"""Viewing clouds: the page of `burnish view`, in a browser or in a notebook."""

import html
import os
import tempfile
import webbrowser
from pathlib import Path

from . import _burnish
from ._arrays import running, whole_number
from ._cloud import Cloud
from ._denoise import Result
from ._errors import NotFoundError
from ._files import read
from ._interop import is_path


def _template():
    """The page template: the one named by BURNISH_VIEWER, that of the package, or that of the build folder."""
    package = Path(__file__).resolve().parent
    places = [package / "viewer.html", package.parent.parent / "viewer.html"]
    if os.environ.get("BURNISH_VIEWER"):
        places = [Path(os.environ["BURNISH_VIEWER"])]
    for place in places:
        if place.is_file():
            return place.read_text(encoding="utf-8")
    raise NotFoundError(f"{places[0]}: the page template is missing; cmake --build … --target burnish_viewer makes it")


def _as_cloud(source):
    if is_path(source):
        return read(source)
    if isinstance(source, Result):
        if source.cloud is None:
            return Cloud(source.positions, source.attributes)
        cloud = source.cloud.with_positions(source.cloud.positions)
        cloud.attributes = {**cloud.attributes, **source.attributes}
        return cloud
    return source if isinstance(source, Cloud) else Cloud(getattr(source, "positions", source))


def _name_of(source, number, count):
    if is_path(source):
        return Path(os.fspath(source)).name
    method = getattr(source, "method", None)
    if isinstance(method, str):
        return method
    return "before" if number == 0 and count > 1 else "after" if count == 2 else f"cloud {number + 1}"


def _facts_of(source):
    facts = getattr(source, "diagnostics", None)
    if not isinstance(facts, dict):
        return []
    numbers = {name: value for name, value in facts.items() if isinstance(value, (int, float)) and name not in ("noise", "spacing")}
    return [(name, f"{value:.4g}", "") for name, value in numbers.items()]


def _in_notebook():
    try:
        shell = get_ipython()  # noqa: F821: there only in IPython
    except NameError:
        return False
    return type(shell).__name__ == "ZMQInteractiveShell"


class View:
    """A page of clouds, displayed automatically in a notebook; path is the file, show() opens it in the browser."""

    def __init__(self, path, height):
        self.path = Path(path)
        self.height = height

    def show(self):
        """Opens the page in the browser; False if there is none."""
        return webbrowser.open(self.path.resolve().as_uri())

    def _repr_html_(self):
        page = html.escape(self.path.read_text(encoding="utf-8"), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: {self.height}px; border: 0"></iframe>'

    def __repr__(self):
        return f"<View: {self.path}>"


def view(
    *clouds, names=None, out=None, title="", unit="", height=600, max_points=5_000_000, open=None, threads=0, progress=None
):
    """Shows clouds side by side on a page: the cloud before denoising, and one or several results.

    Each of the clouds is anything that denoise accepts, or its Result. Clouds with as many points as the first are
    assumed to have the same points in the same order, and their moves can be shown; colours can show the attributes of
    clouds and results. The page is written to the file out, or to a temporary one, and opened in the browser; in a
    notebook it is shown inline, height pixels high. open=False only writes it.

    >>> import burnish
    >>> noisy = burnish.synth("sphere", points=500)
    >>> page = burnish.view(noisy, burnish.denoise(noisy), out="page.html", open=False)  # doctest: +SKIP
    """
    threads, progress = running(threads, progress)
    if not clouds:
        raise TypeError("view needs at least one cloud")
    names = list(names) if names is not None else [_name_of(c, i, len(clouds)) for i, c in enumerate(clouds)]
    if len(names) != len(clouds):
        raise ValueError(f"there are {len(names)} names for {len(clouds)} clouds")
    template = _template()
    viewed = [(str(name), _as_cloud(c)._parts(), _facts_of(c)) for name, c in zip(names, clouds)]
    if out is None:
        handle, out = tempfile.mkstemp(prefix="burnish-", suffix=".html")
        os.close(handle)
    max_points = whole_number("max_points", max_points, 10**9)
    _burnish.write_view(os.fspath(out), template, viewed, title or " · ".join(names), unit, max_points, threads, progress)
    page = View(out, int(height))
    if open or (open is None and not _in_notebook()):
        page.show()
    return page
