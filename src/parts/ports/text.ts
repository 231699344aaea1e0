import type { HubPortName } from '../../../contract/web/ports.ts'
import type { Translation } from '../../text/language.ts'

export const TEXT = {
  title: ['Ports', '端口'],
  port: ['Port', '端口'],
  closed: ['Closed', '已关闭'],
  change: ['Change port: {0}', '更改端口：{0}'],
  hint: [
    'Default {0}, 1-65535, different from all other ports. {1}',
    '默认 {0}，范围 1-65535，且不能与其他端口相同。{1}'
  ],
  httpHint: [
    'Other open consoles and HLS players at this port lose their connection.',
    '此端口上其他已打开的控制台和 HLS 播放器将断开连接。'
  ],
  linkHint: [
    'Connected devices stay. They need the new port when they connect again.',
    '已连接的设备不受影响，重新连接时需使用新端口。'
  ],
  filesHint: ['HLS players and downloads at this port are interrupted.', '此端口上的 HLS 播放和下载将中断。'],
  serveHls: ['Serve HLS', '启用 HLS'],
  serveHlsHint: [
    'Applies to the HLS outputs of all channels. Downloads and other outputs do not depend on it.',
    '适用于所有频道的 HLS 输出，不影响下载和其他输出。'
  ],
  stopHls: ['Turn HLS off', '关闭 HLS'],
  stopHlsText: [
    'HLS outputs on air that stop at once: {0}. Players that lose their stream: {1}. Turning HLS on starts the outputs again.',
    '将立即停止的播出中 HLS 输出：{0} 个，将中断的播放端：{1} 个。重新开启 HLS 后输出会恢复。'
  ],
  stopHlsIdle: [
    'No HLS output is on air. HLS outputs do not start while HLS is off.',
    '当前没有 HLS 输出在播出。关闭期间 HLS 输出不会启动。'
  ],
  sharedHint: ['Publishers and players at this port are disconnected at once.', '此端口上的推流和播放将立即断开。'],
  proceed: [
    'The new port opens beside this one. If the console cannot reach it within {0} s, this one stays.',
    '新端口将与当前端口同时打开。如果控制台在 {0} 秒内无法访问新端口，则保留当前端口。'
  ],
  proceedShared: [
    'The port moves when you save. Unless you keep it within {0} s, it moves back and the clients are disconnected again.',
    '保存后端口立即更改。如果您未在 {0} 秒内选择保留，端口将恢复，客户端会再次断开。'
  ],
  waiting: ['{0}: port {1} waits for its confirmation, {2} s left', '{0}：端口 {1} 正在等待确认，剩余 {2} 秒'],
  keep: ['Keep port', '保留端口'],
  confirm: ['Confirm', '确认'],
  sharedUndone: [
    '{0}: the change to port {1} was undone, because it was not kept in time or the port could not be opened.',
    '{0}：更改为端口 {1} 已撤销，因为未及时选择保留或端口无法打开。'
  ],
  notConfirmed: [
    '{0}: the change to port {1} was undone, because the console did not reach it. Check firewalls, then try again.',
    '{0}：由于控制台无法访问，已撤销更改为端口 {1}。请检查防火墙后重试。'
  ]
} as const

/** What the ports are for. */
export const PORTS: Readonly<Record<HubPortName, Translation>> = {
  http: ['Console (HTTP)', '控制台（HTTP）'],
  https: ['Console (HTTPS)', '控制台（HTTPS）'],
  link: ['Device registration', '设备注册'],
  files: ['HLS and downloads', 'HLS 与下载'],
  srt: ['SRT', 'SRT'],
  rtmp: ['RTMP', 'RTMP']
}
