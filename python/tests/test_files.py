"""read and write: what the command converts, and what arrays become in files."""

import io
import pickle
import warnings

import numpy as np
import pytest

import burnish


@pytest.fixture
def cloud():
    random = np.random.default_rng(3)
    n = 60
    attributes = {f"a_{t}": random.integers(0, 100, n).astype(t) for t in "int8 uint8 int16 uint16 int32 uint32".split()}
    attributes |= {"a_float32": random.normal(size=n).astype(np.float32), "a_float64": random.normal(size=n)}
    return burnish.Cloud(random.normal(size=(n, 3)), attributes, comments=["a comment"])


def check_equal(a, b):
    assert np.array_equal(a.positions, b.positions, equal_nan=True)
    assert list(a.attributes) == list(b.attributes)
    for name, column in a.attributes.items():
        assert column.dtype == b.attributes[name].dtype, name
        assert np.array_equal(column, b.attributes[name]), name


@pytest.mark.parametrize("ending", ["ply", "pcd", "npy", "npz"])
def test_types_and_values_survive(cloud, tmp_path, ending):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", burnish.LeftOut)
        burnish.write(tmp_path / f"cloud.{ending}", cloud)
    check_equal(burnish.read(tmp_path / f"cloud.{ending}"), cloud)


@pytest.mark.parametrize("ending", "ply pcd las xyz txt asc csv pts ptx npy npz bin obj off".split())
def test_every_format_is_written(cloud, tmp_path, ending):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        burnish.write(str(tmp_path / f"cloud.{ending}"), cloud)
    assert (ending in "ply pcd xyz txt asc csv".split()) == (not caught)
    assert all(warning.category is burnish.LeftOut and warning.filename == __file__ for warning in caught)
    assert np.allclose(burnish.read(tmp_path / f"cloud.{ending}").positions, cloud.positions, atol=1e-6)


def test_is_what_the_command_converts(shared_data, command, tmp_path):
    files = "formats/pcl/colored_cloud.pcd formats/tinyply/icosahedron_ascii.ply scans/capture0001.pcd".split()
    files += [str(next((shared_data / "formats/laspy").glob("*.las")).relative_to(shared_data))]
    for number, name in enumerate(name for name in files if (shared_data / name).exists()):
        ending = "las" if name.endswith("las") else "ply"
        command("convert", shared_data / name, tmp_path / f"{number}-command.{ending}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", burnish.LeftOut)
            burnish.write(tmp_path / f"{number}.{ending}", burnish.read(shared_data / name))
        assert (tmp_path / f"{number}.{ending}").read_bytes() == (tmp_path / f"{number}-command.{ending}").read_bytes()
    assert number >= 2


def test_agrees_with_numpy(tmp_path):
    points = np.random.default_rng(1).normal(size=(20, 3)).astype(np.float32)
    np.save(tmp_path / "points.npy", points)
    assert np.array_equal(burnish.read(tmp_path / "points.npy").positions, points)
    burnish.write(tmp_path / "again.npy", points)
    again = np.load(tmp_path / "again.npy")
    assert again.dtype == np.float32 and np.array_equal(again, points)


@pytest.mark.parametrize("shape", [(20,), (4, 5)])
def test_numpy_reads_the_archives(tmp_path, shape):
    points = np.random.default_rng(1).normal(size=(*shape, 3))
    attributes = {"label": np.arange(20, dtype=np.int16), "normals": np.ones((20, 3), np.float32)}
    burnish.write(tmp_path / "cloud.npz", burnish.Cloud(points, attributes))
    with np.load(tmp_path / "cloud.npz") as archive:
        assert archive.zip.testzip() is None
        assert archive.files == ["points", "label", "normals"]
        for name, expected in (attributes | {"points": points}).items():
            assert archive[name].dtype == expected.dtype and np.array_equal(archive[name], expected)
    np.savez_compressed(tmp_path / "again.npz", points=points, **attributes)
    check_equal(burnish.read(tmp_path / "again.npz"), burnish.read(tmp_path / "cloud.npz"))


