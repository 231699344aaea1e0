// The device link: the connection from a device to the hub (docs/wire.md, "Device link"). A device sends
//   GET /link HTTP/1.1   Connection: Upgrade   Upgrade: headend-link/1   headend-device: <base64url JSON of DeviceHello>
// to the registration port of the hub. The hub responds with 101 and `headend-state: <registration state>`; from then
// on the device is the HTTP/2 server and the hub the HTTP/2 client on this connection. Or the hub responds with 403 and
// JSON `{ state }`, see REFUSAL_STATE, or with 503, Retry-After and JSON `{ state: 29 }`: it has not decided yet, and
// the device is still registering. Requests of the hub over the link, in addition to the device's documented API:
//   POST /link/state     JSON { state }: the device was accepted (101), rejected (102) or deleted (104); response 204
//   GET  /link/preview   ?width=320&fps=2: endless stream of images, each a 4-byte big-endian length and a JPEG of that length
//   POST /link/push      JSON PushOrder: send a stream to the hub until further notice; response JSON { result }
//   POST /link/push-stop JSON {}; response JSON { result }
//   POST /link/play      JSON PlayOrder: play a stream of the hub until further notice; response JSON { result }
//   POST /link/play-stop JSON {}; response JSON { result }
//   CONNECT 127.0.0.1:<port>: the device connects to this port on its own loopback address only, responds with 200 and
//   relays bytes
//                        in both directions, each of which closes separately; 502 if the port is closed. Its web page is on port 80

export const LINK_PROTOCOL = 'headend-link/1'
export const HELLO_HEADER = 'headend-device'
export const STATE_HEADER = 'headend-state'
/** Request over a link that tells the other end its registration state. */
export const LINK_STATE_PATH = '/link/state'
/** Maximum bytes of a hello. */
export const HELLO_MAX = 4096
/** Maximum bytes of a preview image; a larger one ends the preview stream. */
export const PREVIEW_IMAGE_MAX = 4 << 20

/** Serial number of a device, and of a hub that registers with a cloud. */
export const SERIAL_NUMBER = /^[\w-]{4,64}$/

/** The port of a device's own web page. */
export const WEB_PAGE_PORT = 80

/** Identity of a device, sent when it opens a link. */
export interface DeviceHello {
  sn: string
  name: string
  module: number
  'module-name': string
  /** `VENDOR_API_CLASS` (products.ts) for the vendor's own devices. */
  'api-class'?: string
  'product-id': number
  'hardware-ver': string
  'firmware-ver': string
  dir: number
  /** Name of the API that it serves over the link (`api-definitions.ts`), or `none`. */
  api: string
  /** Whether it has a preview. */
  preview: boolean
  /** Invitation code. */
  code?: string
  /** Key of the device: 64 hex digits, generated once. The hub binds a serial number to the first key that it sees. */
  key: string
}

/**
 * Reasons for which the hub refuses a hello, in addition to the registration states. The numbers are not public; these
 * are own.
 */
export const REFUSAL_STATE = { exists: 105, wrongCode: 106, illegalDevice: 107 } as const

/**
 * Orders a device to send its stream to the hub: as an SRT caller, or over RTMP to
 * `rtmp://<host>:<port>/live/<stream-id>`.
 */
export interface PushOrder {
  /** 1: RTMP (`protocols.ts`). Absent: SRT. */
  protocol?: number
  /** SRT port, or RTMP port. The host is the address to which the device opened the link. */
  port: number
  /**
   * SRT stream ID and passphrase; each order has a new passphrase. Over RTMP a new stream key, and an empty
   * passphrase.
   */
  'stream-id': string
  passphrase: string
  /** SRT latency in milliseconds. Not used over RTMP. */
  latency: number
  /** 0 main stream, 1 sub-stream. */
  'stream-index': 0 | 1
}

/** Orders a device to play a stream of the hub, as an SRT caller. */
export interface PlayOrder {
  /** SRT port. The host is the address to which the device opened the link. */
  port: number
  /** As in `PushOrder`. */
  'stream-id': string
  passphrase: string
  /** SRT latency in milliseconds. */
  latency: number
  /** Playback buffer in milliseconds; default: the setting of the device. */
  'buffer-ms'?: number
}
