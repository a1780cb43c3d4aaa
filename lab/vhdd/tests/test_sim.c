// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include "command.h"
#include "published.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct vhdd_sim_config config_of(enum vhdd_mode mode, unsigned background,
					unsigned foreground)
{
	struct vhdd_sim_config config;

	vhdd_sim_defaults(&config);
	config.drive.mode = mode;
	config.background = background;
	config.foreground = foreground;
	config.samples = 20000;
	return config;
}

static struct vhdd_sim_result *run(const struct vhdd_sim_config *config)
{
	struct vhdd_sim_result *result = malloc(sizeof(*result));
	char error[512] = "";

	assert_non_null(result);
	if (vhdd_sim_run(config, result, error, sizeof(error)) != 0)
		fail_msg("%s", error);
	return result;
}

static double quantile_ms(const struct vhdd_sim_result *result, enum vhdd_sim_class class, double q)
{
	return (double)vhdd_histogram_quantile(&result->latency[class], q) / 1e6;
}

static void same_seed_same_result(void **state)
{
	struct vhdd_sim_config config = config_of(VHDD_MODE_PRIO, 16, 0);
	struct vhdd_sim_result *first;
	struct vhdd_sim_result *second;
	struct vhdd_sim_result *other;

	(void)state;
	config.foreground_rate = 15;
	config.high[0].share = 0.1;
	config.host = VHDD_HOST_MQ_DEADLINE;
	config.samples = 2000;
	first = run(&config);
	second = run(&config);
	config.seed = 2;
	other = run(&config);
	assert_memory_equal(first, second, sizeof(*first));
	assert_memory_not_equal(first, other, sizeof(*first));
	free(first);
	free(second);
	free(other);
}

/* The gates of "vhdd calibrate" on a short run: published SDC 2021 figures. */
static void published_queue_depths(void **state)
{
	static const struct {
		unsigned depth;
		double iops;
	} published[] = {{1, 81}, {3, 110}, {32, 188}};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct vhdd_sim_config config =
			config_of(VHDD_MODE_NCQ, published[i].depth, 0);
		struct vhdd_sim_result *result = run(&config);
		assert_near(vhdd_sim_iops(result, VHDD_SIM_CLASSES), published[i].iops,
			    0.08 * published[i].iops);
		assert_int_equal(result->latency[VHDD_SIM_BACKGROUND].count, config.samples);
		if (published[i].depth == 32)
			assert_near(quantile_ms(result, VHDD_SIM_BACKGROUND, 0.99), 575, 57.5);
		free(result);
	}
}

static void drive_priority_cuts_the_tail_tenfold(void **state)
{
	struct vhdd_sim_config config = config_of(VHDD_MODE_NCQ, 32, 1);
	struct vhdd_sim_result *without = run(&config);
	struct vhdd_sim_result *with;

	(void)state;
	config.drive.mode = VHDD_MODE_PRIO;
	with = run(&config);
	assert_int_equal(with->latency[VHDD_SIM_FOREGROUND].count, config.samples);
	assert_true(quantile_ms(without, VHDD_SIM_FOREGROUND, 0.9999) >=
		    10 * quantile_ms(with, VHDD_SIM_FOREGROUND, 0.9999));
	/* The background goes on. */
	assert_true(vhdd_sim_iops(with, VHDD_SIM_BACKGROUND) > 50);
	free(without);
	free(with);
}

/* The drive cannot put first what waits for a tag; the scheduler lets it have one. */
static void deadline_spares_the_wait_for_a_tag(void **state)
{
	struct vhdd_sim_config config = config_of(VHDD_MODE_PRIO, 128, 0);
	struct vhdd_sim_result *none;
	struct vhdd_sim_result *deadline;

	(void)state;
	config.foreground_rate = 15;
	config.samples = 3000;
	none = run(&config);
	config.host = VHDD_HOST_MQ_DEADLINE;
	deadline = run(&config);
	assert_int_equal(none->max_queue, config.tags);
	assert_true(quantile_ms(none, VHDD_SIM_FOREGROUND, 0.5) >
		    10 * quantile_ms(deadline, VHDD_SIM_FOREGROUND, 0.5));
	assert_near(vhdd_sim_iops(deadline, VHDD_SIM_FOREGROUND), 15, 1.5);
	free(none);
	free(deadline);
}

static void high_share_is_kept(void **state)
{
	struct vhdd_sim_config config = config_of(VHDD_MODE_PRIO, 32, 0);
	struct vhdd_sim_result *result;

	(void)state;
	config.high[0].share = 0.25;
	result = run(&config);
	assert_near((double)result->latency[VHDD_SIM_HIGH].count / (double)config.samples, 0.25,
		    0.015);
	assert_true(quantile_ms(result, VHDD_SIM_HIGH, 0.99) <
		    quantile_ms(result, VHDD_SIM_BACKGROUND, 0.5));
	free(result);
}

