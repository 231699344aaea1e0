// Sentences for refused changes at the NDI router.
import type { MatrixRefusal, TakeRefusal } from '../../contract/ndi/router.ts'
import { type Language, type Translation, translate } from './language.ts'

/** Destinations that a sentence names; the others are counted. */
const NAMED_MAX = 5

const TEXT = {
  locked: [
    'Locked: {0}\nNothing was switched. Ask the owner to unlock, or an administrator to override the lock.',
    '已锁定：{0}\n未进行任何切换。请让锁定者解锁，或由管理员强制切换。'
  ],
  owned: ['{0} (by {1})', '{0}（由 {1} 锁定）'],
  failed: [
    'Could not be switched: {0}\nAll other destinations were switched back. Check the NDI router, then try again.',
    '无法切换：{0}\n其他目标均已恢复。请检查 NDI 路由器后重试。'
  ],
  changed: [
    'The matrix was changed meanwhile\nNothing was switched. Check the numbers, then try again.',
    '矩阵已更改\n未进行任何切换。请核对编号后重试。'
  ],
  receivers: [
    'In use by receivers: {0}\nThe change would interrupt them.',
    '正在被接收端使用：{0}\n此更改会中断这些接收端。'
  ],
  more: ['{0} and {1} more', '{0} 等，另有 {1} 个'],
  and: ['{0}, {1}', '{0}、{1}']
} as const satisfies Record<string, Translation>

function listNames(language: Language, names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MAX).reduce((a, b) => translate(language, TEXT.and, [a, b]))
  return names.length > NAMED_MAX ? translate(language, TEXT.more, [shown, names.length - NAMED_MAX]) : shown
}

/** Lines of the message; empty if the response is not about the NDI router. */
export function routerErrorLines(
  language: Language,
  {
    locked = [],
    failed = [],
    'matrix-changed': isChanged,
    'with-receivers': receivers = []
  }: TakeRefusal & MatrixRefusal
): string[] {
  if (isChanged) return translate(language, TEXT.changed).split('\n')
  const sentence = (text: Translation, names: readonly string[]) =>
    translate(language, text, [listNames(language, names)]).split('\n')
  if (locked.length > 0)
    return sentence(
      TEXT.locked,
      locked.map(({ label, by }) => translate(language, TEXT.owned, [label, by]))
    )
  const named = (list: readonly { label: string }[]) => list.map(({ label }) => label)
  if (failed.length > 0) return sentence(TEXT.failed, named(failed))
  return receivers.length > 0 ? sentence(TEXT.receivers, named(receivers)) : []
}
