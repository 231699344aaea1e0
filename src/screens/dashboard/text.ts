export const TEXT = {
  channels: ['Channels', '频道'],
  none: ['No channels', '没有频道'],
  noneText: [
    'A channel carries the picture of a device or of another source to its outputs.',
    '频道将设备或其他来源的画面送到各个输出。'
  ],
  add: ['Add channel', '添加频道'],
  noneInState: ['No channel is in this state', '没有处于此状态的频道'],
  density: ['Density', '密度'],
  summary: ['Machine, network, devices', '主机、网络、设备'],
  system: ['System', '系统'],
  cpuLoad: ['CPU {0}', 'CPU {0}'],
  memoryLoad: ['memory {0}', '内存 {0}'],
  network: ['Network', '网络'],
  rateIn: ['{0} in', '接收 {0}'],
  rateOut: ['{0} out', '发送 {0}'],
  devices: ['Devices', '设备'],
  numOnline: ['{0} online', '{0} 台在线'],
  numOffline: ['{0} offline', '{0} 台离线'],
  numWarnings: ['{0} with warnings', '{0} 台告警'],
  numPending: ['{0} pending', '{0} 台待审批'],
  starts: ['{0} starts', '{0} 启动'],
  stops: ['{0} stops', '{0} 停止']
} as const

export const DENSITY_NAMES = {
  tiles: ['Tiles', '大图'],
  small: ['Small', '小图'],
  rows: ['Rows', '列表']
} as const
