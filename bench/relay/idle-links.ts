// Idle links of hubs at one node: memory and processor time of each, and how long all of them need to come back after
// the node was killed. BENCH_LINKS=2000 measures fewer.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../../cloud/store/store.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { type CloudProcess, startCloudProcess } from '../../test/kit/cloud/cloud-process.ts'
import { freeTcpPort } from '../../test/kit/net/free-port.ts'
import { hashSecret } from '../../web-server/credentials.ts'
import { descriptorLimit } from '../../web-server/descriptors.ts'
import type { Measurement } from '../measurement.ts'
import { cpuSecondsOf, megabytesOf } from '../process-usage.ts'
import { hubHello, type LinkClients, ORGANISATION } from './hub-hello.ts'

/** Descriptors that the node needs besides those of links. */
const OTHER_DESCRIPTORS = 200
const LINKS = Math.min(Number(process.env.BENCH_LINKS ?? 20_000), descriptorLimit() - OTHER_DESCRIPTORS)
const PER_PROCESS = 5000
/** Milliseconds of the idle measurement, between two looks, and until links must be up. */
const IDLE_TIME = 10_000
const LOOK_EVERY = 250
const TIMEOUT = 900_000
/** Bounds: kilobytes of memory of a link over TLS. */
const KILOBYTES_MAX = 90

/** Adds accepted hubs to the store of a node that does not run. */
async function addHubs(data: string): Promise<void> {
  const store = await openStore({ data })
  try {
    await store.within(ORGANISATION, async (scope) => {
      for (let number = 0; number < LINKS; number++) {
        const { sn, name, version, key } = hubHello(number)
        const address = ''
        const state = REGISTRATION_STATE.accepted
        await scope
          .insert('hubs', { ...{ sn, name, version, address, state, registered: 0 }, key_hash: hashSecret(key) })
          .execute()
      }
    })
  } finally {
    await store.close()
  }
}

class Clients {
  readonly #processes: ChildProcess[] = []

  start(port: number): void {
    for (let first = 0; first < LINKS; first += PER_PROCESS) {
      const child = fork(join(import.meta.dirname, 'link-clients.ts'))
      child.send({ port, first, count: Math.min(PER_PROCESS, LINKS - first) } satisfies LinkClients)
      this.#processes.push(child)
    }
  }

  /** Links that are up. */
  async #count(): Promise<number> {
    const counts = await Promise.all(
      this.#processes.map(async (child) => {
        child.send('count')
        return Number((await once(child, 'message'))[0])
      })
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }

  /** Waits until all links are up. @returns seconds */
  async untilUp(): Promise<number> {
    const began = performance.now()
    for (;;) {
      const count = await this.#count()
      if (count === LINKS) return (performance.now() - began) / 1000
      if (performance.now() - began > TIMEOUT) throw new Error(`Only ${count} of ${LINKS} links are up`)
      await sleep(LOOK_EVERY)
    }
  }

  stop(): void {
    for (const child of this.#processes) child.disconnect()
  }
}

export async function measureIdleLinks(): Promise<Measurement[]> {
  const data = mkdtempSync(join(tmpdir(), 'headend-bench-'))
  const ports = { web: 0, link: await freeTcpPort() }
  const clients = new Clients()
  let cloud: CloudProcess | undefined
  const rows: Measurement[] = []
  const add = (name: string, unit: string, ours: number, bound?: Partial<Measurement>) =>
    rows.push({ name: `${LINKS} links: ${name}`, unit, referenceName: 'limit', ours, reference: Number.NaN, ...bound })
  const pidOf = () => cloud?.child.pid ?? 0
  try {
    // The first start creates the organisation.
    cloud = await startCloudProcess(data, { ports })
    await cloud.kill()
    await addHubs(data)
    cloud = await startCloudProcess(data, { ports })
    const before = megabytesOf(pidOf())
    clients.start(ports.link)
    add('until all are up', 's', await clients.untilUp())
    add('processor time of the node for one', 'ms', (1000 * cpuSecondsOf(pidOf())) / LINKS)
    const used = cpuSecondsOf(pidOf())
    await sleep(IDLE_TIME)
    add('processor of the node, idle', '% of a core', (100_000 * (cpuSecondsOf(pidOf()) - used)) / IDLE_TIME)
    const kilobytes = ((megabytesOf(pidOf()) - before) * 1024) / LINKS
    add('memory of one', 'KiB', kilobytes, {
      reference: KILOBYTES_MAX,
      most: 1
    })
    await cloud.kill()
    cloud = await startCloudProcess(data, { ports })
    add('until all are back after the node was killed', 's', await clients.untilUp())
    return rows
  } finally {
    clients.stop()
    await cloud?.kill()
    rmSync(data, { recursive: true, force: true })
  }
}
