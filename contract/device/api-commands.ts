// The commands of the device APIs as data (docs/wire.md, "Device generations"). The hub sends them itself; the console
// sends them through the relay of hubs that have no calls for them. The other requests are in `api-definitions.ts`.
import { DEVICE_CONTROL } from '../access/permissions.ts'
import type { DeviceApi } from './action.ts'

/**
 * Form of a request, below the prefix of the API:
 *   query   GET  /<prefix>?method=<method>&<parameters>
 *   get     GET  /<prefix><url>
 *   post    POST /<prefix><url> with the parameters as JSON
 *   upload  POST of a form with a file as the part `file`, to the address of a `query` or to a URL
 */
export type RequestType = 'query' | 'get' | 'post' | 'upload'

export interface ApiRequest {
  type: RequestType
  /** Path below the prefix, with its leading slash; absent for requests that are named by `method`. */
  url?: string
  /** Value of the query parameter `method`. */
  method?: string
  /**
   * Parameters. The values `{name}`, `{user}`, `{md5}` and `{sha256}` stand for the new name of the device, the user
   * name, and a hash of the password in hex; other values are sent as they are.
   */
  params?: Readonly<Record<string, string | number | boolean>>
  /**
   * Permission bit of the users whose request the hub relays to the device (`contract/relay.ts`); absent: the
   * request is not relayed.
   */
  relayedFor?: number
}

/** What the commands of an API need. */
export interface CommandApi {
  /** Its status fields, result codes and firmware updates are those of this generation. */
  generation: DeviceApi
  /** First part of all paths. */
  prefix: string
  /** Field of a response that has the result code. */
  codeField: string
  /** Requests. The hub does not offer an action whose request is missing. */
  requests: {
    rename: ApiRequest
    reboot: ApiRequest
    startRecording?: ApiRequest
    stopRecording?: ApiRequest
    startLive?: ApiRequest
    stopLive?: ApiRequest
  }
}

/** By the name of the API. */
export const COMMAND_APIS = {
  usapi: {
    generation: 'usapi',
    prefix: 'usapi',
    codeField: 'result',
    requests: {
      rename: { type: 'query', method: 'set-name', params: { name: '{name}' }, relayedFor: DEVICE_CONTROL },
      reboot: { type: 'query', method: 'reboot', relayedFor: DEVICE_CONTROL },
      startRecording: { type: 'query', method: 'start-rec', relayedFor: DEVICE_CONTROL },
      stopRecording: { type: 'query', method: 'stop-rec', relayedFor: DEVICE_CONTROL },
      startLive: { type: 'query', method: 'start-live', relayedFor: DEVICE_CONTROL },
      stopLive: { type: 'query', method: 'stop-live', relayedFor: DEVICE_CONTROL }
    }
  },
  mwapi: {
    generation: 'mwapi',
    prefix: 'mwapi',
    codeField: 'status',
    requests: {
      rename: { type: 'query', method: 'set-eth-config', params: { name: '{name}' }, relayedFor: DEVICE_CONTROL },
      reboot: { type: 'query', method: 'reboot', relayedFor: DEVICE_CONTROL }
    }
  },
  api: {
    generation: 'api',
    prefix: 'api',
    codeField: 'status',
    requests: {
      rename: {
        type: 'post',
        url: '/system/set-device-name',
        params: { name: '{name}' },
        relayedFor: DEVICE_CONTROL
      },
      reboot: { type: 'post', url: '/reboot', relayedFor: DEVICE_CONTROL },
      startRecording: { type: 'post', url: '/record/start-record', relayedFor: DEVICE_CONTROL },
      stopRecording: { type: 'post', url: '/record/stop-record', relayedFor: DEVICE_CONTROL },
      startLive: { type: 'post', url: '/live/start-quick-stream', relayedFor: DEVICE_CONTROL },
      stopLive: { type: 'post', url: '/live/stop-quick-stream', relayedFor: DEVICE_CONTROL }
    }
  }
} as const satisfies Readonly<Record<string, CommandApi>>
