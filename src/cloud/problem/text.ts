import type { Translation } from '../../text/language.ts'

export const TEXT = {
  hub: ['Hub', '中控'],
  name: ['Name', '名称'],
  state: ['State', '状态'],
  cause: ['Cause', '原因'],
  since: ['Since', '起始'],
  group: ['Hub group', '中控组'],
  noGroup: ['No group', '未分组'],
  severity: ['Severity', '严重程度'],
  bad: ['Critical', '严重'],
  warn: ['Warning', '告警'],
  open: ['Open {0}', '打开 {0}'],
  offline: ['The hub is not connected.', '中控未连接。'],
  offlineStep: ['Check its power and network.', '请检查其电源和网络。'],
  silentStep: ['Update the hub if this does not end by itself.', '若未自行恢复，请更新该中控。'],
  lastKnown: ['Last known state', '最后已知状态'],
  unlisted: [
    '{0} more are not listed, because a hub reports its worst ones only. Open the hub to see them.',
    '另有 {0} 项未列出，因为中控仅报告最严重的部分。打开该中控可查看。'
  ],
  further: [
    'The worst {0} of {1} are shown. Search to find others.',
    '显示最严重的 {0} 项，共 {1} 项。可搜索查找其他项。'
  ],
  unreachable: ['The hub is not connected', '中控未连接']
} as const satisfies Record<string, Translation>
