// Runs an engine in a separate process. Commands arrive on stdin, one JSON object per line, with the options in the
// first one. The process writes a report to stdout every 100 ms, also as JSON lines.
import { createInterface } from 'node:readline'
import type { EngineOptions } from '../../engine/engine.ts'
import { Engine } from '../../engine/engine.ts'
import type { WantedChannel } from '../../engine/interfaces/channel.ts'
import type { PortSettings } from '../../engine/interfaces/ports.ts'
import { NO_DEVICES } from '../kit/engine/no-devices.ts'

export interface EngineCommand {
  options?: Pick<Partial<EngineOptions>, 'ffmpeg' | 'hideArgsLibrary' | 'srtProgram' | 'timeouts'>
  ports?: PortSettings
  apply?: WantedChannel
}

interface LegState {
  connState: number
  reason?: string
}
export interface EngineReport {
  ports: ReturnType<Engine['observePorts']>
  processes: number
  /** Missing programs, in words. */
  missing: string[]
  /** Inputs by the ID of their channel, and outputs by their own ID. */
  legs: Record<number, LegState>
}

let engine: Engine | undefined
const channelIds = new Set<number>()

createInterface({ input: process.stdin }).on('line', (line) => {
  const { options, ports, apply }: EngineCommand = JSON.parse(line)
  engine ??= new Engine({ ...NO_DEVICES, ...options })
  if (ports) engine.configurePorts(ports)
  if (apply) {
    channelIds.add(apply.id)
    engine.apply(apply)
  }
})

setInterval(() => {
  if (!engine) return
  const legs: EngineReport['legs'] = {}
  for (const id of channelIds) {
    const { input, outputs } = engine.observe(id)
    for (const [legId, leg] of [[id, input] as const, ...outputs])
      legs[legId] = { connState: leg.connState, ...(leg.reason !== undefined && { reason: leg.reason }) }
  }
  const report: EngineReport = {
    ports: engine.observePorts(),
    processes: engine.processCount(),
    missing: engine.listMissing().map(({ text }) => text),
    legs
  }
  console.log(JSON.stringify(report))
}, 100)
