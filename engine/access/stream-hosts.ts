// The hosts that inputs and outputs connect to. The address policy applies to them.
import { RTMP, RTP, SRT, UDP } from '../../contract/stream/protocols.ts'
import { isFault, parseSourceUrl } from '../../contract/stream/source-url.ts'
import type { WantedInput, WantedOutput } from '../interfaces/channel.ts'

/** The host that an input is fetched from; undefined if the sender connects to the engine or the source is found by discovery. */
export function sourceHost(input: WantedInput): string | undefined {
  if (input.kind === 'ndi') return input.source.address?.split(':')[0]
  if (input.kind !== 'url') return undefined
  const { protocol, srt, host } = input.url
  return protocol === UDP || protocol === RTP || srt?.mode === 'listener' ? undefined : host
}

/** The host that an output is sent to; undefined if the receiver connects to the engine. */
export function targetHost({ protocol, config }: WantedOutput): string | undefined {
  if (protocol === UDP || protocol === RTP) return config['dst-ip']
  if (protocol === SRT) return config.mode === 'caller' ? config['dst-ip'] : undefined
  const url = protocol === RTMP ? parseSourceUrl(config.url) : undefined
  return url && !isFault(url) ? url.host : undefined
}
