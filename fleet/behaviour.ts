// How a device can be told to misbehave.

/** Lasting ways to behave; a device has one at a time and keeps it over restarts. */
export const BEHAVIOURS = {
  normal: 'does as documented',
  lie: 'answers its API with garbage',
  flood: 'answers its API with 50 MB',
  stall: 'answers nothing and shows nothing, while its link stays up',
  refuse: 'answers every call with an error',
  full: 'its disk is full',
  'no-signal': 'it has no input signal',
  pretend: 'says that it sends its stream, and sends nothing',
  'wrong-clock': 'its clock is ten years ahead',
  twin: 'a copy of it dials in beside it, with the same serial number and key',
  hostile: 'its web page tries to act as whoever looks at it',
  'update-refused': 'takes no firmware',
  'update-full': 'has no room for firmware, and notices half-way',
  'update-failed': 'fails to install firmware, half-way',
  'update-old': 'comes back from an update with the version it had',
  'update-lost': 'does not come back from an update until it is told something else'
} as const

export type Behaviour = keyof typeof BEHAVIOURS

/** What a device can be told: a way to behave, or `drop`, which closes its link for 10 s. */
export type Order = Behaviour | 'drop'

export function isBehaviour(word: unknown): word is Behaviour {
  return typeof word === 'string' && Object.hasOwn(BEHAVIOURS, word)
}

export function isOrder(word: unknown): word is Order {
  return word === 'drop' || isBehaviour(word)
}
