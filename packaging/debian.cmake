# `cpack -G DEB` in a build folder: burnish, libburnish-dev and python3-burnish. Dependencies on shared libraries are
# read from what was built (dpkg-shlibdeps).
set(CPACK_PACKAGE_NAME burnish)
set(CPACK_PACKAGE_VENDOR "the burnish authors")
set(CPACK_PACKAGE_CONTACT "the burnish authors <burnish@example.org>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL command development)
if(BURNISH_PYTHON AND BURNISH_PYTHON_INSTALL)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
if(BUILD_SHARED_LIBS)
  list(APPEND CPACK_COMPONENTS_ALL library)
endif()
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME burnish)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "removes noise from 3D point clouds and keeps their edges
 The command burnish, which denoises scans, measures how close results come to
 a known surface, makes noise and virtual scans, converts files and shows them.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libburnish-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libeigen3-dev (>= 3.4), libtbb-dev (>= 2021), libfmt-dev (>= 9), zlib1g-dev, libpugixml-dev (>= 1.13)")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "C++ library that denoises 3D point clouds
 Headers, the library itself, and what CMake and pkg-config find it by.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libburnish${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "C++ library that denoises 3D point clouds, shared
 What programs that were built with libburnish-dev run with.")

if(python IN_LIST CPACK_COMPONENTS_ALL)
  # The compiled half is for one Python.
  math(EXPR next_minor "${BURNISH_PYTHON_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3 (>= 3.${BURNISH_PYTHON_MINOR}), python3 (<< 3.${next_minor}), python3-numpy")
endif()
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-burnish)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Python module that denoises 3D point clouds
 Takes and gives numpy arrays; reads and writes the files of scanners.")
include(CPack)
