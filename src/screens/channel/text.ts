// Sentences of channels. Imported as `* as TEXT`, so that the bundle leaves out unused ones and contains no names of sentences.
import { type Translation, t } from '../../text/language.ts'

export const title: Translation = ['Channels', '频道']
export const name: Translation = ['Name', '名称']
export const state: Translation = ['State', '状态']
export const input: Translation = ['Input', '输入']
export const outputs: Translation = ['Outputs', '输出']
export const rate: Translation = ['Bit rate', '码率']
export const upTime: Translation = ['Up time', '运行时间']
export const add: Translation = ['Add channel', '添加频道']
export const settings: Translation = ['Settings', '设置']
export const start: Translation = ['Start {0}', '启动 {0}']
export const stop: Translation = ['Stop {0}', '停止 {0}']
export const remove: Translation = ['Delete {0}', '删除 {0}']
export const itemCount: Translation = ['{0} items', '{0} 项']
export const removeText: Translation = [
  'The channel goes off air. Inputs and outputs are kept.',
  '频道将停止播出，输入和输出会保留。'
]
export const stopText: Translation = ['Viewers lose the picture.', '观众将看不到画面。']
export const setInput: Translation = ['Change input', '更改输入']
/** A title: an action and its object. */
export const of: Translation = ['{0}: {1}', '{0}：{1}']
export const awaitsPush: Translation = ['Waiting for incoming stream', '等待推流']
export const unknown: Translation = [
  'This channel does not exist, or you have no access to it.',
  '频道不存在，或您无权访问。'
]
export const hiddenInput: Translation = ['Device of other users', '其他用户的设备']
export const hiddenText: Translation = [
  'You may not see this device. An administrator can give you access to it.',
  '您无权查看此设备，可由管理员授予访问权限。'
]
export const addOutput: Translation = ['Add output', '添加输出']
export const duplicate: Translation = ['Duplicate', '复制频道']
export const leftOut: Translation = ['Not copied: {0}', '未复制：{0}']
export const leftOutPort: Translation = ['port in use', '端口已被占用']
export const leftOutTarget: Translation = ['target in use', '目标已被使用']
export const leftOutDevice: Translation = ['decoder', '解码器']
export const sendToDecoder: Translation = ['Send to decoder', '发送到解码器']
export const savedOutput: Translation = ['Saved output', '已保存的输出']
export const edit: Translation = ['Edit {0}', '编辑 {0}']
export const detach: Translation = ['Remove {0}', '移除 {0}']
export const outputsLive: Translation = ['{0} of {1} outputs on air', '{1} 个输出中 {0} 个播出中']
export const stopped: Translation = ['Stopped', '已停止']
export const existing: Translation = ['Device or input', '设备或输入']
export const none: Translation = ['None', '无']
export const addInput: Translation = ['Add input', '添加输入']
export const protocol: Translation = ['Protocol', '协议']
export const address: Translation = ['Address', '地址']
export const outputPort: Translation = ['SRT output port', 'SRT 输出端口']
export const optional: Translation = ['Optional', '可选']
export const empty: Translation = ['No channels yet', '暂无频道']
export const emptyText: Translation = ['A channel sends one input to many outputs.', '频道将一个输入发送到多个输出。']
export const picture: Translation = ['Live picture', '实时画面']
export const keysTitle: Translation = ['Ingest and playback', '推流与拉流地址']
export const push: Translation = ['Ingest', '推流']
export const pushKey: Translation = ['Ingest key', '推流密钥']
export const play: Translation = ['Playback', '拉流']
export const playKey: Translation = ['Playback key', '拉流密钥']
export const renew: Translation = ['New key', '更换密钥']
export const renewText: Translation = ['Current connections will be dropped.', '现有连接将被断开。']
export const clients: Translation = ['Connected', '已连接']
export const drop: Translation = ['Disconnect', '断开']
export const average: Translation = ['Average', '平均']
export const peak: Translation = ['Peak', '峰值']
export const roundTrip: Translation = ['Round trip', '往返时间']
export const lost: Translation = ['Lost', '丢失']
export const dropped: Translation = ['Dropped', '丢弃']
export const sentAgain: Translation = ['Retransmitted', '重传']
export const recovered: Translation = ['Recovered', '已恢复']
export const gaps: Translation = ['Discontinuities', '中断次数']
export const since: Translation = ['Since', '统计起点']
export const reset: Translation = ['Reset statistics', '重置统计']
export const period: Translation = ['Period', '时段']
export const instant: Translation = ['Real time', '实时']
export const hour: Translation = ['Past 60 minutes', '过去 60 分钟']
export const backup: Translation = ['Backup', '备用输入']
export const addBackup: Translation = ['Add backup', '添加备用输入']
export const raise: Translation = ['Move up {0}', '上移 {0}']
export const onAir: Translation = ['On air', '播出中']
export const after: Translation = ['Fail over after (s)', '主备切换等待（秒）']
export const lossBound: Translation = ['Degraded above packet loss (%)', '判为降级的丢包率（%）']
export const discontinuityBound: Translation = ['Degraded above discontinuities in 10 s', '判为降级的 10 秒内中断次数']
export const back: Translation = ['Return to main after (s)', '恢复主用等待（秒）']
export const ndi: Translation = ['NDI output', 'NDI 输出']
export const slate: Translation = ['Show slate when input is lost', '输入中断时播出垫片']
export const schedule: Translation = ['Schedule', '定时计划']
export const addTimes: Translation = ['Add time slot', '添加定时']
export const addEvent: Translation = ['Add date', '添加日期']
export const startField: Translation = ['Start', '启动']
export const stopField: Translation = ['Stop', '停止']
export const startsAt: Translation = ['Starts {0}', '{0} 启动']
export const stopsAt: Translation = ['Stops {0}', '{0} 停止']
export const past: Translation = ['Past', '已过期']
export const zone: Translation = ['Time zone', '时区']
export const byHand: Translation = [
  'A manual start or stop holds until the next scheduled change.',
  '手动启停在下一次定时之前有效。'
]
export const allowed: Translation = ['Allowed addresses', '允许的地址']
export const allowedHint: Translation = ['At most 32: 192.0.2.7, 10.0.0.0/8', '最多 32 个：192.0.2.7, 10.0.0.0/8']
export const replacePublisher: Translation = ['A new publisher replaces the current one', '新的发布者取代当前发布者']
export const log: Translation = ['Logs', '日志']
export const offline: Translation = ['Offline', '离线']
export const counts: Translation = [
  '{0} channels, {1} started, {2} live, {3} outputs on, {4} SRT servers',
  '{0} 个频道，{1} 个已启动，{2} 个直播中，{3} 个活动输出，{4} 个 SRT 服务器'
]

/** Label of a shared port: its number, or 'Settings' if the number is not given. */
export const portLabel = (name: string, port?: number): string => t(of, name.toUpperCase(), port ?? t(settings))
