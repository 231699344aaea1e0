// Demo set-up on the first start of the fleet, through the API of the hub: accepts most devices, leaves some pending, switches two off, and
// adds device groups and three channels, two of them enabled. Runs once. An error is logged and ends the set-up.
import { createHash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { login, logout } from '../contract/access/session.ts'
import type { Call, Envelope } from '../contract/call.ts'
import { addCatalog, setCatalog } from '../contract/catalog.ts'
import { PORT_OCCUPIED, SUCCESS } from '../contract/codes.ts'
import {
  acceptDevices,
  type Device,
  listDevices,
  listDevicesBySerial,
  REGISTRATION_STATE,
  rejectDevices
} from '../contract/device/device.ts'
import { LATENCY_DEFAULT, REQUEST_TIMEOUT } from '../contract/limits.ts'
import { addChannel, addChannelOutputs, enableChannel, setChannelInput } from '../contract/stream/channel.ts'
import { SRT } from '../contract/stream/protocols.ts'
import { addOutput } from '../contract/stream/source.ts'
import { writeFileAtomically } from './device-storage.ts'
import { OWN_PROCESS_DEVICES } from './process/packing.ts'
import type { DemoRole, RosterEntry } from './roster.ts'

/** Channels with the name of their input device. A smaller fleet uses the devices it has. */
const CHANNELS = [
  { name: 'Sunday service', device: 'Main Hall PTZ', enabled: true },
  { name: 'Lecture hall 2.14', device: 'Lecture 2.14', enabled: true },
  { name: 'Campus news', device: 'Campus News Desk', enabled: false }
] as const
/** Device groups and the names of their devices. A parent group comes before its subgroups. */
const GROUPS: readonly { name: string; in?: string; devices: readonly string[] }[] = [
  { name: 'Campus', devices: ['Campus News Desk', 'Conference East', 'Gymnasium', 'Lobby Screen'] },
  { name: 'Lecture halls', in: 'Campus', devices: ['Main Hall PTZ', 'Lecture 2.14', 'Lecture 1.02'] },
  { name: 'Chapel', devices: ['Chapel Left', 'Chapel Right', 'Organ Loft', 'Choir Camera', 'Balcony Wireless'] }
]
const FIRST_PORT = 9001
const LAST_PORT = 9999

/** Milliseconds between polls, and to wait for the hub to respond and for further devices to register. */
const POLL_INTERVAL = 300
const HUB_TIMEOUT = 60_000
const DEVICES_TIMEOUT = 30_000
/** Devices per list request, and per request to accept or reject. Limited, so that the hub can respond to other clients in between. */
const PAGE_SIZE = 1000
const BATCH_SIZE = 100

/** The part of the supervisor that the set-up needs. */
interface SetUpFleet {
  entries: readonly RosterEntry[]
  stop(sn: string): void
  sendCommand(sn: string, command: 'no-signal' | 'full'): void
}

export interface SetUpOptions {
  supervisor: SetUpFleet
  folder: string
  hubUrl: string
  log(text: string): void
  signal: AbortSignal
  /** Milliseconds; for tests. */
  timeout?: { hub: number; devices: number }
}

/** The hub responded in an unexpected way. */
class Unexpected extends Error {}
/** The hub does not respond. */
class Unreachable extends Error {}

const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Creates a client of the hub's API that keeps the session cookies. */
function createClient(hubUrl: string, signal: AbortSignal) {
  const cookies = new Map<string, string>()
  return async function send<Request, Reply>(call: Call<Request, Reply>, request: Request): Promise<Reply & Envelope> {
    const get = call.method === 'GET'
    const query = get ? `?${new URLSearchParams(request as Record<string, string>)}` : ''
    let response: Response
    try {
      response = await fetch(`${hubUrl}/api${call.path}${query}`, {
        method: call.method,
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(!get && { 'content-type': 'application/json;charset=utf-8' })
        },
        ...(!get && { body: JSON.stringify(request) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT)])
      })
    } catch {
      throw new Unreachable(`no hub responds at ${hubUrl}`)
    }
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name !== undefined && value !== undefined) cookies.set(name, value)
    }
    const reply = (await response.json().catch(() => undefined)) as (Reply & Envelope) | undefined
    if (typeof reply?.result !== 'number') throw new Unexpected(`${call.path} returned HTTP ${response.status}`)
    return reply
  }
}

