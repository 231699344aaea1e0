import type { Translation } from '../../text/language.ts'

export const title: Translation = ['Problems', '问题']
export const one: Translation = ['1 problem', '1 个问题']
export const many: Translation = ['{0} problems', '{0} 个问题']
export const none: Translation = ['No problems', '没有问题']
export const noneText: Translation = [
  'Nothing is down or degraded, and no device reports a problem.',
  '没有中断或异常，设备没有报告问题。'
]
export const noMatch: Translation = ['No problem matches the filter', '没有符合筛选条件的问题']
export const more: Translation = ['{0} more', '还有 {0} 个']
export const checked: Translation = ['Checked {0}', '{0}检查']
export const acknowledged: Translation = ['{0} acknowledged', '{0} 个已确认']
export const all: Translation = ['All problems and events', '全部问题和事件']
export const acknowledgedName: Translation = ['{0} acknowledged', '已确认 {0}']
export const withdrawn: Translation = ['Acknowledgement withdrawn: {0}', '已撤销确认：{0}']
export const acknowledgeCount: Translation = ['Acknowledge {0} problems', '确认 {0} 个问题']
export const acknowledge: Translation = ['Acknowledge', '确认']
export const acknowledgeOf: Translation = ['Acknowledge {0}', '确认 {0}']
export const undo: Translation = ['Undo', '撤销']
export const note: Translation = ['Note', '备注']
export const noteHint: Translation = [
  'Everyone sees it, with your name, until the problem ends.',
  '所有人都能看到备注和您的名字，直到问题结束。'
]
export const ackBy: Translation = ['Acknowledged by {0}', '已由 {0} 确认']
export const storage: Translation = ['Storage', '存储']
export const engine: Translation = ['Stream engine', '流引擎']
export const port: Translation = ['{0} port', '{0} 端口']
export const ofChannel: Translation = ['{0}: {1}', '{0}：{1}']
export const openChannel: Translation = ['Open channel', '打开频道']
export const editOutput: Translation = ['Edit output', '编辑输出']
export const openDevice: Translation = ['Open device', '打开设备']
export const openPorts: Translation = ['Open ports', '查看端口']
export const freeSpace: Translation = ['Delete firmware', '删除固件']
export const staleTitle: Translation = ['The hub is not responding', '中控无响应']
export const staleText: Translation = ['The data shown is {0} old.', '显示的是 {0}前的数据。']
export const machine: Translation = ['Machine', '主机']
export const backup: Translation = ['Backup', '备份']
export const certificate: Translation = ['HTTPS certificate', 'HTTPS 证书']
