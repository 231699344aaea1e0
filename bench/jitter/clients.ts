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

export function startClients(target: LoadTarget): Clients {
  const child = fork(join(import.meta.dirname, 'load.ts'))
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
