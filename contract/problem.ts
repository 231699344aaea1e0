// Problems: everything that is wrong now (docs/wire.md, "Problems").
import { CHANNEL_CONTROL, DEVICE_CONTROL } from './access/permissions.ts'
import { declareCall, type EmptyRequest } from './call.ts'
import type { HealthNumbers, HealthReason, NextStep } from './health.ts'

/**
 * What a problem belongs to. A channel that is only degraded by failed outputs is not listed itself, but each of these outputs is; the outputs
 * of a channel that is down are not.
 */
export const PROBLEM_KINDS = ['channel', 'output', 'device', 'port', 'disk', 'engine', 'certificate', 'backup'] as const
export type ProblemKind = (typeof PROBLEM_KINDS)[number]

export interface Acknowledgement {
  /** Name of the user. */
  by: string
  /** Milliseconds since the epoch. */
  at: number
  note: string
}

export interface Problem extends HealthNumbers {
  /** Unique while the problem lasts: 'channel-3', 'output-3-12', 'device-SN', 'port-srt', 'disk', 'engine', 'certificate', 'backup'. */
  id: string
  kind: ProblemKind
  /** `bad`: nothing is on air, a device is offline, a port is closed, or the hub cannot work. `warn`: something is degraded. */
  severity: 'bad' | 'warn'
  /** Name of the channel, output or device; 'SRT' or 'RTMP' for a port; absent for the others. */
  name?: string
  /** Since when, in milliseconds since the epoch by the hub's clock. */
  since: number
  reason: HealthReason
  'next-step'?: NextStep
  /** As in `Health`. */
  message?: string
  /** Where it can be fixed: id of the channel, id of the output, serial number of the device. */
  channel?: number
  'channel-name'?: string
  output?: number
  sn?: string
  ack?: Acknowledgement
}

/**
 * Selects the parts of a channel that are listed: the channel itself, unless failed outputs are the only cause, and its outputs that are
 * down, unless the whole channel is.
 * @param verdictOf the verdict on an output
 */
export function listedParts<Output>(
  { verdict, reason }: { verdict: string; reason?: HealthReason },
  outputs: readonly Output[],
  verdictOf: (output: Output) => string
): { channel: boolean; outputs: Output[] } {
  const isDown = verdict === 'down'
  return {
    channel: isDown || (verdict === 'degraded' && reason !== 'outputs-failed'),
    outputs: isDown ? [] : outputs.filter((output) => verdictOf(output) === 'down')
  }
}

/** The problems that the caller may see: worst first, of equal ones the newest first. */
export const listProblems = declareCall<EmptyRequest, { total: number; list: Problem[] }>(
  'GET',
  '/problem/list',
  'session'
)

export interface AcknowledgeRequest {
  id: string[]
  /** At most 200 characters. */
  note?: string
  /** `true`: withdraws the acknowledgement. */
  undo?: boolean
}

/** Acknowledges problems until they end. 16 if one does not exist any more, or the caller may not see it. */
export const acknowledgeProblems = declareCall<AcknowledgeRequest>(
  'POST',
  '/problem/acknowledge',
  CHANNEL_CONTROL | DEVICE_CONTROL
)
