// A hub in a process of its own beside thousands of useless connections, and the calls of a user to it.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SUCCESS } from '../../../contract/codes.ts'
import { systemStatus } from '../../../contract/system.ts'
import type { Crowd, CrowdReport } from '../net/useless-connections.ts'
import { until } from '../until.ts'
import { startHubProcess } from './hub-process.ts'

/** Connections of one process: fewer than the usual limit of open files. */
const PROCESS_MAX = 3000

export interface CrowdSize {
  idle: number
  slow: number
  /** Calls of the user while all connections have been opened. */
  calls: number
}

/** Starts the processes that open the connections. */
function startCrowd(port: number, { idle, slow }: CrowdSize) {
  const count = Math.ceil((idle + slow) / PROCESS_MAX)
  const reports = new Map<ChildProcess, CrowdReport>()
  let failed: number | null = null
  for (let n = 0; n < count; n++) {
    const child = fork(join(import.meta.dirname, '../net/useless-connections.ts'))
    reports.set(child, { opened: 0, open: 0 })
    child.on('message', (report: CrowdReport) => reports.set(child, report))
    child.on('exit', (code) => {
      failed = code
    })
    child.send({ port, idle: Math.ceil(idle / count), slow: Math.ceil(slow / count), offset: n * 250 } satisfies Crowd)
  }
  return {
    /** Connections that were established so far. @throws Error when a process could not open them */
    opened(): number {
      if (failed) throw new Error('A process could not open the connections; its message is above')
      return [...reports.values()].reduce((sum, { opened }) => sum + opened, 0)
    },
    stop(): void {
      for (const child of reports.keys()) child.disconnect()
    }
  }
}

/** Makes a call on a connection of its own. @returns milliseconds until the end of the response */
async function timeCall(url: string, cookie: string, localAddress: string): Promise<number> {
  const startedAt = performance.now()
  const call = request(`${url}/api${systemStatus.path}`, { headers: { cookie }, localAddress, agent: false }).end()
  const [response] = await once(call, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  if (JSON.parse(text).result !== SUCCESS) throw new Error(`The call failed: ${text.slice(0, 100)}`)
  return performance.now() - startedAt
}

/**
 * Makes calls of a signed-in user while other processes hold as many connections as the hub lets them, and open more.
 * @returns milliseconds of each call, alternately from the address at which the user signed in and from a new one, in
 * ascending order
 */
export async function callWhileCrowded(size: CrowdSize): Promise<number[]> {
  const data = mkdtempSync(join(tmpdir(), 'headend-crowd-'))
  const hub = await startHubProcess(data)
  const crowd = startCrowd(Number(new URL(hub.url).port), size)
  try {
    await until(() => crowd.opened() >= size.idle + size.slow, 'the connections were opened')
    const times: number[] = []
    for (let n = 0; n < size.calls; n++)
      times.push(await timeCall(hub.url, hub.cookie(), n % 2 === 0 ? '127.0.0.1' : `127.0.0.${(n % 200) + 2}`))
    return times.sort((a, b) => a - b)
  } finally {
    crowd.stop()
    await hub.kill()
    rmSync(data, { recursive: true, force: true })
  }
}
