// Streams of Pro Convert Audio devices to the hub: an entry among the streams that they send, as an SRT caller
// (docs/architecture/devices-at-addresses.md). The vendor documents no call that deletes an entry, so the hub keeps one
// and disables it.
import type { PushOrder } from '../../../../contract/device/link.ts'
import { type Fields, integer, objectList } from '../../adapters/fields.ts'
import type { DeviceCalls } from './device-calls.ts'
import { HUB_ENTRY, type StreamMethod } from './stream-method.ts'

interface SentStream {
  uid: number
  /** As the device reports it. */
  entry: Fields
}

/** Number of streams that a device can have, unless it reports another one. */
const STREAMS_MAX = 16
/** Highest ID that is read. */
const UID_MAX = 0x7fff_ffff
/** Milliseconds after which a call fails, and until the next one. Both are the defaults of the device. */
const CONNECT_TIMEOUT = 3000
const RETRY_TIME = 3000
/** Port of a listener, which a caller does not use; percent of overhead; bytes. All are defaults of the device. */
const BIND_PORT = 10_000
const BANDWIDTH = 25
const MTU = 1500

/** The streams that a device is set up to send, and how many it can have. */
export async function listSent(calls: DeviceCalls): Promise<{ streams: SentStream[]; max: number }> {
  const response = await calls.post('/tx/live-info', {})
  const max = integer(response['streaming-count-max'], 1, 1000) ?? STREAMS_MAX
  const streams = objectList(response.streaming, max).flatMap((entry) => {
    const uid = integer(entry.uid, 1, UID_MAX)
    return uid === undefined ? [] : [{ uid, entry }]
  })
  return { streams, max }
}

const findHubStream = (streams: readonly SentStream[]) => streams.find(({ entry }) => entry.name === HUB_ENTRY)

export const sentStream: StreamMethod<PushOrder> = {
  // The streams of the device stay as they are.
  async read() {
    return {}
  },

  async start(calls, order, host) {
    const { streams, max } = await listSent(calls)
    const own = findHubStream(streams)
    if (!own && streams.length >= max) calls.refuse('servers-full')
    await calls.post('/tx/live-apply', {
      uid: own?.uid ?? Math.max(0, ...streams.map(({ uid }) => uid)) + 1,
      enable: true,
      name: HUB_ENTRY,
      'stream-no': `Stream${order['stream-index'] + 1}`,
      type: 'srt',
      srt: {
        mode: 'caller',
        'dst-ip': host,
        'dst-port': order.port,
        'bind-port': BIND_PORT,
        'stream-id': order['stream-id'],
        'connect-timeout': CONNECT_TIMEOUT,
        'retry-duration': RETRY_TIME,
        latency: order.latency,
        bandwidth: BANDWIDTH,
        mtu: MTU,
        enc: 'aes-128',
        passphrase: order.passphrase,
        'enable-logo': false
      }
    })
  },

  async stop(calls) {
    const own = findHubStream((await listSent(calls)).streams)
    if (own?.entry.enable !== true) return
    const { report: _, ...settings } = own.entry
    await calls.post('/tx/live-apply', { ...settings, enable: false })
  }
}
