#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "burnish/io.hpp"
#include "burnish/methods.hpp"
#include "io/files.hpp"
#include "test_clouds.hpp"

// Every allocation of the library fails once, one after the other: std::bad_alloc comes out, nothing else happens.

namespace {

thread_local long allocations_left = 0;  // 0: none is to fail

void* allocate(std::size_t size, std::size_t alignment) {
  if (allocations_left > 0 && --allocations_left == 0) {
    throw std::bad_alloc();
  }
  void* const memory = alignment > alignof(std::max_align_t)
                           ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                           : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

}  // namespace

// The compiler sees free() meet what operator new returned, once both are inlined, but not that both are these.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

void* operator new(std::size_t size) { return allocate(size, 0); }
void* operator new[](std::size_t size) { return allocate(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace burnish {
namespace {

/// Runs the work with its n-th allocation failing; false if it has no n-th one.
template <class Work>
bool runs_out_of_memory(long n, const Work& work) {
  bool failed = false;
  allocations_left = n;
  try {
    work();
  } catch (const std::bad_alloc&) {
    failed = true;
  }
  allocations_left = 0;
  return failed;
}

/// Every n, or where that is much, the more apart the larger they are; BURNISH_SLOW asks for every one.
long next(long n, long dense) { return n + 1 + (std::getenv("BURNISH_SLOW") != nullptr ? 0 : n / dense); }

PointCloud small_cloud() {
  PointCloud cloud;
  cloud.positions = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  cloud.attributes = {make_column<float>("intensity", {1, 2, 3, 4}), make_column<std::uint8_t>("red", {1, 2, 3, 4})};
  cloud.comments = {"a comment that is too long to be held without an allocation"};
  return cloud;
}

TEST(Allocations, WhenReadingAndWriting) {
  ExecutionContext context;
  context.threads = 1;
  for (const char* name : {"a.ply", "a.pcd", "a.las", "a.laz", "a.copc.laz", "a.e57", "a.xyz", "a.csv", "a.pts",
                           "a.npy", "a.bin", "a.obj", "a.off"}) {
    SCOPED_TRACE(name);
    const TempFolder folder;
    const auto path = folder.file(name, "what was there before");
    PointCloud cloud = small_cloud();
    static_cast<void>(fit_to_format(path, cloud));
    long n = 1;
    for (; runs_out_of_memory(n, [&] { write(path, cloud, context); }); ++n) {
      ASSERT_EQ(bytes_of(path), "what was there before") << n;
      ASSERT_EQ(folder.files(), 1U) << n;
    }
    EXPECT_GT(n, 1);
    EXPECT_EQ(folder.files(), 1U);
    long m = 1;
    for (; runs_out_of_memory(m, [&] { static_cast<void>(read(path, context)); }); ++m) {
    }
    EXPECT_GT(m, 1);
    EXPECT_EQ(read(path).size(), cloud.size());
  }
}

TEST(Allocations, InEveryMethod) {
  const std::vector<Vec3> cloud = noisy_shape("sphere", 300, 0.02);
  ExecutionContext context;
  context.threads = 1;
  for (const Method& method : methods()) {
    SCOPED_TRACE(method.name);
    const PreparedMethod run = method.prepare({});
    const std::vector<Vec3> expected = run(cloud, {}, context).positions;
    long n = 1;
    std::vector<Vec3> result;
    while (runs_out_of_memory(n, [&] { result = run(cloud, {}, context).positions; })) {
      n = next(n, 8);
    }
    EXPECT_GT(n, 10);
    EXPECT_EQ(std::memcmp(result.data(), expected.data(), expected.size() * sizeof(Vec3)), 0);
  }
}

}  // namespace
}  // namespace burnish
