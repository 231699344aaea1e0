export const TEXT = {
  time: ['Time', '时间'],
  address: ['Address', '地址'],
  details: ['Details', '详情'],
  repeats: ['×{0} since {1}', '自 {1} 起 ×{0}'],
  export: ['Export {0}', '导出 {0}'],
  settings: ['Settings', '设置'],
  keep: ['Retention', '日志保留期'],
  keepHint: [
    'Of each log. Older entries are deleted; a smaller number deletes them at once. Operations of the last 90 days are kept.',
    '适用于每种日志。较旧的记录会被删除；改为较小的值将立即删除。最近 90 天的操作记录始终保留。'
  ],
  range: ['{0}-{1}', '{0}-{1}'],
  lines: ['Lines', '条数'],
  days: ['Days', '天数'],
  syslog: ['Syslog server', 'Syslog 服务器'],
  syslogState: ['State of the syslog server', 'Syslog 服务器状态'],
  syslogOff: ['No server set', '未设置服务器'],
  connecting: ['Connecting', '正在连接'],
  connected: ['Connected', '已连接'],
  sending: ['Sending', '正在发送'],
  failing: ['Entries cannot be sent', '无法发送日志'],
  state: ['State', '状态'],
  error: ['Reason', '原因'],
  queued: ['Waiting entries', '待发送条数'],
  lastSent: ['Last entry sent', '最近发送'],
  udpHint: [
    'A server does not confirm what it receives over UDP. Use TCP to see whether it is connected.',
    '通过 UDP 发送时服务器不会确认接收。使用 TCP 可查看是否已连接。'
  ],
  queuedHint: [
    'The hub tries again at least once a minute. Entries wait as long as the log keeps them.',
    '中控至少每分钟重试一次。在日志保留期内，记录会等待发送。'
  ],
  test: ['Send test message', '发送测试消息'],
  tested: ['Test message sent', '已发送测试消息'],
  syslogHint: ['A copy of every log entry is sent to this server.', '所有日志都会同时发送到此服务器。'],
  protocol: ['Protocol', '协议'],
  off: ['Off', '关闭'],
  host: ['Host', '主机'],
  port: ['Port', '端口'],
  cleared: ['Log cleared: {0}', '已清空日志：{0}'],
  clear: ['Clear log', '清空日志'],
  clearText: [
    'This cannot be undone. The operation log keeps an entry that says when you did it.',
    '此操作无法撤销。操作日志会保留一条记录，注明您的操作时间。'
  ],
  empty: ['No entries yet.', '暂无记录。'],
  noneFound: ['Nothing found', '未找到']
} as const
