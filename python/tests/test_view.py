"""The page, from Python."""

import html
import json
import re
import webbrowser

import numpy as np
import pytest

import burnish

frame = "<html><title><!--burnish:title--></title><body><!--burnish:scene--></body></html>"


@pytest.fixture(autouse=True)
def page_frame(tmp_path, monkeypatch):
    (tmp_path / "frame.html").write_text(frame)
    monkeypatch.setenv("BURNISH_VIEWER", str(tmp_path / "frame.html"))


def scene_of(path):
    return json.loads(re.search(r'id="scene">(.*?)</script>', path.read_text(encoding="utf-8"), re.DOTALL)[1])


def test_shows_clouds_of_any_kind(noisy, tmp_path):
    result = burnish.denoise(noisy, "mls")
    page = burnish.view(noisy, result, np.array(noisy.positions), out=tmp_path / "page.html", unit="m", open=False)
    scene = scene_of(page.path)
    assert [cloud["name"] for cloud in scene["clouds"]] == ["before", "mls", "cloud 3"]
    assert scene["unit"] == "m" and scene["clouds"][1]["followsFirst"]
    assert [cloud["points"] for cloud in scene["clouds"]] == [3000] * 3


def test_colours_can_show_the_attributes_of_a_result(noisy, tmp_path):
    positions = noisy.positions.copy()
    positions[17] = [3, 3, 3]  # an attribute that is the same everywhere is not shown
    for source in (noisy.with_positions(positions), positions):
        page = burnish.view(noisy, burnish.denoise(source), out=tmp_path / "page.html", open=False)
        fields = {field["id"] for field in scene_of(page.path)["fields"]}
        assert {"attribute noise", "attribute moved", "attribute outlier"} <= fields


def test_opens_the_browser_unless_told_not_to(noisy, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or True)
    page = burnish.view(noisy)
    assert opened == [page.path.resolve().as_uri()]
    page.path.unlink()


def test_is_shown_inline_in_a_notebook(noisy, tmp_path):
    page = burnish.view(noisy, out=tmp_path / "page.html", open=False, height=400)
    shown = page._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "height: 400px" in shown
    assert html.unescape(re.search(r'srcdoc="(.*?)"', shown, re.DOTALL)[1]) == page.path.read_text(encoding="utf-8")


def test_in_a_notebook(tmp_path, monkeypatch):
    """A kernel of Jupyter runs the cells; what they show is what a reader sees."""
    reason = "needs the packages nbclient, nbformat and ipykernel"
    nbformat = pytest.importorskip("nbformat", reason=reason)
    nbclient = pytest.importorskip("nbclient", reason=reason)
    pytest.importorskip("ipykernel", reason=reason)
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\ntouch {opened}\n")
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    cells = [
        "import burnish\nnoisy = burnish.add_noise(burnish.synth('sphere', points=500), 0.01)\nnoisy",
        "burnish.view(noisy, burnish.denoise(noisy), out='page.html')",
        "burnish.denoise(noisy, progress=lambda stage, fraction: None).points",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [cell.outputs[-1]["data"]["text/html"] for cell in notebook.cells]
    assert "Cloud of 500 points" in shown[0] and "<table>" in shown[0]
    assert shown[1].startswith("<iframe srcdoc=") and "before · auto" in shown[1]
    assert "Cloud of 500 points" in shown[2]
    assert scene_of(tmp_path / "page.html")["clouds"][1]["name"] == "auto"
    assert not opened.exists()


def test_what_is_missing_is_said(noisy, tmp_path, monkeypatch):
    with pytest.raises(TypeError):
        burnish.view()
    with pytest.raises(ValueError, match="names"):
        burnish.view(noisy, names=["a", "b"], open=False)
    monkeypatch.setenv("BURNISH_VIEWER", str(tmp_path / "nowhere.html"))
    with pytest.raises(FileNotFoundError, match="burnish_viewer"):
        burnish.view(noisy, open=False)
