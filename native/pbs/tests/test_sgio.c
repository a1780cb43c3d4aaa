// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "sgio.h"

#include <string.h>

static void an_answer_is_judged(void **state)
{
	static unsigned char medium_error[] = {0x70, 0, 0x03, 0, 0, 0, 0, 10, 0,
					       0,    0, 0,    0x11, 0x04, 0, 0, 0, 0};
	static unsigned char aborted[] = {0x70, 0, 0x0b, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
	static unsigned char out_of_range[] = {0x72, 0x05, 0x21, 0, 0, 0, 0, 0};
	static const struct {
		unsigned char status;
		unsigned short host_status;
		unsigned short driver_status;
		int resid;
		unsigned char *sense;
		unsigned char sense_bytes;
		enum pbs_reason reason;
		const char *text;
	} cases[] = {
		{2, 0, 8, 0, aborted, 18, PBS_REASON_COMMAND, "aborted command"},
		{0, 0, 0, 0, NULL, 0, PBS_REASON_NONE, ""},
		/* "There is sense data" is no failure by itself. */
		{0, 0, 8, 0, medium_error, 18, PBS_REASON_NONE, ""},
		{2, 0, 8, 0, medium_error, 18, PBS_REASON_COMMAND, "unrecovered read error"},
		{2, 0, 0, 0, out_of_range, 8, PBS_REASON_COMMAND, "LBA out of range"},
		{2, 0, 0, 0, out_of_range, 0, PBS_REASON_COMMAND, "status 0x2"},
		{0, 0, 0, 512, NULL, 0, PBS_REASON_COMMAND, "512 bytes missing"},
		{0, 1, 0, 4096, NULL, 0, PBS_REASON_GONE, "no longer answers"},
		{0, 4, 0, 4096, NULL, 0, PBS_REASON_GONE, "no longer answers"},
		{0, 3, 6, 4096, NULL, 0, PBS_REASON_TIMEOUT, "after 30000 ms"},
		{0, 7, 0, 4096, NULL, 0, PBS_REASON_COMMAND, "host status 0x7"},
		{0, 0, 6, 0, NULL, 0, PBS_REASON_COMMAND, "driver status 0x6"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct sg_io_hdr answer = {
			.status = cases[i].status,
			.host_status = cases[i].host_status,
			.driver_status = cases[i].driver_status,
			.resid = cases[i].resid,
			.sbp = cases[i].sense,
			.sb_len_wr = cases[i].sense_bytes,
			.timeout = 30000,
		};
		struct pbs_failure failure = {0};

		assert_int_equal(pbs_sgio_judge(&answer, &failure),
				 cases[i].reason == PBS_REASON_NONE ? 0
				 : cases[i].sense == aborted	    ? PBS_SGIO_REFUSED
								    : -1);
		assert_int_equal(failure.reason, cases[i].reason);
		if (!strstr(failure.text, cases[i].text))
			fail_msg("\"%s\" does not say \"%s\"", failure.text, cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_is_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
