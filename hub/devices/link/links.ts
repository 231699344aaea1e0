// The hub's end of the device link (contract/device/link.ts): who is connected, and all that is asked of devices over their links.
import type { Duplex } from 'node:stream'
import { NOT_IMPLEMENTED, SUCCESS } from '../../../contract/codes.ts'
import { type DeviceHello, type PlayOrder, type PushOrder, WEB_PAGE_PORT } from '../../../contract/device/link.ts'
import { type Link, openLink } from './link.ts'
import { LinkError, noAnswer, offline } from './link-error.ts'
import { createPictures } from './previews.ts'
import { createDoor, type Verdict } from './registration-server.ts'
import { type DeviceAnswer, type DeviceRequest, request } from './request.ts'
import { asBytes, openTunnel } from './tunnel.ts'
import { type FileUpload, type UploadOptions, upload } from './upload.ts'

export { LinkError }

export interface DeviceLinksOptions {
  /** Decides on a device that dials in. A link that has the same serial already ends when it is let in. */
  hello(hello: DeviceHello, address: string): Verdict
  /** Whether it knows the key of the device with its serial number. */
  hasKey?(hello: DeviceHello): boolean
  /** It knows the key, but the device with this serial number is here and answers: two have the same. It is refused. */
  twin?(hello: DeviceHello, address: string): void
  /** A link is up. */
  up(sn: string, address: string): void
  /** A link that was up is over; once for each `up`. */
  down(sn: string, reason: string): void
  /**
   * All in milliseconds. A device that stands still is found within `pingEvery + pingTimeout`; together they stay below the 5 s
   * within which a list must say that it is offline.
   */
  pingEvery?: number
  pingTimeout?: number
  handshakeTimeout?: number
  pictureStall?: number
  pictureRetry?: readonly [number, number]
  /** Connections that have not proved to be devices yet. */
  halfOpenMax?: number
  halfOpenPerAddress?: number
}

/** Milliseconds for which a device is waited for when another one comes under its serial number. */
const TWIN_TIMEOUT = 1000
/** Milliseconds for orders to a device. */
const ORDER_TIMEOUT = 5000
/** Bytes of an answer to an order. */
const ORDER_ANSWER_MAX = 16 << 10

export type DeviceLinks = ReturnType<typeof createDeviceLinks>

