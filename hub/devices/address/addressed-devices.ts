// Devices that are reached at an address: keeps a session with each, reports when it goes online or offline, and
// looks for those that are away.

import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  AUTH_FAILED,
  CLIENT_NOT_EXIST,
  DEVICE_BUSY,
  NO_RESPONSE,
  TARGET_TIMEOUT,
  UNKNOWN_ERROR,
  UNSUPPORTED,
  VERIFY_FAILED
} from '../../../contract/codes.ts'
import type { DeviceAddress } from '../../../contract/device/address.ts'
import { RTMP_PORT } from '../../../contract/limits.ts'
import {
  CertificateError,
  LinkError,
  noResponseError,
  offlineError,
  SilenceError
} from '../../../device-link/link-error.ts'
import type { DeviceRequest, DeviceResponse } from '../../../device-link/request.ts'
import { logger } from '../../../process-log/logger.ts'
import type { StoredDeviceAddress } from '../../store/device-addresses.ts'
import type { Store } from '../../store/store.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../concurrency-limit.ts'
import type { FileUpload, UploadOptions } from '../link/upload.ts'
import type { AddressPolicy } from './address-policy.ts'
import { type IdentifiedDevice, type IdentifyHints, identifyDevice } from './identify.ts'
import { listGenerations } from './logins.ts'
import { type AddressedDevicesTiming, DEFAULT_TIMING, probeAddress, retryDelay } from './reachability.ts'
import type { Session } from './session.ts'
import { thirdPartyAdapter } from './third-party/adapters.ts'
import type { ThirdPartyClient } from './third-party/client.ts'
import { hostOfUrl } from './third-party/input-camera.ts'

/** Devices that are away whose port the hub probes at the same time. */
const PROBES_MAX = 512
/**
 * Devices that the hub identifies at the same time. Those that accept connections, but did not answer the last attempt,
 * have a smaller number of their own, so that they do not delay the others.
 */
const ATTEMPTS_MAX = 96
const REPEATED_ATTEMPTS_MAX = 32

/** Milliseconds to connect to a port of a device. */
const CONNECT_TIMEOUT = 10_000
/** Maximum size in bytes of the response to the request that identifies a device. */
const IDENTITY_MAX = 256 << 10

interface AddressedDevicesOptions {
  store: Store
  /** Receives the changes of presence. */
  registry: { setOnline(sn: string): void; setOffline(sn: string, reason: string): void }
  addressPolicy: AddressPolicy
  timing?: Partial<AddressedDevicesTiming> | undefined
}

interface AddressedDevice {
  id: number
  sn: string
  address: StoredDeviceAddress
  /** Present while the device is online. */
  session?: Session
  /** Path of its pictures; undefined if it has none. */
  snapshot?: string | undefined
  /** Present while a camera or server that is not the vendor's is online. */
  thirdParty?: ThirdPartyClient
  /** Result code of the last failure; undefined after a success. */
  trouble?: number
  /** The certificate that was refused, if that was the last failure. SHA-256 as hex. */
  newCert?: string | undefined
  /** Time since which the device is offline, as of `performance.now()`. */
  awaySince: number
  /** Whether it accepted the connection of the last attempt, and could not be identified. */
  hasFailed: boolean
  timer?: NodeJS.Timeout
  /** The check of whether the device is online, while it is in progress. */
  verifying?: Promise<void>
}

/** Result code that the API reports for a failure. */
export function troubleCodeOf(error: unknown): number {
  if (!(error instanceof LinkError)) return UNKNOWN_ERROR
  return error.code === TARGET_TIMEOUT ? NO_RESPONSE : error.code
}

export class AddressedDevices {
  readonly #store: Store
  readonly #registry: AddressedDevicesOptions['registry']
  readonly #policy: AddressPolicy
  readonly #timing: AddressedDevicesTiming
  readonly #devices = new Map<string, AddressedDevice>()
  readonly #probes = createConcurrencyLimit(PROBES_MAX)
  readonly #attempts = createConcurrencyLimit(ATTEMPTS_MAX)
  readonly #repeatedAttempts = createConcurrencyLimit(REPEATED_ATTEMPTS_MAX)

