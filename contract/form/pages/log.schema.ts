// The settings of the logs: retention, and the syslog server that gets a copy.
import { getSettings, SETTING_RIGHTS, setSettings } from '../../settings.ts'
import { getSyslogStatus, testSyslog } from '../../syslog/status.ts'
import type { DeclaredPage } from '../declaration.schema.ts'

export const LOG_PAGE: DeclaredPage = {
  tab: 'settings',
  cards: [
    {
      name: 'keep',
      title: ['Retention', '日志保留期'],
      read: getSettings,
      topic: 'status',
      at: 'settings',
      save: { call: setSettings, access: SETTING_RIGHTS.log.edit },
      parts: [
        {
          as: 'muted',
          text: [
            'Of each log. Older entries are deleted; a smaller number deletes them at once. Operations of the last 90 days are kept.',
            '适用于每种日志。较旧的记录会被删除；改为较小的值将立即删除。最近 90 天的操作记录始终保留。'
          ]
        },
        { field: 'log.max-lines', label: ['Lines', '条数'] },
        { field: 'log.max-days', label: ['Days', '天数'] }
      ]
    },
    {
      name: 'syslog',
      title: ['Syslog server', 'Syslog 服务器'],
      read: getSettings,
      topic: 'status',
      at: 'settings',
      save: { call: setSettings, access: SETTING_RIGHTS.syslog.edit },
      parts: [
        {
          field: 'syslog.protocol',
          label: ['Protocol', '协议'],
          hint: ['A copy of every log entry is sent to this server.', '所有日志都会同时发送到此服务器。'],
          options: { off: ['Off', '关闭'], udp: ['UDP', 'UDP'], tcp: ['TCP', 'TCP'] }
        },
        { field: 'syslog.host', label: ['Host', '主机'] },
        { field: 'syslog.port', label: ['Port', '端口'] }
      ]
    },
    {
      name: 'syslog-state',
      title: ['State of the syslog server', 'Syslog 服务器状态'],
      read: getSyslogStatus,
      // The hub announces a change of the state with a log line.
      topic: 'log',
      parts: [
        {
          fact: ['State', '状态'],
          value: 'state',
          since: 'since',
          states: {
            off: ['off', ['No server set', '未设置服务器']],
            connecting: ['off', ['Connecting', '正在连接']],
            connected: ['good', ['Connected', '已连接']],
            sending: ['good', ['Sending', '正在发送']],
            failing: ['bad', ['Entries cannot be sent', '无法发送日志']]
          }
        },
        { fact: ['Reason', '原因'], value: 'error' },
        {
          fact: ['Waiting entries', '待发送条数'],
          value: 'queued',
          as: 'number',
          when: [{ of: 'state', not: ['off'] }]
        },
        { fact: ['Last entry sent', '最近发送'], value: 'last-sent', as: 'ago' },
        {
          as: 'muted',
          text: [
            'A server does not confirm what it receives over UDP. Use TCP to see whether it is connected.',
            '通过 UDP 发送时服务器不会确认接收。使用 TCP 可查看是否已连接。'
          ],
          when: [{ of: 'state', is: ['sending'] }]
        },
        {
          as: 'muted',
          text: [
            'The hub tries again at least once a minute. Entries wait as long as the log keeps them.',
            '中控至少每分钟重试一次。在日志保留期内，记录会等待发送。'
          ],
          when: [{ of: 'state', is: ['failing'] }]
        },
        {
          button: ['Send test message', '发送测试消息'],
          call: testSyslog,
          success: ['Test message sent', '已发送测试消息'],
          when: [{ of: 'state', not: ['off'] }]
        }
      ]
    }
  ]
}
