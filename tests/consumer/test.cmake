# Installs the build in BUILD to a folder of its own, then configures, builds and runs the outside project in SOURCE
# and the C++ example of README.
set(prefix ${BUILD}/consumer/prefix)
set(outside ${BUILD}/consumer/build)
file(REMOVE_RECURSE ${BUILD}/consumer)
if(SANITIZE)
  set(flags -DCMAKE_CXX_FLAGS=-fsanitize=${SANITIZE} -DCMAKE_EXE_LINKER_FLAGS=-fsanitize=${SANITIZE})
endif()
file(MAKE_DIRECTORY ${outside})
foreach(command
        "${CMAKE_COMMAND};--install;${BUILD};--prefix;${prefix}"
        "${CMAKE_COMMAND};-S;${SOURCE};-B;${outside};-G;Ninja;-DCMAKE_PREFIX_PATH=${prefix};-DCMAKE_BUILD_TYPE=Release;-DREADME=${README};${flags}"
        "${CMAKE_COMMAND};--build;${outside}"
        "${outside}/consumer"
        "${prefix}/bin/burnish;synth;part;${outside}/scan.ply;--points;2000"
        "${outside}/readme")
  execute_process(COMMAND ${command} WORKING_DIRECTORY ${outside} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
# The same by pkg-config, for those who do not use CMake.
find_program(pkg_config pkg-config)
find_program(compiler NAMES c++ g++)
if(pkg_config AND compiler AND NOT SANITIZE)
  file(GLOB_RECURSE module ${prefix}/*/burnish.pc)
  get_filename_component(folder "${module}" DIRECTORY)
  set(ENV{PKG_CONFIG_PATH} ${folder})
  execute_process(COMMAND ${pkg_config} --cflags --libs --static burnish OUTPUT_VARIABLE flags
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags)
  foreach(source ${SOURCE}/main.cpp ${outside}/readme.cpp)
    execute_process(COMMAND ${compiler} -std=c++20 ${source} -o ${outside}/by-pkg-config ${flags}
                    COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${outside}/by-pkg-config WORKING_DIRECTORY ${outside} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endif()
foreach(file ${outside}/smooth.ply ${prefix}/share/man/man1/burnish.1
        ${prefix}/share/bash-completion/completions/burnish)
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "${file} is missing")
  endif()
endforeach()
