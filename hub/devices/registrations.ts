// Decides on devices that register, and stores the new ones.
import { createHash, timingSafeEqual } from 'node:crypto'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { type DeviceHello, REFUSAL_STATE } from '../../contract/device/link.ts'
import type { LogEvent } from '../../contract/events.ts'
import { LOG_WARNING } from '../../contract/log.ts'
import { networkPrefix } from '../../contract/network-prefix.ts'
import { CodeGuard, RegistrationRate } from '../../device-link/registration-limits.ts'
import type { RegistrationResult } from '../../device-link/registration-server.ts'
import { createRateLimit, type RateLimit } from '../../process-log/rate-limit.ts'
import type { Store } from '../store/store.ts'
import { findDisplacedDevices, PENDING_PER_NETWORK } from './pending-devices.ts'

/** Seconds after which a device may try again that was refused because of a limit. */
const RETRY_AFTER = 30

/** Lines a minute about limits of all networks together. */
const LIMIT_LINES_PER_MINUTE = 10

interface RegistrationEvents {
  isOnline(sn: string): boolean
  /** A pending device was removed, because too many devices are pending. Its link has to be closed. */
  onDisplaced(sn: string): void
}

/** Its public methods are arrow functions, because they are passed on as callbacks. */
export class Registrations {
  readonly #store: Store
  readonly #events: RegistrationEvents
  readonly #now: () => number
  readonly #codeGuard: CodeGuard
  readonly #rate: RegistrationRate
  /** Limits the log lines about limits, per network. */
  readonly #limitLog: RateLimit
  /** Limits the log lines about clients that are no devices, per network. */
  readonly #illegalLog: RateLimit
  /** The invitation code for which wrong codes are counted. */
  #guardedCode = ''

