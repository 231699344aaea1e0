// Whole answers of the hub in words: what happened, with the numbers and names that the answer has, and what to do next.
import type { AnsweredNoun, Envelope } from '../../contract/call.ts'
import {
  ADDRESS_IN_USE,
  ALREADY_EXISTS,
  NAME_EXISTS,
  NOT_EXIST,
  PORT_OCCUPIED,
  TOO_MANY
} from '../../contract/codes.ts'
import { codeText, NO_CONNECTION, NO_RESPONSE, REQUEST_TIMED_OUT } from './codes.ts'
import { dateTime } from './dates.ts'
import { type Pair, t } from './language.ts'

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

const TEXT = {
  port: ['Port {port} occupied', '端口 {port} 被占用'],
  atMost: ['{max} at most', '最多 {max} 个'],
  deletedBy: ['Deleted by {name}: {time}', '删除者：{name}，{time}'],
  changedBy: ['Changed by {name}: {time}', '更改者：{name}，{time}']
} as const satisfies Record<string, Pair>

// The next step, where there is one; codes that call for the same one share it.
const STEPS: readonly (readonly [Pair, ...number[]])[] = [
  [['Try again in a moment.', '请稍后重试。'], 1, 10, 11, 28, 43, 45],
  [
    ['It may have been done all the same: look before you try again.', '操作可能已经完成，请确认后再重试。'],
    2,
    REQUEST_TIMED_OUT
  ],
  [['Check what you entered.', '请检查输入的内容。'], 7, 19, 20, 27, 32, -10, -28],
  [['Check user name and password.', '请检查用户名和密码。'], 36],
  [['Free some space first.', '请先释放空间。'], 29],
  [['Check its power and network.', '请检查其电源和网络。'], 12, 47, 10004, 10007, NO_RESPONSE],
  [['Choose another one.', '请换一个。'], 22, 23, 24, 25, 30, 41, 46, 1001, 1002, 1003, 1007, 1008],
  [['An administrator can grant it to your user group.', '管理员可以为您的用户组授予该权限。'], 31],
  [['Check address and port.', '请检查地址和端口。'], 44],
  [['What is shown is the present state.', '当前显示的是最新状态。'], 16, 38, 48, 1004, -14],
  [['The license allows no more.', '许可证允许的数量已用完。'], 1006],
  [['Check your network connection.', '请检查网络连接。'], NO_CONNECTION]
]

/** What the answer's own numbers and names make of its code; nothing where the code alone says it. */
function preciseText({ result, port, exists }: Envelope): string | undefined {
  if (port !== undefined && (result === PORT_OCCUPIED || result === ADDRESS_IN_USE)) return t(TEXT.port, { port })
  if (exists && (result === NAME_EXISTS || result === ALREADY_EXISTS)) return t(EXISTS[exists])
  return undefined
}

/** The sentences of an answer, each for a line of its own: what happened, then what else is known of it and what to do next. */
export function answerText(answer: Envelope): string[] {
  const { result, max, of, by } = answer
  const step = STEPS.find(([, ...codes]) => codes.includes(result))?.[0]
  return [
    preciseText(answer) ?? codeText(result),
    ...(result === TOO_MANY && max !== undefined ? [t(of ? AT_MOST[of] : TEXT.atMost, { max })] : []),
    ...(by
      ? [t(result === NOT_EXIST ? TEXT.deletedBy : TEXT.changedBy, { name: by.name, time: dateTime(by.time) })]
      : []),
    ...(step ? [t(step)] : [])
  ]
}

/** `answerText` for a relayed call: when time ran out it was the device's, since the hub itself would have answered. */
export function deviceAnswerText(answer: Envelope): string[] {
  return answerText(answer.result === REQUEST_TIMED_OUT ? { result: NO_RESPONSE } : answer)
}
