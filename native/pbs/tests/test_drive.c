// SPDX-License-Identifier: Apache-2.0
/* The queue in front of a drive, with a drive that is made of memory and answers when it is told to. */
#include "unit.h"

#include "drive.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 512
#define COMMAND_BYTES 4096
#define NS_PER_MS INT64_C(1000000)

/* Each block is filled with the low byte of its LBA. */
struct fake {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool hold_normal; /* commands of this level wait until this is over */
	bool hold_high;
	uint64_t fails_at; /* this LBA; 0: none */
	unsigned now;
	unsigned most;
	unsigned commands;
	unsigned high;
	unsigned before_high; /* commands until the first high one */
};

static int execute(void *context, unsigned thread, const struct pbs_ata_read *read, void *buffer,
		   struct pbs_failure *failure)
{
	struct fake *fake = context;
	bool fails;

	assert_true(thread < PBS_MAX_THREADS);
	pthread_mutex_lock(&fake->lock);
	if (read->level == PBS_LEVEL_HIGH && fake->high++ == 0)
		fake->before_high = fake->commands;
	fake->commands++;
	if (++fake->now > fake->most)
		fake->most = fake->now;
	pthread_cond_broadcast(&fake->changed);
	while (read->level == PBS_LEVEL_NORMAL ? fake->hold_normal : fake->hold_high)
		pthread_cond_wait(&fake->changed, &fake->lock);
	fake->now--;
	fails = fake->fails_at && fake->fails_at == read->lba;
	pthread_mutex_unlock(&fake->lock);
	if (fails)
		return pbs_fail(failure, PBS_REASON_COMMAND, "at %llu",
				(unsigned long long)read->lba);
	for (uint32_t i = 0; i < read->blocks; i++)
		memset((char *)buffer + i * BLOCK, (int)((read->lba + i) & 0xff), BLOCK);
	return 0;
}

static void fake_init(struct fake *fake)
{
	memset(fake, 0, sizeof(*fake));
	pthread_mutex_init(&fake->lock, NULL);
	pthread_cond_init(&fake->changed, NULL);
}

static void release_all(struct fake *fake)
{
	pthread_mutex_lock(&fake->lock);
	fake->hold_normal = false;
	fake->hold_high = false;
	pthread_cond_broadcast(&fake->changed);
	pthread_mutex_unlock(&fake->lock);
}

static struct pbs_drive *open_drive(struct fake *fake, unsigned in_flight)
{
	const struct pbs_drive_config config = {
		.execute = execute,
		.context = fake,
		.in_flight = in_flight,
		.block_bytes = BLOCK,
		.command_bytes = COMMAND_BYTES,
	};
	struct pbs_drive *drive;

	assert_int_equal(pbs_drive_open(&config, &drive), 0);
	return drive;
}

/* Pieces of one block each at LBA first, first + 1, ... */
static struct pbs_plan plan_of(uint64_t first, unsigned count)
{
	struct pbs_plan plan = {.count = count, .bytes = count * (uint64_t)BLOCK};

	for (unsigned i = 0; i < count; i++)
		plan.piece[i] = (struct pbs_piece){
			.lba = first + i, .blocks = 1, .at = i * (uint64_t)BLOCK, .bytes = BLOCK};
	return plan;
}

static void assert_filled(const unsigned char *buffer, uint64_t first, unsigned blocks)
{
	for (unsigned i = 0; i < blocks * BLOCK; i++)
		assert_int_equal(buffer[i], (first + i / BLOCK) & 0xff);
}

