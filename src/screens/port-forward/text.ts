export const TEXT = {
  title: ['Port Forwarding', '端口转发'],
  start: ['Forward a port', '转发端口'],
  warning: [
    'Anyone who can reach the hub can use the port without signing in.',
    '能访问中心的任何人无需登录即可使用该端口。'
  ],
  stop: ['Stop {0}', '停止 {0}'],
  stopText: ['Open connections are closed.', '已有连接将被中断。'],
  device: ['Device', '设备'],
  deviceHint: ['Part of its name or serial number', '名称或序列号的一部分'],
  local: ['Local port', '本地端口'],
  localHint: ['Empty = the hub chooses', '留空则由中心选择'],
  remote: ['Remote port', '远程端口'],
  state: ['State', '状态'],
  idle: ['Idle', '空闲'],
  connected: ['Connected', '已连接'],
  sent: ['Sent', '发送'],
  received: ['Received', '接收'],
  user: ['User', '用户'],
  none: ['No port is forwarded', '没有转发的端口']
} as const
