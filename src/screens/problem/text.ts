export const TEXT = {
  show: ['Show', '显示'],
  all: ['All', '全部'],
  open: ['Not acknowledged', '未确认'],
  acknowledged: ['Acknowledged', '已确认'],
  kind: ['Type', '类型'],
  everything: ['All types', '全部类型'],
  channels: ['Channels', '频道'],
  outputs: ['Outputs', '输出'],
  devices: ['Devices', '设备'],
  ports: ['Ports', '端口'],
  storage: ['Storage', '存储'],
  engine: ['Stream engine', '流引擎'],
  none: ['No problems', '没有问题'],
  noneText: ['Nothing is down or degraded, and no device reports a problem.', '没有中断或异常，设备没有报告问题。'],
  noMatch: ['No problem matches the filter', '没有符合筛选条件的问题'],
  history: ['Recent events', '最近事件'],
  allLogs: ['All logs', '全部日志']
} as const
