#include "sim.h"

#define MS_NS 1e6

/* The columns of both outputs. */
static const struct {
	const char *name;
	double q;
} quantiles[] = {
	{"p50_ms", 0.5},     {"p95_ms", 0.95},     {"p99_ms", 0.99},
	{"p99.9_ms", 0.999}, {"p99.99_ms", 0.9999},
};

#define QUANTILES (sizeof(quantiles) / sizeof(quantiles[0]))

static double quantile_ms(const struct vhdd_histogram *histogram, double q)
{
	return (double)vhdd_histogram_quantile(histogram, q) / MS_NS;
}

static json_t *class_to_json(const struct vhdd_sim_result *result, enum vhdd_sim_class class)
{
	const struct vhdd_histogram *latency = &result->latency[class];
	json_t *object = json_pack("{s:I, s:f, s:f}", "n", (json_int_t)latency->count, "iops",
				   vhdd_sim_iops(result, class), "mean_ms",
				   vhdd_histogram_mean(latency) / MS_NS);

	for (size_t i = 0; i < QUANTILES && object != NULL; i++)
		json_object_set_new(object, quantiles[i].name,
				    json_real(quantile_ms(latency, quantiles[i].q)));
	if (object != NULL)
		json_object_set_new(object, "max_ms",
				    json_real((double)vhdd_histogram_max(latency) / MS_NS));
	return object;
}

static json_t *config_to_json(const struct vhdd_sim_config *config)
{
	char background[32];
	char high[32];
	char foreground[32];

	return json_pack(
		"{s:s, s:I, s:I, s:I, s:I, s:s, s:b, s:f, s:s, s:I, s:f, s:s, s:I, s:I, s:I}",
		"host", vhdd_host_scheduler_name(config->host), "tags", (json_int_t)config->tags,
		"host_ns", (json_int_t)config->host_ns, "request_bytes",
		(json_int_t)config->request_bytes, "background", (json_int_t)config->background,
		"background_ioprio",
		vhdd_ioprio_format(config->background_ioprio, background, sizeof(background)),
		"background_sequential", (int)config->background_sequential, "high_share",
		config->high_share, "high_ioprio",
		vhdd_ioprio_format(config->high_ioprio, high, sizeof(high)), "foreground",
		(json_int_t)config->foreground, "foreground_rate", config->foreground_rate,
		"foreground_ioprio",
		vhdd_ioprio_format(config->foreground_ioprio, foreground, sizeof(foreground)),
		"samples", (json_int_t)config->samples, "warmup", (json_int_t)config->warmup, "seed",
		(json_int_t)config->seed);
}

json_t *vhdd_sim_result_to_json(const struct vhdd_sim_config *config,
				const struct vhdd_sim_result *result)
{
	json_t *classes = json_object();

	for (unsigned i = 0; i < VHDD_SIM_CLASSES && classes != NULL; i++) {
		if (result->latency[i].count > 0)
			json_object_set_new(classes, vhdd_sim_class_name(i),
					    class_to_json(result, i));
	}
	return json_pack("{s:o, s:o, s:f, s:f, s:I, s:o}", "config", config_to_json(config),
			 "drive", vhdd_params_to_json(&config->drive), "duration_s",
			 (double)result->duration_ns / 1e9, "iops",
			 vhdd_sim_iops(result, VHDD_SIM_CLASSES), "max_queue",
			 (json_int_t)result->max_queue, "classes", classes);
}

void vhdd_sim_result_print(FILE *out, const struct vhdd_sim_config *config,
			   const struct vhdd_sim_result *result)
{
	fprintf(out, "mode %s, host %s, %u tags, %.0f s of disk time, %.1f requests/s, queue <= %zu\n",
		vhdd_mode_name(config->drive.mode), vhdd_host_scheduler_name(config->host),
		config->tags, (double)result->duration_ns / 1e9,
		vhdd_sim_iops(result, VHDD_SIM_CLASSES), result->max_queue);
	fprintf(out, "%-12s %9s %8s %9s", "class", "n", "iops", "mean_ms");
	for (size_t i = 0; i < QUANTILES; i++)
		fprintf(out, " %9s", quantiles[i].name);
	fprintf(out, " %9s\n", "max_ms");
	for (unsigned class = 0; class < VHDD_SIM_CLASSES; class++) {
		const struct vhdd_histogram *latency = &result->latency[class];
		if (latency->count == 0)
			continue;
		fprintf(out, "%-12s %9llu %8.1f %9.2f", vhdd_sim_class_name(class),
			(unsigned long long)latency->count, vhdd_sim_iops(result, class),
			vhdd_histogram_mean(latency) / MS_NS);
		for (size_t i = 0; i < QUANTILES; i++)
			fprintf(out, " %9.2f", quantile_ms(latency, quantiles[i].q));
		fprintf(out, " %9.2f\n", (double)vhdd_histogram_max(latency) / MS_NS);
	}
}
