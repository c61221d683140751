"""analyse and denoise(analysis=...): the two halves of denoise."""

import numpy as np
import pytest

import burnish


def frame(seed, sigma=0.01):
    return burnish.add_noise(burnish.synth("organic", points=3000, seed=seed), sigma, seed=seed)


@pytest.mark.parametrize("keywords", [{}, {"strength": 0.5}, {"noise": 0.012}])
def test_two_halves_are_the_whole(keywords):
    cloud = frame(1)
    analysis = burnish.analyse(cloud, **keywords)
    result = burnish.denoise(cloud, analysis=analysis)
    whole = burnish.denoise(cloud, **keywords)
    assert np.array_equal(result.positions, whole.positions)
    assert not np.array_equal(result.positions, cloud.positions)
    for name, value in analysis.diagnostics.items():
        assert value == whole.diagnostics[name], name
    assert result.method == "auto" and "noise" in repr(analysis)


def test_analysis_holds_for_further_frames():
    analysis = burnish.analyse(frame(1).positions)
    for seed in (2, 3):
        other = frame(seed)
        result = burnish.denoise(other, analysis=analysis)
        own = burnish.evaluate(burnish.denoise(other), "organic")["rms_distance"]
        assert burnish.evaluate(result, "organic")["rms_distance"] < 1.1 * own  # noise differs from place to place
        assert result.cloud is not None and result.warnings == []


def test_noise_at_points():
    cloud = frame(1)
    analysis = burnish.analyse(cloud)
    noise = analysis.noise_at(cloud)
    assert noise.shape == (3000,) and np.sqrt(np.mean(noise**2)) == pytest.approx(analysis.noise, rel=0.1)
    assert analysis.noise_at(cloud.positions.reshape(30, 100, 3)).shape == (30, 100)
    assert analysis.noise_at([[np.nan, 0, 0]])[0] == 0


def test_analysis_goes_with_no_other_option():
    cloud = frame(1)
    analysis = burnish.analyse(cloud)
    for keywords in ({"method": "mls"}, {"strength": 2}, {"method": burnish.settings.Auto(noise=1.0)}):
        with pytest.raises(TypeError, match="those of analyse"):
            burnish.denoise(cloud, analysis=analysis, **keywords)
    with pytest.raises(TypeError, match="expected what analyse gives"):
        burnish.denoise(cloud, analysis=burnish.denoise(cloud))
    with pytest.warns(burnish.DenoiseWarning, match="the spacing is"):
        burnish.denoise(1000 * cloud.positions, analysis=analysis)
    with pytest.raises(burnish.Error, match="1e\\+300"):
        burnish.analyse([[1e300, 0, 0]])
    with pytest.raises(AttributeError, match="the analysis has no sigma; analyse gives spacing"):
        analysis.sigma


def test_a_noise_that_contradicts_the_data_is_warned_of_in_words_of_python():
    with pytest.warns(burnish.DenoiseWarning, match="Without noise it is estimated"):
        burnish.analyse(frame(1), noise=0.1)
