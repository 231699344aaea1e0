// Sentences of the charts of a channel's history.
import type { Translation } from '../../text/language.ts'

export const TEXT = {
  title: ['Measured values', '测量数据'],
  period: ['Period', '时段'],
  earlier: ['Earlier', '更早'],
  later: ['Later', '更晚'],
  now: ['Now', '现在'],
  empty: ['Nothing was recorded in this period.', '该时段没有记录。'],
  rates: ['Bit rate and state', '码率与状态'],
  input: ['Input', '输入'],
  outputs: ['All outputs', '全部输出'],
  losses: ['Packet loss', '丢包'],
  lost: ['Lost packets', '丢失的包'],
  errors: ['Continuity errors', '连续性错误'],
  viewers: ['Viewers', '观看者'],
  mostViewers: ['Most viewers', '最多观看者'],
  other: ['Waiting or starting', '等待或启动中'],
  unrecorded: ['Not recorded', '未记录'],
  rateFacts: ['lowest {0}, mean {1}, highest {2}', '最低 {0}，平均 {1}，最高 {2}'],
  share: ['{0} ({1})', '{0}（{1}）'],
  partly: ['{0} for {1} of {2}', '{2}中有 {1} {0}'],
  moreEvents: ['{0} more', '还有 {0} 个']
} as const satisfies Record<string, Translation>

/** Names of the periods. */
export const PERIOD_NAMES = {
  hour: ['Hour', '小时'],
  day: ['Day', '天'],
  week: ['Week', '周'],
  month: ['Month', '月'],
  year: ['Year', '年']
} as const satisfies Record<string, Translation>

/** Why nothing is recorded. */
export const PAUSE_REASONS = {
  'disk-full': [
    'Recording is paused: the disk of the hub is full. Free some space.',
    '记录已暂停：中控的磁盘已满，请清理空间。'
  ],
  'disk-failed': ['Recording is paused: the hub cannot write to its disk.', '记录已暂停：中控无法写入磁盘。'],
  'too-many-channels': [
    'This channel is not recorded: the hub records {0} channels at most.',
    '该频道未被记录：中控最多记录 {0} 个频道。'
  ]
} as const satisfies Record<string, Translation>