type Send = ReturnType<typeof createClient>

/** Sends a request that has to succeed. */
async function sendChecked<Request, Reply>(send: Send, call: Call<Request, Reply>, request: Request): Promise<Reply> {
  const reply = await send(call, request)
  if (reply.result !== SUCCESS) throw new Unexpected(`${call.path} returned ${reply.result}`)
  return reply
}

/** Signs in as the first user. Waits until the hub responds. */
async function signIn(send: Send, signal: AbortSignal, timeout: number): Promise<void> {
  const pass = createHash('md5').update('Admin').digest('hex')
  for (const startedAt = Date.now(); ; await delay(POLL_INTERVAL)) {
    try {
      const { result } = await send(login, { id: 'Admin', pass })
      if (result !== SUCCESS) throw new Unexpected(`the first password is no longer valid (${result})`)
      return
    } catch (error) {
      if (!(error instanceof Unreachable) || signal.aborted || Date.now() - startedAt > timeout) throw error
    }
  }
}

/**
 * Accepts or rejects the devices as they register, until all are decided or no further device registers in time. A small fleet is decided
 * on at once.
 * @returns numbers of accepted and rejected devices
 */
async function decideRegistrations(send: Send, fleet: SetUpFleet, timeout: number) {
  const undecided = new Map(fleet.entries.map((entry) => [entry.sn, entry]))
  const count = { accepted: 0, rejected: 0 }
  let pendingCount = 0
  for (let lastChangeAt = Date.now(); undecided.size > 0; await delay(POLL_INTERVAL)) {
    const { list } = await sendChecked(send, listDevices, { 'reg-state': 'waiting', start: 0, count: PAGE_SIZE })
    const pending = list.map(({ sn }) => undecided.get(sn)).filter((entry) => entry !== undefined)
    const isLate = Date.now() - lastChangeAt > timeout
    if (pending.length > pendingCount) lastChangeAt = Date.now()
    pendingCount = pending.length
    if (pendingCount < Math.min(undecided.size, OWN_PROCESS_DEVICES) && !isLate) continue
    const { accepted, rejected } = await decideBatch(send, fleet, pending)
    for (const { sn } of pending) undecided.delete(sn)
    count.accepted += accepted
    count.rejected += rejected
    pendingCount = 0
    if (isLate) break
  }
  return count
}

/** Accepts or rejects pending devices, and puts them into the state of their role. */
async function decideBatch(send: Send, fleet: SetUpFleet, pending: readonly RosterEntry[]) {
  const serials = (...roles: (DemoRole | undefined)[]) =>
    pending.filter(({ role }) => roles.includes(role)).map(({ sn }) => sn)
  const accept = serials(undefined, 'off', 'no-signal', 'full')
  const reject = serials('rejected')
  for (const sn of splitIntoBatches(accept)) await sendChecked(send, acceptDevices, { sn })
  for (const sn of splitIntoBatches(reject)) await sendChecked(send, rejectDevices, { sn })
  // Commands come first, because a device that is off does not accept any.
  for (const role of ['no-signal', 'full'] as const) for (const sn of serials(role)) fleet.sendCommand(sn, role)
  for (const sn of serials('off')) fleet.stop(sn)
  return { accepted: accept.length, rejected: reject.length }
}

function splitIntoBatches(serials: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(serials.length / BATCH_SIZE) }, (_, index) =>
    serials.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE)
  )
}

