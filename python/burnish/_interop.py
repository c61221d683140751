"""Clouds of other packages, which are accepted wherever points are expected; results have the same type.

None of the packages is imported: an object is recognised by the module of its type.
"""

import copy
import os

import numpy as np


class Kind:
    """A type of objects with points: how to recognise it, read its points, and create one with other points."""

    def __init__(self, recognises, positions, attributes, with_positions):
        self.recognises = recognises
        self.positions = positions
        self.attributes = attributes
        self.with_positions = with_positions


def _is_from(package, *attributes):
    def recognises(source):
        module = type(source).__module__
        return (module == package or module.startswith(package + ".")) and all(hasattr(source, a) for a in attributes)

    return recognises


def _none(source):
    return {}


# Open3D, legacy and tensor.


def _normal_columns(normals):
    return dict(zip(("nx", "ny", "nz"), np.asarray(normals).T))


def _colour_columns(colours):
    """Columns of colours, from 0 to 1 or as bytes; a fourth value is alpha."""
    colours = np.asarray(colours)
    colours = colours if colours.dtype == np.uint8 else np.round(255 * colours).astype(np.uint8)
    return dict(zip(("red", "green", "blue", "alpha"), colours.T))


def _open3d_attributes(cloud):
    attributes = {}
    if cloud.has_normals():
        attributes.update(_normal_columns(cloud.normals))
    if cloud.has_colors():
        attributes.update(_colour_columns(cloud.colors))
    return attributes


def _tensor_attributes(cloud):
    attributes = {}
    for name, tensor in cloud.point.items():
        values = tensor.cpu().numpy()
        if name == "normals":
            attributes.update(_normal_columns(values))
        elif name == "colors":
            attributes.update(_colour_columns(values))
        elif name != "positions":
            attributes[name] = values.ravel() if values.ndim == 2 and values.shape[1] == 1 else values
    return attributes


def _open3d_moved(cloud, positions):
    moved = copy.deepcopy(cloud)
    vectors = type(cloud.points)
    moved.points = vectors(np.ascontiguousarray(positions, dtype=np.float64))
    return moved


def _tensor_moved(cloud, positions):
    moved = cloud.clone()
    before = cloud.point["positions"]
    moved.point["positions"] = type(before)(np.ascontiguousarray(positions), before.dtype, before.device)
    return moved


# PyVista and trimesh.


def _pyvista_moved(cloud, positions):
    moved = cloud.copy()
    moved.points = positions
    return moved


def _trimesh_attributes(cloud):
    colours = getattr(cloud, "colors", None)
    return _colour_columns(colours) if colours is not None and len(colours) == len(cloud.vertices) else {}


def _trimesh_moved(cloud, positions):
    moved = cloud.copy()
    moved.vertices = positions
    return moved


# laspy.


def _laspy_attributes(las):
    own = {"X", "Y", "Z", "bit_fields", "raw_classification", "classification_flags"}
    return {name: np.asarray(las[name]) for name in las.point_format.dimension_names if name not in own}


def _laspy_moved(las, positions):
    moved = type(las)(copy.deepcopy(las.header), las.points.copy())
    moved.x, moved.y, moved.z = positions.T
    return moved


# pandas and arrays with named fields.


def _named(names):
    """The names of x, y and z among some names, upper or lower case; None if one is missing."""
    by_lower = {str(name).lower(): name for name in reversed(list(names))}
    return [by_lower[axis] for axis in "xyz"] if all(axis in by_lower for axis in "xyz") else None


def _stacked(columns):
    dtype = np.result_type(*columns)
    return np.stack([np.asarray(column, dtype) for column in columns], axis=-1)


def _is_frame(source):
    return _is_from("pandas", "columns", "iloc")(source) and _named(source.columns) is not None


def _frame_positions(frame):
    return _stacked([frame[name].to_numpy() for name in _named(frame.columns)])


def _frame_attributes(frame):
    places = _named(frame.columns)
    return {str(name): frame[name].to_numpy() for name in frame.columns if name not in places}


def _frame_moved(frame, positions):
    return frame.assign(**dict(zip(map(str, _named(frame.columns)), np.asarray(positions).T)))


def _is_structured(source):
    return isinstance(source, np.ndarray) and bool(source.dtype.names) and _named(source.dtype.names) is not None


def _structured_positions(array):
    return _stacked([array[name] for name in _named(array.dtype.names)])


def _structured_attributes(array):
    places = _named(array.dtype.names)
    return {name: array[name].ravel() for name in array.dtype.names if name not in places and array[name].ndim <= 2}


def _structured_moved(array, positions):
    moved = array.copy()
    for axis, name in enumerate(_named(array.dtype.names)):
        moved[name] = positions[..., axis]
    return moved


# Masked arrays: points that are masked keep their place and have no influence.


def _is_masked(source):
    return isinstance(source, np.ma.MaskedArray) and not source.dtype.names


def _masked_positions(array):
    dtype = array.dtype if array.dtype.kind == "f" else np.float64
    hidden = np.ma.getmaskarray(array).any(axis=-1)
    places = np.array(array.data, dtype)
    places[hidden] = np.nan
    return places


def _masked_moved(array, positions):
    hidden = np.ma.getmaskarray(array)
    moved = np.where(hidden.any(axis=-1, keepdims=True), array.data, positions)
    return np.ma.MaskedArray(moved, hidden.copy())


_kinds = [
    Kind(
        _is_from("open3d", "points", "has_normals", "has_colors"),
        lambda cloud: np.asarray(cloud.points),
        _open3d_attributes,
        _open3d_moved,
    ),
    Kind(
        _is_from("open3d", "point", "clone"),
        lambda cloud: cloud.point["positions"].cpu().numpy(),
        _tensor_attributes,
        _tensor_moved,
    ),
    Kind(
        _is_from("pyvista", "points", "point_data"),
        lambda cloud: np.asarray(cloud.points),
        lambda cloud: {str(name): np.asarray(values) for name, values in cloud.point_data.items()},
        _pyvista_moved,
    ),
    Kind(
        _is_from("trimesh", "vertices", "copy"),
        lambda cloud: np.asarray(cloud.vertices),
        _trimesh_attributes,
        _trimesh_moved,
    ),
    Kind(_is_from("laspy", "xyz", "point_format"), lambda las: np.asarray(las.xyz), _laspy_attributes, _laspy_moved),
    Kind(_is_frame, _frame_positions, _frame_attributes, _frame_moved),
    Kind(_is_structured, _structured_positions, _structured_attributes, _structured_moved),
    Kind(_is_masked, _masked_positions, _none, _masked_moved),
]


def kind_of(source):
    """The Kind of an object; None for arrays, sequences, and objects of burnish."""
    return next((kind for kind in _kinds if kind.recognises(source)), None)


def is_path(source):
    return isinstance(source, (str, os.PathLike))