def test_organised_clouds(tmp_path):
    image = np.random.default_rng(1).normal(size=(4, 5, 3))
    image[1, 2] = np.nan
    cloud = burnish.Cloud(image, {"depth": np.arange(20.0).reshape(4, 5)})
    assert (cloud.width, cloud.height, len(cloud)) == (5, 4, 20)
    burnish.write(tmp_path / "image.pcd", cloud)
    again = burnish.read(tmp_path / "image.pcd")
    assert (again.width, again.height) == (5, 4)
    check_equal(again, cloud)


def test_float_positions_are_written_as_float(tmp_path):
    burnish.write(tmp_path / "float.ply", np.zeros((2, 3), np.float32))
    burnish.write(tmp_path / "double.ply", np.zeros((2, 3)))
    assert b"property float x" in (tmp_path / "float.ply").read_bytes()
    assert b"property double x" in (tmp_path / "double.ply").read_bytes()
    result = burnish.denoise(burnish.read(tmp_path / "float.ply"))
    burnish.write(tmp_path / "result.ply", result)
    assert (tmp_path / "result.ply").read_bytes() == (tmp_path / "float.ply").read_bytes()


def test_several_values_a_point(tmp_path):
    descriptor = np.arange(12, dtype=np.float32).reshape(4, 3)
    ragged = burnish.Lists.of([[1], [2, 3], [], [4, 5, 6]], np.int16)
    cloud = burnish.Cloud(np.zeros((4, 3)), {"descriptor": descriptor, "ragged": ragged})
    burnish.write(tmp_path / "lists.ply", cloud)
    again = burnish.read(tmp_path / "lists.ply")
    assert np.array_equal(again.attributes["descriptor"], descriptor)
    assert [row.tolist() for row in again.attributes["ragged"]] == [[1], [2, 3], [], [4, 5, 6]]
    assert again.attributes["ragged"].values.dtype == np.int16
    assert again.attributes["ragged"][-1].tolist() == [4, 5, 6]
    with pytest.raises(IndexError):
        again.attributes["ragged"][4]


def test_meshes(tmp_path):
    vertices = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 1]]
    (tmp_path / "mesh.off").write_text(
        "OFF\n5 2 0\n" + "\n".join(" ".join(map(str, v)) for v in vertices) + "\n4 0 1 2 3\n3 0 1 4\n"
    )
    mesh = burnish.read(tmp_path / "mesh.off")
    assert mesh.triangles.tolist() == [[0, 1, 2], [0, 2, 3], [0, 1, 4]]
    burnish.write(tmp_path / "mesh.ply", burnish.Cloud.mesh(vertices, mesh.triangles))
    assert burnish.read(tmp_path / "mesh.ply").tables["face"]["vertex_indices"].tolist() == mesh.triangles.tolist()
    assert burnish.Cloud(vertices).triangles.shape == (0, 3)
    with pytest.raises(burnish.Error, match="refers to vertex 9"):
        burnish.Cloud.mesh(vertices, [[0, 1, 9]]).triangles


def test_text_of_any_bytes(tmp_path):
    (tmp_path / "names.csv").write_bytes(b'x,y,z,name\n0,0,0,"Stra\xdfe"\n1,1,1,"\xe8\xa1\x97"\n')
    cloud = burnish.read(tmp_path / "names.csv")
    assert cloud.attributes["name"].tolist() == ["Stra\udcdfe", "街"]
    burnish.write(tmp_path / "again.csv", cloud)
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "names.csv").read_bytes()


def test_attributes_of_any_type(tmp_path):
    attributes = {
        "flag": np.array([True, False]),
        "half": np.array([1, 2], np.float16),
        "long": np.array([1, 2], np.longdouble),
        "swapped": np.array([1, 2], ">i4"),
        "strided": np.arange(4, dtype=np.int16)[::2],
        "plain": [1, 2],
    }
    file = io.BytesIO()
    burnish.write(file, np.zeros((2, 3)), attributes | {"plain": np.array([1, 2], np.int32)})
    file.seek(0)
    types = {name: str(column.dtype) for name, column in burnish.read(file).attributes.items()}
    assert types == dict(flag="uint8", half="float32", long="float64", swapped="int32", strided="int16", plain="int32")


