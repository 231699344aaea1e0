// Starts and ends engine processes.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { WantedChannel } from '../../engine/interfaces/channel.ts'
import type { RelayReport, RelayRequest } from './engine-process.ts'

/** Starts an engine with channels, in a process of its own. */
export function startEngine(channels: readonly WantedChannel[]): ChildProcess {
  const child = fork(join(import.meta.dirname, 'engine-process.ts'))
  child.send({ apply: [...channels] } satisfies RelayRequest)
  return child
}

/** Bytes that all outputs of an engine have sent. */
export async function sentBytes(child: ChildProcess): Promise<number> {
  child.send({ ask: 'report' } satisfies RelayRequest)
  const [report] = (await once(child, 'message')) as [RelayReport]
  return report.sent
}

export async function endEngine(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.disconnect()
  await once(child, 'exit')
}
