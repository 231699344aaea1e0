// Three nodes of one cloud as processes, with whole hubs, links of clients, and users who read and write all the time,
// while nodes and PostgreSQL die.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../../cloud/store/store.ts'
import { getSession } from '../../../contract/access/session.ts'
import { acceptHubs, getInvitation, listHubs, renameHub } from '../../../contract/cloud/calls.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { hashSecret } from '../../../web-server/credentials.ts'
import { startHub, type TestHub } from '../hub/hub.ts'
import { freeTcpPort } from '../net/free-port.ts'
import { until } from '../until.ts'
import type { CloudClient } from './cloud.ts'
import { type CloudProcess, startCloudProcess } from './cloud-process.ts'
import { type FakeHub, helloOf, startFakeHub } from './fake-hub.ts'
import { openAs, type Visitor } from './opened-hub.ts'
import { startPostgres } from './postgres.ts'
import { registrationOf, set, untilOnline, untilState, withFolder } from './registered-hub.ts'

const NODES = 3
/** Hubs at one address: more would have to wait, because a network may register 500 at once. */
const CLIENTS_PER_ADDRESS = 100

export interface ThreeNodes {
  /** Starts a standby. @returns a function that kills the primary, promotes the standby and waits for changes there */
  startStandby(): Promise<() => Promise<void>>
  /** Kills PostgreSQL a number of times, each time after all users have stored a change, and waits for changes. */
  killDatabase(times: number): Promise<void>
  /** Kills the first node. @returns milliseconds until all links are back at the others, and these know it */
  killNode(): Promise<number>
}

interface Sizes {
  hubs: number
  clients: number
  fsync?: boolean
}

/** What users have done, and what went wrong. */
class Users {
  readonly failures: string[] = []
  /** By serial number: numbers that were stored last, and tried last. */
  readonly stored = new Map<string, number>()
  readonly tried = new Map<string, number>()
  reads = 0
  writes = 0
  #isOver = false
  readonly #loops: Promise<void>[] = []

  /** Reads all of these by turns, over and over, each time with success. */
  read(calls: Readonly<Record<string, () => Promise<{ result: number }>>>): void {
    this.#repeat(Object.keys(calls), async (what) => {
      const { result } = (await calls[what]?.().catch((error: Error) => ({ result: error.message }))) ?? {}
      if (result === SUCCESS) this.reads++
      else if (!this.#isOver) this.failures.push(`${what}: ${result}`)
    })
  }

  /** Names hubs by turns with higher and higher numbers. Some changes may be refused. */
  write(node: CloudProcess, serials: readonly string[]): void {
    this.#repeat(serials, async (sn) => {
      const number = (this.tried.get(sn) ?? 0) + 1
      this.tried.set(sn, number)
      const { result } = await node.send(renameHub, { sn, name: String(number) }).catch(() => ({ result: -1 }))
      if (result !== SUCCESS) return
      this.stored.set(sn, number)
      this.writes++
    })
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#loops)
  }

  #repeat(items: readonly string[], step: (item: string) => Promise<void>): void {
    const run = async () => {
      for (let turn = 0; !this.#isOver; turn++) await step(items[turn % items.length] ?? '')
    }
    this.#loops.push(run())
  }
}

async function startNodes(folder: string, databaseUrl: string): Promise<CloudProcess[]> {
  const nodes: CloudProcess[] = []
  while (nodes.length < NODES) {
    const data = join(folder, String(nodes.length))
    mkdirSync(data)
    const link = await freeTcpPort()
    const env = {
      ...{ DATABASE_URL: databaseUrl, KEY_FILE: join(folder, 'cloud.key'), NODE_ADDRESS: `127.0.0.1:${link}` },
      PEER_PORT: '0'
    }
    nodes.push(await startCloudProcess(data, { ports: { web: 0, link }, env }))
  }
  return nodes
}

/** Registers whole hubs, which then have links to two nodes each. */
async function startHubs(count: number, nodes: readonly CloudProcess[]): Promise<TestHub[]> {
  const hubs: TestHub[] = []
  const { invitation } = await (nodes[0] as CloudProcess).send(getInvitation, {})
  for (let index = 0; index < count; index++) {
    const node = nodes[index % NODES] as CloudProcess
    const hub = await startHub()
    hubs.push(hub)
    const admin = hub.clientAs()
    await set(admin, { port: node.linkPort, invitation, role: 'administer' })
    await untilState(admin, REGISTRATION_STATE.pending)
    await node.send(acceptHubs, { sn: [hub.parts.cloudLink.settings.serial] })
    await untilOnline(admin)
    const linksUp = async () => (await registrationOf(admin))?.links.filter(({ up }) => up).length
    await until(async () => (await linksUp()) === 2, 'two links')
  }
  return hubs
}

