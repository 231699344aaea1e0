// Registry of devices: combines the stored record of each device with its live state.
import { type Device, REGISTRATION_STATE } from '../../contract/device/device.ts'
import { DEVICE_WARNING_BITS, type DeviceStatus } from '../../contract/device/status.ts'
import { LOG_WARNING } from '../../contract/log.ts'
import { deviceNodeType } from '../../contract/stream/protocols.ts'
import { Emitter } from '../emitter.ts'
import type { ChannelRow } from '../store/channels.ts'
import type { DeviceRow } from '../store/devices.ts'
import type { Store } from '../store/store.ts'
import { verdictObject } from '../store/verdicts.ts'
import type { Observation } from './adapters/adapter.ts'
import { Registrations } from './registrations.ts'

/** Live state of a device that is online. */
interface LiveState {
  /** When the device went online, in milliseconds since the epoch. */
  onlineSince: number
  /** Of a device link: whether it is over TLS. */
  isEncrypted?: boolean | undefined
  observation?: Observation
  /** Since when the device has warnings. */
  warningSince?: number
  /**
   * The part of the last observation that lists include, as JSON. Compared to find out whether lists have to be sent
   * again.
   */
  listedState?: string
  /** Start time of the device in milliseconds since the epoch. */
  startedAt?: number | undefined
}

/** Milliseconds by which a computed start time may vary without counting as a restart. */
const START_JITTER = 15_000
/** Milliseconds within which a hub that is stopped sets its devices offline. */
const STOP_TIME = 15_000

/** The methods that report changes are arrow functions, because they are passed on as callbacks. */
export class Registry {
  /** A device came online, went offline, was registered, accepted, rejected or removed. */
  readonly stateChanged = new Emitter<[sn: string]>()
  /** A device has lost the signal at its own input, or has it again. */
  readonly signalChanged = new Emitter<[sn: string]>()
  /** A pending device was removed, because too many devices are pending. Its link has to be closed. */
  readonly displaced = new Emitter<[sn: string]>()
  readonly #store: Store
  readonly #now: () => number
  readonly #live = new Map<string, LiveState>()
  /** Since when devices that were not observed since the start of the hub have had warnings. */
  readonly #warningsBefore: Map<string, number>
  readonly register: Registrations['register']
  readonly hasKey: Registrations['hasKey']
  readonly reportDuplicate: Registrations['reportDuplicate']
  readonly reportIllegalDevice: Registrations['reportIllegalDevice']

  /**
   * @param now milliseconds since the epoch
   * @param monotonic milliseconds of a clock that never jumps, for limits
   */
  constructor(store: Store, now: () => number = Date.now, monotonic: () => number = () => performance.now()) {
    this.#store = store
    this.#now = now
    const registrations = new Registrations(
      store,
      { isOnline: this.isOnline, onDisplaced: this.#removeDisplaced },
      now,
      monotonic
    )
    this.register = registrations.register
    this.hasKey = registrations.hasKey
    this.reportDuplicate = registrations.reportDuplicate
    this.reportIllegalDevice = registrations.reportIllegalDevice
    this.#warningsBefore = this.#findWarnings()
    store.database.transactionOrLater(() => store.devices.markAllOffline(now()))
  }

  readonly #removeDisplaced = (sn: string): void => {
    this.#live.delete(sn)
    this.displaced.emit(sn)
  }

  /** @param isEncrypted of a device link: whether it is over TLS */
  readonly setOnline = (sn: string, isEncrypted?: boolean): void => {
    const { database, devices } = this.#store
    this.#live.set(sn, { onlineSince: this.#now(), isEncrypted })
    const row = devices.bySerial(sn)
    if (!row) return
    database.runBatched(() => {
      devices.setOfflineSince(sn, 0)
      if (row.reg_state === REGISTRATION_STATE.accepted)
        this.#store.logEvent({ event: 'device-online', detail: row.name, sn })
    })
    this.#publishPresence(row)
  }

