// The demo set-up of the first start, through the hub's own API as any console would do it: most devices accepted, some left to
// decide on, two switched off, a few groups, and three channels of which two run. Done once; what does not go as expected is said and left.
import { createHash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Call, Envelope } from '../contract/call.ts'
import { addCatalog, setCatalog } from '../contract/catalog.ts'
import { PORT_OCCUPIED, SUCCESS } from '../contract/codes.ts'
import {
  acceptDevices,
  type Device,
  listDevices,
  listDevicesBySerial,
  REGISTRATION,
  rejectDevices
} from '../contract/device/device.ts'
import { LATENCY_DEFAULT, REQUEST_TIMEOUT } from '../contract/limits.ts'
import { login, logout } from '../contract/session.ts'
import { addChannel, addChannelOutputs, enableChannel, setChannelInput } from '../contract/stream/channel.ts'
import { SRT } from '../contract/stream/protocols.ts'
import { addOutput } from '../contract/stream/source.ts'
import { writeWhole } from './device-storage.ts'
import { FULL } from './packing.ts'
import type { Entry, Part } from './roster.ts'

/** Inputs by the name of their device; a smaller fleet takes what it has. */
const CHANNELS = [
  { name: 'Sunday service', device: 'Main Hall PTZ', enabled: true },
  { name: 'Lecture hall 2.14', device: 'Lecture 2.14', enabled: true },
  { name: 'Campus news', device: 'Campus News Desk', enabled: false }
] as const
/** Device groups, those above first, with the devices that are in them. */
const GROUPS: readonly { name: string; in?: string; devices: readonly string[] }[] = [
  { name: 'Campus', devices: ['Campus News Desk', 'Conference East', 'Gymnasium', 'Lobby Screen'] },
  { name: 'Lecture halls', in: 'Campus', devices: ['Main Hall PTZ', 'Lecture 2.14', 'Lecture 1.02'] },
  { name: 'Chapel', devices: ['Chapel Left', 'Chapel Right', 'Organ Loft', 'Choir Camera', 'Balcony Wireless'] }
]
const FIRST_PORT = 9001
const LAST_PORT = 9999

/** Milliseconds between two looks, and until it is given up that the hub answers and that more devices register. */
const LOOK = 300
const HUB_TIMEOUT = 60_000
const DEVICES_TIMEOUT = 30_000
/** Devices looked at at once, and decided on in one call: the hub has others to answer meanwhile. */
const PAGE = 1000
const DECIDED = 100

/** The part of the supervisor that the set-up needs. */
export interface SetUpFleet {
  entries: readonly Entry[]
  stop(sn: string): void
  tell(sn: string, order: 'no-signal' | 'full'): void
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

/** The hub answered, but not as the set-up needs it. */
class Unexpected extends Error {}
/** The hub does not answer. */
class Unreachable extends Error {}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A client of the hub's API that keeps its session. */
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
      throw new Unreachable(`no hub answers at ${hubUrl}`)
    }
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name !== undefined && value !== undefined) cookies.set(name, value)
    }
    const answer = (await response.json().catch(() => undefined)) as (Reply & Envelope) | undefined
    if (typeof answer?.result !== 'number') throw new Unexpected(`${call.path} answered HTTP ${response.status}`)
    return answer
  }
}

type Send = ReturnType<typeof createClient>

/** The reply of a call that must succeed. */
async function must<Request, Reply>(send: Send, call: Call<Request, Reply>, request: Request): Promise<Reply> {
  const answer = await send(call, request)
  if (answer.result !== SUCCESS) throw new Unexpected(`${call.path} answered ${answer.result}`)
  return answer
}

/** Signs in as the first user, waiting for the hub to come up. */
async function signIn(send: Send, signal: AbortSignal, timeout: number): Promise<void> {
  const pass = createHash('md5').update('Admin').digest('hex')
  for (const began = Date.now(); ; await wait(LOOK)) {
    try {
      const { result } = await send(login, { id: 'Admin', pass })
      if (result !== SUCCESS) throw new Unexpected(`the first password is no longer valid (${result})`)
      return
    } catch (error) {
      if (!(error instanceof Unreachable) || signal.aborted || Date.now() - began > timeout) throw error
    }
  }
}

/**
 * Decides on the devices as they register, until all have or no more come in time; a whole small fleet at once.
 * @returns how many were accepted and rejected
 */
