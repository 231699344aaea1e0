// An engine in a process of its own that does what it is told: a line of JSON on stdin each, its options first. What it observes it says
// ten times a second.
import { createInterface } from 'node:readline'
import { createEngine, type Engine, type EngineOptions } from '../../engine/engine.ts'
import type { Wanted } from '../../engine/interfaces/channel.ts'
import type { PortSettings } from '../../engine/ports/shared-ports.ts'
import { NO_DEVICES } from './no-devices.ts'

export interface Order {
  options?: Pick<Partial<EngineOptions>, 'ffmpeg' | 'veil' | 'srtProgram' | 'patience'>
  ports?: PortSettings
  apply?: Wanted
}

interface Seen {
  connState: number
  reason?: string
}
export interface Told {
  ports: ReturnType<Engine['ports']>
  processes: number
  missing: string[]
  /** By the id of a channel its input, and by the id of an output that. */
  legs: Record<number, Seen>
}

let engine: Engine | undefined
const ids = new Set<number>()

createInterface({ input: process.stdin }).on('line', (line) => {
  const { options, ports, apply }: Order = JSON.parse(line)
  engine ??= createEngine({ ...NO_DEVICES, ...options })
  if (ports) engine.usePorts(ports)
  if (apply) {
    ids.add(apply.id)
    engine.apply(apply)
  }
})

setInterval(() => {
  if (!engine) return
  const legs: Told['legs'] = {}
  for (const id of ids) {
    const { input, outputs } = engine.observe(id)
    for (const [each, seen] of [[id, input] as const, ...outputs])
      legs[each] = { connState: seen.connState, ...(seen.reason !== undefined && { reason: seen.reason }) }
  }
  const told: Told = {
    ports: engine.ports(),
    processes: engine.processes(),
    missing: engine.missing().map(({ text }) => text),
    legs
  }
  console.log(JSON.stringify(told))
}, 100)
