# The drive model and its simulation in virtual time: plain C, no kernel feature needed.
find_package(PkgConfig REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET GLOBAL jansson)

add_library(vhdd_model STATIC
	${CMAKE_CURRENT_LIST_DIR}/model.c
	${CMAKE_CURRENT_LIST_DIR}/params.c
	${CMAKE_CURRENT_LIST_DIR}/geometry.c
	${CMAKE_CURRENT_LIST_DIR}/readahead.c
	${CMAKE_CURRENT_LIST_DIR}/ioprio.c
	${CMAKE_CURRENT_LIST_DIR}/histogram.c)
target_include_directories(vhdd_model PUBLIC ${CMAKE_CURRENT_LIST_DIR})
target_compile_options(vhdd_model PRIVATE -std=gnu11 -Wall -Wextra -Werror)
target_link_libraries(vhdd_model PUBLIC PkgConfig::JANSSON m)

add_library(vhdd_sim STATIC
	${CMAKE_CURRENT_LIST_DIR}/host.c
	${CMAKE_CURRENT_LIST_DIR}/sim.c
	${CMAKE_CURRENT_LIST_DIR}/sim_report.c
	${CMAKE_CURRENT_LIST_DIR}/sim_main.c
	${CMAKE_CURRENT_LIST_DIR}/calibrate.c
	${CMAKE_CURRENT_LIST_DIR}/whole.c)
target_compile_options(vhdd_sim PRIVATE -std=gnu11 -Wall -Wextra -Werror)
target_link_libraries(vhdd_sim PUBLIC vhdd_model)
