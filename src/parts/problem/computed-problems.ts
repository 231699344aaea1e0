// Problems of a hub that does not list them, computed from channels and devices. They cannot be acknowledged.
import type { Device } from '../../../contract/device/device.ts'
import type { Health } from '../../../contract/health.ts'
import { listedParts, type Problem } from '../../../contract/problem.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { channelHealth, outputHealth } from '../../../contract/stream/channel-health.ts'
import { healthOfDevice } from '../device/device-facts.tsx'

/** @returns the problem, with `since` 0 if it is unknown since when it lasts */
const toProblem = (
  problem: Omit<Problem, 'since' | 'reason'>,
  { verdict: _, since = 0, reason = 'failed', ...health }: Health<string>
): Problem => ({ ...health, ...problem, since, reason })

function problemsOfChannel(channel: Channel): Problem[] {
  const { id, name } = channel
  const health = channelHealth(channel)
  const legs = channel.outputs.list.map((output) => ({ output, health: outputHealth(channel, output) }))
  const listed = listedParts(health, legs, (leg) => leg.health.verdict)
  const severity = health.verdict === 'down' ? 'bad' : 'warn'
  const own = toProblem({ id: `channel-${id}`, kind: 'channel', severity, name, channel: id }, health)
  const problems = listed.outputs.map(({ output, health: ofOutput }) => {
    const place = { name: output.name, channel: id, 'channel-name': name, output: output.id }
    return toProblem({ id: `output-${id}-${output.id}`, kind: 'output', severity: 'warn', ...place }, ofOutput)
  })
  return listed.channel ? [...problems, own] : problems
}

function problemsOfDevice(device: Device): Problem[] {
  const { sn, name } = device
  const health = healthOfDevice(device)
  if (health.verdict !== 'offline' && health.verdict !== 'warning') return []
  const severity = health.verdict === 'offline' ? 'bad' : 'warn'
  return [toProblem({ id: `device-${sn}`, kind: 'device', severity, name, sn }, health)]
}

/**
 * All problems, worst first, of equal ones the newest first. @param devices at least those that are offline or have
 * warnings
 */
export function computeProblems(channels: readonly Channel[], devices: readonly Device[]): Problem[] {
  return [...channels.flatMap(problemsOfChannel), ...devices.flatMap(problemsOfDevice)].sort(
    (a, b) => a.severity.localeCompare(b.severity) || b.since - a.since
  )
}
