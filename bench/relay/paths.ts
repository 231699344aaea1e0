// Calls and files of one hub over several ways: direct, through nginx as a plain reverse proxy, and through the cloud.
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptHubs, getInvitation, listHubs } from '../../contract/cloud/calls.ts'
import { setCloudRegistration } from '../../contract/cloud-registration.ts'
import { HUB_ID_PARAM } from '../../contract/relay.ts'
import { systemStatus } from '../../contract/system.ts'
import { type CloudProcess, startCloudProcess } from '../../test/kit/cloud/cloud-process.ts'
import { openAs } from '../../test/kit/cloud/opened-hub.ts'
import { type HubProcess, startHubProcess } from '../../test/kit/hub/hub-process.ts'
import { until } from '../../test/kit/until.ts'
import { startRequests } from '../http-load.ts'
import { type Measurement, median } from '../measurement.ts'
import { startReverseProxy } from './nginx.ts'

/** Milliseconds of a measurement, and before it until all requests are under way; rounds of which the median counts. */
const DURATION = 1000
const BEGINNING = 250
const ROUNDS = 5
/** Parallel requests. */
const CALLS_AT_A_TIME = 16
const FILES_AT_A_TIME = 4
const FILE_SIZE = 8 << 20
const FILE = '/large.bin'
/** Calls of a round whose duration is measured, one after the other. */
const TIMED_CALLS = 400

/** Bounds: the least share of the bytes that nginx carries, and milliseconds that the relay adds to a call at most. */
const LEAST_OF_NGINX = 0.5
const ADDED_MAX = 3
/** Says which bounds are missed where. */
const EXPLAINED_IN = 'docs/architecture/cloud.md'

/** A way to the hub. */
interface Way {
  name: string
  /** Port of 127.0.0.1. */
  port: number
  /** Added to the path of a call. */
  query: string
  headers: Record<string, string>
}

type Values = Readonly<Record<string, number>>

/** Responses and bytes of their bodies, in a second. */
export async function rateOf({ port, headers }: Way, path: string, parallel: number) {
  const load = startRequests(`http://127.0.0.1:${port}${path}`, headers, parallel)
  try {
    await Promise.race([load.failed, sleep(BEGINNING)])
    const [calls, bytes, began] = [load.count(), load.bytes(), performance.now()]
    await Promise.race([load.failed, sleep(DURATION)])
    const seconds = (performance.now() - began) / 1000
    return { calls: (load.count() - calls) / seconds, bytes: (load.bytes() - bytes) / seconds }
  } finally {
    load.end()
  }
}

/** Milliseconds of calls on one connection. */
async function durationsOf({ port, headers }: Way, path: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const durations: number[] = []
  for (let count = 0; count < TIMED_CALLS; count++) {
    const began = performance.now()
    await new Promise<void>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
        response.resume().on('end', resolve).on('error', reject)
      })
      sent.on('error', reject).end()
    })
    durations.push(performance.now() - began)
  }
  agent.destroy()
  return durations
}

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

/** Measures all ways in turn. @returns the median of the rounds for each, by name */
async function inTurn(ways: readonly Way[], measure: (way: Way) => Promise<number>): Promise<Values> {
  const values = new Map(ways.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round <= ROUNDS; round++)
    for (const way of ways) {
      const value = await measure(way)
      // The first round warms up.
      if (round > 0) values.get(way.name)?.push(value)
    }
  return Object.fromEntries([...values].map(([name, rates]) => [name, median(rates)]))
}

