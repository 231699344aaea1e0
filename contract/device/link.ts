// The device link (design 6): ours, since what a device says to a hub is not public. A device opens
//   GET /link HTTP/1.1   Connection: Upgrade   Upgrade: headend-link/1   headend-device: <base64url JSON of DeviceHello>
// at the hub's registration port. The hub answers 101 with `headend-state: <registration state>`, and from then on the device is
// the HTTP/2 server and the hub the client on that same connection. Or it answers 403 with JSON `{ state }`: see REFUSAL.
// Paths the hub asks of the device over the link, besides the device's documented API:
//   POST /link/state    JSON { state }: it was accepted (101), rejected (102) or deleted (104); answered 204
//   GET  /link/preview  ?width=320&fps=2: endless pictures, each a 4-byte big-endian length and that many bytes of JPEG
//   POST /link/push     JSON PushOrder: send the main stream there until told otherwise; answered JSON { result }
//   POST /link/push-stop JSON {}; answered JSON { result }
//   POST /link/play     JSON PlayOrder: fetch a stream there and put it out until told otherwise; answered JSON { result }
//   POST /link/play-stop JSON {}; answered JSON { result }
//   CONNECT 127.0.0.1:<port>: the device connects to that port of itself and of nothing else, answers 200 and carries bytes both
//                       ways, each direction ending by itself; 502 when nothing listens there. Its web page is at port 80

export const LINK_PROTOCOL = 'headend-link/1'
export const HELLO_HEADER = 'headend-device'
export const STATE_HEADER = 'headend-state'
/** Bytes: a hello larger than this is refused. */
export const HELLO_MAX = 4096
/** Bytes: a preview picture larger than this ends the preview stream. */
export const PICTURE_MAX = 4 << 20

/** The port of a device's own web page. */
export const WEB_PAGE_PORT = 80

/** What a device says of itself when it dials in. */
export interface DeviceHello {
  sn: string
  name: string
  module: number
  'module-name': string
  'product-id': number
  'hardware-ver': string
  'firmware-ver': string
  dir: number
  /** Which documented API it answers over the link. */
  api: 'usapi' | 'mwapi' | 'api' | 'none'
  /** Whether it can show a picture. */
  preview: boolean
  /** Invitation code. */
  code?: string
  /** 64 hex digits, made by the device once: who first comes with a serial keeps it. */
  key: string
}

/** States beyond the registration states that refuse a hello; not public, so ours. */
export const REFUSAL = { exists: 105, wrongCode: 106, illegalDevice: 107 } as const

/** Where a device is to send its stream. */
export interface PushOrder {
  /** `srt://host:port`; without a host the device takes the address at which it reached the hub. */
  port: number
  /** SRT stream id and passphrase; the passphrase is made anew for each order. */
  'stream-id': string
  passphrase: string
  /** Milliseconds. */
  latency: number
  /** 0 main, 1 sub. */
  'stream-index': 0 | 1
}

/** From where a device is to fetch the stream that it puts out. It calls. */
export interface PlayOrder {
  /** Of `srt://host:port`; the host is the address at which the device reached the hub. */
  port: number
  /** As those of `PushOrder`. */
  'stream-id': string
  passphrase: string
  /** Milliseconds. */
  latency: number
  /** Milliseconds that the device buffers; absent: as it has it. */
  'buffer-ms'?: number
}
