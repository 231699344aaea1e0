// Checks of the pictures and the sound of an input (docs/architecture/streams/content-checks.md).

/**
 * In the order in which they explain a verdict, if several find a fault. They are also causes of verdicts and reason
 * codes of the stream engine.
 */
export const CONTENT_CHECKS = [
  'black',
  'frozen',
  'silent',
  'unexpected-format',
  'phase-inverted',
  'clipped',
  'loud',
  'quiet'
] as const

export type ContentCheck = (typeof CONTENT_CHECKS)[number]

/** Result of a check. `unknown`: nothing was measured recently. */
export const CONTENT_STATES = ['good', 'bad', 'unknown'] as const
export type ContentState = (typeof CONTENT_STATES)[number]

export const isContentCheck = (code: string | undefined): code is ContentCheck =>
  (CONTENT_CHECKS as readonly (string | undefined)[]).includes(code)
