// Answers with a message: in words what they say besides their result, for what the console has no sentences of its own.
import type { AnsweredNoun, Envelope, PortHolder } from '../../contract/call.ts'
import type { ActionResult } from '../../contract/device/action.ts'
import type { SpaceNumbers } from '../../contract/firmware.ts'
import type { LicenseLimits } from '../../contract/license.ts'
import { freeSpace } from '../../contract/rules/file.ts'
import type { UpdateRefused } from '../../contract/update.ts'
import { codeLines, isSaidHereAlone } from './codes.ts'
import { deviceResultLines } from './device-results.ts'
import { type Language, type Pair, say } from './language.ts'
import { updateFaultLines } from './updates.ts'

const EXISTS: Readonly<Record<AnsweredNoun, Pair>> = {
  user: ['User already exists', '用户已存在'],
  group: ['Group already exists', '用户组已存在'],
  server: ['The server already exists', '服务器已存在']
}

const AT_MOST: Readonly<Record<AnsweredNoun, Pair>> = {
  user: ['max users {max}', '最多 {max} 个用户'],
  group: ['max groups {max}', '最多 {max} 个用户组'],
  server: ['{max} servers at most', '最多 {max} 个服务器']
}

const LICENSED: Readonly<Record<keyof LicenseLimits, Pair>> = {
  'max-channel-count': [
    'The license allows {max} channels, and there are {used}.',
    '许可证允许 {max} 个频道，现有 {used} 个。'
  ],
  'max-live-count': [
    'The license allows {max} channels at a time, and {used} are started.',
    '许可证允许同时启动 {max} 个频道，已启动 {used} 个。'
  ],
  'max-output-count': [
    'The license allows {max} active outputs, and {used} are in use.',
    '许可证允许 {max} 个活动输出，已使用 {used} 个。'
  ],
  'max-srt-count': [
    'The license allows {max} SRT servers, and {used} are in use.',
    '许可证允许 {max} 个 SRT 服务器，已使用 {used} 个。'
  ]
}

const SPACE: Pair = ['Less than {min} MB of space', '可用空间不足 {min} MB']
const PORT: Pair = ['Port {port} occupied', '端口 {port} 被占用']
const HELD: Readonly<Record<PortHolder['of'], Pair>> = {
  web: ['Port {port} occupied: the console', '端口 {port} 被控制台占用'],
  links: ['Port {port} occupied: registration of devices', '端口 {port} 被设备注册占用'],
  srt: ['Port {port} occupied: shared SRT port', '端口 {port} 被共享 SRT 端口占用'],
  rtmp: ['Port {port} occupied: shared RTMP port', '端口 {port} 被共享 RTMP 端口占用'],
  forward: ['Port {port} occupied: a forwarded port', '端口 {port} 被端口转发占用'],
  input: ['Port {port} occupied: input {name}', '端口 {port} 被输入 {name} 占用'],
  output: ['Port {port} occupied: output {name}', '端口 {port} 被输出 {name} 占用']
}

const FORBIDDEN: Pair = [
  'Streams may not use this address.\nChoose another one. The settings can allow private addresses, but none where clouds keep secrets.',
  '不允许流使用此地址。\n请换一个地址。私有地址可在设置中允许，云平台元数据地址不可。'
]

type Told = Envelope & SpaceNumbers & UpdateRefused & Partial<Omit<ActionResult, 'result'>>

/** What happened, and what to do next, each for a line of its own; none where the result alone says it. */
function linesOf(language: Language, told: Told): string[] {
  const { result, port, holder, exists, of, max = 0, used = 0 } = told
  if (told['update-fault']) return updateFaultLines(language, told['update-fault'], told)
  const [what = '', ...next] = codeLines(language, result)
  if (port) return [say(language, holder ? HELD[holder.of] : PORT, { port, name: holder?.name ?? '' }), ...next]
  const { min = 0 } = freeSpace(told['free-size'] ?? Number.POSITIVE_INFINITY) ?? {}
  if (min) return [say(language, SPACE, { min }), ...next]
  if (told.forbidden) return say(language, FORBIDDEN).split('\n')
  if (exists) return [say(language, EXISTS[exists]), ...next]
  if (of && of in LICENSED) return [what, say(language, LICENSED[of as keyof LicenseLimits], { max, used })]
  if (of) return [what, say(language, AT_MOST[of as AnsweredNoun], { max }), ...next]
  const lines = deviceResultLines(language, told)
  return lines.length === 0 && isSaidHereAlone(result) ? [what, ...next] : lines
}

function worded<Answer extends Told>(language: Language, answer: Answer): Answer {
  const lines = linesOf(language, answer)
  return lines.length > 0 ? { ...answer, message: lines.join('\n') } : answer
}

/** An answer with its message, and so the results of several devices in it. */
export function withMessage(language: Language, answer: Told & { details?: readonly Told[] }): object {
  const { details } = answer
  return worded(language, details ? { ...answer, details: details.map((one) => worded(language, one)) } : answer)
}
