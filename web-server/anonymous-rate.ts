// How many lines strangers can add to a log.

/**
 * Lines a minute about refused calls of clients that are not signed in: per address, and in total. The last line
 * includes `LOG_MORE`.
 */
export const ANONYMOUS_RATE = { each: 60, all: 600 }
