// Exit statuses of `hub/main.ts` (as in sysexits.h). An operator has to act on all but the last, so a supervisor should
// not restart the hub at full speed.

/** The database is damaged, missing beside other data, foreign, or written by a newer hub. */
export const EXIT_DATA_REFUSED = 65
/** Another process has the lock of the data folder. */
export const EXIT_DATA_IN_USE = 75
/** The configuration is wrong, such as a port that is in use. */
export const EXIT_CONFIG = 78
/** Any other failure at the start. */
export const EXIT_FAILURE = 1
