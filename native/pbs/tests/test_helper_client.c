// SPDX-License-Identifier: Apache-2.0
/* A helper that lies, or does not answer: here it is a thread of the test, or nobody. */
#include "unit.h"

#include "helper_client.h"
#include "helper_protocol.h"
#include "helper_socket.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#define DEVICE makedev(8, 1)

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static int listener;

/* What the helper answers to a read. */
static struct pbs_helper_reply answer;

static int listen_here(void **state)
{
	static char directory[] = "/tmp/test_helper_client.XXXXXX";

	(void)state;
	if (!address.sun_path[0]) {
		assert_non_null(mkdtemp(directory));
		strcpy(address.sun_path, directory);
		strcat(address.sun_path, "/socket");
	}
	listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(listener, (const struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(listener, 0), 0);
	return 0;
}

static int end(void **state)
{
	(void)state;
	close(listener);
	return unlink(address.sun_path);
}

static int remove_directory(void **state)
{
	(void)state;
	*strrchr(address.sun_path, '/') = '\0';
	return rmdir(address.sun_path);
}

/* Serves one connection: its hello, and each read with the answer. */
static void *serve(void *argument)
{
	struct pbs_helper_request request;
	int client = accept(listener, NULL, NULL);
	int fd;

	(void)argument;
	while (pbs_socket_receive(client, &request, sizeof(request), &fd) == 0) {
		const struct pbs_helper_reply hello = {.magic = PBS_HELPER_MAGIC};
		bool is_hello = request.operation == PBS_HELPER_HELLO;

		if (fd >= 0)
			close(fd);
		pbs_socket_send(client, is_hello ? &hello : &answer, sizeof(answer), -1);
	}
	close(client);
	return NULL;
}

/* Reads through a helper that gives the answer. */
static struct pbs_failure read_answered(void)
{
	const struct pbs_order order = {.level = PBS_LEVEL_HIGH};
	struct pbs_served served = {0};
	struct pbs_failure failure;
	struct pbs_helper *helper;
	pthread_t thread;
	char buffer[16];

	assert_int_equal(pthread_create(&thread, NULL, serve, NULL), 0);
	assert_int_equal(pbs_helper_open(address.sun_path, DEVICE, &helper, &failure), 0);
	assert_int_equal(pbs_helper_read(helper, STDIN_FILENO, buffer, sizeof(buffer), 0, &order,
					 &served, &failure),
			 -1);
	pbs_helper_close(helper);
	pthread_join(thread, NULL);
	return failure;
}

static void a_reason_that_there_is_not_becomes_one_of_the_helpers(void **state)
{
	static const int reasons[] = {1000, PBS_REASONS, -1, PBS_REASON_NONE};

	(void)state;
	for (size_t i = 0; i < COUNT(reasons); i++) {
		int reason = reasons[i];

		answer = (struct pbs_helper_reply){.magic = PBS_HELPER_MAGIC, .result = -1};
		memcpy(&answer.failure.reason, &reason, sizeof(reason));
		assert_int_equal(read_answered().reason, PBS_REASON_HELPER);
		end(state);
		listen_here(state);
	}
	answer.failure.reason = PBS_REASONS - 1;
	assert_int_equal(read_answered().reason, PBS_REASONS - 1);
}

static void a_text_without_an_end_gets_one(void **state)
{
	struct pbs_failure failure;

	(void)state;
	answer = (struct pbs_helper_reply){.magic = PBS_HELPER_MAGIC, .result = -1};
	answer.failure.reason = PBS_REASON_MAP;
	memset(answer.failure.text, 'x', sizeof(answer.failure.text));
	failure = read_answered();
	assert_int_equal(failure.reason, PBS_REASON_MAP);
	assert_int_equal(failure.text[sizeof(failure.text) - 1], '\0');
}

/* As one that is stopped, with as many waiting as it lets. */
static void a_helper_that_accepts_nobody_is_waited_for_no_longer_than_a_second(void **state)
{
	struct pbs_failure failure;
	struct pbs_helper *helper;
	int waiting;

	(void)state;
	do
		waiting = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	while (connect(waiting, (const struct sockaddr *)&address, sizeof(address)) == 0);
	assert_int_equal(errno, EAGAIN);
	assert_int_equal(pbs_helper_open(address.sun_path, DEVICE, &helper, &failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_TIMEOUT);
}

static void nor_is_one_that_accepts_and_says_nothing(void **state)
{
	struct pbs_failure failure;
	struct pbs_helper *helper;

	(void)state;
	assert_int_equal(pbs_helper_open(address.sun_path, DEVICE, &helper, &failure), -1);
	assert_int_equal(failure.reason, PBS_REASON_TIMEOUT);
}

int main(void)
{
#define LISTENING(test) cmocka_unit_test_setup_teardown(test, listen_here, end)
	const struct CMUnitTest tests[] = {
		LISTENING(a_reason_that_there_is_not_becomes_one_of_the_helpers),
		LISTENING(a_text_without_an_end_gets_one),
		LISTENING(a_helper_that_accepts_nobody_is_waited_for_no_longer_than_a_second),
		LISTENING(nor_is_one_that_accepts_and_says_nothing),
	};

	/* One that waits for ever ends, too. */
	alarm(60);
	return cmocka_run_group_tests(tests, NULL, remove_directory);
}
