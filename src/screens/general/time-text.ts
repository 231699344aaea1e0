import type { SyncState, TimeSourceState } from '../../../contract/machine/time.ts'
import type { Translation } from '../../text/language.ts'
import type { Tone } from '../../text/states.ts'

export const TEXT = {
  time: ['Time', '时间'],
  hubTime: ['Time of the hub', '中控时间'],
  zone: ['Time zone', '时区'],
  browserTime: ['Time of this browser', '浏览器时间'],
  difference: ['Difference', '时差'],
  same: ['Less than 2 s', '小于 2 秒'],
  ahead: ['The hub is {0} ahead', '中控快 {0}'],
  behind: ['The hub is {0} behind', '中控慢 {0}'],
  state: ['Synchronization', '同步'],
  offset: ['Offset', '偏差'],
  offsetAhead: ['{0} ahead of the time servers', '比时间服务器快 {0}'],
  offsetBehind: ['{0} behind the time servers', '比时间服务器慢 {0}'],
  lastUpdate: ['Last correction', '上次校正'],
  sources: ['Time servers', '时间服务器'],
  noSources: ['chrony has no time servers.', 'chrony 没有时间服务器。'],
  enterServer: ['Enter one below.', '请在下方填写。'],
  notAnswered: ['No answer yet', '尚无应答'],
  stratum: ['stratum {0}', '层级 {0}'],
  reach: ['{0} of the last 8 requests answered', '最近 8 次请求中有 {0} 次应答'],
  lastAnswer: ['last answer {0}', '上次应答 {0}'],
  measured: ['{0} ± {1}', '{0} ± {1}'],
  ofMachine: ['set on the machine', '由机器配置'],

  setZone: ['Time zone of the hub', '中控时区'],
  zoneHint: [
    'For the log files and programs of the machine. The console shows times in the zone of the browser.',
    '用于机器的日志文件和程序。控制台按浏览器时区显示时间。'
  ],

  setSync: ['Synchronization', '时间同步'],
  useServers: ['Synchronize the clock with time servers (NTP)', '通过时间服务器（NTP）同步时钟'],
  offHint: ['Turned off, the clock drifts. It can then be set by hand.', '关闭后时钟会逐渐产生偏差，可手动设置。'],
  server1: ['Time server 1', '时间服务器 1'],
  server2: ['Time server 2', '时间服务器 2'],
  serverHint: [
    'Name or address. If both are empty, only the servers in the configuration of the machine are used.',
    '域名或地址。均留空时，仅使用机器配置中的服务器。'
  ],

  setClock: ['Set the clock', '设置时钟'],
  clock: ['Date and time, in the zone {0}', '日期和时间（时区 {0}）'],
  clockHint: [
    'Schedules follow the new time at once. Sessions and statistics continue.',
    '定时计划立即按新时间执行，会话和统计不受影响。'
  ],
  useBrowserTime: ['Use the time of this browser', '使用浏览器时间'],
  clockSet: ['Clock set', '已设置时钟']
} as const satisfies Record<string, Translation>

export const STATES: Readonly<Record<SyncState, readonly [tone: Tone, label: Translation]>> = {
  synchronised: ['good', ['Synchronized', '已同步']],
  correcting: ['warn', ['Being corrected', '正在校正']],
  waiting: ['warn', ['Not synchronized: no useful answer from a time server yet', '未同步：时间服务器尚无有效应答']],
  lost: ['bad', ['Not synchronized: the time servers do not answer', '未同步：时间服务器无应答']],
  off: ['warn', ['Off: the clock is not synchronized', '已关闭：时钟未同步']],
  unknown: ['warn', ['Unknown: chrony does not answer', '未知：chrony 无应答']]
}

export const SOURCE_STATES: Readonly<Record<TimeSourceState, readonly [tone: Tone, label: Translation]>> = {
  selected: ['good', ['In use', '使用中']],
  combined: ['good', ['In use', '使用中']],
  unused: ['off', ['Usable, not in use', '可用，未使用']],
  false: ['bad', ['Disagrees with the others', '与其他服务器不一致']],
  unstable: ['warn', ['Unstable', '不稳定']],
  unreachable: ['bad', ['Not usable', '不可用']]
}
