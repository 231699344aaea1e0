// When a channel is recorded by itself.

/** `manual`: only when it is started by hand. `alarm`: around the times at which the channel is down or degraded. */
export const RECORDING_MODES = ['manual', 'always', 'schedule', 'alarm'] as const
export type RecordingMode = (typeof RECORDING_MODES)[number]