  constructor({ store, registry, addressPolicy, timing }: AddressedDevicesOptions) {
    this.#store = store
    this.#registry = registry
    this.#policy = addressPolicy
    this.#timing = { ...DEFAULT_TIMING, ...timing }
  }

  /** Connects to all devices in the store that have an address. */
  start(): void {
    for (const id of this.#store.deviceAddresses.ids()) {
      const row = this.#store.devices.byId(id)
      if (row) this.connectDevice(row.sn)
    }
  }

  /**
   * Connects to a device at its stored address, and keeps it connected.
   * @param identified result of `identify`, if the device has just been identified at that address
   */
  connectDevice(sn: string, identified?: IdentifiedDevice): void {
    const row = this.#store.devices.bySerial(sn)
    const address = row && this.#store.deviceAddresses.get(row.id)
    if (this.#remove(sn)?.session) this.#registry.setOffline(sn, 'its address was changed')
    if (!row || !address) return
    const awaySince = performance.now()
    const device: AddressedDevice = { id: row.id, sn, address, awaySince, hasFailed: false }
    this.#devices.set(sn, device)
    if (identified) this.#setOnline(device, identified)
    else void this.#connectInTurn(device)
  }

  /** The device has another row in the store, which has its address. */
  moveDevice(sn: string): void {
    const device = this.#devices.get(sn)
    const row = this.#store.devices.bySerial(sn)
    if (device && row) device.id = row.id
  }

  /** Identifies the device at an address that is not stored yet. @throws LinkError as `identifyDevice` */
  identify(address: StoredDeviceAddress, hints: IdentifyHints): Promise<IdentifiedDevice> {
    return identifyDevice(address, hints, this.#policy, this.#timing.find)
  }

  /** Whether a device is reached at an address. */
  has(sn: string): boolean {
    return this.#devices.has(sn)
  }

  count(): number {
    return this.#devices.size
  }

  /** The camera or server at an address. @throws LinkError 9 if the device is none, 10007 while it is offline */
  thirdParty(sn: string): ThirdPartyClient {
    if (!thirdPartyAdapter(this.#store.devices.bySerial(sn)?.api ?? ''))
      throw new LinkError(UNSUPPORTED, 'the device is no camera or server of another maker')
    const client = this.#devices.get(sn)?.thirdParty
    if (!client) throw offlineError(sn)
    return client
  }

  /** Cameras and servers that are online, with their address. */
  listThirdParty(): { sn: string; address: string; client: ThirdPartyClient }[] {
    return [...this.#devices.values()].flatMap(({ sn, address: { address }, thirdParty: client }) =>
      client ? [{ sn, address, client }] : []
    )
  }

  /** Serial numbers of the cameras, also of those that are offline, whose stream an input with this URL can be. */
  readonly camerasOf = (url: string): string[] => {
    const host = hostOfUrl(url)
    const found: string[] = []
    // Without a copy of the devices: a list has up to 10,000 inputs.
    for (const { sn, address } of this.#devices.values())
      if (address.address === host && thirdPartyAdapter(this.#store.devices.bySerial(sn)?.api ?? '')?.picture)
        found.push(sn)
    return found
  }

  /** Address of a device without its login; undefined if it is not reached at an address. */
  addressInfo(sn: string): DeviceAddress | undefined {
    const device = this.#devices.get(sn)
    if (!device) return undefined
    const { address, port, https, cert, rtmpPort = RTMP_PORT } = device.address
    const adapter = thirdPartyAdapter(this.#store.devices.bySerial(sn)?.api ?? '')
    return {
      address,
      port,
      https,
      ...(adapter?.hidesRtmpPort && { 'rtmp-port': rtmpPort }),
      ...(cert && { 'cert-sha256': cert }),
      ...(device.trouble !== undefined && { trouble: device.trouble }),
      ...(device.newCert && { 'new-cert-sha256': device.newCert })
    }
  }

  /** Path of the pictures of a device; undefined if it has none or is offline. */
  snapshotPath(sn: string): string | undefined {
    const device = this.#devices.get(sn)
    return device?.session && device.snapshot
  }

  /** As `DeviceLinks.request`. @throws LinkError */
  request(sn: string, call: DeviceRequest, timeout: number): Promise<DeviceResponse> {
    return this.#withSession(sn, (session) => session.request(call, timeout))
  }

  /** As `DeviceLinks.openWebPage`. @throws LinkError */
  openWebPage(sn: string): Promise<Duplex> {
    return this.#withSession(sn, (session) => session.connect(CONNECT_TIMEOUT))
  }

  /** As `DeviceLinks.openTunnel`: connects to the port at the address of the device. @throws LinkError */
  openTunnel(sn: string, port: number): Promise<Socket> {
    return this.#withSession(sn, (session) => session.connectToPort(port, CONNECT_TIMEOUT))
  }

  /** As `DeviceLinks.upload`. @throws LinkError, or the error of reading the file */
  upload(sn: string, file: FileUpload, options: UploadOptions): Promise<DeviceResponse> {
    return this.#withSession(sn, (session) => session.upload(file, options))
  }

  /** Stops connecting to a device. */
  disconnect(sn: string, reason: string): void {
    if (this.#remove(sn)?.session) this.#registry.setOffline(sn, reason)
  }

  async close(): Promise<void> {
    const clients = this.listThirdParty().map(({ client }) => client)
    for (const sn of [...this.#devices.keys()]) this.#remove(sn)
    await Promise.all(clients.map((client) => client.close()))
  }

  #remove(sn: string): AddressedDevice | undefined {
    const device = this.#devices.get(sn)
    if (!device) return undefined
    clearTimeout(device.timer)
    void device.thirdParty?.close()
    delete device.thirdParty
    this.#devices.delete(sn)
    return device
  }

  /** False if the device was removed or its address was changed meanwhile. */
  #isCurrent(device: AddressedDevice): boolean {
    return this.#devices.get(device.sn) === device
  }

  /** Probes the port of a device that is away, and identifies the device if the port is open. */
  async #connectInTurn(device: AddressedDevice): Promise<void> {
    const limit = device.hasFailed ? this.#repeatedAttempts : this.#attempts
    let identified: IdentifiedDevice | undefined
    try {
      device.hasFailed = false
      await this.#inTurn(this.#probes, device, () => probeAddress(device.address, this.#policy))
      device.hasFailed = true
      identified = await this.#inTurn(limit, device, () => this.#identifyAgain(device))
    } catch (error) {
      if (!this.#isCurrent(device)) return
      if (!(error instanceof LinkError)) logger.error('Connection to a device failed', error, { sn: device.sn })
      this.#setTrouble(device, error)
      this.#scheduleRetry(device)
      return
    }
    if (identified && this.#isCurrent(device)) this.#setOnline(device, identified)
  }

  /** Runs a task when the limit permits it, unless the device is removed until then. */
  async #inTurn<Result>(limit: ConcurrencyLimit, device: AddressedDevice, task: () => Promise<Result>) {
    const release = await limit.acquire()
    try {
      return this.#isCurrent(device) ? await task() : undefined
    } finally {
      release()
    }
  }

  async #identifyAgain({ sn, address }: AddressedDevice): Promise<IdentifiedDevice> {
    const { api = '', module } = this.#store.devices.bySerial(sn) ?? {}
    // Families that the device does not reveal are known from the user who added it.
    const identified = await this.identify(address, { api, sn, ...(module !== undefined && { module }) })
    if (identified.identity.sn === sn) return identified
    throw new LinkError(CLIENT_NOT_EXIST, 'there is another device at the address')
  }

  #scheduleRetry(device: AddressedDevice): void {
    const { retry, recheck } = this.#timing
    const away = performance.now() - device.awaySince
    const delay = retryDelay({ trouble: device.trouble, away, devices: this.#devices.size }, retry, recheck)
    // Varied, so that the hub does not connect to all devices at the same time when a network recovers.
    if (delay !== undefined)
      device.timer = setTimeout(() => this.#connectInTurn(device), delay * (0.9 + Math.random() / 5))
  }

  /** @param error undefined after a success */
  #setTrouble(device: AddressedDevice, error?: unknown): void {
    const trouble = error === undefined ? undefined : troubleCodeOf(error)
    const newCert = error instanceof CertificateError ? error.cert : undefined
    if (device.trouble === trouble && device.newCert === newCert) return
    device.trouble = trouble
    device.newCert = newCert
    this.#store.changes.markChanged('device', device.id)
  }

  #setOnline(device: AddressedDevice, identified: IdentifiedDevice): void {
    const { identity, api, streams, session, ip, cert, thirdParty } = identified
    const { database, devices, deviceAddresses, changes } = this.#store
    device.session = session
    device.snapshot = streams.snapshot
    device.hasFailed = false
    const isNewCert = cert !== device.address.cert
    const address = { ...device.address, cert }
    database.transactionOrLater(() => {
      // Not every generation returns the device name here, so the name from the status polls is kept.
      const name = devices.bySerial(device.sn)?.name ?? identity.name
      const { dir, preview } = streams
      devices.updateFromHello({ ...identity, name, api, dir, preview, key: '' }, ip)
      if (isNewCert) deviceAddresses.set(device.id, address)
    })
    device.address = address
    this.#setTrouble(device)
    changes.markChanged('device', device.id)
    this.#registry.setOnline(device.sn)
    if (!thirdParty) return
    device.thirdParty = thirdParty
    thirdParty.onLoginRefused = (error) => {
      if (device.thirdParty === thirdParty) this.#setOffline(device, error)
    }
    this.#scheduleCheck(device, thirdParty)
  }

  /** Checks at intervals whether a camera or server is still there, and goes offline if it is not. */
  #scheduleCheck(device: AddressedDevice, client: ThirdPartyClient): void {
    device.timer = setTimeout(
      async () => {
        const error = await client.check().then(
          (isThere) => (isThere ? undefined : noResponseError('another program responds at the address')),
          (failure) => (failure instanceof LinkError ? failure : noResponseError('it does not respond'))
        )
        if (device.thirdParty !== client) return
        if (error) this.#setOffline(device, error)
        else this.#scheduleCheck(device, client)
      },
      client.checkInterval(this.#timing.check) * (0.9 + Math.random() / 5)
    )
  }

  #setOffline(device: AddressedDevice, error: LinkError): void {
    if (!this.#isCurrent(device) || !device.session) return
    delete device.session
    delete device.thirdParty
    device.awaySince = performance.now()
    clearTimeout(device.timer)
    this.#setTrouble(device, error)
    this.#registry.setOffline(device.sn, error.message)
    this.#scheduleRetry(device)
  }

  async #withSession<Result>(sn: string, work: (session: Session) => Promise<Result>): Promise<Result> {
    const device = this.#devices.get(sn)
    if (device?.newCert) throw new CertificateError(device.newCert)
    if (!device?.session) throw offlineError(sn)
    try {
      return await work(device.session)
    } catch (error) {
      if (error instanceof LinkError) this.#verify(device, error)
      throw error
    }
  }

  /** Finds out whether a failed request means that the device is offline. */
  #verify(device: AddressedDevice, error: LinkError): void {
    // The request was not sent.
    if (error.code === DEVICE_BUSY) return
    if (error instanceof SilenceError || error.code === AUTH_FAILED || error.code === VERIFY_FAILED) {
      this.#setOffline(device, error)
      return
    }
    const { session } = device
    const api = this.#store.devices.bySerial(device.sn)?.api
    const generation = listGenerations().find((each) => each.api === api)
    if (!session || !generation) return
    device.verifying ??= session
      .requestLast({ ...generation.identify, maxBody: IDENTITY_MAX }, this.#timing.verify)
      .then(
        () => {},
        (failure) => {
          if (failure instanceof LinkError && device.session === session) this.#setOffline(device, failure)
        }
      )
      .finally(() => {
        device.verifying = undefined
      })
  }
}
