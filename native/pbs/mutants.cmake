# SPDX-License-Identifier: Apache-2.0
# Deliberate faults, to show that the tests see them. A mutant is a source with one line changed:
#   cmake -DPBS_MUTANT=prio ...   builds everything with that fault
# The unit tests are always run against each of them, and must fail (tests/CMakeLists.txt).

# name, source, what is replaced, by what.
set(PBS_MUTANTS prio lba halves flag dirty)
set(PBS_MUTANT_prio ata.c "? PRIO_HIGH << 6 : 0" "? 0 : 0")
set(PBS_MUTANT_lba plan.c ".lba = disk / geometry->block_bytes," ".lba = disk / geometry->block_bytes + 1,")
set(PBS_MUTANT_halves ata.c "cdb[7] = byte_of(read->lba, 3)" "cdb[7] = byte_of(read->lba, 4)")
set(PBS_MUTANT_dirty residency.c "cached.dirty || cached.writeback ?" "!cached.pages ?")
set(PBS_MUTANT_flag plan.c "if (flags & refused[i].flag)"
	"if (flags & refused[i].flag & ~FIEMAP_EXTENT_UNWRITTEN)")

set(PBS_MUTANT "" CACHE STRING "Build with a deliberate fault: ${PBS_MUTANTS}; empty: none")
set_property(CACHE PBS_MUTANT PROPERTY STRINGS "" ${PBS_MUTANTS})

# Writes the changed source and sets VARIABLE to its path.
function(pbs_make_mutant name variable)
	list(GET PBS_MUTANT_${name} 0 source)
	list(GET PBS_MUTANT_${name} 1 original)
	list(GET PBS_MUTANT_${name} 2 fault)
	set(path ${PROJECT_SOURCE_DIR}/src/${source})
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
	file(READ ${path} text)
	string(REPLACE "${original}" "${fault}" changed "${text}")
	if(changed STREQUAL text)
		message(FATAL_ERROR "mutant ${name}: ${source} has no line \"${original}\"")
	endif()
	set(result ${PROJECT_BINARY_DIR}/mutants/${name}/${source})
	file(CONFIGURE OUTPUT ${result} CONTENT "@changed@" @ONLY)
	set(${variable} ${result} PARENT_SCOPE)
endfunction()

# In a list of sources in this directory: absolute paths, the mutant's in place of the original.
function(pbs_sources variable)
	set(paths)
	foreach(source ${${variable}})
		cmake_path(ABSOLUTE_PATH source)
		list(APPEND paths ${source})
	endforeach()
	if(PBS_MUTANT)
		pbs_make_mutant(${PBS_MUTANT} mutant)
		list(GET PBS_MUTANT_${PBS_MUTANT} 0 source)
		list(TRANSFORM paths REPLACE "^.*/${source}$" ${mutant})
	endif()
	set(${variable} ${paths} PARENT_SCOPE)
endfunction()
