// Streams that a device serves to those who ask for them: its RTSP servers, and SRT servers that wait for callers. The
// hub pulls them as any other input, and changes nothing on the device (docs/architecture/devices-at-addresses.md).
import type { DeviceApi } from '../../../../contract/device/action.ts'
import { urlHost } from '../../../../contract/ipv6.ts'
import { type Fields, fields, integer, NAME_MAX, objectList, portNumber, text } from '../../adapters/fields.ts'
import type { Login, ThirdPartyStream } from '../third-party/adapter.ts'
import type { DeviceCalls } from './device-calls.ts'
import { listSent } from './sent-stream.ts'
import { isLive, SERVER_TYPE, SERVERS_MAX } from './ultra-push.ts'

export interface ServedStream extends ThirdPartyStream {
  /** Login of its server, which is not that of the device. */
  login?: Login
}

type ServedList = (calls: DeviceCalls, host: string) => Promise<ServedStream[]>

/** Longest user name, password, passphrase and stream ID that the vendor documents, with some more. */
const SECRET_MAX = 128

/** Some firmware sends flags as numbers. */
const isOn = (flag: unknown): boolean => flag === 1 || flag === true

const plainText = (value: unknown): string => (typeof value === 'string' && value.length <= SECRET_MAX ? value : '')

/** @param port of the server, of which there is no stream without one */
function rtspStream(
  stream: Pick<ServedStream, 'id' | 'name'>,
  { host, port, path, login }: { host: string; port: unknown; path: string; login: Login | undefined }
): ServedStream[] {
  const number = portNumber(port)
  if (number === undefined) return []
  const url = `rtsp://${urlHost(host)}:${number}/${path.split('/').map(encodeURIComponent).join('/')}`
  return [{ ...stream, detail: 'RTSP', url, ...(login && { login }) }]
}

function srtStream(
  stream: Pick<ServedStream, 'id' | 'name'>,
  { host, port, ...secrets }: { host: string; port: unknown; streamid: string; passphrase: string }
): ServedStream[] {
  const number = portNumber(port)
  if (number === undefined) return []
  const options = Object.entries(secrets).flatMap(([name, value]) =>
    value === '' ? [] : [`${name}=${encodeURIComponent(value)}`]
  )
  const query = options.length > 0 ? `?${options.join('&')}` : ''
  return [{ ...stream, detail: 'SRT', url: `srt://${urlHost(host)}:${number}${query}` }]
}

function ultraStream(server: Fields, host: string): ServedStream[] {
  const id = integer(server.id, 0, 0xffff_ffff)
  if (id === undefined || !isOn(server['is-use'])) return []
  const { port } = server
  if (server.type === SERVER_TYPE.srtListener) {
    const passphrase = server.aes === 0 ? '' : plainText(server['aes-word'])
    const name = text(server.name, NAME_MAX) ?? `${id}`
    return srtStream({ id: `${id}`, name }, { host, port, streamid: '', passphrase })
  }
  if (server.type !== SERVER_TYPE.rtsp) return []
  const login = isOn(server['is-auth'])
    ? { user: plainText(server.user), password: plainText(server.passwd) }
    : undefined
  return ['main', 'sub'].flatMap((each) => {
    const path = text(server[`${each}-stream-name`], NAME_MAX)
    if (!isOn(server[`is-${each}`]) || path === undefined) return []
    return rtspStream({ id: `${id} ${each}`, name: path }, { host, port, path, login })
  })
}

/** The servers in use of an Ultra device. They run while it is live. */
const listUltra: ServedList = async (calls, host) => {
  const servers = objectList((await calls.query('get-settings'))['stream-server'], SERVERS_MAX)
  const streams = servers.flatMap((server) => ultraStream(server, host))
  if (streams.length === 0) return []
  const live = await isLive(calls)
  return streams.map((stream) => ({ ...stream, live }))
}

/** The enabled streams of a Pro Convert Audio device. */
const listAudio: ServedList = async (calls, host) =>
  (await listSent(calls)).streams.flatMap(({ uid, entry }): ServedStream[] => {
    const stream = { id: `${uid}`, name: text(entry.name, NAME_MAX) ?? `${uid}` }
    const [rtsp, srt] = [fields(entry.rtsp), fields(entry.srt)]
    if (entry.enable !== true) return []
    if (entry.type === 'rtsp') {
      const login =
        rtsp['enable-auth'] === true
          ? { user: plainText(rtsp.username), password: plainText(rtsp.password) }
          : undefined
      return rtspStream(stream, { host, port: rtsp['bind-port'], path: plainText(rtsp.key), login })
    }
    if (entry.type !== 'srt' || srt.mode !== 'listener') return []
    const passphrase = srt.enc === 'disable' ? '' : plainText(srt.passphrase)
    return srtStream(stream, { host, port: srt['bind-port'], streamid: plainText(srt['stream-id']), passphrase })
  })

/** How the streams are listed, of the generations that serve any. */
export const SERVED_LISTS: Partial<Record<DeviceApi, ServedList>> = { usapi: listUltra, api: listAudio }
