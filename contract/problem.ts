// Problems: everything that is wrong now (docs/wire.md, "Problems").
import { CHANNEL_CONTROL, DEVICE_CONTROL } from './access/permissions.ts'
import { declareCall } from './call.ts'
import type { HealthReason } from './health.ts'

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