/** Adds an SRT output on the first free port from `from` on. @returns its id and port */
async function addSrtOutput(send: Send, name: string, from: number): Promise<{ id: number; port: number }> {
  for (let port = from; port <= LAST_PORT; port++) {
    if (!(await isFree(port))) continue
    const config = { mode: 'listener', 'bind-port': port, latency: LATENCY_DEFAULT, enc: 'disable' } as const
    const { result, id } = await send(addOutput, { name, protocol: SRT, config })
    if (result === PORT_OCCUPIED) continue
    if (result !== SUCCESS) throw new Unexpected(`${addOutput.path} returned ${result}`)
    return { id, port }
  }
  throw new Unexpected(`no port from ${from} to ${LAST_PORT} is free`)
}

/** Whether a UDP port is free. SRT runs over UDP. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.once('error', () => resolve(false))
    socket.bind(port, () => socket.close(() => resolve(true)))
  })
}

async function addGroups(send: Send, accepted: readonly Device[]): Promise<void> {
  const ids = new Map<string, number>()
  for (const { name, in: parent = '', devices } of GROUPS) {
    const { id } = await sendChecked(send, addCatalog, { 'parent-id': ids.get(parent) ?? 0, name })
    ids.set(name, id)
    const sn = accepted.filter((device) => devices.includes(device.name)).map((device) => device.sn)
    if (sn.length > 0) await sendChecked(send, setCatalog, { id, devices: sn })
  }
}

async function addChannels(send: Send, entries: readonly RosterEntry[], accepted: readonly Device[]): Promise<void> {
  const working = entries.filter(
    ({ role, model, sn }) => !role && model.preview && accepted.some((other) => other.sn === sn)
  )
  let port = FIRST_PORT
  for (const [index, { name, device, enabled }] of CHANNELS.entries()) {
    const entry = working.find((candidate) => candidate.name === device) ?? working[index]
    const input = accepted.find(({ sn }) => sn === entry?.sn)
    if (!input) continue
    const output = await addSrtOutput(send, `${name} SRT`, port)
    port = output.port + 1
    const { id } = await sendChecked(send, addChannel, { name })
    await sendChecked(send, setChannelInput, { id, input: input.id })
    await sendChecked(send, addChannelOutputs, { id, outputs: [output.id] })
    if (enabled) await sendChecked(send, enableChannel, { id, enable: true })
  }
}

async function setUp({ supervisor, hubUrl, log, signal, timeout }: SetUpOptions): Promise<void> {
  const { entries } = supervisor
  const send = createClient(hubUrl, signal)
  await signIn(send, signal, timeout?.hub ?? HUB_TIMEOUT)
  const { accepted, rejected } = await decideRegistrations(send, supervisor, timeout?.devices ?? DEVICES_TIMEOUT)
  const { list } = await sendChecked(send, listDevicesBySerial, {
    sn: entries.slice(0, OWN_PROCESS_DEVICES).map(({ sn }) => sn)
  })
  const acceptedDevices = list.filter((device) => device['reg-state'] === REGISTRATION_STATE.accepted)
  await addGroups(send, acceptedDevices)
  await addChannels(send, entries, acceptedDevices)
  await sendChecked(send, logout, {})
  log(`Demo set-up completed: ${accepted} devices accepted, ${rejected} rejected, ${CHANNELS.length} channels.`)
}

/** Runs the demo set-up unless it was run before. Never rejects, because the fleet works without it. */
export async function setUpOnce(options: SetUpOptions): Promise<void> {
  const { folder, log, signal } = options
  const marker = join(folder, 'set-up.json')
  if (existsSync(marker)) return
  const markDone = (outcome: string) =>
    writeFileAtomically(marker, JSON.stringify({ outcome, time: new Date().toISOString() }))
  try {
    await setUp(options)
    markDone('set up')
  } catch (error) {
    if (signal.aborted) return
    const isKnown = error instanceof Unexpected || error instanceof Unreachable
    const reason = isKnown ? error.message : `the response of the hub cannot be read (${(error as Error).message})`
    log(`Demo set-up skipped: ${reason}.`)
    // Not repeated after a refusal: another refused login at each start would lock out the user name.
    if (!(error instanceof Unreachable)) markDone(reason)
  }
}
