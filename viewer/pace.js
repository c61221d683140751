// How many points to draw at a time, so that it takes no longer than it should.

const least = 8000;  // fewer are no faster, and show less

export class Pace {
  constructor(milliseconds) {
    this.milliseconds = milliseconds;
    this.points = 100000;
  }

  /// Falls at once to what would have been right and rises slowly: one time tells little, and the next shall not stutter.
  learn(points, took) {
    const isFast = took < 0.65 * this.milliseconds;
    const better = isFast ? 1.3 * this.points : (points * this.milliseconds) / took;
    this.points = Math.min(Math.max(better, least), 1e9);
  }
}
