// nginx with its RTMP module, by the XML of `rtmp_stat` (https://github.com/arut/nginx-rtmp-module/wiki/Directives),
// which is expected at `/stat`. The XML does not tell the port of RTMP, which is the usual one unless
// the user sets another one.
import { urlHost } from '../../../../contract/ipv6.ts'
import { RTMP_PORT } from '../../../../contract/limits.ts'
import { NAME_MAX } from '../../adapters/fields.ts'
import { elementsAt, parseXml, textAt, type XmlElement } from '../../xml.ts'
import { STREAMS_MAX, type ThirdPartyAdapter, type ThirdPartyEndpoint, type ThirdPartyStream } from './adapter.ts'
import { get, getText, invalidResponse } from './http-json.ts'

const STAT = '/stat'
const PATH_MAX = 200

function readStream(
  stream: XmlElement,
  app: string,
  { host, rtmpPort = RTMP_PORT }: ThirdPartyEndpoint
): ThirdPartyStream[] {
  const name = textAt(stream, PATH_MAX, 'name')
  if (name === undefined) return []
  const video = elementsAt(stream, 'meta', 'video')[0]
  const [width, height, codec] = ['width', 'height', 'codec'].map((field) => textAt(video, NAME_MAX, field))
  const detail = [width && height && `${width}×${height}`, codec].filter(Boolean).join(' ')
  const path = [app, name].map(encodeURIComponent).join('/')
  return [
    {
      id: `${app}/${name}`,
      name: `${app}/${name}`,
      url: `rtmp://${urlHost(host)}:${rtmpPort}/${path}`,
      live: elementsAt(stream, 'publishing').length > 0,
      ...(detail && { detail })
    }
  ]
}

export const nginxRtmp: ThirdPartyAdapter = {
  api: 'nginx-rtmp',
  product: 'nginx RTMP',
  ports: [80, 8080],
  needsLogin: false,
  hidesRtmpPort: true,
  async recognizes(endpoint) {
    const { status, text: body } = await get(endpoint, STAT)
    return status === 200 && elementsAt(parseXml(body), 'rtmp', 'server').length > 0
  },
  async identify(endpoint, login) {
    const stat = parseXml(await getText(endpoint, STAT, login))
    if (elementsAt(stat, 'rtmp').length === 0) throw invalidResponse()
    return { serial: '', name: '', model: '', firmware: textAt(stat, NAME_MAX, 'rtmp', 'nginx_rtmp_version') ?? '' }
  },
  async listStreams(endpoint, login) {
    const stat = parseXml(await getText(endpoint, STAT, login))
    const apps = elementsAt(stat, 'rtmp', 'server').flatMap((server) => elementsAt(server, 'application'))
    return apps
      .flatMap((app) =>
        elementsAt(app, 'live', 'stream').flatMap((stream) =>
          readStream(stream, textAt(app, NAME_MAX, 'name') ?? '', endpoint)
        )
      )
      .slice(0, STREAMS_MAX)
  }
}
