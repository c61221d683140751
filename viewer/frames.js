// When the stage is drawn, and how many points at a time.
import {countOf} from './stage.js';

const fewest = 8000;  // fewer are no faster, and show less

/// How many points to draw so that it takes no longer than a number of milliseconds.
class Pace {
  constructor(milliseconds) {
    this.milliseconds = milliseconds;
    this.points = 100000;
  }

  /// Falls at once to what would have been right and rises slowly: one time says little, and the next shall not stutter.
  learn(points, took) {
    const isFast = took < 0.65 * this.milliseconds;
    const better = isFast ? 1.3 * this.points : (points * this.milliseconds) / took;
    this.points = Math.min(Math.max(better, fewest), 1e9);
  }
}

/// Frames are drawn when something changed, one after the other, never faster than the graphics card finishes them. While
/// they follow each other, only as many points are drawn as it manages in 30 ms, and without a graphics card, where their
/// pixels count as well, half as sharp. At rest all are drawn, beside what is seen and in portions so small that who
/// begins to turn again hardly waits.
export class Frames {
  /// `prepare` makes the clouds ready and returns the parts of the stage; `notify` gets these when the canvas has changed.
  constructor(stage, prepare, notify) {
    Object.assign(this, {stage, prepare, notify});
    this.turning = new Pace(30);
    this.resting = new Pace(80);
    this.pace = this.turning;  // of what was drawn last
    this.isSlow = false;
    this.isWanted = false;
    this.isRunning = false;
    this.refining = null;
    this.restsSince = 0;
    this.drawn = 0;  // how often the canvas has changed
    this.budget = 0;  // points to draw while turning; 0 for as many as there is time for
  }

  /// Something has changed.
  request() {
    this.isWanted = true;
    this.run();
  }

  /// Draws all points at once.
  draw() {
    this.drawPoints(Infinity, false);
  }

  /// Draws at once as many as there is time for while turning.
  drawSome() {
    this.drawPoints(this.budget || this.turning.points, this.isSlow && !this.budget);
  }

  drawPoints(points, isCoarse) {
    const shown = this.prepare();
    this.stage.draw(shown, Math.min(1, points / countOf(shown)), isCoarse);
    this.pace = this.turning;
    this.refining = null;
    this.changed(shown);
    this.run();
  }

  changed(shown) {
    ++this.drawn;
    this.notify(shown);
  }

  run() {
    if (!this.isRunning) {
      this.isRunning = true;
      this.wait();
    }
  }

  wait() {
    requestAnimationFrame(now => this.step(now));
  }

  step(now) {
    const took = this.stage.timeOfLastDraw();
    if (took === undefined) {
      this.wait();
      return;
    }
    if (took !== null) {
      this.pace.learn(this.stage.drawnLast, took);
      this.isSlow = this.turning.points < (this.isSlow ? 300000 : 20000);
    }
    if (this.isWanted) {
      this.isWanted = false;
      this.restsSince = now;
      this.drawSome();
    } else if (this.stage.isComplete) {
      this.isRunning = false;
      return;
    } else if (now > this.restsSince + 200) {
      this.refine();
    }
    this.wait();
  }

  /// The next portion of the picture with all points.
  refine() {
    const shown = this.prepare();
    this.pace = this.resting;
    if (!this.refining) {
      this.refining = this.stage.refine(shown);
      this.refining.next();
    }
    if (this.refining.next(this.resting.points).done) {
      this.refining = null;
      this.changed(shown);
    }
  }
}
