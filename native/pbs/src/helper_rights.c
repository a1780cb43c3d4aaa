// SPDX-License-Identifier: Apache-2.0
#include "helper_rights.h"

#include <err.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

bool pbs_rights_find_user(const char *name, uid_t *user, gid_t *group)
{
	FILE *users = fopen("/etc/passwd", "re");
	const struct passwd *entry = NULL;

	while (users && (entry = fgetpwent(users)) && strcmp(entry->pw_name, name) != 0)
		;
	if (entry) {
		*user = entry->pw_uid;
		*group = entry->pw_gid;
	}
	if (users)
		fclose(users);
	return entry != NULL;
}

void pbs_rights_drop(uid_t user, gid_t group, bool rawio)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3] = {0};

	if (rawio)
		rights[0].permitted = rights[0].effective = 1u << CAP_SYS_RAWIO;
	if (prctl(PR_SET_KEEPCAPS, 1) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		err(EXIT_FAILURE, "prctl");
	if (geteuid() == 0 && (setgroups(0, NULL) || setresgid(group, group, group) ||
			       setresuid(user, user, user)))
		err(EXIT_FAILURE, "--user=%u:%u", user, group);
	if (syscall(SYS_capset, &header, rights))
		err(EXIT_FAILURE, "capset");
	if (prctl(PR_SET_DUMPABLE, 0))
		err(EXIT_FAILURE, "prctl");
}
