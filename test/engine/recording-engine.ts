// The other side of recording-engine-process.ts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { until } from './media.ts'
import type { Order, Told } from './recording-engine-process.ts'

export interface ToldEngine {
  pid: number
  tell(order: Order): void
  /** What it said last. */
  seen(): Told
  /** Waits until legs, by their ids, are in a connection state. */
  reaches(connState: number, ids: readonly number[], patience?: number): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
}

export function startToldEngine(options: Order['options'] = {}): ToldEngine {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'recording-engine-process.ts')], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  let told: Told = { ports: { srt: {}, rtmp: {} }, processes: 0, missing: [], legs: {} }
  createInterface({ input: child.stdout }).on('line', (line) => {
    told = JSON.parse(line)
  })
  child.stdin.on('error', () => {})
  const tell = (order: Order) => void child.stdin.write(`${JSON.stringify(order)}\n`)
  tell({ options })
  return {
    pid: child.pid ?? 0,
    tell,
    seen: () => told,
    reaches: (connState, ids, patience) =>
      until(
        () => `state ${connState} of ${ids}: ${JSON.stringify(told)}`,
        () => ids.every((id) => told.legs[id]?.connState === connState),
        patience
      ),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    }
  }
}
