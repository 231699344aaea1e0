// What the system log and the device log can say. The sentences are in `hub/words/events.ts`, both languages.

export const EVENTS = [
  'hub-started',
  'hub-stopped',
  'engine-missing',
  'port-failed',
  'port-opened',
  'login-locked',
  'low-memory',
  'channel-started',
  'channel-stopped',
  'channel-switched',
  'schedule-start',
  'schedule-stop',
  'schedule-refused',
  'input-up',
  'input-down',
  'output-up',
  'output-down',
  'device-registered',
  'device-accepted',
  'device-rejected',
  'device-deleted',
  'device-online',
  'device-offline',
  'device-refused',
  'signal-lost',
  'signal-found',
  'warning-raised',
  'warning-cleared',
  'firmware-updated',
  'firmware-failed',
  'rollout-stopped'
] as const

export type LogEvent = (typeof EVENTS)[number]
