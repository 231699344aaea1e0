// Health of channels, outputs, devices and the hub (docs/wire.md, "Health"). The hub computes it from its measurements
// of the last seconds. The console computes it with the same functions (`contract/stream/channel-health.ts`,
// `contract/device/device-health.ts`) against a hub that does not send it.
import type { HealthBounds, HealthNumbers, HealthReason, NextStep } from './health.schema.ts'

export type { HealthBounds, HealthNumbers, HealthReason, NextStep } from './health.schema.ts'

/** Verdict on a channel, an input or an output. `waiting`: for a publisher or player that connects by itself. */
export const CHANNEL_VERDICTS = ['down', 'degraded', 'starting', 'waiting', 'on-air', 'stopped'] as const
export type ChannelVerdict = (typeof CHANNEL_VERDICTS)[number]

/** Verdict on an input. `standby`: it receives media, and another input is on air. */
export const INPUT_VERDICTS = [...CHANNEL_VERDICTS, 'standby'] as const
export type InputVerdict = (typeof INPUT_VERDICTS)[number]

/** Verdict on a device. */
export const DEVICE_VERDICTS = ['offline', 'warning', 'updating', 'pending', 'online', 'rejected'] as const
export type DeviceVerdict = (typeof DEVICE_VERDICTS)[number]

/** Verdict on the hub. `warning`: it works, but a part of it does not. */
export const HUB_VERDICTS = ['online', 'warning'] as const
export type HubVerdict = (typeof HUB_VERDICTS)[number]

/** Causes of a verdict. The language packs have a sentence for each. */
export const HEALTH_REASONS = [
  // Channels.
  'no-input',
  'input-lost',
  'on-backup',
  'main-video-lost',
  'main-audio-lost',
  'main-no-signal',
  'main-bad-content',
  'main-back',
  'main-returns',
  'on-slate',
  'manual-backup',
  'manual-slate',
  'outputs-failed',
  'packet-loss',
  'discontinuities',
  // Inputs and outputs.
  'awaits-publisher',
  'awaits-player',
  'no-signal',
  'video-lost',
  'audio-lost',
  'audio-track-lost',
  'codecs-changed',
  'black',
  'frozen',
  'silent',
  'unexpected-format',
  'phase-inverted',
  'clipped',
  'loud',
  'quiet',
  'no-data',
  'disconnected',
  'unreachable',
  'refused',
  'not-authorized',
  'wrong-format',
  'wrong-audio',
  'not-media',
  'peer-wrong-name',
  'peer-expired',
  'peer-not-yet-valid',
  'peer-issuer-unknown',
  'peer-certificate',
  'too-slow',
  'target-silent',
  'address-in-use',
  'not-installed',
  'input-silent',
  'hls-off',
  'failed',
  // Devices.
  'device-offline',
  'device-certificate',
  'device-updating',
  'device-warning',
  // The hub. `engine-restarted`: streams are connecting again; `not-reconnected`: a peer that connects by itself has
  // not.
  'engine-away',
  'engine-restarted',
  'not-reconnected',
  'program-failed',
  'program-stuck',
  'hub-busy',
  'memory-low',
  'port-closed',
  'interface-missing',
  'disk-full',
  'storage-fault',
  'certificate-expiring',
  'certificate-expired',
  'certificate-damaged',
  'backup-failed',
  'recording-failed',
  'checks-slowed'
] as const

/** What to do about a verdict. The language packs have a sentence for each. */
export const NEXT_STEPS = [
  'choose-input',
  'publish',
  'check-source',
  'check-signal',
  'check-tracks',
  'check-main-input',
  'switch-to-main',
  'end-manual',
  'check-address',
  'check-credentials',
  'check-format',
  'encode-audio',
  'check-name',
  'renew-certificate',
  'check-clock',
  'trust-issuer',
  'check-network',
  'check-device',
  'check-outputs',
  'check-receiver',
  'choose-port',
  'check-interface',
  'enable-hls',
  'free-space',
  'reduce-load',
  'free-memory',
  'install',
  'install-certificate',
  'check-backup',
  'wait'
] as const

export interface Health<Verdict extends string = ChannelVerdict> extends HealthNumbers {
  verdict: Verdict
  /** Since when the verdict holds, in milliseconds since the epoch by the hub's clock. Absent if unknown. */
  since?: number
  /** The worst cause. Absent if there is none. */
  reason?: HealthReason
  'next-step'?: NextStep
  /**
   * The hub's own words, in the language of the request and without secrets: first line why, further lines what to do.
   */
  message?: string
}

export const DEFAULT_HEALTH_BOUNDS: HealthBounds = { 'loss-percent': 0.1, discontinuities: 0 }