def test_attributes_given_beside_a_cloud_are_added():
    cloud = burnish.Cloud(np.zeros((2, 3)), {"a": np.zeros(2, np.int8)})
    file = io.BytesIO()
    burnish.write(file, cloud, {"b": np.ones(2, np.int8)})
    file.seek(0)
    assert list(burnish.read(file).attributes) == ["a", "b"]
    assert list(cloud.attributes) == ["a"]


def uneven():
    cloud = burnish.Cloud(np.zeros((3, 3)), {"a": np.zeros(3)})
    cloud.positions = np.zeros((2, 3))
    return cloud


@pytest.mark.parametrize(
    "cloud, error, message",
    [
        (uneven(), burnish.Error, '"a" has 3 rows, expected 2'),
        (burnish.Cloud(np.zeros((2, 3)), width=7, height=1), burnish.Error, "width 7"),
        (burnish.Cloud(np.zeros((2, 3)), width=-7, height=1), (burnish.Error, TypeError, RuntimeError), ""),
        (burnish.Cloud(np.zeros((2, 3)), {"a": np.zeros(2, complex)}), TypeError, '"a" is of type complex'),
        (burnish.Cloud(np.zeros((2, 3)), {"a": [{}, {}]}), TypeError, "neither numbers nor text"),
        (burnish.Cloud(np.zeros((2, 3)), {"a": np.zeros((2, 2, 2))}), ValueError, "shape"),
        (burnish.Cloud(np.zeros((2, 3)), {"a": burnish.Lists([1, 2], [2, 1])}), burnish.Error, "do not end"),
        (burnish.Cloud(np.zeros((2, 3)), {"a": burnish.Lists([1, 2], [1, 9])}), burnish.Error, "do not end"),
        (burnish.Cloud(np.zeros((2, 3)), position_type="int12"), burnish.Error, "int12"),
        (burnish.Cloud(np.zeros((2, 3)), tables={"t": {"a": [1], "b": [1, 2]}}), burnish.Error, "has 2 rows"),
    ],
)
def test_clouds_that_do_not_fit_together_are_refused(tmp_path, cloud, error, message):
    with pytest.raises(error, match=message):
        burnish.write(tmp_path / "out.ply", cloud)
    assert not list(tmp_path.iterdir())


def test_a_damaged_las_header_is_refused(tmp_path):
    for header in (b"", b"LASF", bytes(400), b"\xff" * 400):
        with pytest.raises(burnish.Error, match="damaged"):
            burnish.write(tmp_path / "out.las", burnish.Cloud(np.zeros((2, 3)), format_data={"las header": header}))


def test_errors_have_the_library_s_message(tmp_path):
    with pytest.raises(burnish.Error, match="missing.ply"):
        burnish.read(tmp_path / "missing.ply")
    (tmp_path / "bad.ply").write_text("ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\n")
    with pytest.raises(burnish.Error, match="bad.ply.*end_header"):
        burnish.read(tmp_path / "bad.ply")
    with pytest.raises(burnish.Error, match="ending .doc is unknown"):
        burnish.write(tmp_path / "cloud.doc", np.zeros((2, 3)))
    with pytest.raises(TypeError, match="binary"):
        burnish.read(io.StringIO("0 0 0"))
    assert issubclass(burnish.Error, ValueError)


def test_normals_are_found(cloud):
    assert cloud.normals is None
    cloud.attributes |= {f"normal_{axis}": np.full(60, i, np.float32) for i, axis in enumerate("xyz")}
    assert cloud.normals.tolist() == [[0, 1, 2]] * 60
    cloud.attributes |= {f"n{axis}": np.array(["text"] * 60) for axis in "xyz"}
    assert cloud.normals.tolist() == [[0, 1, 2]] * 60


def test_clouds_can_be_pickled(cloud):
    again = pickle.loads(pickle.dumps(cloud))
    check_equal(again, cloud)
    assert again.comments == cloud.comments
