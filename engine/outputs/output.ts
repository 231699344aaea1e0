// Creates the implementation of each output protocol.
import {
  failUnknownProtocol,
  HTTP,
  NDI,
  PROTOCOL_DEFAULT,
  RTMP,
  RTP,
  RTSP,
  SRT,
  UDP
} from '../../contract/stream/protocols.ts'
import type { SrtOutput } from '../../contract/stream/source.ts'
import { ALLOW_ALL, type IpAllowList } from '../access/ip-allow-list.ts'
import { createHlsOutput } from '../hls/hls-output.ts'
import type { WantedOutput } from '../interfaces/channel.ts'
import type { HlsStores, SrtProgram } from '../interfaces/leg-parts.ts'
import type { Output } from '../interfaces/legs.ts'
import type { Ndi } from '../interfaces/ndi.ts'
import { InProcessOutput } from '../legs/in-process-output.ts'
import { createNdiOutput } from '../ndi/ndi-output.ts'
import { createRtspOutput } from '../rtsp/rtsp-output.ts'
import { SRT_PROGRAM } from '../srt/caller.ts'
import { createSrtListenerOutput } from '../srt/listener-output.ts'
import { createDatagramOutput } from './datagram-output.ts'
import { createDeviceOutput, type DeviceOutputParts } from './device-output.ts'
import { ProcessOutput, type ProcessOutputParts } from './process-output.ts'

/** How an output starts whose channel comes from another engine. */
export interface TakeOver {
  /** Whether datagram outputs wait for those of the other engine, because these have not ended. */
  isWaiting(): boolean
}

export type OutputParts = ProcessOutputParts & DeviceOutputParts & { ndi: Ndi; hlsStores: HlsStores }

/**
 * @param allowList addresses from which players may connect; after a change `Output.recheckAddresses` must be called
 * @param takeOver undefined if the channel does not come from another engine
 */
export function createOutput(
  wanted: WantedOutput,
  context: OutputParts,
  allowList: () => IpAllowList = () => ALLOW_ALL,
  takeOver?: TakeOver
): Output {
  switch (wanted.protocol) {
    case UDP:
    case RTP:
      return new InProcessOutput(
        createDatagramOutput(wanted.protocol, wanted.config, context.resolveHost, takeOver?.isWaiting),
        context
      )
    case RTSP:
      return new InProcessOutput(createRtspOutput(wanted.config, context), context, allowList)
    case HTTP:
      return new InProcessOutput(createHlsOutput(wanted.config, context), context, allowList)
    case NDI:
      return new InProcessOutput(createNdiOutput(wanted.name, wanted.config, context), context)
    case PROTOCOL_DEFAULT: {
      const { device, open } = createDeviceOutput(wanted.config, context)
      return new InProcessOutput(open, context, undefined, device)
    }
    case SRT: {
      const program = listenerProgram(wanted.config, context, allowList)
      if (program === undefined) return new ProcessOutput(wanted, context, takeOver && 'first')
      return new InProcessOutput(
        createSrtListenerOutput({ config: wanted.config, context, fromCache: true }, program),
        context,
        allowList
      )
    }
    case RTMP:
      return new ProcessOutput(wanted, context, takeOver && 'first')
    default:
      return failUnknownProtocol(wanted)
  }
}

/**
 * The program that listens for SRT players; undefined if ffmpeg is to carry the output. ffmpeg accepts every address,
 * so it is not used with an allow list.
 */
function listenerProgram(config: SrtOutput, context: SrtProgram, allowList: () => IpAllowList): string | undefined {
  if (config.mode !== 'listener') return undefined
  return context.srtProgram() ?? (allowList().ranges.length > 0 ? SRT_PROGRAM : undefined)
}