export function createDeviceLinks(options: DeviceLinksOptions) {
  const {
    pingEvery = 1500,
    pingTimeout = 2500,
    handshakeTimeout = 5000,
    pictureStall = 10_000,
    pictureRetry = [1000, 5000],
    halfOpenMax = 1024,
    halfOpenPerAddress = 128
  } = options
  const links = new Map<string, Link>()
  let count = 0

  const pictures = createPictures({
    stall: pictureStall,
    retry: pictureRetry,
    open(sn, path) {
      const link = links.get(sn)
      return link?.isUp && !link.session.destroyed && !link.session.closed
        ? link.session.request({ ':path': path })
        : undefined
    }
  })

  /** One that lost its power leaves a link behind, which does not answer any more. One that answers keeps its place. */
  async function isTwin(link: Link, hello: DeviceHello, address: string): Promise<boolean> {
    if (!(await link.answers(TWIN_TIMEOUT))) return false
    options.twin?.(hello, address)
    return true
  }

  const door = createDoor({
    hello: options.hello,
    taken(hello, address) {
      const link = links.get(hello.sn)
      return link?.isUp === true && options.hasKey?.(hello) === true && isTwin(link, hello, address)
    },
    handshakeTimeout,
    halfOpenMax,
    halfOpenPerAddress,
    enter(sn, address, socket, settled) {
      links.get(sn)?.end('replaced by a newer link')
      const link = openLink(socket, {
        pingEvery,
        pingTimeout,
        up() {
          settled()
          count++
          told('up', () => options.up(sn, address))
          pictures.deviceUp(sn)
        },
        over(reason) {
          if (links.get(sn) === link) links.delete(sn)
          if (!link.isUp) return
          count--
          told('down', () => options.down(sn, reason))
        }
      })
      links.set(sn, link)
    }
  })

  /** What the hub makes of the news must not end the link's own work. */
  function told(news: string, tell: () => void): void {
    try {
      tell()
    } catch (error) {
      console.error(`link ${news}:`, error)
    }
  }

  async function ask(sn: string, call: DeviceRequest, timeout: number): Promise<DeviceAnswer> {
    const link = links.get(sn)
    if (!link) throw offline(sn)
    return request(link, sn, call, timeout)
  }

  /** One of the link's own paths, with JSON. */
  function post(sn: string, path: string, body: object): Promise<DeviceAnswer> {
    const headers = { 'content-type': 'application/json' }
    const call = { method: 'POST', path, headers, body: JSON.stringify(body), maxBody: ORDER_ANSWER_MAX }
    return ask(sn, call, ORDER_TIMEOUT)
  }

  async function command(sn: string, path: string, body: object): Promise<void> {
    const answer = await post(sn, path, body)
    const result = resultOf(answer)
    // Of an older firmware, which does not know the path.
    if (result === undefined && [404, 501].includes(answer.status))
      throw new LinkError(NOT_IMPLEMENTED, 'it does not know the order')
    if (result === undefined) throw noAnswer('an answer that cannot be read')
    if (result !== SUCCESS) throw new LinkError(result, `the device refused with ${result}`)
  }

  return {
    /**
     * Lets devices dial in.
     * @param port 0 lets the system choose
     * @returns the port
     * @throws when the port is taken or the address is not ours
     */
    listen: (port: number, host: string) => door.listen(port, host),

    /**
     * Makes a call to a device.
     * @param timeout milliseconds until the last byte of the answer
     * @throws LinkError 10007 without a link, or when it goes; 10004 when no usable answer comes in time
     */
    request: ask,

    /** Connects to a port of a device itself. @throws LinkError, see `openTunnel` */
    tunnel: (sn: string, port: number) => openTunnel(links.get(sn), sn, port),

    /** Connects to the web server of a device. @throws LinkError, see `openTunnel` */
    page: async (sn: string): Promise<Duplex> => asBytes(await openTunnel(links.get(sn), sn, WEB_PAGE_PORT)),

    /** Sends a file to a device. @throws as `upload` */
    async upload(sn: string, call: FileUpload, options: UploadOptions): Promise<DeviceAnswer> {
      const link = links.get(sn)
      if (!link) throw offline(sn)
      return upload(link, sn, call, options)
    },

    /**
     * Asks for a device's pictures until the function returned is called, through all absences of the device.
     * Each is handed over in an array of its own.
     */
    pictures: pictures.want,

    /** Orders a device to push its stream. @throws LinkError, with the device's own result where it refuses */
    order: (sn: string, order: PushOrder) => command(sn, '/link/push', order),

    /** Ends the order. @throws LinkError */
    endOrder: (sn: string) => command(sn, '/link/push-stop', {}),

    /** Orders a device to fetch a stream and put it out. @throws as `order` */
    play: (sn: string, order: PlayOrder) => command(sn, '/link/play', order),

    /** Ends that order. @throws LinkError */
    endPlay: (sn: string) => command(sn, '/link/play-stop', {}),

    /** Tells a device its registration state. @throws LinkError when it cannot be told */
    async tell(sn: string, state: number): Promise<void> {
      const { status } = await post(sn, '/link/state', { state })
      if (status < 200 || status > 299) throw noAnswer(`the device answered ${status}`)
    },

    /** Ends a device's link, if it has one. */
    async drop(sn: string, reason: string): Promise<void> {
      links.get(sn)?.end(reason)
    },

    /** Whether it has a link now. */
    online: (sn: string) => links.get(sn)?.isUp ?? false,

    /** Devices that have a link now. */
    get count() {
      return count
    },

    /** Ends all links, and says so of each, and lets nobody in any more. */
    async close(): Promise<void> {
      pictures.close()
      const closed = door.close()
      for (const link of [...links.values()]) link.end('the hub is closing')
      await closed
    }
  }
}

function resultOf({ status, body }: DeviceAnswer): number | undefined {
  if (status !== 200) return undefined
  try {
    const { result } = JSON.parse(body.toString())
    return Number.isInteger(result) ? result : undefined
  } catch {
    return undefined
  }
}