static void pieces_go_to_their_places(void **state)
{
	struct pbs_plan plan = {.count = 3, .bytes = 2000};
	const struct pbs_order order = {.level = PBS_LEVEL_HIGH};
	struct pbs_served served = {0};
	struct pbs_failure failure;
	unsigned char buffer[2001];
	struct pbs_drive *drive;
	struct fake fake;

	(void)state;
	fake_init(&fake);
	drive = open_drive(&fake, 32);
	plan.piece[0] = (struct pbs_piece){.lba = 5, .blocks = 2, .skip = 500, .bytes = 100};
	plan.piece[1] = (struct pbs_piece){.at = 100, .bytes = 900};
	plan.piece[2] = (struct pbs_piece){.lba = 9, .blocks = 2, .at = 1000, .bytes = 1000};
	memset(buffer, 0xaa, sizeof(buffer));
	assert_int_equal(pbs_drive_read(drive, &plan, &order, buffer, &served, &failure), 0);
	assert_int_equal(buffer[11], 5);
	assert_int_equal(buffer[12], 6);
	assert_int_equal(buffer[99], 6);
	assert_int_equal(buffer[100], 0);
	assert_int_equal(buffer[999], 0);
	assert_int_equal(buffer[1000], 9);
	assert_int_equal(buffer[1999], 10);
	assert_int_equal(buffer[2000], 0xaa);
	assert_int_equal(served.commands, 2);
	assert_int_equal(fake.high, 2);
	assert_false(served.raised);
	pbs_drive_close(drive);
}

struct reader {
	struct pbs_drive *drive;
	struct pbs_plan plan;
	struct pbs_order order;
	struct pbs_served served;
	struct pbs_failure failure;
	int result;
	unsigned char buffer[PBS_MAX_PIECES * BLOCK];
};

static void *read_in_thread(void *argument)
{
	struct reader *reader = argument;

	reader->result = pbs_drive_read(reader->drive, &reader->plan, &reader->order, reader->buffer,
					&reader->served, &reader->failure);
	return NULL;
}

/* Two readers with 32 pieces each want 64 commands: as many as allowed are at the drive at once. */
static void keeps_as_many_at_the_drive_as_allowed(void **state)
{
	static const unsigned allowed[] = {1, 7, 32};

	(void)state;
	for (size_t i = 0; i < COUNT(allowed); i++) {
		static struct reader reader[2];
		pthread_t thread[2];
		struct fake fake;

		fake_init(&fake);
		fake.hold_high = true;
		memset(reader, 0, sizeof(reader));
		reader[0].drive = open_drive(&fake, allowed[i]);
		reader[1].drive = reader[0].drive;
		for (unsigned n = 0; n < 2; n++) {
			reader[n].plan = plan_of(100 * n, PBS_MAX_PIECES);
			reader[n].order.level = PBS_LEVEL_HIGH;
			pthread_create(&thread[n], NULL, read_in_thread, &reader[n]);
		}
		pthread_mutex_lock(&fake.lock);
		while (fake.now < allowed[i])
			pthread_cond_wait(&fake.changed, &fake.lock);
		pthread_mutex_unlock(&fake.lock);
		/* Time for one too many. */
		usleep(20000);
		release_all(&fake);
		for (unsigned n = 0; n < 2; n++) {
			pthread_join(thread[n], NULL);
			assert_int_equal(reader[n].result, 0);
			assert_filled(reader[n].buffer, 100 * n, PBS_MAX_PIECES);
		}
		assert_int_equal(fake.most, allowed[i]);
		assert_int_equal(fake.commands, 2 * PBS_MAX_PIECES);
		pbs_drive_close(reader[0].drive);
	}
}

static void urgent_commands_are_taken_first(void **state)
{
	static struct reader normal;
	static struct reader high;
	pthread_t normal_thread;
	pthread_t high_thread;
	struct fake fake;

	(void)state;
	fake_init(&fake);
	fake.hold_normal = true;
	normal.drive = open_drive(&fake, 1);
	normal.plan = plan_of(0, 8);
	pthread_create(&normal_thread, NULL, read_in_thread, &normal);
	pthread_mutex_lock(&fake.lock);
	while (fake.now < 1)
		pthread_cond_wait(&fake.changed, &fake.lock);
	pthread_mutex_unlock(&fake.lock);
	/* One is at the drive, seven wait. */
	high.drive = normal.drive;
	high.plan = plan_of(50, 1);
	high.order.level = PBS_LEVEL_HIGH;
	pthread_create(&high_thread, NULL, read_in_thread, &high);
	/* Time to queue up. */
	usleep(100000);
	assert_int_equal(fake.high, 0);
	release_all(&fake);
	pthread_join(high_thread, NULL);
	pthread_join(normal_thread, NULL);
	assert_int_equal(fake.before_high, 1);
	assert_int_equal(high.result, 0);
	assert_filled(high.buffer, 50, 1);
	assert_filled(normal.buffer, 0, 8);
	pbs_drive_close(high.drive);
}

