// The hosts that inputs and outputs connect to. The address policy applies to them.

import type { NdiUrl } from '../ndi/url.ts'
import { failUnknownProtocol, HTTP, NDI, PROTOCOL_DEFAULT, RTMP, RTP, RTSP, SRT, UDP } from './protocols.ts'
import type { TypedOutput } from './source.ts'
import { isFault, parseSourceUrl, type SourceUrl } from './source-url.ts'

/** The part of an input that says where it comes from. */
type Origin =
  | { kind: 'url'; url: SourceUrl }
  | { kind: 'ndi'; source: NdiUrl }
  | { kind: 'device' }
  | { kind: 'pushed' }
type Target = TypedOutput | { protocol: typeof PROTOCOL_DEFAULT }

/**
 * The host that an input is fetched from; undefined if the sender connects to the engine or the source is found by
 * discovery.
 */
export function sourceHost(input: Origin): string | undefined {
  switch (input.kind) {
    case 'url':
      return hostOfUrl(input.url)
    case 'ndi':
      return input.source.address?.split(':')[0]
    case 'device':
    case 'pushed':
      return undefined
    default:
      return failUnknownProtocol(input)
  }
}

/**
 * The hosts besides `sourceHost` to which a receiver of an NDI source connects: machines that it asks, and discovery
 * servers.
 */
export const ndiSearchHosts = ({ extraIps = [], discoveryServers = [] }: NdiUrl): string[] =>
  [...extraIps, ...discoveryServers].map((address) => address.split(':')[0] as string)

function hostOfUrl(url: SourceUrl): string | undefined {
  const { scheme, srt, host } = url
  switch (scheme) {
    case 'udp':
    case 'rtp':
      return undefined
    case 'srt':
      return srt?.mode === 'listener' ? undefined : host
    case 'rtmp':
    case 'rtmps':
    case 'rtsp':
    case 'http':
    case 'https':
      return host
    default:
      return failUnknownProtocol(scheme)
  }
}

/** The host that an output is sent to; undefined if the receiver connects to the engine. */
export function targetHost(output: Target): string | undefined {
  switch (output.protocol) {
    case UDP:
    case RTP:
      return output.config['dst-ip']
    case SRT:
      return output.config.mode === 'listener' ? undefined : output.config['dst-ip']
    case RTMP: {
      const url = parseSourceUrl(output.config.url)
      return isFault(url) ? undefined : url.host
    }
    case RTSP:
    case HTTP:
    case NDI:
    case PROTOCOL_DEFAULT:
      return undefined
    default:
      return failUnknownProtocol(output)
  }
}
