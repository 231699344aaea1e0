export const TEXT = {
  show: ['Show', '显示'],
  all: ['All', '全部'],
  open: ['Not acknowledged', '未确认'],
  acknowledged: ['Acknowledged', '已确认'],
  acknowledgeAll: ['Acknowledge all', '全部确认'],
  kind: ['Type', '类型'],
  everything: ['All types', '全部类型'],
  channels: ['Channels', '频道'],
  outputs: ['Outputs', '输出'],
  devices: ['Devices', '设备'],
  ports: ['Ports', '端口'],
  storage: ['Storage', '存储'],
  engine: ['Stream engine', '流引擎'],
  certificate: ['HTTPS certificate', 'HTTPS 证书'],
  backup: ['Backup', '备份'],
  history: ['Recent events', '最近事件'],
  allLogs: ['All logs', '全部日志']
} as const
