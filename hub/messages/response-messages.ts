// Adds error messages to responses, for details that the console has no sentences for.

import type { ExportRefusal } from '../../contract/backup/export.ts'
import type { Envelope, ObjectKind, PortHolder } from '../../contract/call.ts'
import type { ActionResult } from '../../contract/device/action.ts'
import type { DiskSpaceDetails } from '../../contract/firmware.ts'
import type { LicenseLimits } from '../../contract/license/license.ts'
import type { MatrixRefusal, TakeRefusal } from '../../contract/ndi/router.ts'
import { freeSpace } from '../../contract/rules/file.ts'
import { EXISTING_SENTENCES } from '../../contract/text/sentences.ts'
import type { UpdateRefusal } from '../../contract/update.ts'
import { webFaultLines } from './certificates.ts'
import { codeLines } from './codes.ts'
import { lossLines } from './device-losses.ts'
import { deviceResultLines } from './device-results.ts'
import { exportFaultLines } from './export.ts'
import { firmwareErrorLines } from './firmware.ts'
import { type Language, type Translation, translate } from './language.ts'
import { licenseLines } from './license.ts'
import { routerErrorLines } from './router.ts'
import { updateFaultLines } from './updates.ts'

const COUNT_LIMITS: Readonly<Record<ObjectKind, Translation>> = {
  user: ['max users {max}', '最多 {max} 个用户'],
  group: ['max groups {max}', '最多 {max} 个用户组'],
  server: ['{max} servers at most', '最多 {max} 个服务器']
}

const LICENSE_LIMIT_SENTENCES: Readonly<Record<keyof LicenseLimits, Translation>> = {
  'max-channel-count': [
    'The license allows {max} channels, {used} exist.',
    '许可证允许 {max} 个频道，现有 {used} 个。'
  ],
  'max-live-count': [
    'The license allows {max} running channels, {used} are running.',
    '许可证允许同时启动 {max} 个频道，已启动 {used} 个。'
  ],
  'max-output-count': [
    'The license allows {max} active outputs, {used} are in use.',
    '许可证允许 {max} 个活动输出，已使用 {used} 个。'
  ],
  'max-srt-count': [
    'The license allows {max} SRT servers, {used} are in use.',
    '许可证允许 {max} 个 SRT 服务器，已使用 {used} 个。'
  ],
  'max-dev-count': [
    'The license allows {max} devices, {used} are accepted.',
    '许可证允许 {max} 台设备，已接受 {used} 台。'
  ]
}

const PORT: Translation = ['Port {port} occupied', '端口 {port} 被占用']
const OTHER_PROGRAM: Translation = ['Port {port} occupied by another program', '端口 {port} 被其他程序占用']
const PORT_HOLDER_SENTENCES: Readonly<Record<PortHolder['of'], Translation>> = {
  web: ['Port {port} occupied by the console', '端口 {port} 被控制台占用'],
  https: ['Port {port} occupied by the console over HTTPS', '端口 {port} 被 HTTPS 控制台占用'],
  files: ['Port {port} occupied by HLS and downloads', '端口 {port} 被 HLS 与下载服务占用'],
  links: ['Port {port} occupied by device registration', '端口 {port} 被设备注册占用'],
  srt: ['Port {port} occupied by the shared SRT port', '端口 {port} 被共享 SRT 端口占用'],
  rtmp: ['Port {port} occupied by the shared RTMP port', '端口 {port} 被共享 RTMP 端口占用'],
  forward: ['Port {port} occupied by a port forward', '端口 {port} 被端口转发占用'],
  'ndi-server': ['Port {port} occupied by the NDI discovery server', '端口 {port} 被 NDI 发现服务器占用'],
  input: ['Port {port} occupied by input {name}', '端口 {port} 被输入 {name} 占用'],
  output: ['Port {port} occupied by output {name}', '端口 {port} 被输出 {name} 占用'],
  panel: ['Port {port} occupied by the panels of matrix {name}', '端口 {port} 被矩阵 {name} 的面板占用'],
  program: ['Port {port} occupied by the program {name}', '端口 {port} 被程序 {name} 占用']
}

// One line each, because the line stands at the field.
const TARGET_SENTENCES = {
  ofChannel: [
    'Output “{name}” of channel “{channel}” already sends to this address. Enter another address or stream key, or change that output.',
    '频道“{channel}”的输出“{name}”已使用此地址。请输入其他地址或推流密钥，或更改该输出。'
  ],
  named: [
    'Output “{name}” already sends to this address. Enter another address or stream key, or use that output.',
    '输出“{name}”已使用此地址。请输入其他地址或推流密钥，或直接使用该输出。'
  ],
  hidden: [
    'An output that you cannot see already sends to this address. Enter another address or stream key.',
    '您无权查看的一个输出已使用此地址。请输入其他地址或推流密钥。'
  ]
} as const satisfies Record<string, Translation>
const KEY_SENTENCES = {
  ofChannel: [
    'Output “{name}” of channel “{channel}” already has this key. Enter another one.',
    '频道“{channel}”的输出“{name}”已使用此密钥。请换一个。'
  ],
  named: ['Output “{name}” already has this key. Enter another one.', '输出“{name}”已使用此密钥。请换一个。'],
  hidden: [
    'An output that you cannot see already has this key. Enter another one.',
    '您无权查看的一个输出已使用此密钥。请换一个。'
  ]
} as const satisfies Record<keyof typeof TARGET_SENTENCES, Translation>

