// States of an update of hardware, and of firmware that is downloaded from a web server.

export const INSTALLATION_STATE = {
  failed: -1,
  idle: 0,
  /** It is being prepared: the program starts, or the server is asked. */
  init: 1,
  /** A component is being written; or the downloaded file is checked, and added to the files. */
  updating: 2,
  /** The components are written, or the firmware is among the files. */
  done: 3,
  download: 4
} as const
