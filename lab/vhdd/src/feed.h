/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The drive model in virtual time for another program, which makes the requests and says when time passes: so a
 * scheduler above the kernel can be simulated in its own code on this drive.
 *
 * Lines in, with blanks between their parts; the clock begins at 0:
 *   r NUMBER OFFSET LENGTH PRIO   a read comes now; NUMBER is the program's own, PRIO as "vhdd sim" has it
 *   t NS                          time passes until the next answer, but no longer than until NS
 * To each line "t" there is one line out, which says what the time is then:
 *   a NUMBER NS                   the read of that number is answered
 *   t NS                          none is answered until then
 */
#ifndef VHDD_FEED_H
#define VHDD_FEED_H

#include "host.h"
#include "params.h"

#include <stdio.h>

/*
 * Runs until the end of the input. 0, or a negative error code and a sentence in error (size bytes): -EINVAL for
 * parameters that do not fit together and for a line that is none of the above, which the sentence names with
 * what is allowed.
 */
int vhdd_feed_run(const struct vhdd_params *drive, enum vhdd_host_scheduler scheduler,
		  unsigned tags, FILE *in, FILE *out, char *error, size_t size);

#endif
