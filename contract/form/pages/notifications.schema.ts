// The page of the notifications: destinations, browsers, rules, maintenance, and the delivery log.
import {
  addDestination,
  deleteDestination,
  listDeliveries,
  listDestinations,
  setDestination,
  testDestination
} from '../../alert/destination.ts'
import { DESTINATION_KINDS, type DestinationKind } from '../../alert/destination-kinds.schema.ts'
import { endMaintenance, listMaintenance, startMaintenance } from '../../alert/maintenance.ts'
import { addRule, deleteRule, listRules, setRule, testRule } from '../../alert/rule.ts'
import type { Call } from '../../call.ts'
import { listDevices } from '../../device/device.ts'
import { channelDashboard } from '../../stream/channel.ts'
import { listTags } from '../../tag.ts'
import type { Translation } from '../../text/language.ts'
import type { DeclaredCard, DeclaredFact, DeclaredField, DeclaredList, DeclaredPage } from '../declaration.schema.ts'
import { BROWSERS } from './browsers.schema.ts'

const STORED: Translation = ['Stored. Leave empty to keep it.', '已保存。留空则保持不变。']
const NAME: Translation = ['Name', '名称']
const PASSWORD: Translation = ['Password', '密码']
const KIND: Translation = ['Kind', '类型']
const EDIT: Translation = ['Edit', '编辑']
const DELETE: Translation = ['Delete', '删除']
const SEND_TEST: Translation = ['Send test message', '发送测试消息']
const SWITCHED_ON: Translation = ['Switched on', '启用']
const YES: Translation = ['Yes', '是']
/** Problems of a rule, by its severity. */
const ALL_PROBLEMS: Translation = ['All problems', '所有问题']
const CRITICAL_PROBLEMS: Translation = ['Only critical ones', '仅严重问题']

const CHANNELS = { call: channelDashboard, topic: 'channel', at: 'list', value: 'id', label: 'name' } as const
const TAGS = { call: listTags, topic: 'tag', at: 'list', value: 'id', label: 'name' } as const
const DEVICES = { call: listDevices, topic: 'device', at: 'list', value: 'sn', label: 'name' } as const

/** A field of the configuration of a kind. */
const of = (
  kind: DestinationKind,
  name: string,
  label: Translation,
  { when = [], ...more }: Partial<DeclaredField> = {}
): DeclaredField => ({
  field: `config.${name}`,
  within: DESTINATION_KINDS[kind].config,
  label,
  ...more,
  when: [{ of: 'type', is: [kind] }, ...when]
})

/** A secret field of the configuration of a kind. */
const secretOf = (kind: DestinationKind, name: string, label: Translation, more: Partial<DeclaredField> = {}) =>
  of(kind, name, label, { as: 'secret', stored: { of: `secrets.${name}`, hint: STORED }, ...more })

const serverOf = (kind: DestinationKind): DeclaredField[] => [
  of(kind, 'host', ['Server', '服务器']),
  of(kind, 'port', ['Port', '端口'], { hint: ['Empty: the usual one', '留空：使用默认端口'] })
]

const loginOf = (kind: DestinationKind): DeclaredField[] => [
  of(kind, 'user', ['User', '用户名']),
  secretOf(kind, 'password', PASSWORD)
]

const certificatesOf = (kind: DestinationKind): DeclaredField[] => [
  of(kind, 'certificate-check', ['Certificate check', '证书校验'], {
    default: 'verify',
    options: {
      verify: ['By known authorities', '使用公认的颁发机构'],
      'own-ca': ['By these certificates', '使用以下证书'],
      'accept-any': ['Accept any certificate', '接受任何证书']
    }
  }),
  of(kind, 'trusted-certificates', ['Certificates (PEM)', '证书（PEM）'], {
    as: 'lines',
    when: [{ of: 'config.certificate-check', is: ['own-ca'] }]
  })
]

