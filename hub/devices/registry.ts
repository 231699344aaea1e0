// What the hub knows of each device: the stored part, and what its link and its own answers say right now. Decides who may dial in.
import { createHash, timingSafeEqual } from 'node:crypto'
import { type Device, type DeviceStatus, REGISTRATION, WARNING } from '../../contract/device/device.ts'
import { type DeviceHello, REFUSAL } from '../../contract/device/link.ts'
import { LOG_WARNING } from '../../contract/log.ts'
import type { ChannelRow } from '../store/channels.ts'
import type { DeviceRow } from '../store/devices.ts'
import type { Store } from '../store/store.ts'

/** What a device's adapter read in its last answer. */
export interface Observed {
  name?: string
  status: DeviceStatus
  /** Bits of `WARNING`. */
  warns: number
  /** Input signal in words, such as 1920x1080p60. */
  input?: string
}

interface Live {
  /** Milliseconds since the epoch since when its link is up. */
  since: number
  observed?: Observed
  /** What lists show of it: kept, since each device is heard every few seconds and hardly ever says anything new. */
  shown?: string
  /** Milliseconds since the epoch since when it runs. */
  started?: number | undefined
}

/**
 * Devices that may wait for a decision: beyond it the door is shut, so that a flood of made-up serials ends somewhere. Two fleets of
 * the size the hub is made for may wait.
 */
const PENDING_MAX = 10_000

/** Milliseconds. */
const START_JITTER = 15_000

export interface RegistryEvents {
  /** An accepted device came or went, or was accepted or taken away while online. */
  presence(sn: string): void
}

export type Registry = ReturnType<typeof createRegistry>

function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function equal(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}

