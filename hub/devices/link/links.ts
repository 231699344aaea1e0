// Device links, hub side (contract/device/link.ts, docs/wire.md, "Device link"): which devices are connected, and all
// requests to them.

import type { Duplex } from 'node:stream'
import { NOT_IMPLEMENTED, SUCCESS } from '../../../contract/codes.ts'
import {
  type DeviceHello,
  HELLO_HEADER,
  LINK_STATE_PATH,
  type PlayOrder,
  type PushOrder,
  WEB_PAGE_PORT
} from '../../../contract/device/link.ts'
import { type Link, openLink } from '../../../device-link/link.ts'
import type { LinkIdentity } from '../../../device-link/link-encryption.ts'
import { LinkError, noResponseError, offlineError } from '../../../device-link/link-error.ts'
import {
  type RegistrationResult,
  RegistrationServer,
  type RequestListener
} from '../../../device-link/registration-server.ts'
import { type DeviceRequest, type DeviceResponse, readResult, sendRequest } from '../../../device-link/request.ts'
import { tunnelAsDuplex } from '../../../device-link/tunnel-duplex.ts'
import { logger } from '../../../process-log/logger.ts'
import { descriptorLimit } from '../../../web-server/descriptors.ts'
import { readHello } from './hello.ts'
import { createPreviewRequests } from './previews.ts'
import { openTunnel, type Tunnel } from './tunnel.ts'
import { type FileUpload, type UploadOptions, uploadFile } from './upload.ts'

export { LinkError }

export interface DeviceLinksOptions {
  /** Decides on a device that registers. If it is admitted, an existing link with the same serial number is ended. */
  register(hello: DeviceHello, address: string): RegistrationResult
  /** Whether the key in the hello is that of the registered device with the same serial number. */
  hasKey?(hello: DeviceHello): boolean
  /** A device was refused because the device with the same serial number and key is online and responds. */
  onDuplicate?(hello: DeviceHello, address: string): void
  /** A client was refused because its hello is not valid. */
  onIllegalDevice?(address: string): void
  /** The certificate for devices that connect over TLS; without it, only plain connections are accepted. */
  identity?(): Promise<LinkIdentity | undefined>
  /** A link is up. */
  onUp(sn: string, address: string, isEncrypted: boolean): void
  /** A link that was up has ended. Called once for each `onUp`. */
  onDown(sn: string, reason: string): void
  /**
   * All in milliseconds. A device that hangs is detected within `pingInterval + pingTimeout`, which has to be less than
   * the 5 s within which lists show it as offline.
   */
  pingInterval?: number
  pingTimeout?: number
  handshakeTimeout?: number
  previewStall?: number
  previewRetry?: readonly [number, number]
  /** Maximum number of connections that have not proved to be devices: in total, and per remote address. */
  halfOpenMax?: number
  halfOpenPerAddress?: number
}

export interface DeviceLinks {
  /** Number of devices that are online. */
  readonly count: number
  /** Starts to accept device links, as `openPort`. @returns the port */
  listen(port: number, host: string): Promise<number>
  /** Answers other requests than registrations. */
  answerRequests(onRequest: RequestListener): void
  /**
   * Opens a port for device links, beside those that are open. @param port 0: the system chooses a port
   * @returns the port, and a function that closes it and leaves its links open. @throws if the port is in use, or the
   * address is not one of this machine
   */
  openPort(port: number, host: string): Promise<{ port: number; close(): Promise<void> }>
  /**
   * Sends a request to a device.
   * @param timeout milliseconds until the last byte of the response
   * @throws LinkError 10007 if there is no link or it ends; 10004 if no usable response arrives in time
   */
  request(sn: string, call: DeviceRequest, timeout: number): Promise<DeviceResponse>
  /** Connects to a port of a device. @throws LinkError as `openTunnel` (tunnel.ts) */
  openTunnel(sn: string, port: number): Promise<Tunnel>
  /** Connects to the web server of a device. @throws LinkError as `openTunnel` (tunnel.ts) */
  openWebPage(sn: string): Promise<Duplex>
  /** Sends a file to a device. @throws LinkError or a file system error, as `uploadFile` (upload.ts) */
  upload(sn: string, file: FileUpload, options: UploadOptions): Promise<DeviceResponse>
  /**
   * Requests previews of a device until the returned function is called, again after every failure and every time the
   * device comes online.
   * @param size width in pixels, and preview images per second
   * @param onPreview receives each JPEG image in a separate array
   */
  subscribePreviews(sn: string, size: { width: number; fps: number }, onPreview: (jpeg: Uint8Array) => void): () => void
  /** Orders a device to push its stream. @throws LinkError; with the device's own result code if it refuses */
  orderStream(sn: string, order: PushOrder): Promise<void>
  /** Cancels the order of `orderStream`. @throws LinkError */
  cancelOrder(sn: string): Promise<void>
  /** Orders a device to fetch a stream and to play it. @throws LinkError as `orderStream` */
  orderPlayback(sn: string, order: PlayOrder): Promise<void>
  /** Cancels the order of `orderPlayback`. @throws LinkError */
  cancelPlayback(sn: string): Promise<void>
  /** Notifies a device of its registration state. @throws LinkError */
  sendRegistrationState(sn: string, state: number): Promise<void>
  /** Ends the link of a device, if it has one. */
  disconnect(sn: string, reason: string): Promise<void>
  isOnline(sn: string): boolean
  /** Stops accepting devices and ends all links, each with a call of `onDown`. */
  close(): Promise<void>
}

