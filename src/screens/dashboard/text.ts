// The sentences of the dashboard. Imported as `* as TEXT`, as those of the widgets are (src/ui/text.ts).
import type { Translation } from '../../text/language.ts'

export const channels: Translation = ['Channels', '频道']
export const none: Translation = ['No channels', '没有频道']
export const noneText: Translation = [
  'A channel carries the picture of a device or of another source to its outputs.',
  '频道将设备或其他来源的画面送到各个输出。'
]
export const add: Translation = ['Add channel', '添加频道']
export const noneInState: Translation = ['No channel is in this state', '没有处于此状态的频道']
export const density: Translation = ['Density', '密度']
export const summary: Translation = ['Machine, network, devices', '主机、网络、设备']
export const system: Translation = ['System', '系统']
export const cpuLoad: Translation = ['CPU {0}', 'CPU {0}']
export const memoryLoad: Translation = ['memory {0}', '内存 {0}']
export const network: Translation = ['Network', '网络']
export const rateIn: Translation = ['{0} in', '接收 {0}']
export const rateOut: Translation = ['{0} out', '发送 {0}']
export const devices: Translation = ['Devices', '设备']
export const numOnline: Translation = ['{0} online', '{0} 台在线']
export const numOffline: Translation = ['{0} offline', '{0} 台离线']
export const numWarnings: Translation = ['{0} with warnings', '{0} 台告警']
export const numPending: Translation = ['{0} pending', '{0} 台待审批']
export const starts: Translation = ['{0} starts', '{0} 启动']
export const stops: Translation = ['{0} stops', '{0} 停止']
