export const TEXT = {
  title: ['Port Forwarding', '端口转发'],
  start: ['Forward a port', '转发端口'],
  startVerb: ['Start', '开始'],
  stop: ['Stop', '停止'],
  stopMany: ['Stop {0}', '停止 {0} 项'],
  stopTitle: ['Stop forwarding {0}?', '停止转发 {0}？'],
  stopText: ['Open connections are cut.', '已有连接将被中断。'],
  these: ['{0} ports', '{0} 个端口'],
  device: ['Device', '设备'],
  deviceHint: ['Type part of its name or serial number.', '输入名称或序列号的一部分。'],
  found: ['{0} ({1})', '{0}（{1}）'],
  local: ['Local port', '本地端口'],
  localHint: ['Of the hub; empty = the hub chooses.', '中心的端口，留空则由中心选择。'],
  remote: ['Remote port', '远程端口'],
  remoteHint: ['Of the device, such as 80 or 22.', '设备的端口，例如 80 或 22。'],
  warning: [
    'Whoever reaches the hub’s address can use the port, without signing in.',
    '任何能访问中心地址的人无需登录即可使用该端口。'
  ],
  address: ['Address', '地址'],
  copy: ['Copy address', '复制地址'],
  state: ['State', '状态'],
  idle: ['Idle', '空闲'],
  connected: ['Connected', '已连接'],
  traffic: ['Traffic', '流量'],
  trafficText: ['{0} to the device, {1} from it', '发往设备 {0}，来自设备 {1}'],
  connections: ['Connections', '连接数'],
  by: ['Started by', '发起人'],
  since: ['Started', '开始时间'],
  none: ['No port is forwarded', '没有转发的端口'],
  noneText: [
    'A port of the hub can lead to one of a device, as long as you are signed in.',
    '在您登录期间，可将中心的端口转发到设备的端口。'
  ]
} as const
