# Runs all tests of a build and writes their JUnit report:
#   cmake -DBUILD=DIR -DREPORT=FILE -P run_tests.cmake
execute_process(
	COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${BUILD} --output-on-failure
		--output-junit ${REPORT}
	RESULT_VARIABLE result)
# Indents attributes with spaces instead of tabs, which some readers of reports do not expect.
if(EXISTS ${REPORT})
	file(READ ${REPORT} report)
	string(REPLACE "\n\t" "\n " report "${report}")
	file(WRITE ${REPORT} "${report}")
endif()
if(result)
	message(FATAL_ERROR "tests failed")
endif()
