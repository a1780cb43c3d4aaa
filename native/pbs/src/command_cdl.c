// SPDX-License-Identifier: Apache-2.0
#include "cdl_drive.h"
#include "command.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPTION_JSON 0x101
#define OPTION_SECONDS 0x102

#define NOTES 8
#define MAX_SECONDS (24 * 60 * 60)

struct arguments {
	const char *device;
	bool json;
	unsigned seconds; /* 0: the counters are read once */
};

/* What is printed. */
struct view {
	struct pbs_disk_info disk;
	struct pbs_cdl cdl;
	bool grown; /* whether earlier holds the counters of some time ago */
	struct pbs_cdl earlier;
	unsigned notes;
	const char *note[NOTES];
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case OPTION_JSON:
		arguments->json = true;
		return 0;
	case OPTION_SECONDS:
		arguments->seconds =
			(unsigned)hprio_whole_option(state, "seconds", argument, 1, MAX_SECONDS);
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->device)
			argp_error(state, "\"%s\": only one DEVICE", argument);
		arguments->device = argument;
		return 0;
	case ARGP_KEY_END:
		if (!arguments->device)
			argp_error(state, "DEVICE is missing");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* --- the disk --------------------------------------------------------------------------------- */

static void survey(const char *path, struct pbs_disk_info *disk)
{
	struct pbs_failure failure;
	struct stat status;

	if (stat(path, &status))
		err(EXIT_FAILURE, "%s", path);
	if (!S_ISBLK(status.st_mode))
		errx(EXIT_FAILURE, "%s is no block device", path);
	if (pbs_survey_disk("/sys", status.st_rdev, disk, &failure))
		errx(EXIT_FAILURE, "%s: %s", path, failure.text);
}

static void read_limits(const struct pbs_disk_info *disk, struct pbs_cdl *cdl)
{
	struct pbs_failure failure;

	if (pbs_cdl_read_drive(disk, cdl, &failure))
		errx(EXIT_FAILURE, "%s: %s%s", disk->name, failure.text,
		     failure.reason == PBS_REASON_RIGHTS ? " (run it as root)" : "");
}

/* --- notes ------------------------------------------------------------------------------------ */

static void note(struct view *view, bool holds, const char *text)
{
	if (holds && view->notes < NOTES)
		view->note[view->notes++] = text;
}