/* A limited wait is either over in time or ends without data; the clients go on either way. */
static void duration_limit_bounds_the_wait(void **state)
{
	const int64_t limit_ns = 40 * NS_PER_MS;
	const int64_t longest_service_ns = 30 * NS_PER_MS;
	struct vhdd_sim_config config = config_of(VHDD_MODE_CDL, 32, 0);
	struct vhdd_sim_result *result;

	(void)state;
	for (size_t i = 0; i < VHDD_SIM_SHARES; i++) {
		config.high[i].share = 0.1 * (double)(i + 1);
		config.high[i].ioprio = hprio_ioprio_make(HPRIO_CLASS_BE, 4, (unsigned)i + 1);
		config.drive.cdl[i].guideline.ns = 0;
	}
	config.drive.cdl[1].inactive = (struct vhdd_cdl_limit){limit_ns, VHDD_CDL_UNAVAILABLE};
	config.drive.transport = VHDD_TRANSPORT_SAS;
	result = run(&config);
	assert_true(vhdd_histogram_max(&result->latency[VHDD_SIM_HIGH]) >
		    limit_ns + longest_service_ns);
	assert_in_range(vhdd_histogram_max(&result->latency[VHDD_SIM_HIGH + 1]), limit_ns,
			limit_ns + longest_service_ns);
	for (unsigned i = 0; i < VHDD_SIM_SHARES; i++)
		assert_near((double)result->latency[VHDD_SIM_HIGH + i].count /
				    (double)config.samples,
			    config.high[i].share, 0.015);
	free(result);
}

/* A SATA drive that gives a command up is closed until it holds no other, which all clients feel. */
static void giving_up_costs_all_on_sata(void **state)
{
	struct vhdd_sim_config config = config_of(VHDD_MODE_CDL, 32, 0);
	struct vhdd_sim_result *sata;
	struct vhdd_sim_result *sas;

	(void)state;
	config.high[0].share = 0.03;
	config.high[0].ioprio = hprio_ioprio_make(HPRIO_CLASS_BE, 4, 1);
	config.drive.cdl[0].guideline.ns = 0;
	config.drive.cdl[0].inactive =
		(struct vhdd_cdl_limit){40 * NS_PER_MS, VHDD_CDL_UNAVAILABLE};
	sata = run(&config);
	config.drive.transport = VHDD_TRANSPORT_SAS;
	sas = run(&config);
	print_message("sata %.0f IOPS, sas %.0f; p50 of what may be given up %.0f and %.0f ms\n",
		      vhdd_sim_iops(sata, VHDD_SIM_CLASSES), vhdd_sim_iops(sas, VHDD_SIM_CLASSES),
		      quantile_ms(sata, VHDD_SIM_HIGH, 0.5), quantile_ms(sas, VHDD_SIM_HIGH, 0.5));
	assert_true(vhdd_sim_iops(sata, VHDD_SIM_CLASSES) <
		    0.9 * vhdd_sim_iops(sas, VHDD_SIM_CLASSES));
	assert_true(quantile_ms(sata, VHDD_SIM_HIGH, 0.5) > 100);
	assert_true(quantile_ms(sas, VHDD_SIM_HIGH, 0.99) < 70);
	free(sata);
	free(sas);
}

/* Little's law: clients = rate x (latency + time at the host). */
static void clients_are_all_accounted_for(void **state)
{
	struct vhdd_sim_config config = config_of(VHDD_MODE_NCQ, 40, 0);
	struct vhdd_sim_result *result = run(&config);
	double mean_s = vhdd_histogram_mean(&result->latency[VHDD_SIM_BACKGROUND]) / 1e9;
	double host_s = (double)config.host_ns / 1e9;

	(void)state;
	assert_near(vhdd_sim_iops(result, VHDD_SIM_CLASSES) * (mean_s + host_s), 40, 0.4);
	assert_int_equal(result->max_queue, 32);
	free(result);
}

static void sequential_stream_is_fast(void **state)
{
	struct vhdd_sim_config config = config_of(VHDD_MODE_NCQ, 1, 0);
	struct vhdd_sim_result *result;
	double bytes_per_s;

	(void)state;
	config.background_places = VHDD_SIM_STREAMS;
	result = run(&config);
	bytes_per_s = vhdd_sim_iops(result, VHDD_SIM_CLASSES) * config.request_bytes;
	/* Between the inner and the outer zone's rate: a track per revolution and switch. */
	assert_in_range((int64_t)bytes_per_s, 105000000, 216000000);
	free(result);
}