const CONFIG: readonly DeclaredField[] = [
  secretOf('webhook', 'url', ['Address', '地址']),
  of('webhook', 'template', ['Format', '格式'], {
    default: 'json',
    options: {
      json: ['JSON', 'JSON'],
      slack: ['Slack', 'Slack'],
      teams: ['Microsoft Teams', 'Microsoft Teams'],
      discord: ['Discord', 'Discord'],
      telegram: ['Telegram', 'Telegram']
    }
  }),
  of('webhook', 'chat', ['Chat ID', '会话 ID'], { when: [{ of: 'config.template', is: ['telegram'] }] }),
  secretOf('webhook', 'secret', ['Signing key', '签名密钥'], { when: [{ of: 'config.template', is: ['json'] }] }),
  ...serverOf('email'),
  of('email', 'security', ['Encryption', '加密'], {
    default: 'starttls',
    options: { starttls: ['STARTTLS', 'STARTTLS'], tls: ['TLS', 'TLS'], none: ['None', '无'] }
  }),
  ...loginOf('email'),
  of('email', 'from', ['Sender', '发件人']),
  of('email', 'to', ['Recipients', '收件人'], { hint: ['Separated by commas', '用逗号分隔'] }),
  ...certificatesOf('email'),
  ...serverOf('snmp'),
  of('snmp', 'version', ['Version', '版本'], { default: '3', options: { '3': ['3', '3'], '2c': ['2c', '2c'] } }),
  of('snmp', 'notification', ['Notification', '通知方式'], {
    default: 'trap',
    options: { trap: ['Trap', 'Trap'], inform: ['Inform (confirmed)', 'Inform（需确认）'] }
  }),
  secretOf('snmp', 'community', ['Community', '团体名'], { when: [{ of: 'config.version', is: ['2c'] }] }),
  of('snmp', 'user', ['User', '用户名'], { when: [{ of: 'config.version', is: ['3'] }] }),
  secretOf('snmp', 'auth-password', ['Authentication password', '认证密码'], {
    when: [{ of: 'config.version', is: ['3'] }]
  }),
  secretOf('snmp', 'privacy-password', ['Privacy password', '加密密码'], {
    when: [{ of: 'config.version', is: ['3'] }]
  }),
  ...serverOf('mqtt'),
  of('mqtt', 'security', ['Encryption', '加密'], {
    default: 'tls',
    options: { tls: ['TLS', 'TLS'], none: ['None', '无'] }
  }),
  ...loginOf('mqtt'),
  ...certificatesOf('mqtt'),
  ...serverOf('syslog'),
  of('syslog', 'protocol', ['Protocol', '协议'], {
    default: 'tcp',
    options: { tcp: ['TCP', 'TCP'], udp: ['UDP', 'UDP'] }
  }),
  of('push', 'contact', ['Contact e-mail', '联系邮箱'], { hint: ['For push services', '供推送服务联系'] }),
  of('apprise', 'urls', ['Apprise URLs', 'Apprise URL'], { stored: { of: 'secrets.urls', hint: STORED } })
]

const NAME_AND_LANGUAGE: readonly DeclaredField[] = [
  { field: 'name', label: NAME },
  {
    field: 'language',
    label: ['Language of messages', '消息语言'],
    default: 'en',
    options: { en: ['English', '英文'], zh: ['Chinese', '中文'] }
  }
]

const KINDS: Readonly<Record<DestinationKind, Translation>> = {
  webhook: ['Webhook', 'Webhook'],
  email: ['E-mail', '电子邮件'],
  snmp: ['SNMP', 'SNMP'],
  mqtt: ['MQTT', 'MQTT'],
  syslog: ['Syslog', 'Syslog'],
  apprise: ['Apprise', 'Apprise'],
  push: ['Browser push', '浏览器推送']
}

/** State of a delivery. */
const deliveryState = (value: string, since?: string): DeclaredFact => ({
  fact: ['State', '状态'],
  value,
  ...(since && { since, as: 'ago' }),
  states: {
    sent: ['good', ['Delivered', '已送达']],
    waiting: ['warn', ['Waiting for the next attempt', '等待重试']],
    failed: ['bad', ['Not delivered', '未送达']]
  }
})