/**
 * Milliseconds within which a connected device has to respond when another one registers with the same serial number.
 */
const DUPLICATE_TIMEOUT = 1000
/** Milliseconds to wait for the response to an order. */
const ORDER_TIMEOUT = 5000
/** Maximum size in bytes of the response to an order. */
const ORDER_RESPONSE_MAX = 16 << 10

/** At most an eighth of the descriptors of the process: they may be held by strangers. */
export const HALF_OPEN = {
  halfOpenMax: Math.min(1024, Math.floor(descriptorLimit() / 8)),
  halfOpenPerAddress: Math.min(128, Math.floor(descriptorLimit() / 16))
}

const DEFAULTS = {
  pingInterval: 1500,
  pingTimeout: 2500,
  handshakeTimeout: 5000,
  previewStall: 10_000,
  previewRetry: [1000, 5000],
  ...HALF_OPEN
} as const

export function createDeviceLinks(options: DeviceLinksOptions): DeviceLinks {
  return new LinkTable(options)
}

class LinkTable implements DeviceLinks {
  readonly #options: DeviceLinksOptions & Required<Pick<DeviceLinksOptions, keyof typeof DEFAULTS>>
  readonly #links = new Map<string, Link>()
  readonly #previews: ReturnType<typeof createPreviewRequests>
  readonly #server: RegistrationServer<DeviceHello>
  #count = 0