static double megabytes_per_s(const struct vhdd_sim_config *config)
{
	struct vhdd_sim_result *result = run(config);
	double rate = vhdd_sim_iops(result, VHDD_SIM_CLASSES) * config->request_bytes / 1e6;

	free(result);
	return rate;
}

/* Clients that read one stream together, and write one, on a part of the disk. */
static void one_stream_stays_in_its_part(void **state)
{
	struct vhdd_sim_config config = config_of(VHDD_MODE_NCQ, 16, 0);
	double outer;

	(void)state;
	config.background_places = VHDD_SIM_ONE_STREAM;
	config.background_bytes = 2ULL << 30;
	outer = megabytes_per_s(&config);
	assert_near(outer, 210, 10);
	config.background_write = true;
	assert_near(megabytes_per_s(&config), outer, 0.1 * outer);
	config.background_write = false;
	config.background_offset = 62ULL << 30;
	assert_near(megabytes_per_s(&config), outer / 2, 0.05 * outer);
}

static void refuses_what_makes_no_sense(void **state)
{
	struct vhdd_sim_result *result = malloc(sizeof(*result));
	struct vhdd_sim_config wrong[9];
	static const char *const says[9] = {"tags",	"4096",	      "high share",
					    "rate",	"not both",   "no clients",
					    "samples",	"seek_avg_ns", "part of the disk"};
	char error[512];

	(void)state;
	for (size_t i = 0; i < 9; i++)
		wrong[i] = config_of(VHDD_MODE_NCQ, 1, 0);
	wrong[0].tags = 0;
	wrong[1].request_bytes = 1000;
	wrong[2].high[0].share = NAN;
	wrong[3].foreground_rate = -1;
	wrong[4].foreground = 1;
	wrong[4].foreground_rate = 1;
	wrong[5].background = 0;
	wrong[6].samples = 0;
	wrong[7].drive.seek_avg_ns = 0;
	wrong[8].background_offset = wrong[8].drive.size_bytes - 4096;
	for (size_t i = 0; i < 9; i++) {
		assert_int_equal(vhdd_sim_run(&wrong[i], result, error, sizeof(error)), -EINVAL);
		if (strstr(error, says[i]) == NULL)
			fail_msg("'%s' does not say '%s'", error, says[i]);
	}
	free(result);
}

/* A command's exit status and standard output (standard error is dropped), as a shell sees it. */
static int command(int (*main_of)(int, char **), char **argv, char *output, size_t size)
{
	int argc = 0;
	int ends[2];
	int status;
	size_t used = 0;
	ssize_t got;
	pid_t child;

	while (argv[argc] != NULL)
		argc++;
	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		if (freopen("/dev/null", "w", stderr) == NULL)
			_exit(99);
		status = main_of(argc, argv);
		fflush(stdout);
		_exit(status);
	}
	close(ends[1]);
	while ((got = read(ends[0], output + used, size - 1 - used)) > 0)
		used += (size_t)got;
	output[used] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void command_prints_json(void **state)
{
	char *argv[] = {"sim",	  "--json", "-n",    "500", "-b",   "4", "--set",
			"mode=prio", "-f",     "1",  "--foreground-prio", "rt:1", NULL};
	char output[16384];
	json_t *json;

	(void)state;
	assert_int_equal(command(vhdd_sim_main, argv, output, sizeof(output)), 0);
	json = json_loads(output, 0, NULL);
	assert_non_null(json);
	const char *mode = NULL;
	const char *ioprio = NULL;
	json_int_t n = 0;
	double p99 = 0;
	assert_int_equal(json_unpack(json, "{s:{s:s}, s:{s:s}, s:{s:{s:I, s:f}}}", "drive", "mode",
				     &mode, "config", "foreground_ioprio", &ioprio, "classes",
				     "foreground", "n", &n, "p99_ms", &p99),
			 0);
	assert_string_equal(mode, "prio");
	assert_string_equal(ioprio, "rt:1");
	assert_int_equal(n, 500);
	assert_true(p99 > 5 && p99 < 200);
	json_decref(json);
}

static void command_refuses_wrong_options(void **state)
{
	char *wrong[][4] = {
		{"sim", "--set", "rpm=fast", NULL},
		{"sim", "--host", "bfq", NULL},
		{"sim", "--samples", "many", NULL},
		{"sim", "--foreground-prio", "rt:9", NULL},
		{"sim", "--preset", "none", NULL},
		{"sim", "--high-share", "1.5", NULL},
		{"sim", "extra", NULL, NULL},
	};
	char output[1024];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_not_equal(command(vhdd_sim_main, wrong[i], output, sizeof(output)), 0);
		assert_string_equal(output, "");
	}
}