/** A card with the rows of a response. */
const listCard = (name: string, title: Translation, read: Call, list: Omit<DeclaredList, 'list'>): DeclaredCard => ({
  name,
  title,
  read,
  topic: 'alert',
  parts: [{ list: 'list', ...list }]
})

const DESTINATIONS = listCard('destinations', ['Destinations', '目的地'], listDestinations, {
  name: 'name',
  empty: ['No destination yet: nobody is notified.', '尚无目的地：不会发送通知。'],
  facts: [
    {
      fact: KIND,
      value: 'type',
      states: Object.fromEntries(Object.entries(KINDS).map(([kind, words]) => [kind, ['off', words]]))
    },
    { fact: ['Goes to', '发送至'], value: 'target' },
    {
      fact: SWITCHED_ON,
      value: 'enable',
      states: { true: ['good', YES], false: ['off', ['No: messages wait', '否：消息将等待']] }
    },
    { fact: ['Waiting messages', '待发送消息'], value: 'waiting', as: 'number' },
    deliveryState('last.state', 'last.time'),
    { fact: ['Last answer', '最近应答'], value: 'last.answer' }
  ],
  add: {
    button: ['Add destination', '添加目的地'],
    call: addDestination,
    success: ['Destination added', '目的地已添加'],
    parts: [{ field: 'type', label: KIND, default: 'webhook', options: KINDS }, ...NAME_AND_LANGUAGE, ...CONFIG]
  },
  edit: {
    button: EDIT,
    call: setDestination,
    success: ['Destination saved', '目的地已保存'],
    parts: [{ field: 'enable', label: ['Send messages', '发送消息'] }, ...NAME_AND_LANGUAGE, ...CONFIG]
  },
  buttons: [
    {
      button: SEND_TEST,
      call: testDestination,
      success: ['Test message delivered', '测试消息已送达']
    },
    {
      button: DELETE,
      call: deleteDestination,
      success: ['Destination deleted', '目的地已删除'],
      confirm: [
        'It is removed from all rules. Waiting messages are given up.',
        '将从所有规则中移除，等待的消息会被放弃。'
      ],
      danger: true
    }
  ]
})

const DAYS = {
  mon: ['Monday', '星期一'],
  tue: ['Tuesday', '星期二'],
  wed: ['Wednesday', '星期三'],
  thu: ['Thursday', '星期四'],
  fri: ['Friday', '星期五'],
  sat: ['Saturday', '星期六'],
  sun: ['Sunday', '星期日']
} as const

const RULE: readonly DeclaredField[] = [
  { field: 'name', label: NAME },
  {
    field: 'severity',
    label: ['Problems', '问题'],
    default: 'warning',
    options: { warning: ALL_PROBLEMS, critical: CRITICAL_PROBLEMS }
  },
  {
    field: 'destinations',
    as: 'choices',
    label: ['Destinations', '目的地'],
    choices: { call: listDestinations, topic: 'alert', at: 'list', value: 'id', label: 'name' }
  },
  { field: 'after-s', label: ['Send after', '持续多久后发送'], unit: ['s', '秒'], default: 10 },
  {
    field: 'tags',
    as: 'choices',
    label: ['Only with these tags', '仅限以下标签'],
    hint: ['Without tags and channels: all problems of the hub', '不选标签和频道：中控的所有问题'],
    choices: TAGS
  },
  { field: 'channels', as: 'choices', label: ['Only these channels', '仅限以下频道'], choices: CHANNELS },
  {
    field: 'when.days',
    as: 'choices',
    label: ['Days', '星期'],
    hint: ['None chosen: every day', '不选：每天'],
    options: DAYS
  },
  {
    field: 'when.from',
    label: ['Send from', '发送时段开始'],
    hint: ['Time of day, such as 08:00', '时间，例如 08:00']
  },
  { field: 'when.to', label: ['Send to', '发送时段结束'] },
  { field: 'quiet.from', label: ['Quiet from', '免打扰开始'] },
  { field: 'quiet.to', label: ['Quiet to', '免打扰结束'] },
  {
    field: 'repeat-s',
    as: 'number',
    label: ['Remind every', '重复提醒间隔'],
    unit: ['s', '秒'],
    hint: ['Until somebody acknowledges the problem. 0: no reminders', '直到有人确认问题。0：不提醒'],
    default: 0
  }
]

