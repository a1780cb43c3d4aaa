/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PBS: reads of files that bring a priority to the drive, after the paper on PBS (HotCloud 2013). Two
 * engines:
 *
 *   ncq     finds the sectors of a file's range and reads them with the command READ FPDMA QUEUED,
 *           whose field PRIO says how urgent it is (ACS-5, "READ FPDMA QUEUED"; SAT-5, "ATA
 *           PASS-THROUGH"; needs rights on the disk, or the helper hprio-pbsd)
 *   direct  O_DIRECT through io_uring, with a priority of its own for each request (ioprio_set(2));
 *           the kernel's I/O scheduler and driver pass it on
 *
 * A read returns the bytes or the errno that pread(2) would return: what an engine cannot read is read
 * with pread(2) and counted, and the reason is reported. All state is in handles, but volumes on one disk share
 * its commands in flight.
 *
 * All structures have fields of fixed size, naturally aligned, so that they can be mapped from other
 * languages; texts are UTF-8 and end with a zero byte.
 */
#ifndef HPRIO_PBS_H
#define HPRIO_PBS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PBS_API __attribute__((visibility("default")))

/* Bytes of a text in these structures, with the zero byte. */
#define PBS_TEXT 256
#define PBS_NAME 32

/* Where the right to send commands to the disk comes from. */
enum pbs_access {
	PBS_ACCESS_AUTO = 0,   /* the disk itself if this process may, else the helper */
	PBS_ACCESS_DEVICE = 1, /* the disk itself only */
	PBS_ACCESS_HELPER = 2, /* the helper only */
	PBS_ACCESS_NONE = 3,   /* as an answer: neither */
};

/* The field PRIO of a read (ACS-5, "READ FPDMA QUEUED": 00b, 10b). */
enum pbs_level {
	PBS_LEVEL_NORMAL = 0,
	PBS_LEVEL_HIGH = 1,
};

/* How a read got its bytes. */
enum pbs_way {
	PBS_WAY_CACHE = 0,    /* all pages were in the page cache: pread(2) */
	PBS_WAY_NCQ = 1,      /* read from the drive with the level asked for */
	PBS_WAY_DIRECT = 2,   /* O_DIRECT with the ioprio asked for */
	PBS_WAY_FALLBACK = 3, /* pread(2), for an enum pbs_reason */
	PBS_WAY_NOT_READ = 4, /* not read, for an enum pbs_reason; the caller decides what to do */
};

/* Why a read fell back, or was not read. The numbers index struct pbs_stats.fallback and are never changed. */
enum pbs_reason {
	PBS_REASON_NONE = 0,
	PBS_REASON_VOLUME = 1,	    /* the volume cannot do it: see struct pbs_volume_info */
	PBS_REASON_FILE = 2,	    /* not a regular file of this volume, or encrypted, verity, ... */
	PBS_REASON_MAP = 3,	    /* FIEMAP failed, or its answer is not valid */
	PBS_REASON_UNKNOWN = 4,	    /* 4 to 11: the extent's flag, FIEMAP_EXTENT_UNKNOWN, ... */
	PBS_REASON_DELALLOC = 5,
	PBS_REASON_ENCODED = 6,
	PBS_REASON_ENCRYPTED = 7,
	PBS_REASON_NOT_ALIGNED = 8,
	PBS_REASON_INLINE = 9,
	PBS_REASON_TAIL = 10,
	PBS_REASON_UNWRITTEN = 11,
	PBS_REASON_RANGE = 12,	    /* the extent lies outside of the partition */
	PBS_REASON_CHANGED = 13,    /* the file's extents changed during the read */
	PBS_REASON_TIMEOUT = 14,    /* no answer within the caller's time */
	PBS_REASON_RIGHTS = 15,	    /* EPERM or EACCES from the kernel or the helper */
	PBS_REASON_GONE = 16,	    /* the drive does not answer any more */
	PBS_REASON_COMMAND = 17,    /* the drive refused or failed the command */
	PBS_REASON_HELPER = 18,	    /* the helper does not run, or the connection broke */
	PBS_REASON_DIRECT = 19,	    /* O_DIRECT or io_uring failed */
	PBS_REASON_RESOURCES = 20,  /* no memory, threads or descriptors */
	PBS_REASON_DIRTY = 21,	    /* a part is in the page cache only, or on its way to the disk */
	PBS_REASON_EXPIRED = 22,    /* the drive ended the command for its duration limit (ETIME) */
	PBS_REASONS = 23,
};

struct pbs_options {
	/* Socket of hprio-pbsd; NULL: there is none. Copied by pbs_volume_open. */
	const char *helper;
	int32_t access;		 /* enum pbs_access, but not PBS_ACCESS_NONE */
	uint32_t raise_after_ms; /* a normal ncq read that is older is sent again as high; 0: never */
	/* Commands at the drive at once, 1 to 32; at most half of its queue (queue_depth) in any case. */
	uint32_t in_flight;
};

/* What is known of a volume. -1 in a signed number: unknown. */
struct pbs_volume_info {
	int32_t device_major; /* what the file system is on, as in stat(2).st_dev */
	int32_t device_minor;
	int32_t disk_major; /* the whole disk */
	int32_t disk_minor;
	int32_t access;		       /* enum pbs_access: what ncq uses */
	int32_t ncq_supported;	       /* 0, 1: IDENTIFY DEVICE word 76 bit 8 */
	int32_t ncq_prio_supported;    /* 0, 1: word 76 bit 12, or what the kernel says */
	int32_t ncq_prio_enabled;      /* 0, 1: the kernel sends class RT as high priority itself */
	int32_t cdl_supported; /* 0, 1: the kernel has found command duration limits (Linux 6.5) */
	int32_t cdl_enabled;   /* 0, 1: they are on, which excludes NCQ priority; hints reach the drive */
	int32_t hints;	       /* 0, 1: io_uring takes an ioprio with a hint (Linux 6.5) */
	int32_t queue_depth;	       /* 1: no NCQ */
	int32_t logical_block_bytes;   /* 512 or 4096; ncq reads whole ones */
	int32_t command_bytes;	       /* the largest command */
	int32_t rotational;	       /* 0, 1 */
	int64_t partition_start_bytes; /* from the start of the disk; 0: no partition */
	int64_t partition_bytes;
	char filesystem[PBS_NAME]; /* as in /proc/mounts, e.g. "ext4" */
	char device[PBS_NAME];	   /* the kernel's name, e.g. "sda1"; "": none */
	char disk[PBS_NAME];	   /* e.g. "sda" */
	char scheduler[PBS_NAME];  /* e.g. "mq-deadline" */
	char model[PBS_NAME];
	char ncq_refused[PBS_TEXT];    /* why ncq cannot be used here; "": it can */
	char direct_refused[PBS_TEXT]; /* the same for direct */
};

/*
 * Reads since the volume was opened. Each read is counted in one of cache, ncq, direct, fallback; one that was
 * not read in fallback, too.
 */
struct pbs_stats {
	uint64_t cache;
	uint64_t ncq;
	uint64_t direct;
	uint64_t fallback[PBS_REASONS];
	uint64_t raised;  /* normal ncq reads that were sent again as high */
	uint64_t lowered; /* direct reads of class RT done as be:0, as the process may not use RT */
	uint64_t commands; /* sent to the drive */
};

/* How one read went. */
struct pbs_outcome {
	int32_t way;	  /* enum pbs_way */
	int32_t reason;	  /* enum pbs_reason; not PBS_REASON_NONE with PBS_WAY_FALLBACK and _NOT_READ */
	int32_t raised;	  /* 1: sent again as high */
	int32_t commands; /* sent to the drive, with those sent again */
	char text[PBS_TEXT]; /* the reason for a person, with details as sense data; "": none */
};

/* A drive has so many descriptors of duration limits for reads, each with so many limits. */
#define PBS_DURATION_LIMITS 7
#define PBS_DURATION_TIMES 3

/*
 * The descriptors of a drive's command duration limits for reads (SPC-6, "T2 command duration limit
 * descriptor"). The first has index 1. Their times are the inactive time, the active time and the guideline.
 */
struct pbs_duration_limits {
	uint64_t ns[PBS_DURATION_LIMITS][PBS_DURATION_TIMES];	 /* 0: no limit */
	int32_t policy[PBS_DURATION_LIMITS][PBS_DURATION_TIMES]; /* 0h to Fh; -1: unknown */
	char odd[PBS_DURATION_LIMITS][48]; /* what of it the standard does not allow; "": nothing */
	/* 0, 1: a SATA drive. The kernel closes it to all when it gives up a read (policy Dh), see README.md. */
	int32_t ata;
};

struct pbs_volume;
struct pbs_file;

/* Default options: no helper, PBS_ACCESS_AUTO, raise after 500 ms, half of the drive's queue in flight. */
PBS_API void pbs_options_init(struct pbs_options *options);

/*
 * Finds out what is below path, any existing file or directory, and opens it. It also succeeds where no
 * engine can be used: see ncq_refused and direct_refused. options may be NULL: the defaults. Returns
 * 0; or -errno, and in error (PBS_TEXT bytes; may be NULL) a sentence: -EINVAL for options out of
 * range, -ENOMEM, or what opening path gave. *volume is set on success only.
 */
PBS_API int pbs_volume_open(const char *path, const struct pbs_options *options,
			    struct pbs_volume **volume, char *error);

/*
 * Waits for commands that are still at the drive, whose reads timed out. All its files must have been
 * closed. NULL is allowed.
 */
PBS_API void pbs_volume_close(struct pbs_volume *volume);

/* As of pbs_volume_open. Thread-safe. */
PBS_API void pbs_volume_info(const struct pbs_volume *volume, struct pbs_volume_info *info);

/*
 * Asks the volume's drive for its duration limits. Takes up to seven commands, for each of which the kernel lets
 * a SATA drive's queue run empty, and the right to open the disk; the policies of a SATA drive also that to ATA
 * PASS-THROUGH (CAP_SYS_RAWIO, or an sg node that may be written). Does not ask the helper. Returns 0; or -1,
 * and in error (PBS_TEXT bytes; may be NULL) a sentence: no such drive, no rights, limits that are off, an
 * answer that is not valid. Thread-safe.
 */
PBS_API int pbs_volume_duration_limits(const struct pbs_volume *volume,
				       struct pbs_duration_limits *limits, char *error);

/* Thread-safe. While reads are in progress, the counters need not be consistent with each other. */
PBS_API void pbs_volume_stats(const struct pbs_volume *volume, struct pbs_stats *stats);

/*
 * Opens a file for reading with either engine. fd must be open for reading; it is duplicated, so the
 * caller may close it. For a file that the engines cannot read this succeeds, and its reads fall back.
 * Returns 0, or -errno (-EBADF, -EMFILE, -ENOMEM).
 */
PBS_API int pbs_file_open(struct pbs_volume *volume, int32_t fd, struct pbs_file **file);

/* No read may be in progress. NULL is allowed. */
PBS_API void pbs_file_close(struct pbs_file *file);

/*
 * Reads through engine ncq. offset and length are in bytes and need no alignment. level is an enum
 * pbs_level. After timeout_ms (0: never) the read is done with pread(2). The level is also sent to a
 * drive that does not claim to support it, which then ignores it or fails the command: look at
 * ncq_prio_supported first. outcome may be NULL.
 *
 * Returns what pread(2) would: the bytes read, fewer than length only at the file's end, 0 beyond;
 * or -errno: -EINVAL also for a level out of range. Thread-safe, also on one file.
 */
PBS_API int64_t pbs_read_ncq(struct pbs_file *file, void *buffer, int64_t length, int64_t offset,
			     int32_t level, uint32_t timeout_ms,
			     struct pbs_outcome *outcome);

/*
 * Reads through engine direct. ioprio is the kernel's encoding, class << 13 | hint << 3 | level; 0:
 * the thread's own. A hint, 1 to 7, names a duration limit of the drive; it needs a class, since the kernel
 * replaces a priority without one by the thread's. A buffer, offset and length that are multiples of 4096 save a
 * copy. The rest as pbs_read_ncq, but if the drive ends a read with a hint because of its limit, nothing is read:
 * -ETIME, with PBS_WAY_NOT_READ and PBS_REASON_EXPIRED.
 */
PBS_API int64_t pbs_read_direct(struct pbs_file *file, void *buffer, int64_t length, int64_t offset,
				int32_t ioprio, struct pbs_outcome *outcome);

/* Names for statistics and logs, e.g. "ncq", "unwritten"; "?" for what is no such number. Static. */
PBS_API const char *pbs_way_name(int32_t way);
PBS_API const char *pbs_reason_name(int32_t reason);
PBS_API const char *pbs_level_name(int32_t level);
PBS_API const char *pbs_access_name(int32_t access);

#ifdef __cplusplus
}
#endif

#endif