/*
 * The drive never answers the normal commands: the read ends because it is sent again as high. There are no
 * more at the drive than allowed then, either.
 */
static void an_old_normal_read_is_raised(void **state)
{
	static struct reader reader;
	struct fake fake;

	(void)state;
	fake_init(&fake);
	fake.hold_normal = true;
	memset(&reader, 0, sizeof(reader));
	reader.drive = open_drive(&fake, 4);
	reader.plan = plan_of(7, 8);
	reader.order.raise_at = pbs_now() + 300 * NS_PER_MS;
	read_in_thread(&reader);
	assert_int_equal(reader.result, 0);
	assert_true(reader.served.raised);
	assert_true(pbs_now() >= reader.order.raise_at);
	assert_filled(reader.buffer, 7, 8);
	/* Three had been sent, all eight are sent as high. */
	assert_int_equal(reader.served.commands, 11);
	assert_int_equal(fake.high, 8);
	assert_int_equal(fake.most, 4);
	/* What is late must not write to the reader's buffer any more. */
	memset(reader.buffer, 0xaa, sizeof(reader.buffer));
	release_all(&fake);
	pbs_drive_close(reader.drive);
	for (size_t i = 0; i < sizeof(reader.buffer); i++)
		assert_int_equal(reader.buffer[i], 0xaa);
}

static void a_high_read_is_not_raised(void **state)
{
	static struct reader reader;
	struct fake fake;

	(void)state;
	fake_init(&fake);
	memset(&reader, 0, sizeof(reader));
	reader.drive = open_drive(&fake, 4);
	reader.plan = plan_of(7, 8);
	reader.order.level = PBS_LEVEL_HIGH;
	reader.order.raise_at = 1;
	read_in_thread(&reader);
	assert_int_equal(reader.result, 0);
	assert_false(reader.served.raised);
	assert_int_equal(reader.served.commands, 8);
	pbs_drive_close(reader.drive);
}

static void gives_up_in_time(void **state)
{
	static struct reader reader;
	struct fake fake;

	(void)state;
	fake_init(&fake);
	fake.hold_normal = true;
	memset(&reader, 0, sizeof(reader));
	reader.drive = open_drive(&fake, 4);
	reader.plan = plan_of(7, 8);
	reader.order.deadline = pbs_now() + 20 * NS_PER_MS;
	read_in_thread(&reader);
	assert_int_equal(reader.result, -1);
	assert_int_equal(reader.failure.reason, PBS_REASON_TIMEOUT);
	assert_true(pbs_now() >= reader.order.deadline);
	release_all(&fake);
	/* The drive works on for others. */
	reader.order.deadline = 0;
	read_in_thread(&reader);
	assert_int_equal(reader.result, 0);
	assert_filled(reader.buffer, 7, 8);
	pbs_drive_close(reader.drive);
}

static void a_failure_ends_the_read(void **state)
{
	static struct reader reader;
	struct fake fake;

	(void)state;
	fake_init(&fake);
	fake.fails_at = 9;
	memset(&reader, 0, sizeof(reader));
	reader.drive = open_drive(&fake, 4);
	reader.plan = plan_of(7, 8);
	read_in_thread(&reader);
	assert_int_equal(reader.result, -1);
	assert_int_equal(reader.failure.reason, PBS_REASON_COMMAND);
	assert_string_equal(reader.failure.text, "at 9");
	pbs_drive_close(reader.drive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_go_to_their_places),
		cmocka_unit_test(keeps_as_many_at_the_drive_as_allowed),
		cmocka_unit_test(urgent_commands_are_taken_first),
		cmocka_unit_test(an_old_normal_read_is_raised),
		cmocka_unit_test(a_high_read_is_not_raised),
		cmocka_unit_test(gives_up_in_time),
		cmocka_unit_test(a_failure_ends_the_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
