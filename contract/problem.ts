// Problems: everything that is wrong now (docs/wire.md, "Problems").
import { CHANNEL_CONTROL, CHANNEL_VIEW, DEVICE_CONTROL, DEVICE_VIEW, SYSTEM_CONFIG_VIEW } from './access/permissions.ts'
import { declareCall } from './call.ts'
import type { HealthReason } from './health.ts'

import type { ProblemKind } from './problem.schema.ts'

export type { Acknowledgement, Problem, ProblemKind } from './problem.schema.ts'

/**
 * What a problem belongs to. A channel that is only degraded by failed outputs is not listed itself, but each of these
 * outputs is; the outputs of a channel that is down are not.
 */
export const PROBLEM_KINDS = [
  'channel',
  'output',
  'device',
  'port',
  'disk',
  'engine',
  'certificate',
  'backup',
  'machine'
] as const

/** Permissions of which one is enough to see problems of a kind, besides access to the channel or device. */
export const PROBLEM_ACCESS: Readonly<Record<ProblemKind, number>> = {
  channel: CHANNEL_VIEW,
  output: CHANNEL_VIEW,
  device: DEVICE_VIEW,
  port: CHANNEL_VIEW | SYSTEM_CONFIG_VIEW,
  disk: SYSTEM_CONFIG_VIEW,
  engine: CHANNEL_VIEW | SYSTEM_CONFIG_VIEW,
  certificate: SYSTEM_CONFIG_VIEW,
  backup: SYSTEM_CONFIG_VIEW,
  machine: CHANNEL_VIEW | SYSTEM_CONFIG_VIEW
}

/**
 * Selects the parts of a channel that are listed: the channel itself, unless failed outputs are the only cause, and its
 * outputs that are down, unless the whole channel is.
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

export const listProblems = declareCall('GET /problem/list', 'session')

export const acknowledgeProblems = declareCall('POST /problem/acknowledge', CHANNEL_CONTROL | DEVICE_CONTROL)
