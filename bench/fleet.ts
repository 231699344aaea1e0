// Thousands of devices on one hub: CPU and memory, delay of lists and changes, and recovery after links are cut. Each
// value is compared with a limit. BENCH_DEVICES=2000 measures only that size.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { acceptDevices, listDevices } from '../contract/device/device.ts'
import { systemStatus } from '../contract/system.ts'
import { sendControlRequest } from '../fleet/process/control-socket.ts'
import { startFleet } from '../test/kit/fleet/fleet-process.ts'
import { type HubProcess, startHubProcess } from '../test/kit/hub/hub-process.ts'
import { createConsoles } from './consoles.ts'
import type { Measurement, Suite } from './measurement.ts'
import { cpuSecondsOf, megabytesOf, processTreeOf } from './process-usage.ts'

const SIZES = [1000, 5000]
/** Devices accepted in one call. */
const ACCEPT_BATCH = 100
/** Milliseconds of the idle measurement, and between two calls while links are cut. */
const IDLE_TIME = 8000
const CALL_EVERY = 50
/** Consoles that follow the list, and changes that they receive. */
const CONSOLES = 50
const CHANGES = 8
/** Number of requests for each list. */
const LIST_REQUESTS = 25
/** Rows of a window. */
const PAGE = { start: 0, count: 50 }
/** In milliseconds. */
const TIMEOUT = 240_000

/** Typical list requests. */
const LISTS: readonly Record<string, string | number>[] = [
  {},
  { sort: 'name' },
  { sort: 'firmware-ver', order: 'descending', start: 2000 },
  { key: 'room 12', sort: 'sn' },
  { status: 'warns,offline', module: 2, sort: 'connect-ip' }
]

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function countOnline(hub: HubProcess): Promise<number> {
  const { status } = await hub.send(systemStatus, {})
  return status.system.device['num-online']
}

/** Accepts registered devices until `count` are online. @returns seconds */
export async function acceptUntilOnline(hub: HubProcess, count: number): Promise<number> {
  const began = performance.now()
  for (let online = 0; online < count; online = await countOnline(hub)) {
    const { list } = await hub.send(listDevices, { 'reg-state': 'waiting', start: 0, count: ACCEPT_BATCH })
    if (list.length > 0) await hub.send(acceptDevices, { sn: list.map(({ sn }) => sn) })
    else await wait(100)
    if (performance.now() - began > TIMEOUT) throw new Error(`Only ${online} of ${count} devices came online`)
  }
  return (performance.now() - began) / 1000
}

/** Sends calls of several kinds at a fixed interval until `end`, which returns their durations in milliseconds. */
function startCalls(hub: HubProcess): { end(): Promise<number[]> } {
  const calls: Promise<number>[] = []
  let turn = 0
  const timer = setInterval(() => {
    const kind = turn++ % 3
    calls.push(
      measureTime(() =>
        kind === 0 ? hub.send(systemStatus, {}) : hub.send(listDevices, { ...LISTS[kind], ...PAGE } as never)
      )
    )
  }, CALL_EVERY)
  return {
    end() {
      clearInterval(timer)
      return Promise.all(calls)
    }
  }
}

/** Cuts some links at once and waits until all devices are online again. */
async function dropLinks(hub: HubProcess, folder: string, share: string, count: number) {
  const calling = startCalls(hub)
  const began = performance.now()
  await sendControlRequest(folder, { act: 'tell', sn: share, order: 'drop' })
  let least = count
  for (let online = count; ; ) {
    online = await countOnline(hub)
    least = Math.min(least, online)
    if (online === count && least < count) break
    if (performance.now() - began > TIMEOUT) throw new Error(`Only ${online} of ${count} devices reconnected`)
    await wait(100)
  }
  const seconds = (performance.now() - began) / 1000
  return { seconds, least, calls: await calling.end() }
}

async function measure(count: number): Promise<Measurement[]> {
  const data = mkdtempSync(join(tmpdir(), 'headend-bench-'))
  const rows: Measurement[] = []
  const add = (what: string, unit: string, ours: number, limit = Number.NaN) =>
    rows.push({ name: `${count}: ${what}`, unit, referenceName: 'limit', ours, reference: limit })
  const hub = await startHubProcess(data)
  try {
    const fleet = await startFleet(data, hub.linkPort, count)
    try {
      const processes = () => [hub.child.pid ?? 0, ...processTreeOf(fleet.child.pid ?? 0)]
      add('until all are accepted and online', 's', await acceptUntilOnline(hub, count))
      await wait(IDLE_TIME)
      const before = processes().map(cpuSecondsOf)
      const pids = processes()
      const seconds = (await measureTime(() => wait(IDLE_TIME))) / 1000
      const used = pids.map((pid, index) => (100 * (cpuSecondsOf(pid) - (before[index] ?? 0))) / seconds)
      add('CPU of the hub', '% of a core', used[0] ?? Number.NaN, 100)
      add(
        'CPU of the devices',
        '% of a core',
        used.slice(1).reduce((sum, one) => sum + one, 0)
      )
      add('memory of the hub', 'MB', megabytesOf(hub.child.pid ?? 0), 600)
      add(
        'total memory',
        'MB',
        processes().reduce((sum, pid) => sum + megabytesOf(pid), 0),
        2048
      )

      for (const list of LISTS) {
        const request = { ...PAGE, ...list } as never
        const took: number[] = []
        for (let round = 0; round < LIST_REQUESTS; round++)
          took.push(await measureTime(() => hub.send(listDevices, request)))
        const what = `list ${String(new URLSearchParams(list as Record<string, string>)) || 'unsorted'}`
        add(`${what}, p50`, 'ms', percentile(took, 0.5), 100)
        add(`${what}, p99`, 'ms', percentile(took, 0.99), 300)
      }
      const consoles = await createConsoles(hub, CONSOLES, PAGE)
      try {
        add('a poll that finds no change', 'bytes', await consoles.unchanged(), 200)
        const { took, bytes } = await consoles.follow(CHANGES)
        add('a change at all consoles, p50', 'ms', percentile(took, 0.5), 1000)
        add('a change at all consoles, p99', 'ms', percentile(took, 0.99), 1000)
        add('a poll that finds one change, p50', 'bytes', percentile(bytes, 0.5))
        const before = cpuSecondsOf(hub.child.pid ?? 0)
        const { seconds: recovery, least, calls } = await dropLinks(hub, fleet.folder, '30%', count)
        add('CPU time of the hub during that', 's', cpuSecondsOf(hub.child.pid ?? 0) - before)
        add('least online after 30 % of links were cut', 'devices', least)
        add('until all are online again (links are cut for 10 s)', 's', recovery, 20)
        add('other calls during that, p50', 'ms', percentile(calls, 0.5))
        add('other calls during that, p99', 'ms', percentile(calls, 0.99), 300)
      } finally {
        consoles.close()
      }
      add(
        'total memory, afterwards',
        'MB',
        processes().reduce((sum, pid) => sum + megabytesOf(pid), 0),
        2048
      )
    } finally {
      await fleet.kill('SIGTERM')
    }
  } finally {
    await hub.kill()
    rmSync(data, { recursive: true, force: true })
  }
  return rows
}

export const suite: Suite = {
  title: 'fleet',
  async run() {
    const size = process.env.BENCH_DEVICES
    const rows: Measurement[] = []
    for (const count of size ? [Number(size)] : SIZES) rows.push(...(await measure(count)))
    return rows
  }
}
