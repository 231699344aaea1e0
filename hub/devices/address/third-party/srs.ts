// SRS, an SRT gateway and RTMP server, by its HTTP API (https://ossrs.io/lts/en-us/docs/v6/doc/http-api), which listens
// at port 1985. Its streams are played over SRT at its usual port, with the stream ID that SRS documents.
import { urlHost } from '../../../../contract/ipv6.ts'
import { fields, integer, NAME_MAX, objectList, text } from '../../adapters/fields.ts'
import { parseJson } from '../session.ts'
import { STREAMS_MAX, type ThirdPartyAdapter, type ThirdPartyStream } from './adapter.ts'
import { get, getText, invalidResponse } from './http-json.ts'

const VERSIONS = '/api/v1/versions'
const STREAMS = `/api/v1/streams/?start=0&count=${STREAMS_MAX}`
const SRT_PORT = 10080
const PATH_MAX = 200

export const srs: ThirdPartyAdapter = {
  api: 'srs',
  product: 'SRS',
  ports: [1985],
  needsLogin: false,
  async recognizes(endpoint) {
    const answer = fields(parseJson((await get(endpoint, VERSIONS)).text))
    return answer.code === 0 && 'server' in answer
  },
  async identify(endpoint, login) {
    const answer = fields(parseJson(await getText(endpoint, VERSIONS, login)))
    if (answer.code !== 0) throw invalidResponse()
    return {
      serial: '',
      name: '',
      model: '',
      firmware: text(fields(answer.data).version, NAME_MAX) ?? ''
    }
  },
  async listStreams(endpoint, login) {
    const answer = fields(parseJson(await getText(endpoint, STREAMS, login)))
    return objectList(answer.streams, STREAMS_MAX).flatMap((stream): ThirdPartyStream[] => {
      const [app, name] = [text(stream.app, NAME_MAX), text(stream.name, PATH_MAX)]
      if (app === undefined || name === undefined) return []
      const video = fields(stream.video)
      const [width, height] = [integer(video.width, 1, 1e5), integer(video.height, 1, 1e5)]
      const detail = [width && height && `${width}×${height}`, text(video.codec, NAME_MAX)].filter(Boolean).join(' ')
      const streamId = encodeURIComponent(`#!::r=${app}/${name},m=request`)
      return [
        {
          id: `${app}/${name}`,
          name: `${app}/${name}`,
          url: `srt://${urlHost(endpoint.host)}:${SRT_PORT}?streamid=${streamId}`,
          live: fields(stream.publish).active === true,
          ...(detail && { detail })
        }
      ]
    })
  }
}
