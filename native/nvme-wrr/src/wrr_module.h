/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* The parameters of the module, and what the driver's own code calls. Included once, before the driver's types. */
#include <linux/ioprio.h>
#include "wrr_values.h"

struct nvme_dev;
struct nvme_queue;

static bool wrr;
module_param(wrr, bool, 0444);
MODULE_PARM_DESC(wrr, "weighted round robin of the I/O classes, on drives that have it (CAP.AMS); default: off");

static bool wrr_force;
module_param(wrr_force, bool, 0444);
MODULE_PARM_DESC(wrr_force, "with wrr: also on drives that do not say that they have it, for emulators; default: off");

static unsigned int wrr_burst = 3;
static unsigned int wrr_weights[WRR_WEIGHTS] = { 3, 2, 1 };
static char wrr_map_text[sizeof("uuuuuuuu,hhhhmmmm,l,m")] = "u,hhhhmmmm,l,m";
static struct wrr_map wrr_map = {
	{
		{ WRR_MEDIUM, WRR_MEDIUM, WRR_MEDIUM, WRR_MEDIUM, WRR_MEDIUM, WRR_MEDIUM, WRR_MEDIUM, WRR_MEDIUM },
		{ WRR_URGENT, WRR_URGENT, WRR_URGENT, WRR_URGENT, WRR_URGENT, WRR_URGENT, WRR_URGENT, WRR_URGENT },
		{ WRR_HIGH, WRR_HIGH, WRR_HIGH, WRR_HIGH, WRR_MEDIUM, WRR_MEDIUM, WRR_MEDIUM, WRR_MEDIUM },
		{ WRR_LOW, WRR_LOW, WRR_LOW, WRR_LOW, WRR_LOW, WRR_LOW, WRR_LOW, WRR_LOW },
	}
};

/* A value that is not allowed when the module is loaded: the system may boot from this drive, so it goes on, without. */
static bool wrr_refused;

static int wrr_refuse(const char *value, const struct kernel_param *kp, const char *allowed)
{
	bool loading = THIS_MODULE->state != MODULE_STATE_LIVE;

	pr_err("nvme: %s=%.*s: allowed are %s%s\n", kp->name, (int)strcspn(value, "\n"), value, allowed,
	       loading ? "; wrr is off" : "");
	if (!loading)
		return -EINVAL;
	wrr_refused = true;
	return 0;
}

static int wrr_burst_set(const char *value, const struct kernel_param *kp)
{
	return wrr_parse_burst(value, &wrr_burst) ? 0 : wrr_refuse(value, kp, WRR_BURST_ALLOWED);
}

static int wrr_weights_set(const char *value, const struct kernel_param *kp)
{
	return wrr_parse_weights(value, wrr_weights) ? 0 : wrr_refuse(value, kp, WRR_WEIGHTS_ALLOWED);
}

static int wrr_weights_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%u,%u,%u\n", wrr_weights[0], wrr_weights[1], wrr_weights[2]);
}

static int wrr_map_set(const char *value, const struct kernel_param *kp)
{
	if (!wrr_parse_map(value, &wrr_map))
		return wrr_refuse(value, kp, WRR_MAP_ALLOWED);
	snprintf(wrr_map_text, sizeof(wrr_map_text), "%.*s", (int)strcspn(value, "\n"), value);
	return 0;
}

static int wrr_map_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%s\n", wrr_map_text);
}

static const struct kernel_param_ops wrr_burst_ops = { .set = wrr_burst_set, .get = param_get_uint };
static const struct kernel_param_ops wrr_weights_ops = { .set = wrr_weights_set, .get = wrr_weights_get };
static const struct kernel_param_ops wrr_map_ops = { .set = wrr_map_set, .get = wrr_map_get };

/* Weights and burst that change are set at the next reset of a drive. */
module_param_cb(wrr_burst, &wrr_burst_ops, &wrr_burst, 0644);
MODULE_PARM_DESC(wrr_burst, WRR_BURST_ALLOWED "; default: 3");
module_param_cb(wrr_weights, &wrr_weights_ops, NULL, 0644);
MODULE_PARM_DESC(wrr_weights, WRR_WEIGHTS_ALLOWED "; default: 3,2,1");
module_param_cb(wrr_map, &wrr_map_ops, NULL, 0644);
MODULE_PARM_DESC(wrr_map, WRR_MAP_ALLOWED "; default: u,hhhhmmmm,l,m");

static inline bool wrr_wanted(void)
{
	return wrr && !wrr_refused;
}

/* By how much the drive may have more submission queues than completion queues. Fixed once drives are looked for. */
static inline unsigned int wrr_factor(void)
{
	return wrr_wanted() ? WRR_PRIOS : 1;
}

/* In wrr_life.h; what they need of the driver is defined later there. */
static void wrr_forget_doorbells(struct nvme_queue *nvmeq);
static void wrr_free(struct nvme_queue *nvmeq);
static int nvme_delete_queue(struct nvme_queue *nvmeq, u8 opcode);
