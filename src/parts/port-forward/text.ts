export const TEXT = {
  title: ['Port forwarding', '端口转发'],
  start: ['Forward a port', '转发端口'],
  warning: [
    'Anyone who can reach the hub can use this port without signing in.',
    '能访问中控的任何人无需登录即可使用此端口。'
  ],
  stop: ['Stop {0}', '停止 {0}'],
  stopText: ['Current connections will be dropped.', '现有连接将被断开。'],
  device: ['Device', '设备'],
  local: ['Local port', '本地端口'],
  localHint: ['Leave empty to assign automatically', '留空则自动分配'],
  remote: ['Remote port', '远程端口'],
  ports: ['Hub port {0} → device port {1}', '中控端口 {0} → 设备端口 {1}'],
  all: ['All forwarded ports', '全部端口转发'],
  state: ['State', '状态'],
  idle: ['Idle', '空闲'],
  connected: ['Connected', '已连接'],
  sent: ['Sent', '发送'],
  received: ['Received', '接收'],
  user: ['User', '用户'],
  none: ['No forwarded ports', '暂无端口转发'],
  noneText: ['Choose a device and its port above.', '请在上方选择设备及其端口。']
} as const