  constructor(options: DeviceLinksOptions) {
    this.#options = { ...DEFAULTS, ...options }
    const { register, handshakeTimeout, halfOpenMax, halfOpenPerAddress, previewStall, previewRetry } = this.#options
    this.#previews = createPreviewRequests({
      stall: previewStall,
      retry: previewRetry,
      open: (sn, path) => this.#openPreviewStream(sn, path)
    })
    this.#server = new RegistrationServer({
      helloHeader: HELLO_HEADER,
      readHello,
      register,
      ...(options.identity && { identity: options.identity }),
      isSerialTaken: (hello, address) => this.#isSerialTaken(hello, address),
      onIllegalDevice: (address) => this.#options.onIllegalDevice?.(address),
      handshakeTimeout,
      halfOpenMax,
      halfOpenPerAddress,
      onRegistered: ({ sn }, address, socket, settle) => this.#openLink(sn, address, socket, settle)
    })
  }

  get count(): number {
    return this.#count
  }

  async listen(port: number, host: string): Promise<number> {
    return (await this.openPort(port, host)).port
  }

  answerRequests = (onRequest: RequestListener): void => this.#server.answerRequests(onRequest)

  openPort: DeviceLinks['openPort'] = (port, host) => this.#server.open(port, host)

  #openPreviewStream(sn: string, path: string) {
    const link = this.#links.get(sn)
    return link?.isUp && !link.session.destroyed && !link.session.closed
      ? link.session.request({ ':path': path })
      : undefined
  }

  /**
   * Whether a connected device has the serial number and the key of the hello and responds. A device that lost power
   * leaves a link behind that does not respond any more: that link is replaced.
   */
  #isSerialTaken(hello: DeviceHello, address: string): boolean | Promise<boolean> {
    const link = this.#links.get(hello.sn)
    return link?.isUp === true && this.#options.hasKey?.(hello) === true && this.#checkDuplicate(link, hello, address)
  }

  async #checkDuplicate(link: Link, hello: DeviceHello, address: string): Promise<boolean> {
    if (!(await link.respondsWithin(DUPLICATE_TIMEOUT))) return false
    this.#options.onDuplicate?.(hello, address)
    return true
  }

  #openLink(sn: string, address: string, socket: Parameters<typeof openLink>[0], settle: () => void): void {
    const { pingInterval, pingTimeout, onUp, onDown } = this.#options
    this.#links.get(sn)?.end('replaced by a newer link')
    const link = openLink(socket, {
      pingInterval,
      pingTimeout,
      onUp: () => {
        settle()
        this.#count++
        runListener('up', () => onUp(sn, address, link.isEncrypted))
        this.#previews.onDeviceUp(sn)
      },
      onEnd: (reason) => {
        if (this.#links.get(sn) === link) this.#links.delete(sn)
        if (!link.isUp) return
        this.#count--
        runListener('down', () => onDown(sn, reason))
      }
    })
    this.#links.set(sn, link)
  }

  async request(sn: string, call: DeviceRequest, timeout: number): Promise<DeviceResponse> {
    return sendRequest(this.#requireLink(sn), sn, call, timeout)
  }

  openTunnel(sn: string, port: number): Promise<Tunnel> {
    return openTunnel(this.#links.get(sn), sn, port)
  }

  async openWebPage(sn: string): Promise<Duplex> {
    return tunnelAsDuplex(await openTunnel(this.#links.get(sn), sn, WEB_PAGE_PORT))
  }

  async upload(sn: string, file: FileUpload, options: UploadOptions): Promise<DeviceResponse> {
    return uploadFile(this.#requireLink(sn), sn, file, options)
  }

  subscribePreviews(
    sn: string,
    size: { width: number; fps: number },
    onPreview: (jpeg: Uint8Array) => void
  ): () => void {
    return this.#previews.subscribe(sn, size, onPreview)
  }

  orderStream(sn: string, order: PushOrder): Promise<void> {
    return this.#sendOrder(sn, '/link/push', order)
  }

  cancelOrder(sn: string): Promise<void> {
    return this.#sendOrder(sn, '/link/push-stop', {})
  }

  orderPlayback(sn: string, order: PlayOrder): Promise<void> {
    return this.#sendOrder(sn, '/link/play', order)
  }

  cancelPlayback(sn: string): Promise<void> {
    return this.#sendOrder(sn, '/link/play-stop', {})
  }

  async sendRegistrationState(sn: string, state: number): Promise<void> {
    const { status } = await this.#post(sn, LINK_STATE_PATH, { state })
    if (status < 200 || status > 299) throw noResponseError(`the device responded with status ${status}`)
  }

  async disconnect(sn: string, reason: string): Promise<void> {
    this.#links.get(sn)?.end(reason)
  }

  isOnline(sn: string): boolean {
    return this.#links.get(sn)?.isUp ?? false
  }

  async close(): Promise<void> {
    this.#previews.close()
    const serverClosed = this.#server.close()
    for (const link of [...this.#links.values()]) link.end('the hub is closing')
    await serverClosed
  }

  #requireLink(sn: string): Link {
    const link = this.#links.get(sn)
    if (!link) throw offlineError(sn)
    return link
  }

  async #sendOrder(sn: string, path: string, order: object): Promise<void> {
    const response = await this.#post(sn, path, order)
    const result = readResult(response)
    // Older firmware does not have the path.
    if (result === undefined && [404, 501].includes(response.status))
      throw new LinkError(NOT_IMPLEMENTED, 'the firmware of the device does not support the order')
    if (result === undefined) throw noResponseError('the response of the device cannot be read')
    if (result !== SUCCESS) throw new LinkError(result, `the device refused with code ${result}`)
  }

  #post(sn: string, path: string, body: object): Promise<DeviceResponse> {
    const headers = { 'content-type': 'application/json' }
    const call = { method: 'POST', path, headers, body: JSON.stringify(body), maxBody: ORDER_RESPONSE_MAX }
    return this.request(sn, call, ORDER_TIMEOUT)
  }
}

/** An error in a listener must not disturb the link. */
function runListener(event: string, listener: () => void): void {
  try {
    listener()
  } catch (error) {
    logger.error('Listener of device links failed', error, { event })
  }
}