static void command_lists_every_key(void **state)
{
	char *argv[] = {"sim", "--keys", NULL};
	char output[32768];
	size_t count;
	const struct vhdd_param_info *info = vhdd_params_table(&count);

	(void)state;
	assert_int_equal(command(vhdd_sim_main, argv, output, sizeof(output)), 0);
	for (size_t i = 0; i < count; i++)
		assert_non_null(strstr(output, info[i].key));
}

static void calibration_gates_hold(void **state)
{
	char *argv[] = {"calibrate", "--json", "-n", "10000", NULL};
	char output[32768];
	json_t *json;
	json_t *row;
	size_t i;
	size_t gated = 0;

	(void)state;
	assert_int_equal(command(vhdd_calibrate_main, argv, output, sizeof(output)), 0);
	json = json_loads(output, 0, NULL);
	assert_non_null(json);
	assert_true(json_is_true(json_object_get(json, "gates_hold")));
	json_array_foreach(json_object_get(json, "rows"), i, row) {
		if (!json_is_true(json_object_get(row, "gated")))
			continue;
		gated++;
		assert_true(json_is_true(json_object_get(row, "reproduced")));
	}
	assert_int_equal(gated, 12);
	assert_int_equal(json_object_size(json_object_get(json, "drives")), 2);
	json_decref(json);
}

/* One that always puts class RT first is not the drive that was published. */
static void calibration_fails_for_another_drive(void **state)
{
	char *argv[] = {"calibrate", "-n", "10000", "--set", "prio_bonus_ns=1s", NULL};
	char output[32768];
	const char *row;
	const char *verdict;

	(void)state;
	assert_int_equal(command(vhdd_calibrate_main, argv, output, sizeof(output)), 1);
	row = strstr(output, "p99 of high ");
	assert_non_null(row);
	verdict = strstr(row, "NOT reproduced, gate\n");
	assert_non_null(verdict);
	assert_true(verdict < strchr(row, '\n'));
	assert_non_null(strstr(output, "Gates: FAILED"));
}

/* Each row of the table is whole, and one with a hole is found out. */
static void published_rows_have_no_holes(void **state)
{
	size_t loads;
	size_t count;
	const struct vhdd_published *rows = vhdd_published_rows(&count);
	struct vhdd_published wrong[7];
	static const char *const says[7] = {"source", "name",	   "load",	 "number, tolerance",
					    "number", "no number", "no tolerance"};

	(void)state;
	vhdd_published_loads(&loads);
	for (size_t i = 0; i < count; i++) {
		const char *hole = vhdd_published_hole(&rows[i], loads);
		if (hole != NULL)
			fail_msg("row %zu, %s: %s", i, rows[i].what, hole);
	}
	for (size_t i = 0; i < 7; i++)
		wrong[i] = rows[0];
	wrong[0].source = "";
	wrong[1].what = NULL;
	wrong[2].load = (unsigned)loads;
	wrong[3].value = NAN;
	wrong[4].tolerance = -1;
	wrong[5].value = 0;
	wrong[6].tolerance = 0;
	for (size_t i = 0; i < 7; i++) {
		const char *hole = vhdd_published_hole(&wrong[i], loads);
		assert_non_null(hole);
		assert_non_null(strstr(hole, says[i]));
	}
}

static void calibration_says_what_is_not_published(void **state)
{
	char *argv[] = {"calibrate", "-n", "10000", "--preset=sdc21", NULL};
	char output[32768];

	(void)state;
	assert_int_equal(command(vhdd_calibrate_main, argv, output, sizeof(output)), 0);
	assert_non_null(strstr(output, "not published\n"));
	assert_non_null(strstr(output, "innermost by outermost"));
	assert_null(strstr(output, "22 TB, QD1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_seed_same_result),
		cmocka_unit_test(published_queue_depths),
		cmocka_unit_test(drive_priority_cuts_the_tail_tenfold),
		cmocka_unit_test(deadline_spares_the_wait_for_a_tag),
		cmocka_unit_test(high_share_is_kept),
		cmocka_unit_test(duration_limit_bounds_the_wait),
		cmocka_unit_test(giving_up_costs_all_on_sata),
		cmocka_unit_test(clients_are_all_accounted_for),
		cmocka_unit_test(sequential_stream_is_fast),
		cmocka_unit_test(one_stream_stays_in_its_part),
		cmocka_unit_test(refuses_what_makes_no_sense),
		cmocka_unit_test(command_prints_json),
		cmocka_unit_test(command_refuses_wrong_options),
		cmocka_unit_test(command_lists_every_key),
		cmocka_unit_test(published_rows_have_no_holes),
		cmocka_unit_test(calibration_says_what_is_not_published),
		cmocka_unit_test(calibration_gates_hold),
		cmocka_unit_test(calibration_fails_for_another_drive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
