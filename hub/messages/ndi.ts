// Sentences about NDI.
import type { OutdatedNdiProcess } from '../../contract/ndi/status.ts'
import { type Language, type Translation, translate } from './language.ts'

const PROCESSES: Readonly<Record<OutdatedNdiProcess['role'], Translation>> = {
  find: ['Search for sources', '查找源'],
  receive: ['Input {0}', '输入 {0}'],
  send: ['Output {0}', '输出 {0}'],
  route: ['Router {0}', '路由 {0}']
}

/** What an NDI process does, with the name of its source. */
export const ndiProcessText = (language: Language, { role, name }: Omit<OutdatedNdiProcess, 'text'>): string =>
  translate(language, PROCESSES[role], [name])