export function createRegistry(store: Store, events: RegistryEvents, now: () => number = Date.now) {
  const { database, devices, changes, settings } = store
  const live = new Map<string, Live>()
  database.transaction(() => devices.allOffline(now()))

  function refuse(hello: DeviceHello, address: string, refusal: number): { refuse: number } {
    store.note({
      event: 'device-refused',
      detail: `${hello.name} ${address} ${refusal}`,
      level: LOG_WARNING,
      sn: hello.sn
    })
    return { refuse: refusal }
  }

  return {
    /** Decides on a device that dials in (contract/device/link.ts). */
    hello(hello: DeviceHello, address: string): { state: number } | { refuse: number } {
      const { 'enable-code': asksCode, 'code-value': code } = settings.get('security')
      const row = devices.bySerial(hello.sn)
      // The code guards the door to the waiting room: a device that was already accepted has its key.
      if (row?.reg_state !== REGISTRATION.accepted && asksCode && !equal(hello.code ?? '', code))
        return { refuse: REFUSAL.wrongCode }
      if (row) {
        if (!equal(row.key_hash, keyHash(hello.key))) return refuse(hello, address, REFUSAL.exists)
        if (row.reg_state === REGISTRATION.rejected) return { refuse: REGISTRATION.rejected }
        if (database.soon(() => devices.refresh(hello, address))) changes.bump('device', row.id)
        return { state: row.reg_state }
      }
      if (devices.countIn(REGISTRATION.pending) >= PENDING_MAX) return { refuse: REFUSAL.illegalDevice }
      const id = database.soon(() => {
        store.note({ event: 'device-registered', detail: `${hello.name} ${address}`, sn: hello.sn })
        return devices.add(hello, keyHash(hello.key), REGISTRATION.pending, address, now())
      })
      changes.bump('device', id)
      changes.bump('status')
      return { state: REGISTRATION.pending }
    },

    /** Whether it knows the key of the device with its serial number. */
    hasKey(hello: DeviceHello): boolean {
      const row = devices.bySerial(hello.sn)
      return row !== undefined && equal(row.key_hash, keyHash(hello.key))
    },

    /** It is refused, since the device with its serial number and its key is here: a copy, which somebody should know of. */
    twin(hello: DeviceHello, address: string): void {
      refuse(hello, address, REFUSAL.exists)
    },

    /** Its link is up. */
    up(sn: string): void {
      live.set(sn, { since: now() })
      const row = devices.bySerial(sn)
      if (!row) return
      database.soon(() => {
        devices.setOffline(sn, 0)
        if (row.reg_state === REGISTRATION.accepted) store.note({ event: 'device-online', detail: row.name, sn })
      })
      changes.bump('device', row.id)
      changes.bump('status')
      events.presence(sn)
    },

    /** Its link is down. */
    down(sn: string, reason: string): void {
      live.delete(sn)
      const row = devices.bySerial(sn)
      if (!row) return
      database.soon(() => {
        devices.setOffline(sn, now())
        if (row.reg_state === REGISTRATION.accepted)
          store.note({ event: 'device-offline', detail: `${row.name}: ${reason}`, level: LOG_WARNING, sn })
      })
      changes.bump('device', row.id)
      changes.bump('status')
      events.presence(sn)
    },

    /** What its adapter read. Samples alone (CPU, traffic) are no change that a list is told of. */
    observed(sn: string, observed: Observed): void {
      const entry = live.get(sn)
      const row = devices.bySerial(sn)
      if (!entry || !row) return
      const before = entry.observed
      entry.observed = observed
      if (observed.name && observed.name !== row.name) {
        const { name } = observed
        database.soon(() => devices.setName(sn, name))
        changes.bump('device', row.id)
      }
      const text = shown(observed)
      const started = startOf(observed.status['up-time'], entry.started)
      const anew = started !== entry.started
      entry.started = started
      if (anew || entry.shown !== text) changes.bump('device', row.id)
      entry.shown = text
      const [was, is] = [before?.warns ?? 0, observed.warns]
      if (was === is) return
      changes.bump('status')
      noteWarnings(row, was, is)
    },

    live: (sn: string) => live.get(sn),
    online: (sn: string) => live.has(sn),

    /** Serials of links whose device is not known: its registration could not be kept. They are to dial in anew. */
    strangers: () => [...live.keys()].filter((sn) => !devices.bySerial(sn)),

    /** The device as the wire has it. `owners` are the channels that use it as input. */
    wire(row: DeviceRow, owners: readonly ChannelRow[], samples = true): Device {
      const entry = live.get(row.sn)
      const observed = row.reg_state === REGISTRATION.accepted ? entry?.observed : undefined
      const device: Device = {
        id: row.id,
        sn: row.sn,
        name: row.name,
        module: row.module,
        'module-name': row.module_name,
        'product-id': row.product_id,
        'hardware-ver': row.hardware_ver,
        'firmware-ver': row.firmware_ver,
        'reg-state': row.reg_state,
        'apply-date': row.apply_date,
        'online-date': entry?.since ?? 0,
        'offline-date': entry ? 0 : row.offline_date,
        'catalog-id': row.catalog_id,
        dir: row.dir,
        // What an offline device last warned of is not known to hold any more.
        'dev-warns': observed?.warns ?? 0,
        'is-favorite': row.is_favorite,
        'is-inherit': row.is_inherit,
        'group-mask': row.group_mask,
        'usr-mask': row.usr_mask,
        'connect-ip': row.connect_ip
      }
      if (observed && entry?.started !== undefined) device['start-date'] = entry.started
      if (row.preview && row.reg_state === REGISTRATION.accepted) device['preview-id'] = `DEV-${row.sn}`
      if (owners.length > 0) {
        device['owner-i'] = owners.map((channel) => channel.name)
        device['owner-i-d'] = owners.map((channel) => channel.id)
      }
      if (observed?.input !== undefined) device['pro-feature'] = { input: observed.input }
      if (observed) {
        device.status = samples ? observed.status : listed(observed.status)
      }
      return device
    },

    /** How many there are of those that `visible` lets through. */
    counts(visible: (row: DeviceRow) => boolean = () => true) {
      const counts = { 'num-all': 0, 'num-online': 0, 'num-warn': 0, 'num-pending': 0, 'num-rejected': 0 }
      for (const row of devices.all()) {
        if (!visible(row)) continue
        if (row.reg_state === REGISTRATION.pending) counts['num-pending']++
        if (row.reg_state === REGISTRATION.rejected) counts['num-rejected']++
        if (row.reg_state !== REGISTRATION.accepted) continue
        const entry = live.get(row.sn)
        counts['num-all']++
        if (entry) counts['num-online']++
        if (entry?.observed?.warns) counts['num-warn']++
      }
      return counts
    }
  }

  /** A start that is the same as before but for what clocks and answers jitter is the one before. */
  function startOf(upTime: number | undefined, before: number | undefined): number | undefined {
    if (upTime === undefined) return undefined
    const start = now() - upTime * 1000
    return before !== undefined && Math.abs(start - before) < START_JITTER ? before : start
  }

  function noteWarnings(row: DeviceRow, was: number, is: number): void {
    database.soon(() => {
      for (const [name, bit] of Object.entries(WARNING)) {
        if ((was & bit) === (is & bit)) continue
        const raised = (is & bit) !== 0
        const signal = bit === WARNING.noSignal
        store.note({
          event: signal ? (raised ? 'signal-lost' : 'signal-found') : raised ? 'warning-raised' : 'warning-cleared',
          detail: signal ? row.name : `${row.name} ${name}`,
          level: raised ? LOG_WARNING : undefined,
          sn: row.sn
        })
      }
    })
  }
}

/** A status as lists have it: without what changes all the time, of which they are not told. */
function listed(status: DeviceStatus): DeviceStatus {
  const { cpu: _cpu, 'eth-rx': _rx, 'eth-tx': _tx, memory: _memory, 'fan-rpm': _fan, ...state } = status
  if (state.recording) state.recording = { on: state.recording.on }
  if (state.live) state.live = { on: state.live.on }
  if (state.disks) state.disks = state.disks.map(({ free: _free, 'free-sec': _left, ...disk }) => disk)
  return state
}

/** The part of an observation that lists show. */
function shown(observed: Observed): string {
  const { 'up-time': _upTime, temperature: _heat, ...status } = listed(observed.status)
  return JSON.stringify([observed.warns, observed.input, status])
}
