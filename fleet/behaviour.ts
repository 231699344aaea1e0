// Behaviours of demo devices: how a device can be made to misbehave.
import { FAULTS, type FaultName } from './apis/faults.ts'

/** A device has one behaviour at a time and keeps it over restarts. */
export const BEHAVIOURS = {
  normal: 'works as documented',
  lie: 'responds to API requests with garbage',
  flood: 'responds to API requests with 50 MB',
  stall: 'sends no responses and no previews, while its link stays up',
  refuse: 'responds to every request with an error',
  full: 'has a full disk',
  'no-signal': 'has no input signal',
  pretend: 'reports that it sends its stream, but sends nothing',
  'wrong-clock': 'has its clock ten years ahead',
  twin: 'a second device with the same serial number and key registers',
  hostile: 'has a web page that tries to act as the user who opens it',
  ...(Object.fromEntries(Object.entries(FAULTS).map(([name, { description }]) => [name, description])) as Record<
    FaultName,
    string
  >),
  'update-refused': 'refuses firmware files',
  'update-full': 'runs out of space half-way through a firmware upload',
  'update-mismatch': 'takes every firmware file for one of another model',
  'update-missing': 'has lost the firmware file when it shall install it',
  'update-failed': 'fails half-way through the installation of firmware',
  'update-old': 'restarts from an update with the old version',
  'update-lost': 'does not come back from an update until its behaviour is changed'
} as const

export type Behaviour = keyof typeof BEHAVIOURS

/** Command to a device: a behaviour, or `drop`, which closes its link for 10 s. */
export type BehaviourCommand = Behaviour | 'drop'

export function isBehaviour(value: unknown): value is Behaviour {
  return typeof value === 'string' && Object.hasOwn(BEHAVIOURS, value)
}

export function isBehaviourCommand(value: unknown): value is BehaviourCommand {
  return value === 'drop' || isBehaviour(value)
}
