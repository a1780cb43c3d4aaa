// SPDX-License-Identifier: Apache-2.0
#include "host_readahead.h"
#include "unit.h"

#define UNCHANGED 7

static unsigned int of(const char *release)
{
	unsigned int kib = UNCHANGED;
	bool told = vhdd_host_read_ahead_of(release, &kib);

	assert_int_equal(told, kib != UNCHANGED);
	return kib;
}

static unsigned int parse(const char *text)
{
	unsigned int kib = UNCHANGED;
	bool told = vhdd_host_read_ahead_parse(text, &kib);

	assert_int_equal(told, kib != UNCHANGED);
	return kib;
}

static void it_is_larger_from_linux_6_17_on(void **state)
{
	(void)state;
	assert_int_equal(of("5.4.0-216-generic"), 128);
	assert_int_equal(of("6.1.0-39-amd64"), 128);
	assert_int_equal(of("6.16.12"), 128);
	assert_int_equal(of("6.17.0"), 8192);
	assert_int_equal(of("6.17-rc1"), 8192);
	assert_int_equal(of("6.100"), 8192);
	assert_int_equal(of("7.0.1+deb14"), 8192);
}

static void a_release_without_a_version_tells_nothing(void **state)
{
	(void)state;
	assert_int_equal(of(""), UNCHANGED);
	assert_int_equal(of("mainline"), UNCHANGED);
	assert_int_equal(of("6"), UNCHANGED);
	assert_int_equal(of("6-17"), UNCHANGED);
	assert_int_equal(of("-6.17"), UNCHANGED);
	assert_int_equal(of("v6.17"), UNCHANGED);
	assert_int_equal(of("6.17171"), UNCHANGED);
}

static void it_can_be_given(void **state)
{
	(void)state;
	assert_int_equal(parse("old"), 128);
	assert_int_equal(parse("new"), 8192);
	assert_int_equal(parse("0"), 0);
	assert_int_equal(parse("1280"), 1280);
	assert_int_equal(parse("65536"), 65536);
}

static void anything_else_is_refused(void **state)
{
	(void)state;
	assert_int_equal(parse(""), UNCHANGED);
	assert_int_equal(parse("65537"), UNCHANGED);
	assert_int_equal(parse("-1"), UNCHANGED);
	assert_int_equal(parse("128K"), UNCHANGED);
	assert_int_equal(parse("newer"), UNCHANGED);
	assert_int_equal(parse("99999999999999999999"), UNCHANGED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_larger_from_linux_6_17_on),
		cmocka_unit_test(a_release_without_a_version_tells_nothing),
		cmocka_unit_test(it_can_be_given),
		cmocka_unit_test(anything_else_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
