// Problems of a hub that does not list them, computed from channels, devices and the hub's status. They cannot be acknowledged.

import type { Device } from '../../../contract/device/device.ts'
import { deviceHealth } from '../../../contract/device/device-health.ts'
import type { Health } from '../../../contract/health.ts'
import type { Problem } from '../../../contract/problem.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { channelHealth, outputHealth } from '../../../contract/stream/channel-health.ts'
import { SYSTEM_STATUS_BITS, type SystemStatus } from '../../../contract/system.ts'
import { warningLabels } from '../../text/states.ts'
import { hubNow } from '../../ui/clock.ts'

/** When each problem was first seen here, by its id: milliseconds since the epoch, on the hub's clock. */
const firstSeen = new Map<string, number>()

type NewProblem = Omit<Problem, 'since' | 'reason'> & { health: Omit<Health<string>, 'verdict'> }

function toProblem({ health, ...problem }: NewProblem): Problem {
  const { since = firstSeen.get(problem.id) ?? hubNow(), reason = 'failed', ...rest } = health
  firstSeen.set(problem.id, since)
  const { verdict: _, ...numbers } = rest as Health<string>
  return { ...numbers, ...problem, since, reason }
}

function problemsOfChannel(channel: Channel): NewProblem[] {
  const { id, name } = channel
  const health = channelHealth(channel)
  const isDown = health.verdict === 'down'
  const failedOutputs = channel.outputs.list
    .map((output) => ({ output, health: outputHealth(channel, output) }))
    .filter((entry) => entry.health.verdict === 'down')
    .map((entry): NewProblem => {
      const { output } = entry
      return {
        id: `output-${id}-${output.id}`,
        kind: 'output',
        severity: 'warn',
        name: output.name,
        channel: id,
        'channel-name': name,
        output: output.id,
        health: entry.health
      }
    })
  const own: NewProblem = {
    id: `channel-${id}`,
    kind: 'channel',
    severity: isDown ? 'bad' : 'warn',
    name,
    channel: id,
    health
  }
  if (isDown) return [own]
  // A channel whose only trouble are its outputs is named with each of them.
  return health.verdict === 'degraded' && health.reason !== 'outputs-failed' ? [own, ...failedOutputs] : failedOutputs
}

function problemsOfDevice(device: Device): NewProblem[] {
  const { sn, name } = device
  const health = deviceHealth(device)
  if (health.verdict !== 'offline' && health.verdict !== 'warning') return []
  const severity = health.verdict === 'offline' ? 'bad' : 'warn'
  const message = health.message ?? (severity === 'warn' ? warningLabels(device['dev-warns']).join(', ') : undefined)
  return [
    { id: `device-${sn}`, kind: 'device', severity, name, sn, health: { ...health, ...(message && { message }) } }
  ]
}

function problemsOfHub({ status, ports }: SystemStatus['system']): NewProblem[] {
  const problems: NewProblem[] = []
  const fault = status['storage-fault']
  if (fault)
    problems.push({
      id: 'disk',
      kind: 'disk',
      severity: 'bad',
      health: fault === 'full' ? { reason: 'disk-full', 'next-step': 'free-space' } : { reason: 'storage-fault' }
    })
  if (status['status-code'] & SYSTEM_STATUS_BITS.engineAway)
    problems.push({
      id: 'engine',
      kind: 'engine',
      severity: 'bad',
      health: { reason: 'engine-away', 'next-step': 'wait' }
    })
  for (const name of ['srt', 'rtmp'] as const) {
    const port = ports?.[name]
    if (!port?.reason) continue
    const message = [port.reason, port['next-step']].filter(Boolean).join('\n')
    const health = { reason: 'port-closed', 'next-step': 'choose-port', message } as const
    problems.push({ id: `port-${name}`, kind: 'port', severity: 'bad', name: name.toUpperCase(), health })
  }
  return problems
}

/** All problems, worst first, of equal ones the newest first. @param devices at least those that are offline or have warnings */
export function computeProblems(
  channels: readonly Channel[],
  devices: readonly Device[],
  status?: SystemStatus
): Problem[] {
  const problems = [
    ...(status ? problemsOfHub(status.system) : []),
    ...channels.flatMap(problemsOfChannel),
    ...devices.flatMap(problemsOfDevice)
  ].map(toProblem)
  const current = new Set(problems.map(({ id }) => id))
  // A problem that comes back is a new one.
  for (const id of firstSeen.keys()) if (!current.has(id)) firstSeen.delete(id)
  return problems.sort((a, b) => a.severity.localeCompare(b.severity) || b.since - a.since)
}
