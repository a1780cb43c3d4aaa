/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of devices in /dev. */
#ifndef PBS_NODE_H
#define PBS_NODE_H

#include <sys/types.h>

/*
 * Opens a node in /dev of this name, type (S_IFBLK, S_IFCHR) and number, which sysfs tells: under another number
 * the name stands for another device. -1, with errno: there is none that may be opened; ENODEV: it is not this one.
 */
int pbs_node_open(const char *name, int flags, mode_t type, dev_t number);

#endif