  /**
   * @param now milliseconds since the epoch
   * @param monotonic milliseconds of a clock that never jumps, for limits
   */
  constructor(store: Store, events: RegistrationEvents, now: () => number, monotonic: () => number) {
    this.#store = store
    this.#events = events
    this.#now = now
    this.#rate = new RegistrationRate(monotonic)
    this.#limitLog = createRateLimit(1, LIMIT_LINES_PER_MINUTE, monotonic)
    this.#illegalLog = createRateLimit(1, LIMIT_LINES_PER_MINUTE, monotonic)
    this.#codeGuard = new CodeGuard(
      {
        onNetworkBlocked: (address) => this.#logWarning('code-guessing', address),
        onAllBlocked: (address) => this.#logWarning('code-guessing-everywhere', address),
        isKnownNetwork: (prefix) =>
          store.devices
            .all()
            .some((row) => row.reg_state === REGISTRATION_STATE.accepted && networkPrefix(row.connect_ip) === prefix)
      },
      monotonic
    )
  }

  /** Decides on a device that registers (docs/wire.md, "Device link"), and stores it if it is new. */
  readonly register = (hello: DeviceHello, address: string): RegistrationResult => {
    const { database, devices, changes } = this.#store
    const row = devices.bySerial(hello.sn)
    // The invitation code is not required of an accepted device: its key identifies it.
    const refusal = row?.reg_state === REGISTRATION_STATE.accepted ? undefined : this.#checkCode(hello, address)
    if (refusal) return refusal
    if (row) {
      if (row.reg_state === REGISTRATION_STATE.pending && row.key_hash === '') this.#adoptKey(row.sn, hello)
      else if (!isEqual(row.key_hash, hashKey(hello.key))) return this.#logRefusal(hello, address, REFUSAL_STATE.exists)
      if (row.reg_state === REGISTRATION_STATE.rejected) return { refuse: REGISTRATION_STATE.rejected }
      const { name } = row.previous_name ? row : hello
      if (database.runBatched(() => devices.updateFromHello({ ...hello, name }, address)))
        changes.markChanged('device', row.id)
      return { state: row.reg_state }
    }
    // A new device cannot be stored during a storage fault.
    if (database.storageFault) return { retryAfter: RETRY_AFTER }
    if (!this.#rate.take(address)) {
      if (this.#limitLog.take(networkPrefix(address)) !== 'drop') this.#logWarning('registrations-limited', address)
      return { retryAfter: RETRY_AFTER }
    }
    this.#makeRoom(address)
    const id = database.runBatched(() => {
      this.#store.logEvent({ event: 'device-registered', detail: `${hello.name} ${address}`, sn: hello.sn })
      return devices.add(hello, hashKey(hello.key), REGISTRATION_STATE.pending, address, this.#now())
    })
    changes.markChanged('device', id)
    changes.markChanged('status')
    return { state: REGISTRATION_STATE.pending }
  }

  /**
   * A device that was imported without its key waits for approval. It gets the key of the first device that registers
   * with its serial number.
   */
  #adoptKey(sn: string, hello: DeviceHello): void {
    this.#store.database.runBatched(() => this.#store.devices.setKey(sn, hashKey(hello.key)))
  }

  /** @returns undefined if no invitation code is required, or the code is right */
  #checkCode(hello: DeviceHello, address: string): RegistrationResult | undefined {
    const { 'enable-code': isCodeRequired, 'code-value': code } = this.#store.settings.get('security')
    if (!isCodeRequired) return undefined
    if (code !== this.#guardedCode) this.#codeGuard.reset()
    this.#guardedCode = code
    const verdict = this.#codeGuard.check(address, hello.code ?? '', (sent) => isEqual(sent, code))
    // A blocked device does not learn whether its code is right.
    if (verdict === 'blocked') return { retryAfter: RETRY_AFTER }
    return verdict === 'wrong' ? this.#logRefusal(hello, address, REFUSAL_STATE.wrongCode) : undefined
  }

  /**
   * Removes pending devices if there are too many. Invented serial numbers can neither fill the database nor keep
   * others out.
   */
  #makeRoom(address: string): void {
    const { database, devices, changes } = this.#store
    if (devices.countByState(REGISTRATION_STATE.pending) < PENDING_PER_NETWORK) return
    const rows = findDisplacedDevices(devices.all(), address, this.#events.isOnline)
    for (const row of rows) {
      database.runBatched(() => devices.remove(row.id))
      changes.markRemoved('device', row.id)
      this.#events.onDisplaced(row.sn)
    }
    const [first] = rows
    if (first && this.#limitLog.take(networkPrefix(first.connect_ip)) !== 'drop')
      this.#logWarning('pending-displaced', first.connect_ip)
  }

  #logWarning(event: LogEvent, detail: string): void {
    this.#store.logEvent({ event, detail, level: LOG_WARNING })
  }

  #logRefusal(hello: DeviceHello, address: string, refusal: number): { refuse: number } {
    this.#store.logEvent({
      event: 'device-refused',
      detail: `${hello.name} ${address} ${refusal}`,
      level: LOG_WARNING,
      sn: hello.sn
    })
    return { refuse: refusal }
  }

  /** Whether the key in the hello is that of the registered device with the same serial number. */
  readonly hasKey = (hello: DeviceHello): boolean => {
    const row = this.#store.devices.bySerial(hello.sn)
    return row !== undefined && isEqual(row.key_hash, hashKey(hello.key))
  }

  /** Logs a device that was refused because another device with the same serial number and key is online. */
  readonly reportDuplicate = (hello: DeviceHello, address: string): void => {
    this.#logRefusal(hello, address, REFUSAL_STATE.exists)
  }

  /**
   * Logs a client that was refused because its hello is not valid. It is known by its address only; one line a minute
   * for each network.
   */
  readonly reportIllegalDevice = (address: string): void => {
    if (this.#illegalLog.take(networkPrefix(address)) === 'drop') return
    this.#logWarning('device-refused', `${address} ${REFUSAL_STATE.illegalDevice}`)
  }
}

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Compares in constant time. */
function isEqual(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
