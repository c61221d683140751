"""Clouds are indexed, concatenated and shown."""

import copy
import pickle

import numpy as np
import pytest

import burnish


@pytest.fixture
def cloud():
    points = np.arange(12.0).reshape(4, 3)
    lists = burnish.Lists.of([[1], [2, 3], [], [4]])
    return burnish.Cloud(points, {"intensity": np.arange(4, dtype=np.uint16), "name": ["a", "b", "c", "d"], "faces": lists})


@pytest.mark.parametrize("key", [slice(1, 3), [1, 2], np.array([False, True, True, False])])
def test_points_by_slice_numbers_and_mask(cloud, key):
    some = cloud[key]
    assert (some.positions == cloud.positions[1:3]).all() and len(some) == 2
    assert some["intensity"].tolist() == [1, 2] and some["intensity"].dtype == np.uint16
    assert list(some["name"]) == ["b", "c"] and [row.tolist() for row in some["faces"]] == [[2, 3], []]
    assert len(cloud) == 4


def test_one_point_and_attributes_by_name(cloud):
    assert (cloud[-1].positions == [[9, 10, 11]]).all()
    assert cloud["intensity"].tolist() == [0, 1, 2, 3]
    with pytest.raises(KeyError):
        cloud["no such attribute"]
    with pytest.raises(IndexError):
        cloud[4]


def test_concatenation_keeps_what_all_have(cloud):
    other = burnish.Cloud(np.zeros((2, 3)), {"intensity": np.array([9, 9], np.uint16)})
    both = cloud + other
    assert len(both) == 6 and list(both.attributes) == ["intensity"] and both["intensity"].dtype == np.uint16
    assert len(burnish.Cloud.concatenate([cloud, cloud, cloud])["faces"]) == 12
    assert len(burnish.Cloud.concatenate([])) == 0


def test_lengths_of_attributes_are_checked_at_once():
    with pytest.raises(ValueError, match='"red" has 2 values for 3 points'):
        burnish.Cloud(np.zeros((3, 3)), {"red": [1, 2]})
    with pytest.raises(ValueError, match="one value"):
        burnish.Cloud(np.zeros((3, 3)), {"red": 1})


def test_a_notebook_shows_a_table(cloud):
    shown = cloud._repr_html_()
    assert "Cloud of 4 points" in shown and "intensity" in shown and "uint16" in shown
    hostile = burnish.Cloud(np.zeros((1, 3)), {"<script>": [1]})
    assert "<script>" not in hostile._repr_html_()


def test_lengths_of_attributes_are_checked_as_they_are_set(cloud):
    for wrong in (np.zeros(3), 7):
        with pytest.raises(ValueError, match="4 points"):
            cloud.attributes["wrong"] = wrong
        with pytest.raises(ValueError, match="4 points"):
            cloud.attributes.update(wrong=wrong)
        with pytest.raises(ValueError, match="4 points"):
            cloud.attributes |= {"wrong": wrong}
        with pytest.raises(ValueError, match="4 points"):
            cloud.attributes = {"wrong": wrong}
    assert "wrong" not in cloud.attributes and len(cloud.attributes) == 3
    again = pickle.loads(pickle.dumps(cloud))
    with pytest.raises(ValueError, match="4 points"):
        copy.copy(again).attributes["wrong"] = np.zeros(3)
    cloud.positions = cloud.positions[:2]
    cloud.attributes = {"right": np.zeros(2)}
