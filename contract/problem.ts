// Problems: everything that is wrong now (docs/wire.md, "Problems").
import type { HealthNumbers, HealthReason, NextStep } from './health.ts'

/** What a problem belongs to. `channel` includes its outputs unless all of them are down. */
export const PROBLEM_KINDS = ['channel', 'output', 'device', 'port', 'disk', 'engine'] as const
export type ProblemKind = (typeof PROBLEM_KINDS)[number]

export interface Acknowledgement {
  /** Name of the user. */
  by: string
  /** Milliseconds since the epoch. */
  at: number
  note: string
}

export interface Problem extends HealthNumbers {
  /** Unique while the problem lasts: 'channel-3', 'output-3-12', 'device-SN', 'port-srt', 'disk', 'engine'. */
  id: string
  kind: ProblemKind
  /** `bad`: nothing is on air, or a device is offline. `warn`: something is degraded. */
  severity: 'bad' | 'warn'
  /** Name of the channel, output or device; 'SRT' or 'RTMP' for a port; absent for the others. */
  name?: string
  /** Since when, in milliseconds since the epoch by the hub's clock. */
  since: number
  reason: HealthReason
  'next-step'?: NextStep
  /** As in `Health`. */
  message?: string
  /** Where it is mended: id of the channel, id of the output, serial number of the device. */
  channel?: number
  'channel-name'?: string
  output?: number
  sn?: string
  ack?: Acknowledgement
}