const FORBIDDEN: Translation = [
  'Streams may not use this address.\nChoose another one. Private addresses can be allowed in the settings, cloud metadata addresses cannot.',
  '不允许流使用此地址。\n请换一个地址。私有地址可在设置中允许，云平台元数据地址不可。'
]

const SAME_HOST: Translation = [
  'Input and output must not use the same domain\nThe channel would receive from {host} and send to it. Domain names must differ, unless that host only relays the stream.',
  '输入和输出不能使用相同的域名\n频道将从 {host} 接收，又向它发送。域名必须不同，除非该主机只是转发码流。'
]

const SWITCH_FAULT_SENTENCES: Readonly<Record<NonNullable<Envelope['switch-fault']>, Translation>> = {
  stopped: ['The channel is stopped\nStart it first.', '频道已停止\n请先启动频道。'],
  'no-media': [
    'This input has no data\nThe input on air was not changed. Check the source, then try again.',
    '此输入没有媒体流\n播出内容未改变。请检查信号源后重试。'
  ],
  'no-slate': ['The slate is off\nTurn it on in the settings of the channel.', '垫片未启用\n请在频道设置中启用。']
}

/** Which port is occupied, and by what. */
export function portText(language: Language, port: number, holder: PortHolder | undefined): string {
  const isUnknownProgram = holder?.of === 'program' && holder.name === undefined
  const sentence = isUnknownProgram ? OTHER_PROGRAM : holder ? PORT_HOLDER_SENTENCES[holder.of] : PORT
  return translate(language, sentence, { port, name: holder?.name ?? '' })
}

/** Which output has the target of another one already, and what to do. */
function targetText(language: Language, { field, holder, 'owner-o': channels = [] }: Envelope): string {
  const { name = '' } = holder ?? {}
  const kind = channels.length > 0 ? 'ofChannel' : holder ? 'named' : 'hidden'
  const sentences = field === 'config.key' ? KEY_SENTENCES : TARGET_SENTENCES
  return translate(language, sentences[kind], { name, channel: channels.join(', ') })
}

type ResponseFields = Envelope &
  DiskSpaceDetails &
  UpdateRefusal &
  ExportRefusal &
  TakeRefusal &
  MatrixRefusal &
  Partial<Omit<ActionResult, 'result'>>

/** Lines of the message: the problem, then the next steps. Empty if the result code is sufficient. */
function messageLines(language: Language, response: ResponseFields): string[] {
  const { result, port, holder, exists, of, max = 0, used = 0 } = response
  if (response['license-state'] !== undefined)
    return licenseLines(language, response['license-state'], response['license-reason'])
  if (response['update-fault']) return updateFaultLines(language, response['update-fault'], response)
  if (response['export-fault']) return exportFaultLines(language, response['export-fault'], response)
  const webFault = webFaultLines(language, result, response.fault)
  if (webFault) return webFault
  const [what = '', ...next] = codeLines(language, result)
  if (port) return [portText(language, port, holder), ...next]
  if (freeSpace(response['free-size'] ?? Number.POSITIVE_INFINITY))
    return firmwareErrorLines(language, 'space-below-minimum')
  const routerLines = routerErrorLines(language, response)
  if (routerLines.length > 0) return routerLines
  const switchFault = response['switch-fault']
  if (switchFault) return translate(language, SWITCH_FAULT_SENTENCES[switchFault]).split('\n')
  if (response.losses) return lossLines(language, response.losses)
  const host = response['same-host']
  if (host !== undefined) return translate(language, SAME_HOST, { host }).split('\n')
  if (response.forbidden) return translate(language, FORBIDDEN).split('\n')
  if (exists === 'server' && response.field) return [targetText(language, response)]
  if (exists) return [translate(language, EXISTING_SENTENCES[exists]), ...next]
  if (of && of in LICENSE_LIMIT_SENTENCES)
    return [what, translate(language, LICENSE_LIMIT_SENTENCES[of as keyof LicenseLimits], { max, used })]
  if (of) return [what, translate(language, COUNT_LIMITS[of as ObjectKind], { max }), ...next]
  return deviceResultLines(language, response)
}

function addMessage<Fields extends ResponseFields>(language: Language, fields: Fields): Fields {
  const lines = messageLines(language, fields)
  return lines.length > 0 ? { ...fields, message: lines.join('\n') } : fields
}

/** Adds the message to a response, and to each result in `details`. */
export function addMessages(
  language: Language,
  response: ResponseFields & { details?: readonly ResponseFields[] }
): object {
  const { details } = response
  if (!details) return addMessage(language, response)
  return addMessage(language, { ...response, details: details.map((result) => addMessage(language, result)) })
}
