/** The times of ownership, in milliseconds, each with what must hold for it. The tests check the inequalities. */

/** How often an instance writes its heartbeat. */
export const heartbeatIntervalMs = 500

/** How long the write of a heartbeat may take before it is abandoned. */
export const heartbeatTimeoutMs = 2000

/**
 * The time after which a lease is lost, by the clock of the database: an instance without a heartbeat for this long is
 * considered gone, and other instances take its leases. More than
 * `heartbeatIntervalMs + heartbeatTimeoutMs`: after a heartbeat that fails, the next one begins in time. One that hangs until
 * its timeout leaves the next one little time.
 */
export const leaseDurationMs = 3000

/**
 * How long an instance may be without a heartbeat of its own before it judges no other one. At least `heartbeatIntervalMs +
 * heartbeatTimeoutMs`: slow heartbeats are no outage. At most `leaseDurationMs - heartbeatIntervalMs`: where the store answers no
 * instance, the last heartbeat of another one may be so much older than its own.
 */
export const maxOwnSilenceMs = 2500

/**
 * After a pause of its own an instance waits this long for the others' heartbeats before it considers any of them gone.
 * At least `2 * heartbeatIntervalMs`: instances that paused together write theirs meanwhile.
 */
export const judgmentDelayMs = 1500

/** How often an instance reads the list of instances. */
export const assignmentIntervalMs = 500

/** How long instances that start together are waited for. */
export const joinDelayMs = 1000

/**
 * How long an instance does not retake a lease that it lost. At least `judgmentDelayMs + assignmentIntervalMs +
 * joinDelayMs`: by then every instance acts on the same list, also one that had paused, and knows the owner.
 */
export const pauseAfterLossMs = 3000

/** How often an owner publishes the status of its work. */
export const publishIntervalMs = 500

/** How long a read of the published statuses is shared by all callers. */
export const sharedReadMs = 250

/** How long a read of the published statuses may take. */
export const readTimeoutMs = 1000

/**
 * If an owner has published nothing for this long, it is unknown whether it still does its work. More than
 * `publishIntervalMs + sharedReadMs + readTimeoutMs`: one slow read does not hide an owner that works, where statuses are read
 * all the time.
 */
export const ownerTimeoutMs = 3000

/**
 * A process that is paused in the middle of a write holds the row lock of its lease no longer than this, so that another
 * instance can take the lease. At most `leaseDurationMs`: the lock is then free within `heartbeatIntervalMs` after the instance
 * counts as gone.
 */
export const maxIdleWriteMs = 3000
