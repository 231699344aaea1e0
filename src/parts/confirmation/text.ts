import type { Translation } from '../../text/language.ts'

/** {0}: name of the changed interface, or of the firewall. */
export const TEXT = {
  keepQuestion: ['Keep the new settings of {0}?', '保留 {0} 的新设置？'],
  keepText: [
    'Without a confirmation, the previous settings return in {0} s.',
    '如不确认，将在 {0} 秒后恢复之前的设置。'
  ],
  changedBy: ['Changed by {0}', '由 {0} 更改'],
  keep: ['Keep settings', '保留设置'],
  kept: ['Settings of {0} kept', '已保留 {0} 的设置'],
  undo: ['Undo now', '立即撤销'],
  restoring: ['Restoring the previous settings of {0}', '正在恢复 {0} 之前的设置'],
  undone: ['The change of {0} was undone: {1}', '{0} 的更改已撤销：{1}'],
  undoneText: ['The previous settings are in effect again.', '之前的设置已恢复生效。'],
  notKept: ['The change of {0} was not kept: {1}', '{0} 的更改未保留：{1}'],
  notKeptText: [
    'It is not known whether the previous settings are in effect. Check the settings below.',
    '无法确定之前的设置是否已恢复生效，请检查下方的设置。'
  ],
  tryAgain: ['Try again', '重试']
} as const satisfies Record<string, Translation>
