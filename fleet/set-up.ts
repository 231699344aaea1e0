// Demo set-up on the first start of the fleet, through the API of the hub: accepts most devices, leaves some pending,
// switches two off, and adds device groups and channels. Runs once. An error is logged and ends it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { logout } from '../contract/access/session.ts'
import { addCatalog, setCatalog } from '../contract/catalog.ts'
import { SUCCESS } from '../contract/codes.ts'
import {
  acceptDevices,
  type Device,
  listDevices,
  listDevicesBySerial,
  REGISTRATION_STATE,
  rejectDevices
} from '../contract/device/device.ts'
import { getSettings, setSettings } from '../contract/settings.ts'
import { systemStatus } from '../contract/system.ts'
import { addDemoChannels, type DeviceFinder, PARTNER_CHANNEL, PARTNER_PASSPHRASE } from './demo-channels.ts'
import { storeDemoPeers } from './demo-peers.ts'
import { writeFileAtomically } from './device-storage.ts'
import { findFreePort, isTcpPortFree, isUdpPortFree } from './free-port.ts'
import {
  createHubClient,
  type Send,
  sendChecked,
  signIn,
  UnexpectedResponseError,
  UnreachableError
} from './hub-client.ts'
import { OWN_PROCESS_DEVICES } from './process/packing.ts'
import type { DemoRole, RosterEntry } from './roster.ts'

/** Device groups and the names of their devices. A parent group comes before its subgroups. */
const GROUPS: readonly { name: string; in?: string; devices: readonly string[] }[] = [
  { name: 'Campus', devices: ['Campus News Desk', 'Conference East', 'Gymnasium', 'Lobby Screen'] },
  { name: 'Lecture halls', in: 'Campus', devices: ['Main Hall PTZ', 'Lecture 2.14', 'Lecture 1.02'] },
  { name: 'Chapel', devices: ['Chapel Left', 'Chapel Right', 'Organ Loft', 'Choir Camera', 'Balcony Wireless'] }
]
/** Milliseconds between polls, and to wait for the hub to respond and for further devices to register. */
const POLL_INTERVAL = 300
const HUB_TIMEOUT = 60_000
const DEVICES_TIMEOUT = 30_000
/**
 * Devices per list request, and per request to accept or reject. Limited, so that the hub can respond to other clients
 * in between.
 */
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

const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Accepts or rejects the devices as they register, until all are decided or no further device registers in time. A
 * small fleet is decided on at once.
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

async function addGroups(send: Send, accepted: readonly Device[]): Promise<void> {
  const ids = new Map<string, number>()
  for (const { name, in: parent = '', devices } of GROUPS) {
    const { id } = await sendChecked(send, addCatalog, { 'parent-id': ids.get(parent) ?? 0, name })
    ids.set(name, id)
    const sn = accepted.filter((device) => devices.includes(device.name)).map((device) => device.sn)
    if (sn.length > 0) await sendChecked(send, setCatalog, { id, devices: sn })
  }
}

/**
 * Finds accepted devices by name. In a smaller fleet, which has no device of that name, the first working one is every
 * input.
 */
function createDeviceFinder(entries: readonly RosterEntry[], accepted: readonly Device[]): DeviceFinder {
  const bySerial = new Map(accepted.map((device) => [device.sn, device]))
  const names = new Map(entries.map((entry) => [entry.name, entry]))
  const first = entries.find(({ role, model, sn }) => !role && model.preview && bySerial.has(sn))
  const byName = (name: string | undefined) => bySerial.get(names.get(name ?? '')?.sn ?? '')
  return { byName, inputByName: (name) => byName(name) ?? bySerial.get(first?.sn ?? '') }
}

/** Ports that are tried if another program uses a shared port. */
const PORT_ATTEMPTS = 100
/** Polls for the state of the shared ports. */
const PORT_POLLS = 10

/** The shared ports that could not be opened. The engine opens them for the first channel, which takes a moment. */
async function findClosedPorts(send: Send): Promise<('srt' | 'rtmp')[]> {
  for (let attempt = 0; attempt < PORT_POLLS; attempt++) {
    const { ports } = (await sendChecked(send, systemStatus, {})).status.system
    const closed = (['srt', 'rtmp'] as const).filter((name) => ports?.[name].reason)
    if (closed.length > 0) return closed
    await delay(POLL_INTERVAL)
  }
  return []
}

/**
 * Moves a shared port that another program uses to the next free one. @returns a sentence about the move; undefined if
 * no port is free
 */
async function moveSharedPort(send: Send, name: 'srt' | 'rtmp'): Promise<string | undefined> {
  const { settings } = await sendChecked(send, getSettings, {})
  const { srt, [name]: sharedPort } = settings
  if (!srt || !sharedPort) return undefined
  const taken = sharedPort.port
  const isFree = name === 'srt' ? isUdpPortFree : isTcpPortFree
  const port = await findFreePort(isFree, taken + 1, taken + PORT_ATTEMPTS)
  if (port === undefined) return undefined
  const { result } = await send(setSettings, name === 'srt' ? { srt: { ...srt, port } } : { rtmp: { port } })
  const protocol = name.toUpperCase()
  return result === SUCCESS
    ? `${protocol} port ${taken} is in use: ${protocol} clients connect to port ${port}.`
    : undefined
}

async function setUp({ supervisor, folder, hubUrl, log, signal, timeout }: SetUpOptions): Promise<void> {
  const { entries } = supervisor
  const send = createHubClient(hubUrl, signal)
  await signIn(send, signal, timeout?.hub ?? HUB_TIMEOUT)
  const { accepted, rejected } = await decideRegistrations(send, supervisor, timeout?.devices ?? DEVICES_TIMEOUT)
  const { list } = await sendChecked(send, listDevicesBySerial, {
    sn: entries.slice(0, OWN_PROCESS_DEVICES).map(({ sn }) => sn)
  })
  const acceptedDevices = list.filter((device) => device['reg-state'] === REGISTRATION_STATE.accepted)
  await addGroups(send, acceptedDevices)
  const { count, peers } = await addDemoChannels(send, hubUrl, createDeviceFinder(entries, acceptedDevices))
  storeDemoPeers(folder, peers)
  for (const name of await findClosedPorts(send)) {
    const move = await moveSharedPort(send, name)
    if (move) log(move)
  }
  await sendChecked(send, logout, {})
  log(`Demo set-up completed: ${accepted} devices accepted, ${rejected} rejected, ${count} channels.`)
  log(`The output of ${PARTNER_CHANNEL} fails on purpose: its passphrase must be ${PARTNER_PASSPHRASE}.`)
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
    const isKnown = error instanceof UnexpectedResponseError || error instanceof UnreachableError
    const reason = isKnown ? error.message : `the response of the hub cannot be read (${(error as Error).message})`
    log(`Demo set-up skipped: ${reason}.`)
    // Not repeated after a refusal: another refused login at each start would lock out the user name.
    if (!(error instanceof UnreachableError)) markDone(reason)
  }
}