async function compare(ways: readonly Way[]): Promise<Measurement[]> {
  const call = (way: Way) => `/api${systemStatus.path}${way.query}`
  const calls = await inTurn(ways, async (way) => (await rateOf(way, call(way), CALLS_AT_A_TIME)).calls)
  const bytes = await inTurn(ways, async (way) => (await rateOf(way, FILE, FILES_AT_A_TIME)).bytes / 1e6)
  const added = await measureAdded(ways, call)
  const relayed = ways.slice(2).map(({ name }) => name)
  const row = (name: string, unit: string, ours: number, referenceName: string, reference: number) => ({
    ...{ name, unit, ours, referenceName, reference }
  })
  return [
    row('direct calls', 'calls/s', calls.direct ?? 0, 'nginx', calls.nginx ?? 0),
    row('direct file', 'MB/s', bytes.direct ?? 0, 'nginx', bytes.nginx ?? 0),
    ...relayed.flatMap((way) => [
      row(`calls ${way}`, 'calls/s', calls[way] ?? 0, 'nginx', calls.nginx ?? 0),
      {
        ...row(`file ${way}`, 'MB/s', bytes[way] ?? 0, 'nginx', bytes.nginx ?? 0),
        least: LEAST_OF_NGINX,
        explainedIn: EXPLAINED_IN
      },
      row(`added to a call ${way}, p50`, 'ms', added[way]?.p50 ?? 0, 'nginx', added.nginx?.p50 ?? 0),
      {
        ...row(`added to a call ${way}, p99`, 'ms', added[way]?.p99 ?? 0, 'limit', ADDED_MAX),
        most: 1
      }
    ])
  ]
}

/** Milliseconds by which a call takes longer than the direct one. */
async function measureAdded(ways: readonly Way[], call: (way: Way) => string) {
  const durations = new Map<string, number[]>()
  const measure = async (way: Way, share: number) => {
    if (share === 0.5) durations.set(way.name, await durationsOf(way, call(way)))
    return percentile(durations.get(way.name) ?? [], share)
  }
  const rounds = new Map(ways.map(({ name }) => [name, { p50: [] as number[], p99: [] as number[] }]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of ways) {
      rounds.get(way.name)?.p50.push(await measure(way, 0.5))
      rounds.get(way.name)?.p99.push(await measure(way, 0.99))
    }
  }
  const direct = rounds.get('direct') ?? { p50: [], p99: [] }
  return Object.fromEntries(
    [...rounds].map(([name, { p50, p99 }]) => [
      name,
      { p50: median(p50) - median(direct.p50), p99: median(p99) - median(direct.p99) }
    ])
  )
}

/** A console with one large file, of which compressed copies exist, so that the hub does not compress it. */
export function writeConsole(folder: string): void {
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.html'), '<html lang="en"></html>')
  writeFileSync(join(folder, FILE), randomBytes(FILE_SIZE))
  for (const extension of ['.br', '.gz']) writeFileSync(join(folder, FILE + extension), '')
}

/** Registers a hub with the cloud, and opens it. @returns the way to it */
export async function openHub(cloud: CloudProcess, hub: HubProcess): Promise<Way> {
  const { invitation } = await cloud.send(getInvitation, {})
  await hub.send(setCloudRegistration, {
    ...{ enable: true, host: '127.0.0.1', port: cloud.linkPort, invitation, role: 'administer' }
  })
  const hubs = async () => (await cloud.send(listHubs, {})).list
  const sn = await until(async () => (await hubs()).find(({ online }) => online)?.sn, 'the hub is connected')
  await cloud.send(acceptHubs, { sn: [sn] })
  const { host, cookie, visit } = await openAs({ ...cloud, cookie: '', raw: fetch as never }, sn, cloud.port)
  await until(async () => (await visit(FILE, { method: 'HEAD' })).status === 200, 'the hub answers through the cloud')
  return { name: 'through one node', port: cloud.port, query: `?${HUB_ID_PARAM}=${sn}`, headers: { host, cookie } }
}

export async function measurePaths(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'headend-bench-'))
  const inFolder = (name: string) => join(folder, name)
  const closers: (() => Promise<void>)[] = []
  try {
    writeConsole(inFolder('dist'))
    mkdirSync(inFolder('cloud'))
    const wrapper = ['env', `DIST=${inFolder('dist')}`]
    const hub = await startHubProcess(inFolder('hub'), { web: 0, link: 0 }, 'hub/main.ts', wrapper)
    closers.push(() => hub.kill())
    const cloud = await startCloudProcess(inFolder('cloud'))
    closers.push(() => cloud.kill())
    const { host, port } = new URL(hub.url)
    const nginx = await startReverseProxy(host, folder)
    closers.push(() => nginx.close())
    const headers = { cookie: hub.cookie() }
    return await compare([
      { name: 'direct', port: Number(port), query: '', headers },
      { name: 'nginx', port: nginx.port, query: '', headers: { ...headers, host } },
      await openHub(cloud, hub)
    ])
  } finally {
    for (const close of closers.toReversed()) await close()
    rmSync(folder, { recursive: true, force: true })
  }
}
