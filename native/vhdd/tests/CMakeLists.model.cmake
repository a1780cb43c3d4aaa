# Unit tests of the drive model and its simulation: no privilege or kernel feature needed. They
# compile the sources again with the sanitizers on, so that the shipped libraries stay without.
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET GLOBAL cmocka)

get_target_property(VHDD_MODEL_SOURCES vhdd_model SOURCES)
get_target_property(VHDD_SIM_SOURCES vhdd_sim SOURCES)
set(VHDD_SANITIZE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)

add_library(vhdd_model_sanitized STATIC ${VHDD_MODEL_SOURCES} ${VHDD_SIM_SOURCES})
target_include_directories(vhdd_model_sanitized PUBLIC
	${CMAKE_CURRENT_LIST_DIR}/../src ${CMAKE_CURRENT_LIST_DIR})
target_compile_options(vhdd_model_sanitized
	PUBLIC -std=gnu11 -Wall -Wextra -Werror -O2 -g ${VHDD_SANITIZE})
target_link_options(vhdd_model_sanitized PUBLIC ${VHDD_SANITIZE})
target_link_libraries(vhdd_model_sanitized PUBLIC PkgConfig::JANSSON PkgConfig::CMOCKA m)

foreach(name params histogram ioprio geometry model model_modes host sim)
	add_executable(test_${name} ${CMAKE_CURRENT_LIST_DIR}/test_${name}.c)
	target_link_libraries(test_${name} PRIVATE vhdd_model_sanitized)
	add_test(NAME vhdd_${name} COMMAND test_${name})
endforeach()