/** Adds accepted hubs to the database. */
async function addClients(databaseUrl: string, serials: readonly string[]): Promise<void> {
  const store = await openStore({ data: ':memory:', databaseUrl })
  try {
    await store.within('headend', async (scope) => {
      const { invitation } = await scope.select('organisations').select('invitation').executeTakeFirstOrThrow()
      for (const sn of serials) {
        const { name, version, key } = helloOf(`headend:${invitation}`, sn)
        const row = { sn, name, version, address: '127.0.0.1', key_hash: hashSecret(key), registered: 1 }
        await scope.insert('hubs', { ...row, state: REGISTRATION_STATE.accepted }).execute()
      }
    })
  } finally {
    await store.close()
  }
}

async function readNames(databaseUrl: string): Promise<Map<string, string>> {
  const store = await openStore({ data: ':memory:', databaseUrl })
  try {
    const rows = await store.within('headend', (scope) => scope.select('hubs').select(['sn', 'label']).execute())
    return new Map(rows.map(({ sn, label }) => [sn, label]))
  } finally {
    await store.close()
  }
}

/** Starts a client that connects to one of the nodes that run, as behind a load balancer. */
function startClient(sn: string, index: number, nodes: readonly CloudProcess[]): FakeHub {
  let attempt = index
  return startFakeHub(0, () => ({ ...helloOf('headend:CODE-CODE-CODE', sn), instance: `instance-${sn}` }), {
    localAddress: `127.9.${Math.floor(index / CLIENTS_PER_ADDRESS)}.1`,
    chooseAddress: () => {
      const running = nodes.filter(({ child }) => child.exitCode === null && child.signalCode === null)
      return { host: '127.0.0.1', port: running[attempt++ % running.length]?.linkPort ?? 0 }
    }
  })
}

const onlineAt = async (node: CloudProcess) => {
  const { list } = await node.send(listHubs, {})
  return list.filter(({ online }) => online).length
}

/** Runs a test, and checks at its end that no change that was acknowledged is lost and no user had a failure. */
export function withThreeNodes({ hubs: count, clients, fsync }: Sizes, run: (cloud: ThreeNodes) => Promise<void>) {
  return withFolder(async (folder) => {
    const postgres = await startPostgres({ ...(fsync !== undefined && { fsync }) })
    const users = new Users()
    let nodes: CloudProcess[] = []
    let hubs: TestHub[] = []
    const links: FakeHub[] = []
    try {
      const databaseUrl = await postgres.createDatabase()
      nodes = await startNodes(folder, databaseUrl)
      hubs = await startHubs(count, nodes)
      const serials = Array.from({ length: clients }, (_, index) => `CLIENT-${index}`)
      await addClients(databaseUrl, serials)
      for (const [index, sn] of serials.entries()) links.push(startClient(sn, index, nodes))
      const [, ...rest] = nodes as [CloudProcess, CloudProcess, CloudProcess]
      for (const node of nodes) await until(async () => (await onlineAt(node)) === clients + count, 'all are online')
      for (const [index, node] of rest.entries()) {
        const calls: Record<string, () => Promise<{ result: number }>> = {
          [`session ${index}`]: () => node.send(getSession, {})
        }
        for (const hub of hubs) {
          const visitor: Visitor = await openAs(node as unknown as CloudClient, serialOf(hub), node.port)
          calls[`hub ${serialOf(hub)} at ${index}`] = () => visitor.send(getSession, {})
        }
        users.read(calls)
        users.write(node, serials.slice(3 * index, 3 * index + 3))
      }
      const untilWritten = async () => {
        const before = new Map(users.tried)
        await until(
          () => [...before].every(([sn, number]) => (users.stored.get(sn) ?? 0) > number),
          'everybody has stored a change'
        )
      }
      await run({
        async startStandby() {
          const { promote } = await postgres.startStandby()
          return async () => {
            await postgres.kill()
            await promote()
            await untilWritten()
          }
        },
        async killDatabase(times) {
          for (let kill = 0; kill < times; kill++) {
            await untilWritten()
            await postgres.kill()
            await postgres.restart()
          }
          await untilWritten()
        },
        async killNode() {
          const start = performance.now()
          await nodes[0]?.kill()
          for (const node of rest)
            await until(
              async () => links.every(({ link }) => link.state === 'up') && (await onlineAt(node)) === clients + count,
              'all are back'
            )
          return performance.now() - start
        }
      })
      await users.stop()
      assert.deepEqual(users.failures, [])
      const names = await readNames(databaseUrl)
      for (const [sn, number] of users.stored) {
        const found = Number(names.get(sn))
        assert.ok(found >= number && found <= (users.tried.get(sn) ?? 0), `${sn}: ${found}, stored ${number}`)
      }
      console.log(`${users.reads} reads, ${users.writes} changes, none lost`)
    } finally {
      await users.stop()
      for (const { stop } of links) stop()
      for (const hub of hubs) await hub.close()
      for (const node of nodes) await node.kill()
      await postgres.close()
    }
  })
}

const serialOf = ({ parts }: TestHub) => parts.cloudLink.settings.serial
