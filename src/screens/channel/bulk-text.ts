// Sentences of the dialog that edits many channels.
import type { Translation } from '../../text/language.ts'

export const TEXT = {
  part: ['What to change', '更改内容'],
  addOutput: ['Add output', '添加输出'],
  removeOutputs: ['Remove outputs', '移除输出'],
  keyHint: ['A stream key for each channel:', '每个频道的推流密钥：'],
  placeholders: [
    '{name} is the name of the channel, {n} is 1, 2, 3… Ports count up.',
    '{name} 为频道名称，{n} 为 1、2、3…，端口依次递增。'
  ],
  which: ['Outputs to remove', '要移除的输出'],
  whichHint: ['They stay saved, and can be added again.', '输出会保留，可再次添加。'],
  keep: ['Do not change', '不更改'],
  on: ['On', '已启用'],
  off: ['Off', '未启用'],
  backHint: ['0: stays on the backup.', '0：停留在备用输入。'],
  backups: ['Backups', '备用输入'],
  clearHint: [
    'Replaces the schedule of each channel. Without times, clears it.',
    '替换各频道的定时计划；不设定时则清除。'
  ],
  inherit: ['Inherit', '继承'],
  back: ['Back', '返回'],
  change: ['{0}: {1} → {2}', '{0}：{1} → {2}'],
  noChange: ['No change', '无更改'],
  summary: ['{0} of {1} channels change.', '{1} 个频道中有 {0} 个将更改。'],
  apply: ['Apply changes', '应用更改'],
  full: ['A channel has at most {0} outputs.', '每个频道最多 {0} 个输出。']
} as const satisfies Record<string, Translation>
