// Rollouts: updates of many hubs in waves (docs/architecture/cloud.md).

export type {
  CheckedHub,
  HubRollout,
  OfferedRelease,
  RolloutCause,
  RolloutHub,
  RolloutHubCause,
  RolloutHubState,
  RolloutState,
  RolloutStep
} from './rollout.schema.ts'

/** Default settings of a rollout. The first wave has one hub, and a failure stops the rollout. */
export const ROLLOUT_DEFAULTS = {
  first: 1,
  growth: 5,
  wave: 50,
  'pause-minutes': 10,
  'stop-after': 1,
  interrupt: false
} as const

/** Rollouts of an organisation that have not ended, and ended ones that are kept. */
export const ROLLOUTS_MAX = 10
export const ROLLOUTS_KEPT = 50

/** Hubs of one check: each is asked while the caller waits. */
export const ROLLOUT_CHECK_MAX = 50

/**
 * Hours for which the proof of a password with which a rollout was started or resumed counts for its calls. Hubs accept
 * no older one (`Assertion`).
 */
export const ROLLOUT_APPROVAL_HOURS = 24

/** Hubs of a wave. @param number of the wave, from 1 */
export const waveSize = (
  { first, growth, wave }: { first: number; growth: number; wave: number },
  number: number
): number => Math.min(wave, first * growth ** (number - 1))
