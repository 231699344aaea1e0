// Adapters by the API of a device: the requests come from the definition of the API, the meaning of its responses from
// its generation.
import { SUCCESS } from '../../../contract/codes.ts'
import type { DeviceApi } from '../../../contract/device/action.ts'
import { type ApiDefinition, type ApiRequest, apiDefinition } from '../../../contract/device/api-definitions.ts'
import type { Adapter, ResponseReader } from './adapter.ts'
import { api } from './api.ts'
import { buildRequest } from './api-request.ts'
import { fields, resultCode } from './fields.ts'
import { mwapi } from './mwapi.ts'
import { usapi } from './usapi.ts'

const READERS: Readonly<Record<DeviceApi, ResponseReader>> = { usapi, mwapi, api }

/** One adapter for each definition, so that adapters can be compared. */
const adapters = new WeakMap<ApiDefinition, Adapter>()

function createAdapter(definition: ApiDefinition): Adapter {
  const { generation, codeField, requests } = definition
  const reader = READERS[generation]
  const build = (request: ApiRequest | undefined) => request && buildRequest(definition, request)
  const code = (response: unknown) => resultCode(fields(response)[codeField])
  return {
    api: generation,
    statusRequest: { ...buildRequest(definition, requests.status), isQuick: true },
    readStatus: (response) => (code(response) === SUCCESS ? reader.readStatus(response) : undefined),
    rename: (name) => buildRequest(definition, requests.rename, { name }),
    actions: {
      reboot: build(requests.reboot),
      startRecording: build(requests.startRecording),
      stopRecording: build(requests.stopRecording),
      startLive: build(requests.startLive),
      stopLive: build(requests.stopLive)
    },
    unsupportedCodes: reader.unsupportedCodes,
    codeMeaning: reader.codeMeaning,
    resultCode: code
  }
}

/**
 * @param name API in the hello of a device. @returns undefined for a device without an API: the hub does not manage it
 * further
 */
export function adapterOf(name: string): Adapter | undefined {
  const definition = apiDefinition(name)
  if (!definition) return undefined
  const adapter = adapters.get(definition) ?? createAdapter(definition)
  adapters.set(definition, adapter)
  return adapter
}
