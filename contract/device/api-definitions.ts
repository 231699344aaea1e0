// Definitions of the device APIs as data: the requests of the hub to a device, by API (docs/wire.md, "Device
// generations"). The adapters of the hub build their requests from these rows. A family (`products.ts`) names its API.
import { DEVICE_CONTROL, DEVICE_VIEW } from '../access/permissions.ts'
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

export interface ApiDefinition {
  /** Its status fields, result codes and firmware updates are those of this generation. */
  generation: DeviceApi
  /** First part of all paths. */
  prefix: string
  /** Field of a response that has the result code. */
  codeField: string
  /** Requests. The hub does not offer an action whose request is missing. */
  requests: {
    /** A request that needs no session. */
    ping: ApiRequest
    login: ApiRequest
    /** Serial number and model. */
    identify: ApiRequest
    status: ApiRequest
    rename: ApiRequest
    reboot: ApiRequest
    startRecording?: ApiRequest
    stopRecording?: ApiRequest
    startLive?: ApiRequest
    stopLive?: ApiRequest
    uploadFirmware: ApiRequest
    installFirmware: ApiRequest
    installationState: ApiRequest
  }
}

export type ApiRequestName = keyof ApiDefinition['requests']

/** By the name of the API in the hello of a device, in the order in which the hub tries them at an unknown address. */
export const API_DEFINITIONS: Readonly<Record<string, ApiDefinition>> = {
  usapi: {
    generation: 'usapi',
    prefix: 'usapi',
    codeField: 'result',
    requests: {
      ping: { type: 'query', method: 'ping', relayedFor: DEVICE_VIEW },
      login: { type: 'query', method: 'login', params: { id: '{user}', pass: '{md5}' } },
      identify: { type: 'query', method: 'get-info', relayedFor: DEVICE_VIEW },
      status: { type: 'query', method: 'get-status', relayedFor: DEVICE_VIEW },
      rename: { type: 'query', method: 'set-name', params: { name: '{name}' }, relayedFor: DEVICE_CONTROL },
      reboot: { type: 'query', method: 'reboot', relayedFor: DEVICE_CONTROL },
      startRecording: { type: 'query', method: 'start-rec', relayedFor: DEVICE_CONTROL },
      stopRecording: { type: 'query', method: 'stop-rec', relayedFor: DEVICE_CONTROL },
      startLive: { type: 'query', method: 'start-live', relayedFor: DEVICE_CONTROL },
      stopLive: { type: 'query', method: 'stop-live', relayedFor: DEVICE_CONTROL },
      uploadFirmware: { type: 'upload', method: 'upload-update-file' },
      installFirmware: { type: 'query', method: 'update', params: { mode: 'upload' } },
      installationState: { type: 'query', method: 'get-status' }
    }
  },
  mwapi: {
    generation: 'mwapi',
    prefix: 'mwapi',
    codeField: 'status',
    requests: {
      ping: { type: 'query', method: 'ping', relayedFor: DEVICE_VIEW },
      login: { type: 'query', method: 'login', params: { id: '{user}', pass: '{md5}' } },
      identify: { type: 'query', method: 'get-summary-info', relayedFor: DEVICE_VIEW },
      status: { type: 'query', method: 'get-summary-info', relayedFor: DEVICE_VIEW },
      rename: { type: 'query', method: 'set-eth-config', params: { name: '{name}' }, relayedFor: DEVICE_CONTROL },
      reboot: { type: 'query', method: 'reboot', relayedFor: DEVICE_CONTROL },
      uploadFirmware: { type: 'upload', method: 'upload-update-file' },
      // The only documented mode.
      installFirmware: { type: 'query', method: 'update', params: { mode: 'manual' } },
      installationState: { type: 'query', method: 'get-update-state' }
    }
  },
  // The vendor documents the fields of 'device info', 'basic info' and 'upgrade state', but not their paths. These
  // paths are modelled on the documented ones. There is no ping: without a session, a device refuses the request for
  // its information with its own code.
  api: {
    generation: 'api',
    prefix: 'api',
    codeField: 'status',
    requests: {
      ping: { type: 'get', url: '/system/device-info' },
      login: { type: 'post', url: '/user/login', params: { username: '{user}', password: '{sha256}' } },
      identify: { type: 'get', url: '/system/device-info' },
      status: { type: 'get', url: '/system/basic-info' },
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
      stopLive: { type: 'post', url: '/live/stop-quick-stream', relayedFor: DEVICE_CONTROL },
      uploadFirmware: { type: 'upload', url: '/system/upload-fw' },
      installFirmware: {
        type: 'post',
        url: '/upgrade/update',
        params: { 'is-online': false, mode: 0, timeout: 600 }
      },
      installationState: { type: 'get', url: '/upgrade/state' }
    }
  }
}

/** The definition of an API; undefined for `none` and for an unknown name. */
export function apiDefinition(name: string): ApiDefinition | undefined {
  return Object.hasOwn(API_DEFINITIONS, name) ? API_DEFINITIONS[name] : undefined
}

/**
 * Relayed methods of an API, or paths of an API whose requests have paths, with the permission bit that each requires;
 * undefined for an unknown API. The hub refuses any other method with 31.
 */
export function relayedMethods(api: string): Readonly<Record<string, number>> | undefined {
  const definition = apiDefinition(api)
  if (!definition) return undefined
  const relayed = Object.values(definition.requests).flatMap(({ method, url, relayedFor }) =>
    relayedFor === undefined ? [] : [[method ?? url ?? '', relayedFor] as const]
  )
  return Object.fromEntries(relayed)
}
