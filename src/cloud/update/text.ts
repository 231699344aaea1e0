import type { Translation } from '../../text/language.ts'

export const TEXT = {
  title: ['Update hubs', '更新中控'],
  version: ['Version', '版本'],
  state: ['State', '状态'],
  now: ['Progress', '进度'],
  hubs: ['Hubs', '中控'],
  user: ['Started by', '启动者'],
  started: ['Started', '开始时间'],
  progress: [
    '{done} of {all} updated, {failed} failed, {skipped} skipped',
    '共 {all} 台，已更新 {done}，失败 {failed}，跳过 {skipped}'
  ],
  none: ['No updates yet', '暂无更新'],
  noneText: ['Hubs are updated in waves. Select them in the list of hubs.', '中控分批更新。请在中控列表中选择。'],
  choose: ['Choose hubs', '选择中控'],
  notFound: ['There is no such update', '没有此更新'],
  pause: ['Pause', '暂停'],
  resume: ['Resume', '继续'],
  cancelRest: ['Cancel the rest', '取消其余'],
  cancelText: [
    'Hubs that have started go on. The others keep their version.',
    '已开始的中控继续更新，其余保持当前版本。'
  ],
  remove: ['Delete', '删除'],
  removeText: ['The hubs keep their versions.', '中控保持当前版本。'],
  outcome: ['Update to {0}', '更新到 {0}'],
  wave: ['Wave', '批次'],
  plan: ['Waves', '批次计划'],
  planText: [
    'First {first}, then {growth} times as many in each wave, {wave} at most',
    '首批 {first} 台，之后每批为前一批的 {growth} 倍，最多 {wave} 台'
  ],
  pauseBetween: ['Pause between waves', '批次间隔'],
  nextWave: ['Wave {0} works. Next wave in {1}', '第 {0} 批运行正常，{1}后开始下一批'],
  currentWave: ['Wave {0} is being updated', '正在更新第 {0} 批'],
  since: ['Since', '持续时间'],
  name: ['Name', '名称'],
  reason: ['Reason', '原因'],
  checking: ['Asking the hubs: {0} of {1}', '正在查询中控：{0}/{1}'],
  release: ['Release', '版本'],
  noRelease: [
    'No release to which one of these hubs can be updated. Each hub gets its releases from the server in its settings, Upgrade.',
    '没有可用于这些中控的版本。各中控从其“设置 - 升级”中的服务器获取版本。'
  ],
  ready: ['{0} of {1} hubs can be updated. The others are skipped:', '{1} 台中控中有 {0} 台可更新，其余将跳过：'],
  allReady: ['All {0} hubs can be updated.', '全部 {0} 台中控均可更新。'],
  notOffered: ['{0}: it does not offer this version', '{0}：未提供此版本'],
  reasonOf: ['{0}: {1}', '{0}：{1}'],
  moreSkipped: ['and {0} more', '以及另外 {0} 台'],
  what: [
    'Each hub downloads the release from its own server, installs it on trial, and goes back by itself if it does not work. Streams go on, from the version before, until an operator switches them over.',
    '各中控从自己的服务器下载版本并试运行，如不正常则自动回退。流以之前的版本继续播出，直到操作员切换。'
  ],
  first: ['Hubs of the first wave', '首批中控数'],
  growth: ['Growth: each further wave is N times as large', '之后每批的增长倍数'],
  largest: ['Hubs of a wave at most', '每批最多中控数'],
  minutes: ['Minutes that a wave must work before the next one', '每批须正常运行的分钟数'],
  stopAfter: ['Stop after N failures (0 = never)', '失败 N 台后停止（0 = 不停止）'],
  interrupt: ['Interrupt streams on hubs where this release needs it', '如版本需要，允许中断中控上的流']
} as const satisfies Record<string, Translation>
