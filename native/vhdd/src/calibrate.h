/*
 * The drive model against published measurements of real drives.
 */
#ifndef VHDD_CALIBRATE_H
#define VHDD_CALIBRATE_H

/*
 * The command "vhdd calibrate": simulates each published workload and prints the published number
 * beside ours, as text or JSON. Returns the exit status: 1 if a gated value is out of tolerance.
 */
int vhdd_calibrate_main(int argc, char **argv);

#endif
