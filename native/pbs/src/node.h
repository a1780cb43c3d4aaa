/* Nodes of devices in /dev. */
#ifndef PBS_NODE_H
#define PBS_NODE_H

#include <sys/types.h>

/*
 * Opens a node in /dev of this name and type (S_IFBLK, S_IFCHR) and, for a block device, this number. -1, with
 * errno: there is none that may be opened.
 */
int pbs_node_open(const char *name, int flags, mode_t type, dev_t number);

#endif
