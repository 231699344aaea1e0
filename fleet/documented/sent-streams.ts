// Streams that an audio device sends, as the vendor documents them (docs/wire.md, "Device generations"): a list of at
// most 16. SRT callers really send the sound of the clip; RTSP and NDI are listed, and not served.
import { INVALID_ARG, NO_SPACE, SUCCESS } from '../../contract/codes.ts'
import { createPusher, type Pusher } from '../streams/pusher.ts'

const STREAMS_MAX = 16
const FIELDS = ['uid', 'enable', 'name', 'stream-no', 'type', 'rtsp', 'srt', 'ndi', 'aac-bitrate-kbps']
const RTSP_FIELDS = ['bind-port', 'max-client-num', 'key', 'enable-auth', 'username', 'password']
const SRT_FIELDS = [
  ...['mode', 'dst-ip', 'dst-port', 'bind-port', 'stream-id', 'connect-timeout', 'retry-duration', 'latency'],
  ...['bandwidth', 'mtu', 'enc', 'passphrase', 'enable-logo']
]

type Fields = Record<string, unknown>

interface Sent {
  settings: Fields
  pusher: Pusher
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
const hasOnly = (value: Fields, names: readonly string[]) => Object.keys(value).every((name) => names.includes(name))
const isText = (value: unknown, min: number, max: number) =>
  typeof value === 'string' && value.length >= min && value.length <= max
const isPort = (value: unknown) => Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536

/** Whether all fields are documented ones with documented values. The real device may accept more. */
function areValid(settings: Fields): boolean {
  const { uid, enable, name, type } = settings
  const [rtsp, srt] = [fieldsOf(settings.rtsp), fieldsOf(settings.srt)]
  if (!hasOnly(settings, FIELDS) || !hasOnly(rtsp, RTSP_FIELDS) || !hasOnly(srt, SRT_FIELDS)) return false
  if (!Number.isInteger(uid) || Number(uid) < 1 || typeof enable !== 'boolean' || !isText(name, 1, 1023)) return false
  if (settings['stream-no'] !== 'Stream1' && settings['stream-no'] !== 'Stream2') return false
  if (type === 'rtsp') return isPort(rtsp['bind-port']) && isText(rtsp.key, 1, 63)
  if (type !== 'srt') return type === 'ndi'
  if (!isText(srt['stream-id'], 0, 63) || !['disable', 'aes-128', 'aes-192', 'aes-256'].includes(`${srt.enc}`))
    return false
  if (srt.enc !== 'disable' && !isText(srt.passphrase, 1, 79)) return false
  return srt.mode === 'caller'
    ? isText(srt['dst-ip'], 1, 64) && isPort(srt['dst-port'])
    : srt.mode === 'listener' && isPort(srt['bind-port'])
}

export class SentStreams {
  readonly #streams = new Map<number, Sent>()
  readonly #createPusher: () => Pusher

  /** @param clipPath path of the clip that is sent; undefined if it is not encoded yet */
  constructor(clipPath: () => string | undefined) {
    this.#createPusher = () => createPusher({ clipPath, isAudioOnly: true, onSending() {} })
  }

  /** Answers a call. @returns undefined for one that has nothing to do with these streams */
  handle(call: string, body: Fields): Fields | undefined {
    if (call === 'POST /api/tx/live-info')
      return {
        status: SUCCESS,
        'stream-no-max': 2,
        'streaming-count-max': STREAMS_MAX,
        'streaming-count': this.#streams.size,
        streaming: [...this.#streams.values()].map(({ settings }) => ({ ...settings, report: {} }))
      }
    return call === 'POST /api/tx/live-apply' ? { status: this.#apply(body) } : undefined
  }

  stop(): void {
    for (const { pusher } of this.#streams.values()) pusher.stop()
  }

  #apply(settings: Fields): number {
    if (!areValid(settings)) return INVALID_ARG
    const uid = Number(settings.uid)
    const existing = this.#streams.get(uid)
    if (!existing && this.#streams.size >= STREAMS_MAX) return NO_SPACE
    const pusher = existing?.pusher ?? this.#createPusher()
    this.#streams.set(uid, { settings, pusher })
    pusher.stop()
    const srt = fieldsOf(settings.srt)
    if (settings.enable === true && settings.type === 'srt' && srt.mode === 'caller')
      pusher.start(`${srt['dst-ip']}`, {
        port: Number(srt['dst-port']),
        'stream-id': `${srt['stream-id']}`,
        passphrase: srt.enc === 'disable' ? '' : `${srt.passphrase}`,
        latency: Number(srt.latency),
        'stream-index': 0
      })
    return SUCCESS
  }
}
