// Answers with a message: in words what they say besides their result, for what the console has no sentences of its own.
import type { AnsweredNoun, Envelope } from '../../contract/call.ts'
import type { ActionResult } from '../../contract/device-action.ts'
import { freeSpace } from '../../contract/file-rules.ts'
import type { SpaceNumbers } from '../../contract/firmware.ts'
import { codeLines, isSaidHereAlone } from './codes.ts'
import { deviceResultLines } from './device-results.ts'
import { type Language, type Pair, say } from './language.ts'

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

const SPACE: Pair = ['Less than {min} MB of space', '可用空间不足 {min} MB']
const PORT: Pair = ['Port {port} occupied', '端口 {port} 被占用']

type Told = Envelope & SpaceNumbers & Partial<Omit<ActionResult, 'result'>>

/** What happened, and what to do next, each for a line of its own; none where the result alone says it. */
function linesOf(language: Language, told: Told): string[] {
  const { result, port, exists, of, max = 0 } = told
  const [what = '', ...next] = codeLines(language, result)
  if (port) return [say(language, PORT, { port }), ...next]
  const { min = 0 } = freeSpace(told['free-size'] ?? Number.POSITIVE_INFINITY) ?? {}
  if (min) return [say(language, SPACE, { min }), ...next]
  if (exists) return [say(language, EXISTS[exists]), ...next]
  if (of) return [what, say(language, AT_MOST[of], { max }), ...next]
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