const RULES = listCard('rules', ['Rules', '规则'], listRules, {
  name: 'name',
  empty: ['No rule yet: no messages are sent.', '尚无规则：不会发送消息。'],
  facts: [
    {
      fact: SWITCHED_ON,
      value: 'enable',
      states: { true: ['good', YES], false: ['off', ['No', '否']] }
    },
    {
      fact: ['Problems', '问题'],
      value: 'severity',
      states: {
        warning: ['warn', ALL_PROBLEMS],
        critical: ['bad', CRITICAL_PROBLEMS]
      }
    },
    { fact: ['Destinations', '目的地'], value: 'destination-names' },
    { fact: ['Send after (s)', '持续多久后发送（秒）'], value: 'after-s', as: 'number' }
  ],
  add: {
    button: ['Add rule', '添加规则'],
    call: addRule,
    success: ['Rule added', '规则已添加'],
    parts: RULE
  },
  edit: {
    button: EDIT,
    call: setRule,
    success: ['Rule saved', '规则已保存'],
    parts: [
      { field: 'enable', label: SWITCHED_ON },
      ...RULE,
      { field: 'recovery', label: ['Also say when a problem has ended', '问题恢复时也通知'] }
    ]
  },
  buttons: [
    {
      button: SEND_TEST,
      call: testRule,
      success: ['Test messages sent. The delivery log has the answers.', '已发送测试消息，应答见发送记录。']
    },
    {
      button: DELETE,
      call: deleteRule,
      success: ['Rule deleted', '规则已删除'],
      confirm: ['This cannot be undone.', '此操作无法撤销。'],
      danger: true
    }
  ]
})

const MAINTENANCE: DeclaredCard = {
  name: 'maintenance',
  title: ['Maintenance', '维护模式'],
  read: listMaintenance,
  topic: 'alert',
  parts: [
    {
      as: 'muted',
      text: ['No notifications are sent about what is in maintenance.', '维护中的对象不会发送通知。']
    },
    {
      list: 'list',
      name: 'name',
      empty: ['Nothing is in maintenance.', '没有处于维护中的对象。'],
      facts: [
        { fact: ['Started', '开始'], value: 'from', as: 'ago' },
        { fact: ['Continues', '剩余'], value: 'remaining-s', as: 'age' },
        { fact: ['By', '操作者'], value: 'by' },
        { fact: ['Note', '备注'], value: 'note' }
      ],
      add: {
        button: ['Start maintenance', '开始维护'],
        call: startMaintenance,
        success: ['Maintenance started', '已开始维护'],
        parts: [
          { field: 'channel', as: 'select', label: ['Channel', '频道'], choices: CHANNELS },
          { field: 'sn', as: 'select', label: ['Device', '设备'], choices: DEVICES },
          { field: 'tag', as: 'select', label: ['Tag', '标签'], choices: TAGS },
          { field: 'hours', label: ['Hours', '小时'], default: 1 },
          { field: 'note', label: ['Note', '备注'] }
        ]
      },
      buttons: [
        { button: ['End maintenance', '结束维护'], call: endMaintenance, success: ['Maintenance ended', '维护已结束'] }
      ]
    }
  ]
}

const LOG = listCard('deliveries', ['Delivery log', '发送记录'], listDeliveries, {
  name: 'title',
  empty: ['No messages yet.', '尚无消息。'],
  facts: [
    { fact: ['Destination', '目的地'], value: 'destination' },
    deliveryState('state'),
    { fact: ['Created', '创建时间'], value: 'created', as: 'ago' },
    { fact: ['Attempts', '尝试次数'], value: 'attempts', as: 'number' },
    { fact: ['Answer', '应答'], value: 'answer' }
  ],
  buttons: []
})

export const NOTIFICATION_PAGE: DeclaredPage = { cards: [DESTINATIONS, BROWSERS, RULES, MAINTENANCE, LOG] }