async function decide(send: Send, { entries, tell, stop }: SetUpFleet, timeout: number) {
  const left = new Map(entries.map((entry) => [entry.sn, entry]))
  const count = { accepted: 0, rejected: 0 }
  let came = 0
  for (let since = Date.now(); left.size > 0; await wait(LOOK)) {
    const { list } = await must(send, listDevices, { 'reg-state': 'waiting', start: 0, count: PAGE })
    const here = list.map(({ sn }) => left.get(sn)).filter((entry) => entry !== undefined)
    const late = Date.now() - since > timeout
    if (here.length > came) since = Date.now()
    came = here.length
    if (came < Math.min(left.size, FULL) && !late) continue
    const serials = (...parts: (Part | undefined)[]) =>
      here.filter(({ part }) => parts.includes(part)).map(({ sn }) => sn)
    const accept = serials(undefined, 'off', 'no-signal', 'full')
    const reject = serials('rejected')
    for (const sn of inPieces(accept)) await must(send, acceptDevices, { sn })
    for (const sn of inPieces(reject)) await must(send, rejectDevices, { sn })
    // In this order: a device that is off when its warning comes up could not be told.
    for (const part of ['no-signal', 'full'] as const) for (const sn of serials(part)) tell(sn, part)
    for (const sn of serials('off')) stop(sn)
    for (const { sn } of here) left.delete(sn)
    count.accepted += accept.length
    count.rejected += reject.length
    came = 0
    if (late) break
  }
  return count
}

function inPieces(serials: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(serials.length / DECIDED) }, (_, index) =>
    serials.slice(index * DECIDED, (index + 1) * DECIDED)
  )
}

/** Adds an SRT output on the first port that is free. @returns its node and port */
async function addSrtOutput(send: Send, name: string, from: number): Promise<{ id: number; port: number }> {
  for (let port = from; port <= LAST_PORT; port++) {
    if (!(await isFree(port))) continue
    const config = { mode: 'listener', 'bind-port': port, latency: LATENCY_DEFAULT, enc: 'disable' } as const
    const { result, id } = await send(addOutput, { name, protocol: SRT, config })
    if (result === PORT_OCCUPIED) continue
    if (result !== SUCCESS) throw new Unexpected(`${addOutput.path} answered ${result}`)
    return { id, port }
  }
  throw new Unexpected(`no port from ${from} to ${LAST_PORT} is free`)
}

/** Whether nobody has the UDP port: SRT runs on it. */
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
    const { id } = await must(send, addCatalog, { 'parent-id': ids.get(parent) ?? 0, name })
    ids.set(name, id)
    const sn = accepted.filter((device) => devices.includes(device.name)).map((device) => device.sn)
    if (sn.length > 0) await must(send, setCatalog, { id, devices: sn })
  }
}

async function addChannels(send: Send, entries: readonly Entry[], accepted: readonly Device[]): Promise<void> {
  const working = entries.filter(
    ({ part, model, sn }) => !part && model.preview && accepted.some((one) => one.sn === sn)
  )
  let port = FIRST_PORT
  for (const [index, { name, device, enabled }] of CHANNELS.entries()) {
    const entry = working.find((one) => one.name === device) ?? working[index]
    const node = accepted.find(({ sn }) => sn === entry?.sn)
    if (!node) continue
    const output = await addSrtOutput(send, `${name} SRT`, port)
    port = output.port + 1
    const { id } = await must(send, addChannel, { name })
    await must(send, setChannelInput, { id, input: node.id })
    await must(send, addChannelOutputs, { id, outputs: [output.id] })
    if (enabled) await must(send, enableChannel, { id, enable: true })
  }
}

async function setUp({ supervisor, hubUrl, log, signal, timeout }: SetUpOptions): Promise<void> {
  const { entries } = supervisor
  const send = createClient(hubUrl, signal)
  await signIn(send, signal, timeout?.hub ?? HUB_TIMEOUT)
  const { accepted, rejected } = await decide(send, supervisor, timeout?.devices ?? DEVICES_TIMEOUT)
  const { list } = await must(send, listDevicesBySerial, { sn: entries.slice(0, FULL).map(({ sn }) => sn) })
  const there = list.filter((device) => device['reg-state'] === REGISTRATION.accepted)
  await addGroups(send, there)
  await addChannels(send, entries, there)
  await must(send, logout, {})
  log(`The demo is set up: ${accepted} devices accepted, ${rejected} rejected, ${CHANNELS.length} channels.`)
}

/** Sets the demo up unless that was done before. Never rejects: the fleet is of use without it. */
export async function setUpOnce(options: SetUpOptions): Promise<void> {
  const { folder, log, signal } = options
  const marker = join(folder, 'set-up.json')
  if (existsSync(marker)) return
  const done = (outcome: string) => writeWhole(marker, JSON.stringify({ outcome, time: new Date().toISOString() }))
  try {
    await setUp(options)
    done('set up')
  } catch (error) {
    if (signal.aborted) return
    const known = error instanceof Unexpected || error instanceof Unreachable
    const reason = known ? error.message : `the hub's answers cannot be read (${(error as Error).message})`
    log(`The demo set-up is left out: ${reason}.`)
    // A hub that said no is not asked again: it would say no each time, and lock out the name.
    if (!(error instanceof Unreachable)) done(reason)
  }
}
