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
import type { EngineContext } from '../interfaces/engine-context.ts'
import type { Output } from '../interfaces/legs.ts'
import { createInProcessOutput } from '../legs/in-process-output.ts'
import { createNdiOutput } from '../ndi/ndi-output.ts'
import { createRtspOutput } from '../rtsp/rtsp-output.ts'
import { SRT_PROGRAM } from '../srt/caller.ts'
import { createSrtListenerOutput } from '../srt/listener-output.ts'
import { createDatagramOutput } from './datagram-output.ts'
import { createDeviceOutput } from './device-output.ts'
import { createProcessOutput } from './process-output.ts'

/** @param allowList addresses from which players may connect; after a change `Output.recheckAddresses` must be called */
export function createOutput(
  wanted: WantedOutput,
  context: EngineContext,
  allowList: () => IpAllowList = () => ALLOW_ALL
): Output {
  switch (wanted.protocol) {
    case UDP:
    case RTP:
      return createInProcessOutput(createDatagramOutput(wanted.protocol, wanted.config, context.resolveHost), context)
    case RTSP:
      return createInProcessOutput(createRtspOutput(wanted.config, context), context, allowList)
    case HTTP:
      return createInProcessOutput(createHlsOutput(wanted.config, context), context, allowList)
    case NDI:
      return createInProcessOutput(createNdiOutput(wanted.name, wanted.config, context), context)
    case PROTOCOL_DEFAULT: {
      const { device, open } = createDeviceOutput(wanted.config, context)
      return createInProcessOutput(open, context, undefined, device)
    }
    case SRT: {
      const program = listenerProgram(wanted.config, context, allowList)
      if (program === undefined) return createProcessOutput(wanted, context)
      return createInProcessOutput(
        createSrtListenerOutput({ config: wanted.config, context, fromCache: true }, program),
        context,
        allowList
      )
    }
    case RTMP:
      return createProcessOutput(wanted, context)
    default:
      return failUnknownProtocol(wanted)
  }
}

/**
 * The program that listens for SRT players; undefined if ffmpeg is to carry the output. ffmpeg accepts every address, so it is not used with
 * an allow list.
 */
function listenerProgram(config: SrtOutput, context: EngineContext, allowList: () => IpAllowList): string | undefined {
  if (config.mode !== 'listener') return undefined
  return context.srtProgram() ?? (allowList().ranges.length > 0 ? SRT_PROGRAM : undefined)
}
