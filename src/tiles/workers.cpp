#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "core/parallel.hpp"
#include "tiles/tile_work.hpp"

namespace burnish::tiles {
namespace {

/// Waits for its threads at the end, as std::jthread does, which libc++ does not have yet.
struct Threads {
  Threads() = default;
  ~Threads() { std::ranges::for_each(all, &std::thread::join); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  std::vector<std::thread> all;
};

/// Tiles that are taken one after the other by several threads, and how far all of them are.
class Workers {
 public:
  Workers(const std::vector<Tile>& tiles, const std::vector<std::size_t>& to_do,
          const std::function<void(std::size_t tile, const ExecutionContext&)>& work, const ExecutionContext& context)
      : tiles_(tiles), to_do_(to_do), work_(work), context_(context) {
    for (const std::size_t t : to_do) {
      all_points_ += static_cast<double>(tiles[t].points);
    }
  }

  void run(std::size_t workers, int threads_each) {
    under_way_.assign(workers, 0.0);
    {
      Threads others;
      for (std::size_t w = 1; w < workers; ++w) {
        others.all.emplace_back([this, w, threads_each] { work(w, threads_each); });
      }
      work(0, threads_each);
    }
    if (error_) {
      std::rethrow_exception(error_);
    }
  }

 private:
  void work(std::size_t worker, int threads) {
    try {
      for (std::size_t i = next_++; i < to_do_.size(); i = next_++) {
        ExecutionContext own;
        own.threads = threads;
        const auto points = static_cast<double>(tiles_[to_do_[i]].points);
        own.on_progress = [&](std::string_view /*stage*/, double fraction) {
          if (stopped_ || context_.cancelled()) {
            own.cancel();
          }
          report(worker, fraction * points);
        };
        context_.check_cancelled();
        work_(to_do_[i], own);
        finish(worker, points);
      }
    } catch (...) {
      next_ = to_do_.size();
      const std::lock_guard lock(lock_);
      error_ = stopped_ ? error_ : std::current_exception();
      stopped_ = true;
    }
  }

  void report(std::size_t worker, double points) {
    const std::lock_guard lock(lock_);
    under_way_[worker] = std::max(under_way_[worker], points);
    double done = done_points_;
    for (const double part : under_way_) {
      done += part;
    }
    if (context_.on_progress && !stopped_ && !context_.cancelled()) {
      context_.on_progress("denoising", std::min(0.999, done / all_points_));
    }
  }

  void finish(std::size_t worker, double points) {
    {
      const std::lock_guard lock(lock_);
      done_points_ += points;
      under_way_[worker] = 0.0;
    }
    report(worker, 0.0);
  }

  const std::vector<Tile>& tiles_;
  const std::vector<std::size_t>& to_do_;
  const std::function<void(std::size_t, const ExecutionContext&)>& work_;
  const ExecutionContext& context_;
  double all_points_ = 0.0;
  double done_points_ = 0.0;
  std::vector<double> under_way_;  ///< points, of each worker's tile
  std::mutex lock_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stopped_{false};
  std::exception_ptr error_;
};

}  // namespace

void work_on_tiles(const std::filesystem::path& folder, const TilingPlan& plan, const std::vector<std::size_t>& tiles,
                   const TileMethod& method, std::size_t at_once, const ExecutionContext& context) {
  const std::size_t threads = thread_count(context);
  const std::size_t workers = std::max<std::size_t>(1, std::min({at_once, threads, tiles.size()}));
  const std::function<void(std::size_t, const ExecutionContext&)> work =
      [&](std::size_t tile, const ExecutionContext& own) { work_on_tile(folder, plan, tile, method, own); };
  Workers(plan.tiles, tiles, work, context).run(workers, static_cast<int>(threads / workers));
  context.report("denoising", 1.0);
}

}  // namespace burnish::tiles
