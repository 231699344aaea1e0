// MediaMTX by its control API v3 (https://mediamtx.org/docs/references/control-api), which listens at port 9997. Its
// streams are its paths, which it serves over RTSP, SRT or RTMP.
import { urlHost } from '../../../../contract/ipv6.ts'
import { type Fields, fields, NAME_MAX, objectList, text } from '../../adapters/fields.ts'
import { parseJson } from '../session.ts'
import { STREAMS_MAX, type ThirdPartyAdapter, type ThirdPartyStream } from './adapter.ts'
import { get, getText, invalidResponse } from './http-json.ts'

const CONFIG = '/v3/config/global/get'
const PATHS = `/v3/paths/list?page=0&itemsPerPage=${STREAMS_MAX}`
const PATH_MAX = 200

/** Port in an address such as `:8554`; undefined if it cannot be read. */
const portOf = (address: unknown) => (typeof address === 'string' ? /:(\d{1,5})$/.exec(address)?.[1] : undefined)

/** The address of a path in the first protocol that is on. */
function urlOf(config: Fields, host: string, path: string): string | undefined {
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  const [rtsp, srt, rtmp] = [portOf(config.rtspAddress), portOf(config.srtAddress), portOf(config.rtmpAddress)]
  if (config.rtsp !== false && rtsp) return `rtsp://${urlHost(host)}:${rtsp}/${encoded}`
  if (config.srt !== false && srt) return `srt://${urlHost(host)}:${srt}?streamid=read:${encoded}`
  if (config.rtmp !== false && rtmp) return `rtmp://${urlHost(host)}:${rtmp}/${encoded}`
  return undefined
}

export const mediamtx: ThirdPartyAdapter = {
  api: 'mediamtx',
  product: 'MediaMTX',
  ports: [9997],
  needsLogin: false,
  async recognizes(endpoint) {
    const { status, text: body } = await get(endpoint, CONFIG)
    // Without login it says so in JSON, as no other known server does at this path.
    const answer = fields(parseJson(body))
    return status === 200 ? 'rtspAddress' in answer : status === 401 && 'error' in answer
  },
  async identify(endpoint, login) {
    const config = fields(parseJson(await getText(endpoint, CONFIG, login)))
    if (!('rtspAddress' in config)) throw invalidResponse()
    return { serial: '', name: '', model: '', firmware: '' }
  },
  async listStreams(endpoint, login) {
    const config = fields(parseJson(await getText(endpoint, CONFIG, login)))
    const list = fields(parseJson(await getText(endpoint, PATHS, login)))
    return objectList(list.items, STREAMS_MAX).flatMap((item): ThirdPartyStream[] => {
      const name = text(item.name, PATH_MAX)
      if (name === undefined) return []
      const url = urlOf(config, endpoint.host, name)
      const tracks = Array.isArray(item.tracks) ? text(item.tracks.slice(0, 8).join(', '), NAME_MAX) : undefined
      return [
        {
          id: name,
          name,
          live: item.ready === true,
          ...(url !== undefined && { url }),
          ...(tracks && { detail: tracks })
        }
      ]
    })
  }
}
