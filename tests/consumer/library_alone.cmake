# Configures the library in SOURCE alone, as a shared one, in BUILD: without the packages of the command and JSON, and
# with libraries in a folder of an architecture, as Debian has them. What that builds and installs is looked at.
file(REMOVE_RECURSE ${BUILD})
set(library_folder lib/some-architecture)
foreach(package CLI11 tomlplusplus nlohmann_json GTest benchmark pybind11)
  list(APPEND without -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
endforeach()
foreach(part COMMAND TESTS BENCH PYTHON EXAMPLES JSON)
  list(APPEND without -DBURNISH_${part}=OFF)
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD} -G Ninja -DCMAKE_BUILD_TYPE=Release
                        --no-warn-unused-cli -DBUILD_SHARED_LIBS=ON -DCMAKE_INSTALL_LIBDIR=${library_folder} ${without}
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# The version of the interface is in the name that programs are linked to.
file(STRINGS ${SOURCE}/include/burnish/version.hpp lines REGEX "#define BURNISH_VERSION_[A-Z]+ [0-9]+")
string(REGEX REPLACE "[^0-9;]" "" numbers "${lines}")
list(GET numbers 0 major)
list(GET numbers 1 minor)
file(READ ${BUILD}/build.ninja steps)
if(NOT steps MATCHES "SONAME = libburnish\\.so\\.${major}\\.${minor}\n")
  message(FATAL_ERROR "the shared library is not named after its interface, ${major}.${minor}")
endif()
if(steps MATCHES "(apps/|nlohmann|src/tiles/|view/page)")
  message(FATAL_ERROR "the library alone builds ${CMAKE_MATCH_1}")
endif()

# Wherever the tree is moved to, the module for pkg-config finds it.
find_program(pkg_config pkg-config)
if(pkg_config)
  set(prefix ${BUILD}/moved)
  file(COPY ${BUILD}/burnish.pc DESTINATION ${prefix}/${library_folder}/pkgconfig)
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${library_folder}/pkgconfig)
  foreach(variable libdir=${library_folder} includedir=include)
    string(REGEX MATCH "^([a-z]+)=(.*)$" ignored ${variable})
    execute_process(COMMAND ${pkg_config} --variable=${CMAKE_MATCH_1} burnish OUTPUT_VARIABLE found
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    cmake_path(NORMAL_PATH found)
    if(NOT found STREQUAL "${prefix}/${CMAKE_MATCH_2}")
      message(FATAL_ERROR "burnish.pc has ${CMAKE_MATCH_1} ${found}, expected ${prefix}/${CMAKE_MATCH_2}")
    endif()
  endforeach()
endif()
