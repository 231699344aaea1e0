// Sentences for errors of a device's streaming servers.
import type { ServerError } from '../../contract/device/live.ts'
import { CHANNEL_OUTPUTS_MAX } from '../../contract/limits.ts'
import { type Language, type Translation, translate } from './language.ts'

const SERVER: Readonly<Record<ServerError, readonly Translation[]>> = {
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
    ['The current state is shown.', '已显示最新状态。']
  ]
}

/** Lines for an error of a streaming server. */
export function serverLines(language: Language, error: ServerError): string[] {
  return SERVER[error].map((line) => translate(language, line, { max: CHANNEL_OUTPUTS_MAX }))
}
