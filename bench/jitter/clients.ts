// Starts and ends the process of the clients that load the hub.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { LoadCounts, LoadRequest, LoadTarget } from './load.ts'

export interface Clients {
  child: ChildProcess
  /** @throws Error when a client failed; its message is on stderr */
  counts(): Promise<LoadCounts>
  end(): Promise<void>
}

/**
 * Command that executes the command in its further arguments at a lower priority, for clients and devices. In practice
 * they are other machines: here they must not take processor time from the sender of the stream.
 */
export const AT_LOW_PRIORITY = ['nice', '-n', '10'] as const

/** Starts the clients. */
export function startClients(target: LoadTarget): Clients {
  const [execPath, ...words] = AT_LOW_PRIORITY
  const child = fork(join(import.meta.dirname, 'load.ts'), { execPath, execArgv: [...words, process.execPath] })
  const exited = once(child, 'exit')
  const send = (request: LoadRequest) => child.send(request)
  send({ start: target })
  return {
    child,
    async counts() {
      if (child.exitCode !== null) throw new Error('The clients failed; their message is above')
      send({ ask: 'counts' })
      const answer = await Promise.race([once(child, 'message'), exited.then(() => undefined)])
      if (!answer) throw new Error('The clients failed; their message is above')
      return answer[0] as LoadCounts
    },
    async end() {
      if (child.exitCode === null && child.connected) child.disconnect()
      await exited
    }
  }
}