  readonly setOffline = (sn: string, reason: string): void => {
    const { database, devices } = this.#store
    this.#live.delete(sn)
    const row = devices.bySerial(sn)
    if (!row) return
    database.runBatched(() => {
      devices.setOfflineSince(sn, this.#now())
      if (row.reg_state === REGISTRATION_STATE.accepted)
        this.#store.logEvent({ event: 'device-offline', detail: `${row.name}: ${reason}`, level: LOG_WARNING, sn })
    })
    this.#publishPresence(row)
  }

  #publishPresence({ id, sn }: DeviceRow): void {
    this.#store.changes.markChanged('device', id)
    this.#store.changes.markChanged('status')
    this.stateChanged.emit(sn)
  }

  /**
   * Keeps the observation of a device that is online, and marks the device as changed if lists show something of it.
   * Samples (CPU load, traffic), uptime and temperature are not shown in lists.
   */
  readonly setObservation = (sn: string, observation: Observation): void => {
    const { changes, devices } = this.#store
    const live = this.#live.get(sn)
    const row = devices.bySerial(sn)
    if (!live || !row) return
    const before = live.observation?.warns ?? 0
    live.observation = observation
    this.#updateName(row, observation.name)
    const listedState = serializeListedState(observation)
    const startedAt = this.#startTime(observation.status['up-time'], live.startedAt)
    if (startedAt !== live.startedAt || live.listedState !== listedState) changes.markChanged('device', row.id)
    live.startedAt = startedAt
    live.listedState = listedState
    const isFirst = this.#warningsBefore.has(sn)
    if (before === observation.warns) {
      if (isFirst) this.#storeWarning(sn, undefined)
      return
    }
    if (!before) live.warningSince = this.#restoredWarning(sn) ?? this.#now()
    this.#storeWarning(sn, observation.warns ? live.warningSince : undefined)
    changes.markChanged('status')
    this.#logWarnings(row, before, observation.warns)
    if (((before ^ observation.warns) & DEVICE_WARNING_BITS.noSignal) !== 0) this.signalChanged.emit(sn)
  }