static void make_notes(struct view *view)
{
	const struct pbs_disk_info *disk = &view->disk;
	const struct pbs_cdl *cdl = &view->cdl;

	note(view, !disk->ata && disk->cdl_supported == 1 && cdl->supported == 0,
	     "the kernel has found limits in this drive, but it lacks mode page T2A: it may have those of "
	     "SPC-5 (mode pages A and B), which are not read");
	if (cdl->supported != 1)
		return;
	note(view, true,
	     "a guideline is a target that the drive aims at, not a priority; other limits can make it "
	     "abort a command");
	note(view, disk->ata && disk->ncq_prio_enabled == 1,
	     "NCQ priority is on; the kernel switches limits on only when it is off");
	note(view, disk->ata && disk->cdl_enabled == 1 && cdl->enabled == 0,
	     "the kernel takes limits for on, the drive says that they are off: before Linux 6.17 "
	     "cdl_enable has no effect, and reports none, if NCQ commands were at the drive; write 0 and "
	     "then 1 while the disk is idle");
	note(view, disk->ata && disk->cdl_enabled == 0 && cdl->enabled == 1,
	     "the drive says that limits are on, the kernel uses none: its cdl_enable is 0");
	note(view, disk->cdl_enabled == 0 && cdl->enabled <= 0,
	     "limits are off until cdl_enable is set, also for SATA drives behind a SAS HBA; switching "
	     "them on sets the drive's counters to 0");
	note(view, cdl->source == PBS_CDL_FROM_LIBATA,
	     "the kernel's mode pages round limits down to 10 ms and do not have the descriptors' policies");
	note(view, cdl->other_ranges,
	     "the drive counts for each actuator; shown are the counters of the first");
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *known_flag(int32_t flag)
{
	return flag < 0 ? json_null() : json_boolean(flag);
}

static json_t *known_number(uint32_t number)
{
	return number == 0 ? json_null() : json_integer(number);
}

/* null: "". */
static json_t *known_text(const char *text)
{
	return text[0] ? json_string(text) : json_null();
}

/* By how much a counter has grown. False: it is not known, e.g. because it has been set to 0 meanwhile. */
static bool growth(const struct pbs_cdl_counter *earlier, const struct pbs_cdl_counter *now,
		   uint32_t *number)
{
	if (!earlier->valid || !now->valid || earlier->counts != now->counts ||
	    now->value < earlier->value)
		return false;
	*number = now->value - earlier->value;
	return true;
}

static json_t *limits_to_json(const struct pbs_cdl_descriptor *descriptor)
{
	json_t *limits = json_object();

	for (unsigned time = 0; time < PBS_CDL_TIMES; time++) {
		const struct pbs_cdl_limit *limit = &descriptor->limit[time];

		if (limit->ns)
			json_object_set_new(limits, pbs_cdl_time_name((enum pbs_cdl_time)time),
					    json_pack("{s:I, s:s}", "ns", (json_int_t)limit->ns,
						      "policy", pbs_cdl_policy_name(limit->policy)));
	}
	return limits;
}

static json_t *counters_to_json(const struct view *view, enum pbs_cdl_direction direction, unsigned i)
{
	const struct pbs_cdl_counter *now = view->cdl.descriptor[direction][i].counter;
	const struct pbs_cdl_counter *earlier = view->earlier.descriptor[direction][i].counter;
	json_t *counters = json_array();
	uint32_t number;

	for (unsigned c = 0; view->cdl.statistics && c < PBS_CDL_COUNTERS; c++) {
		json_t *counter;

		if (now[c].counts == PBS_CDL_COUNTS_NOTHING)
			continue;
		counter = json_pack("{s:s, s:o}", "counts", pbs_cdl_counts_name(now[c].counts), "value",
				    now[c].valid ? json_integer(now[c].value) : json_null());
		if (view->grown)
			json_object_set_new(counter, "grown",
					    growth(&earlier[c], &now[c], &number)
						    ? json_integer(number)
						    : json_null());
		json_array_append_new(counters, counter);
	}
	return counters;
}

static json_t *descriptors_to_json(const struct view *view, enum pbs_cdl_direction direction)
{
	json_t *descriptors = json_array();

	for (unsigned i = 0; view->cdl.source && i < PBS_CDL_DESCRIPTORS; i++) {
		const struct pbs_cdl_descriptor *descriptor = &view->cdl.descriptor[direction][i];
		char text[PBS_TEXT];

		json_array_append_new(
			descriptors,
			json_pack("{s:i, s:s, s:o, s:o, s:o}", "index", (int)i + 1, "text",
				  pbs_cdl_format(descriptor, text, sizeof(text)), "limits",
				  limits_to_json(descriptor), "odd", known_text(descriptor->odd),
				  "counters", counters_to_json(view, direction, i)));
	}
	return descriptors;
}

static json_t *to_json(const struct view *view)
{
	const struct pbs_disk_info *disk = &view->disk;
	const struct pbs_cdl *cdl = &view->cdl;
	json_t *notes = json_array();

	for (unsigned i = 0; i < view->notes; i++)
		json_array_append_new(notes, json_string(view->note[i]));
	return json_pack(
		"{s:s, s:s, s:b, s:{s:o, s:o, s:o}, s:{s:o, s:o, s:o, s:o, s:o}, s:o, s:o, s:o, s:o, "
		"s:o, s:o}",
		"disk", disk->name, "model", disk->model, "ata", disk->ata, "kernel", "supported",
		known_flag(disk->cdl_supported), "enabled", known_flag(disk->cdl_enabled),
		"ncq_prio_enabled", known_flag(disk->ncq_prio_enabled), "drive", "supported",
		known_flag(cdl->supported), "enabled", known_flag(cdl->enabled), "guideline_supported",
		known_flag(cdl->guideline_supported), "min_us", known_number(cdl->min_us), "max_us",
		known_number(cdl->max_us), "descriptors_from",
		cdl->source ? json_string(pbs_cdl_source_name(cdl->source)) : json_null(),
		"log_refused", known_text(cdl->log_refused), "statistics_refused",
		known_text(cdl->statistics_refused), "read", descriptors_to_json(view, PBS_CDL_READ),
		"write", descriptors_to_json(view, PBS_CDL_WRITE), "notes", notes);
}

/* --- text ------------------------------------------------------------------------------------- */

static const char *flag_text(int32_t flag)
{
	return flag < 0 ? "unknown" : flag ? "yes" : "no";
}

static void print_counters(const struct view *view, enum pbs_cdl_direction direction, unsigned i)
{
	const struct pbs_cdl_counter *now = view->cdl.descriptor[direction][i].counter;
	const struct pbs_cdl_counter *earlier = view->earlier.descriptor[direction][i].counter;
	const char *separator = "             ";
	uint32_t number;

	for (unsigned c = 0; c < PBS_CDL_COUNTERS; c++) {
		if (now[c].counts == PBS_CDL_COUNTS_NOTHING)
			continue;
		printf("%s%s: ", separator, pbs_cdl_counts_name(now[c].counts));
		separator = ", ";
		if (now[c].valid)
			printf("%u", now[c].value);
		else
			printf("unknown");
		if (view->grown && growth(&earlier[c], &now[c], &number))
			printf(" (+%u)", number);
		else if (view->grown && now[c].valid)
			printf(" (begun anew)");
	}
	if (separator[0] == ',')
		printf("\n");
}

static void print_descriptors(const struct view *view, enum pbs_cdl_direction direction)
{
	unsigned set = 0;

	for (unsigned i = 0; i < PBS_CDL_DESCRIPTORS; i++) {
		const struct pbs_cdl_descriptor *descriptor = &view->cdl.descriptor[direction][i];
		char text[PBS_TEXT];

		if (!pbs_cdl_is_set(descriptor) && !descriptor->odd[0])
			continue;
		set++;
		printf("%-5s %u      %s\n", pbs_cdl_direction_name(direction), i + 1,
		       pbs_cdl_format(descriptor, text, sizeof(text)));
		if (descriptor->odd[0])
			printf("             not valid: %s\n", descriptor->odd);
		if (view->cdl.statistics)
			print_counters(view, direction, i);
	}
	if (set == 0)
		printf("%-12s no descriptor has a limit\n", pbs_cdl_direction_name(direction));
}

static void print(const struct view *view)
{
	const struct pbs_disk_info *disk = &view->disk;
	const struct pbs_cdl *cdl = &view->cdl;

	printf("disk         %s, %s, %s\n", disk->name, disk->ata ? "SATA" : "SCSI", disk->model);
	printf("kernel       supported: %s, on: %s; NCQ priority on: %s\n",
	       flag_text(disk->cdl_supported), flag_text(disk->cdl_enabled),
	       flag_text(disk->ncq_prio_enabled));
	printf("drive        supported: %s, on: %s, guideline: %s\n", flag_text(cdl->supported),
	       flag_text(cdl->enabled), flag_text(cdl->guideline_supported));
	if (cdl->min_us || cdl->max_us)
		printf("limits       of %u to %u us\n", cdl->min_us, cdl->max_us);
	if (cdl->log_refused[0])
		printf("own log      %s\n", cdl->log_refused);
	if (cdl->source) {
		printf("descriptors  from %s\n", pbs_cdl_source_name(cdl->source));
		print_descriptors(view, PBS_CDL_READ);
		print_descriptors(view, PBS_CDL_WRITE);
	}
	if (cdl->statistics_refused[0])
		printf("counters     %s\n", cdl->statistics_refused);
	for (unsigned i = 0; i < view->notes; i++)
		printf("note         %s\n", view->note[i]);
}

int pbs_cdl_main(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"json", OPTION_JSON, NULL, 0, "Print JSON", 0},
		{"seconds", OPTION_SECONDS, "N", 0,
		 "Read everything again after this time, and show by how much the counters have grown", 0},
		{0},
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "DEVICE",
		.doc = "Shows a drive's command duration limits: whether they are on, its descriptors, and "
		       "how many commands it counts for them. Changes nothing. Each of a SATA drive's logs "
		       "is read when its queue is empty, so other requests wait for a moment. Needs root.",
	};
	struct arguments arguments = {0};
	struct view view = {0};

	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	survey(arguments.device, &view.disk);
	read_limits(&view.disk, &view.cdl);
	if (arguments.seconds) {
		view.earlier = view.cdl;
		view.grown = view.cdl.statistics;
		sleep(arguments.seconds);
		read_limits(&view.disk, &view.cdl);
	}
	make_notes(&view);
	if (arguments.json)
		return hprio_print_json(stdout, to_json(&view));
	print(&view);
	return EXIT_SUCCESS;
}
