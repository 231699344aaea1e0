// Commands to devices as calls that a hub relays to the device (docs/wire.md, "Device generations"), for hubs
// without calls of their own for them. The response is the device's.
import type { Envelope } from '../../contract/call.ts'
import {
  INVALID_ARG,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  SUCCESS,
  TOO_LARGE,
  UNKNOWN_ERROR,
  UNSUPPORTED
} from '../../contract/codes.ts'
import type { ActionResult, ActionResults } from '../../contract/device/action.ts'
import { type Action, codeMeaning } from '../../contract/device/action-codes.ts'
import { type ApiDefinition, type ApiRequest, apiDefinition } from '../../contract/device/api-definitions.ts'
import { findFamily } from '../../contract/device/products.ts'
import { CLIENT_ID_PARAM, HUB_ID_PARAM, RELAY_PREFIX } from '../../contract/relay.ts'
import { type Translation, t } from '../text/language.ts'
import { fetchJson, transport } from './fetch-json.ts'
import { JSON_HEADERS, withQuery } from './relay.ts'

type Command = Action | 'rename'

/** The command that each call sends, by the path of the call. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['/device/rename', 'rename'],
  ['/device/reboot', 'reboot'],
  ['/device/record/start', 'startRecording'],
  ['/device/record/stop', 'stopRecording'],
  ['/device/live/start', 'startLive'],
  ['/device/live/stop', 'stopLive']
])

/** Devices that get a command at the same time. Each response may take as long as the hub waits for the device. */
const CONCURRENCY = 4

const REFUSED: Translation = [
  'The device refused the command. Its error code: {0}',
  '设备拒绝执行该命令，其错误码：{0}'
]

/** Codes in `result` that are the hub's: the Ultra family, whose codes are there too, responds with none of them. */
const CODES_OF_HUB: readonly number[] = [
  UNKNOWN_ERROR,
  INVALID_ARG,
  UNSUPPORTED,
  TOO_LARGE,
  NOT_PERMITTED,
  NOT_LOGGED_IN
]
const isCodeOfHub = (result: number) => CODES_OF_HUB.includes(result) || Math.abs(result) > 1000

/** The API of a device: that of its family. */
function apiOf(module: number): ApiDefinition | undefined {
  const api = findFamily(module)?.api
  return api === undefined ? undefined : apiDefinition(api)
}

/** Sends a request of a device API through the hub. @returns the response of the device, or the error of the hub */
function sendRelayed(
  sn: string,
  { prefix }: ApiDefinition,
  { type, method, url = '', params = {} }: ApiRequest,
  name: string | undefined
): Promise<Envelope & Record<string, unknown>> {
  const fields = Object.fromEntries(Object.keys(params).map((key) => [key, name]))
  const isPost = type === 'post'
  const query = {
    ...(!isPost && { method, ...fields }),
    [CLIENT_ID_PARAM]: sn,
    [HUB_ID_PARAM]: transport.relayedHub
  }
  // Some devices do not decode '+' as a space.
  const path = withQuery(`${RELAY_PREFIX}/${prefix}${url}`, query).replaceAll('+', '%20')
  return fetchJson(
    transport.base + path,
    isPost ? { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(fields) } : {}
  ) as never
}

/** Sends a command to one device. @param name the new name, to rename it */
async function runCommand(
  device: { sn: string; module: number },
  command: Command,
  name: string | undefined
): Promise<ActionResult> {
  const { sn, module } = device
  const definition = apiOf(module)
  const request = definition?.requests[command]
  if (!definition || !request) return { sn, result: UNSUPPORTED }
  const { generation: api, codeField } = definition
  const { message, ...response } = await sendRelayed(sn, definition, request, name)
  const code = response[codeField]
  // Errors of the hub are in `result`, whichever field the device has.
  if (typeof code !== 'number' || (codeField === 'result' && isCodeOfHub(code))) return { sn, result: response.result }
  const meaning = command === 'rename' ? undefined : codeMeaning(api, command)
  const reboot = response['ext-need-reboot'] === true && { 'ext-need-reboot': true }
  if (code === SUCCESS || meaning?.successCodes.includes(code)) return { sn, result: SUCCESS, ...reboot }
  const reason = meaning?.reasons[code]
  // The codes of the Ultra family have other meanings than those of the hub.
  const sentence = message ?? (api === 'usapi' && !reason ? t(REFUSED, code) : undefined)
  return { sn, result: code, api, ...(reason && { reason }), ...(sentence && { message: sentence }) }
}

/**
 * Sends a command to devices through the relay of the hub.
 * @param name the new name, to rename a device
 * @returns the result of each device. `result` is 0 if one of them succeeded, else that of the first.
 */
export async function relayCommand(
  command: Command,
  devices: readonly { sn: string; module: number }[],
  name?: string
): Promise<ActionResults & Envelope> {
  const details: ActionResult[] = []
  const waiting = devices.entries()
  async function runWorker(): Promise<void> {
    for (const [index, device] of waiting) details[index] = await runCommand(device, command, name)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, runWorker))
  const isAnyDone = details.some(({ result }) => result === SUCCESS)
  return { result: isAnyDone ? SUCCESS : (details[0]?.result ?? UNSUPPORTED), details }
}
