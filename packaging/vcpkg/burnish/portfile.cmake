# vcpkg install burnish --overlay-ports=packaging/vcpkg: the library, from this checkout.
set(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../..")
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DCMAKE_UNITY_BUILD=ON -DBURNISH_COMMAND=OFF -DBURNISH_TESTS=OFF -DBURNISH_BENCH=OFF -DBURNISH_EXAMPLES=OFF
          -DBURNISH_PYTHON=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/burnish)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
