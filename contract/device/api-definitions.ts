// Definitions of the device APIs as data: the requests of the hub to a device, by API (docs/wire.md, "Device
// generations"). The adapters of the hub build their requests from these rows. A family (`products.ts`) names its API.
import { DEVICE_VIEW } from '../access/permissions.ts'
import { type ApiRequest, COMMAND_APIS, type CommandApi } from './api-commands.ts'

export interface ApiDefinition extends CommandApi {
  requests: CommandApi['requests'] & {
    /** A request that needs no session. */
    ping: ApiRequest
    login: ApiRequest
    /** Serial number and model. */
    identify: ApiRequest
    status: ApiRequest
    uploadFirmware: ApiRequest
    installFirmware: ApiRequest
    installationState: ApiRequest
  }
}

const { usapi: USAPI, mwapi: MWAPI, api: API } = COMMAND_APIS

/** By the name of the API in the hello of a device, in the order in which the hub tries them at an unknown address. */
export const API_DEFINITIONS: Readonly<Record<string, ApiDefinition>> = {
  usapi: {
    ...USAPI,
    requests: {
      ...USAPI.requests,
      ping: { type: 'query', method: 'ping', relayedFor: DEVICE_VIEW },
      login: { type: 'query', method: 'login', params: { id: '{user}', pass: '{md5}' } },
      identify: { type: 'query', method: 'get-info', relayedFor: DEVICE_VIEW },
      status: { type: 'query', method: 'get-status', relayedFor: DEVICE_VIEW },
      uploadFirmware: { type: 'upload', method: 'upload-update-file' },
      installFirmware: { type: 'query', method: 'update', params: { mode: 'upload' } },
      installationState: { type: 'query', method: 'get-status' }
    }
  },
  mwapi: {
    ...MWAPI,
    requests: {
      ...MWAPI.requests,
      ping: { type: 'query', method: 'ping', relayedFor: DEVICE_VIEW },
      login: { type: 'query', method: 'login', params: { id: '{user}', pass: '{md5}' } },
      identify: { type: 'query', method: 'get-summary-info', relayedFor: DEVICE_VIEW },
      status: { type: 'query', method: 'get-summary-info', relayedFor: DEVICE_VIEW },
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
    ...API,
    requests: {
      ...API.requests,
      ping: { type: 'get', url: '/system/device-info' },
      login: { type: 'post', url: '/user/login', params: { username: '{user}', password: '{sha256}' } },
      identify: { type: 'get', url: '/system/device-info' },
      status: { type: 'get', url: '/system/basic-info' },
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
