/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the state of a disk is kept: RUN_DIR/NAME/, with RUN_DIR from --run-dir, the environment
 * variable VHDD_RUN_DIR, or /run/hprio/vhdd. Nothing in it survives a reboot.
 */
#ifndef VHDD_RUNDIR_H
#define VHDD_RUNDIR_H

#include <stdbool.h>
#include <stddef.h>

#define VHDD_RUN_DIR_VARIABLE "VHDD_RUN_DIR"
#define VHDD_RUN_DIR_DEFAULT "/run/hprio/vhdd"

/* Long enough for any path here: that of a socket may have 107 characters. */
#define VHDD_PATH_SIZE 160

struct vhdd_paths {
	char root[VHDD_PATH_SIZE];
	char name[VHDD_PATH_SIZE];
	char dir[VHDD_PATH_SIZE];
	char mount[VHDD_PATH_SIZE];  /* mount point of the daemon's filesystem */
	char image[VHDD_PATH_SIZE];  /* the one file in it, the disk's bytes */
	char socket[VHDD_PATH_SIZE]; /* the daemon's control socket */
	char state[VHDD_PATH_SIZE];
	char log[VHDD_PATH_SIZE];
	char daemon_pid[VHDD_PATH_SIZE];
	char watchdog_pid[VHDD_PATH_SIZE];
	char lock[VHDD_PATH_SIZE];
};

/* The run directory; given may be NULL. */
const char *vhdd_run_dir(const char *given);

/* Fills in the paths of a disk: 0, or -EINVAL after a message for a bad name or too long a path. */
int vhdd_paths_init(struct vhdd_paths *paths, const char *run_dir, const char *name);

/* Whether the disk has a state directory. */
bool vhdd_paths_exist(const struct vhdd_paths *paths);

/*
 * Holds off every other create and destroy of this disk until the file descriptor is closed; makes
 * the run directory. -1 after a message.
 */
int vhdd_paths_lock(const struct vhdd_paths *paths);

/* Makes the directory and its parents: 0, or -errno. */
int vhdd_make_dirs(const char *path);

/* Deletes the state directory; the filesystem in it must be unmounted. 0, or -errno of a message. */
int vhdd_paths_remove(const struct vhdd_paths *paths);

/*
 * The names of all disks, sorted, in a new array that ends with NULL; NULL after a message.
 */
char **vhdd_disk_names(const char *run_dir);
void vhdd_disk_names_free(char **names);

#endif
