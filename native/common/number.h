/* SPDX-License-Identifier: Apache-2.0 */
/* Whole numbers in arguments. Pure functions. */
#ifndef HPRIO_NUMBER_H
#define HPRIO_NUMBER_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Reads the whole text as a decimal number from min to max, without sign or blanks. False, and number
 * unchanged, if it is anything else.
 */
bool hprio_parse_whole(const char *text, uint64_t min, uint64_t max, uint64_t *number);

/*
 * The same for the value of an option (its name without dashes). If the text is wrong, the program ends
 * with a message that names the option, the text and what is allowed.
 */
uint64_t hprio_whole_option(const struct argp_state *state, const char *option, const char *text,
			    uint64_t min, uint64_t max);

#endif