  /**
   * Since when the devices have had warnings that were online with warnings when the hub was stopped. A hub that is
   * stopped sets its devices offline, one that is killed does not.
   */
  #findWarnings(): Map<string, number> {
    const { devices, timeline, verdicts } = this.#store
    const stopped = (timeline.lastAlive() ?? Number.POSITIVE_INFINITY) - STOP_TIME
    const stored = verdicts.all()
    return new Map(
      devices.all().flatMap(({ sn, offline_date: offlineSince }) => {
        const warning = stored.get(verdictObject.device(sn))
        return warning && (offlineSince === 0 || offlineSince >= stopped) ? [[sn, warning.since]] : []
      })
    )
  }

  /** Since when a device has had warnings that stand still after a restart of the hub. */
  #restoredWarning(sn: string): number | undefined {
    const since = this.#warningsBefore.get(sn)
    this.#warningsBefore.delete(sn)
    return since
  }

  /** @param since milliseconds since the epoch; undefined if the device has no warnings any more */
  #storeWarning(sn: string, since: number | undefined): void {
    this.#warningsBefore.delete(sn)
    const { database, verdicts } = this.#store
    const object = verdictObject.device(sn)
    database.runBatched(() =>
      since === undefined ? verdicts.remove(object) : verdicts.set(object, { verdict: 'warning', since })
    )
  }

  #updateName(row: DeviceRow, name: string | undefined): void {
    if (!name || name === row.name || row.previous_name) return
    this.#store.database.runBatched(() => this.#store.devices.setName(row.sn, name))
    this.#store.changes.markChanged('device', row.id)
  }

  /** Start time computed from the uptime in seconds; the previous one if the two differ by jitter only. */
  #startTime(upTime: number | undefined, before: number | undefined): number | undefined {
    if (upTime === undefined) return undefined
    const start = this.#now() - upTime * 1000
    return before !== undefined && Math.abs(start - before) < START_JITTER ? before : start
  }

  #logWarnings(row: DeviceRow, before: number, after: number): void {
    this.#store.database.runBatched(() => {
      for (const [name, bit] of Object.entries(DEVICE_WARNING_BITS)) {
        if ((before & bit) === (after & bit)) continue
        const isRaised = (after & bit) !== 0
        const isSignal = bit === DEVICE_WARNING_BITS.noSignal
        const warningEvent = isRaised ? 'warning-raised' : 'warning-cleared'
        const signalEvent = isRaised ? 'signal-lost' : 'signal-found'
        this.#store.logEvent({
          event: isSignal ? signalEvent : warningEvent,
          detail: isSignal ? row.name : `${row.name} ${name}`,
          level: isRaised ? LOG_WARNING : undefined,
          sn: row.sn
        })
      }
    })
  }

  /** Undefined for a device that is offline. */
  readonly liveState = (sn: string): LiveState | undefined => this.#live.get(sn)

  readonly isOnline = (sn: string): boolean => this.#live.has(sn)

  /** Whether a device reports that it has no signal at its own input. */
  readonly hasNoSignal = (sn: string): boolean =>
    ((this.#live.get(sn)?.observation?.warns ?? 0) & DEVICE_WARNING_BITS.noSignal) !== 0

  /** Serial numbers of the devices that are online. */
  onlineSerials(): string[] {
    return [...this.#live.keys()]
  }

  /** Serial numbers of devices that are online but not in the database, because storing the registration failed. */
  unregisteredSerials(): string[] {
    return [...this.#live.keys()].filter((sn) => !this.#store.devices.bySerial(sn))
  }

  /**
   * A device as responses contain it.
   * @param owners channels that use the device as an input
   * @param samples whether to include the values that change all the time, which lists leave out
   */
  toWire(row: DeviceRow, owners: readonly ChannelRow[], samples = true): Device {
    const live = this.#live.get(row.sn)
    const isAccepted = row.reg_state === REGISTRATION_STATE.accepted
    const observation = isAccepted ? live?.observation : undefined
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
      'online-date': live?.onlineSince ?? 0,
      'offline-date': live ? 0 : row.offline_date,
      'catalog-id': row.catalog_id,
      dir: row.dir,
      // The warnings of an offline device are not known to be current.
      'dev-warns': observation?.warns ?? 0,
      'is-favorite': row.is_favorite,
      'is-inherit': row.is_inherit,
      'group-mask': row.group_mask,
      'usr-mask': row.usr_mask,
      'connect-ip': row.connect_ip
    }
    if (live?.isEncrypted !== undefined) device['link-encrypted'] = live.isEncrypted
    if (observation && live?.startedAt !== undefined) device['start-date'] = live.startedAt
    const type = deviceNodeType(row.dir)
    if (type !== undefined) device.type = type
    if (row.api_class) device['api-class'] = row.api_class
    if (row.preview && isAccepted) device['preview-id'] = `DEV-${row.sn}`
    if (owners.length > 0) {
      device['owner-i'] = owners.map((channel) => channel.name)
      device['owner-i-d'] = owners.map((channel) => channel.id)
    }
    if (observation?.input !== undefined) device['pro-feature'] = { input: observation.input }
    if (observation) device.status = samples ? observation.status : listedStatus(observation.status)
    return device
  }

  /**
   * Counts devices per state.
   * @param isVisible selects the devices to count
   */
  countDevices(isVisible: (row: DeviceRow) => boolean = () => true) {
    const counts = { 'num-all': 0, 'num-online': 0, 'num-warn': 0, 'num-pending': 0, 'num-rejected': 0 }
    for (const row of this.#store.devices.all()) {
      if (!isVisible(row)) continue
      if (row.reg_state === REGISTRATION_STATE.pending) counts['num-pending']++
      if (row.reg_state === REGISTRATION_STATE.rejected) counts['num-rejected']++
      if (row.reg_state !== REGISTRATION_STATE.accepted) continue
      const live = this.#live.get(row.sn)
      counts['num-all']++
      if (live) counts['num-online']++
      if (live?.observation?.warns) counts['num-warn']++
    }
    return counts
  }
}

/** A status without the values that change all the time, as lists contain it. */
function listedStatus(status: DeviceStatus): DeviceStatus {
  const { cpu: _cpu, 'eth-rx': _rx, 'eth-tx': _tx, memory: _memory, 'fan-rpm': _fan, ...state } = status
  if (state.recording) state.recording = { on: state.recording.on }
  if (state.live) state.live = { on: state.live.on }
  if (state.disks) state.disks = state.disks.map(({ free: _free, 'free-sec': _left, ...disk }) => disk)
  return state
}

function serializeListedState(observation: Observation): string {
  const { 'up-time': _upTime, temperature: _temperature, ...status } = listedStatus(observation.status)
  return JSON.stringify([observation.warns, observation.input, status])
}
