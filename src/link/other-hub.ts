// A hub that has only the calls which the vendor documents: which they are, which pages cannot work, and how commands
// get to devices.
import type { Call, Envelope } from '../../contract/call.ts'
import type { ActionResults } from '../../contract/device/action.ts'
import type { Translation } from '../text/language.ts'
import { COMMANDS, relayCommand } from './device-relay.ts'
import { send } from './send.ts'

/** Paths of the documented calls. */
export const DOCUMENTED_CALLS = [
  '/login',
  '/logout',
  '/system/status',
  '/system/set-device-name',
  '/reboot',
  '/update/status',
  '/catalog/list',
  '/catalog/set',
  '/catalog/add',
  '/catalog/rename',
  '/catalog/del',
  '/device/list',
  '/device/list-with-catalog',
  '/device/query',
  '/device/accept',
  '/device/del',
  '/device/upgrade',
  '/device/config',
  '/device/security/set',
  '/device/global/get',
  '/device/global/set',
  '/channel/dashboard',
  '/channel/query',
  '/channel/add',
  '/channel/set',
  '/channel/enable',
  '/channel/del',
  '/channel/input/set',
  '/input/source/list',
  '/input/source/add',
  '/input/source/set',
  '/input/source/del',
  '/output/list',
  '/preview/open',
  '/preview/setup',
  '/preview/clear',
  '/license/activate',
  '/license/deactivate',
  '/settings/get',
  '/settings/set',
  '/cert/upload',
  '/cert/upload-key',
  '/usr/list',
  '/usr/update',
  '/usr-group/add',
  '/usr-group/set',
  '/usr-group/del'
] as const

/** Paths of the calls that the console can use: the documented ones, and those that it replaces by them. */
export const USABLE_CALLS: ReadonlySet<string> = new Set([...DOCUMENTED_CALLS, ...COMMANDS.keys(), '/rollout/start'])

/** Routes whose pages need other calls. They are hidden, and so are the pages below them. */
export const MISSING_PAGES: ReadonlySet<string | undefined> = new Set([
  'destinations',
  'ndiSources',
  'portForward',
  'ndiRouter',
  'backup',
  'ndiSettings',
  'notifications',
  'network',
  'firmware',
  'logs',
  'accessTokens',
  'trash'
])

export const TEXT = {
  missingPage: ['This hub does not support this page.', '此中控不支持此页面。'],
  missingPages: ['Pages and functions that this hub does not support are hidden.', '已隐藏此中控不支持的页面和功能。']
} as const satisfies Record<string, Translation>

/**
 * Makes a call for devices. Commands go through the relay of the hub to each device.
 * @param request names devices by `sn`
 * @param devices all devices that it can name
 */
export function sendToDevices<Request extends { sn: string | string[]; name?: string }, Response>(
  call: Call<Request, Response>,
  request: Request,
  devices: readonly { sn: string; module: number }[]
): Promise<Envelope & Partial<Response | ActionResults>> {
  const command = COMMANDS.get(call.path)
  const targets = devices.filter(({ sn }) => request.sn.includes(sn))
  return command ? relayCommand(command, targets, request.name) : (send(call, request) as Promise<Envelope & Response>)
}
