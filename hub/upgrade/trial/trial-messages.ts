// The messages between the process that runs the trial of a release and the hub on trial, which is its child process.
// Both ends may be of different versions, so messages only grow.

/** Environment variable of a hub on trial: seconds until its trial ends. */
export const TRIAL_VARIABLE = 'HEADEND_TRIAL'

/** From the hub on trial. */
export type HubMessage =
  /**
   * Sent each second once the ports are open: the URL of the console on the loopback, the channels that carry a stream,
   * and those that are to run, by ID.
   */
  | { kind: 'state'; url: string; carrying: number[]; wanted: number[] }
  /** A browser has loaded the console of the release. */
  | { kind: 'confirmed' }

/** To the hub on trial: it stays. */
export type TrialMessage = { kind: 'passed' }
