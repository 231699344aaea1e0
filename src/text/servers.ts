// What can go wrong with the streaming servers of a device, in words: what happened, and what to do next.
import { SERVERS_MAX } from '../../contract/limits.ts'
import type { ServerError } from '../../contract/live.ts'
import { type Pair, t } from './language.ts'

const SERVER: Readonly<Record<ServerError, readonly Pair[]>> = {
  exists: [
    ['The server already exists', '服务器已存在'],
    ['Choose another one.', '请换一个。']
  ],
  'too-many': [
    ['{max} servers at most', '最多 {max} 个服务器'],
    ['Remove one first.', '请先移除一个。']
  ],
  deleted: [
    ['The configuration is deleted by others', '该配置已被他人删除'],
    ['The present state is shown.', '已显示最新状态。']
  ]
}

/** The sentences of an error with a streaming server, each for a line of its own. */
export function serverText(error: ServerError): string[] {
  return SERVER[error].map((line) => t(line, { max: SERVERS_MAX }))
}
