// The settings of NDI: its state on the hub, discovery, NDI outputs of new channels, and the hub's discovery server.
import { NDI_EDIT } from '../../access/permissions.ts'
import { NDI_DISCOVERY_PORT } from '../../limits.ts'
import { getNdiStatus } from '../../ndi/status.ts'
import { getSettings, setSettings } from '../../settings.ts'
import type { DeclaredCard, DeclaredPage } from '../declaration.schema.ts'

const SETTINGS = {
  read: getSettings,
  topic: 'ndi',
  at: 'settings',
  save: { call: setSettings, access: NDI_EDIT }
} as const satisfies Partial<DeclaredCard>

const STATE = { read: getNdiStatus, topic: 'ndi' } as const satisfies Partial<DeclaredCard>

const EARLIER = { of: 'outdated.length', not: [0, null] }

export const NDI_PAGE: DeclaredPage = {
  cards: [
    { ...STATE, name: 'runtime', title: ['NDI runtime', 'NDI 运行库'], obstacle: 'runtime' },
    {
      ...STATE,
      name: 'state',
      title: ['NDI on this hub', '本机 NDI'],
      find: [['NDI runtime', 'NDI 运行库']],
      parts: [
        {
          fact: ['NDI runtime', 'NDI 运行库'],
          value: 'runtime.version',
          states: { '': ['warn', ['Not set up', '未配置']], '*': ['good'] }
        },
        { fact: ['Announced as', '对外名称'], value: 'machine-name' },
        {
          fact: ['NDI configuration of the account', '系统账户的 NDI 配置'],
          value: 'account-config',
          states: {
            merged: ['good', ['Merged; the settings here take precedence', '已合并，以此处设置为准']],
            invalid: ['warn', ['Not valid JSON, ignored', '不是有效的 JSON，已忽略']]
          }
        },
        { fact: ['Not used: unknown, forbidden or missing', '未使用：未知、被禁止或不存在'], value: 'unusable' },
        {
          as: 'fault',
          text: [
            'This hub has no IPv4 address, and NDI does not use IPv6. Set an IPv4 address on the network page.',
            '中控没有 IPv4 地址，而 NDI 不使用 IPv6。请在网络页面设置 IPv4 地址。'
          ],
          when: [{ of: 'ipv6-only', is: [true] }]
        },
        { fact: ['Still with the earlier configuration', '仍使用旧配置'], value: 'outdated', each: 'text' },
        {
          as: 'muted',
          text: ['They use the new one as soon as they start again.', '重新启动后即使用新配置。'],
          when: [EARLIER]
        },
        {
          as: 'muted',
          text: ['All running connections use these settings', '所有运行中的连接均使用当前设置'],
          when: [
            { of: 'outdated.length', is: [0] },
            { of: 'machine-name', not: [null] }
          ]
        }
      ]
    },
    {
      ...SETTINGS,
      name: 'discovery',
      title: ['Discovery', '发现'],
      parts: [
        {
          as: 'muted',
          text: [
            'Changes apply to NDI connections that start from now on. Streams on air keep their configuration.',
            '更改仅对此后启动的 NDI 连接生效，正在播出的流保持原有配置。'
          ]
        },
        {
          field: 'ndi-discovery.enable',
          label: ['Use discovery servers', '使用发现服务器'],
          hint: [
            'The sources of this hub are then announced to these servers only, not by mDNS.',
            '启用后，本机的源仅在这些服务器上发布，不再通过 mDNS 发布。'
          ]
        },
        {
          field: 'ndi-discovery.servers.0',
          as: 'address',
          default: NDI_DISCOVERY_PORT,
          label: ['Server 1', '服务器 1'],
          hint: ['Address, or address:port. Default port 5959', '地址或 地址:端口，默认端口 5959']
        },
        {
          field: 'ndi-discovery.servers.1',
          as: 'address',
          default: NDI_DISCOVERY_PORT,
          label: ['Server 2', '服务器 2']
        },
        {
          field: 'ndi-discovery.extra-ips',
          label: ['Further machines', '其他主机'],
          hint: [
            'IPv4 addresses or names separated by commas, for networks that mDNS does not reach',
            '以逗号分隔的 IPv4 地址或主机名，用于 mDNS 无法到达的网络'
          ]
        },
        {
          field: 'ndi-discovery.send-groups',
          as: 'list',
          label: ['Groups of the sources of this hub', '本机源所属的组'],
          hint: ['Separated by commas. Default: Public', '以逗号分隔，默认：Public']
        },
        {
          field: 'ndi-discovery.recv-groups',
          as: 'list',
          label: ['Groups in which sources are found', '查找源的组'],
          hint: ['Separated by commas. Default: Public', '以逗号分隔，默认：Public']
        },
        {
          field: 'ndi-discovery.machine-name',
          label: ['Machine name', '主机名称'],
          hint: ['Must be unique on the network. Default: the host name', '在网络中必须唯一，默认：主机名']
        },
        {
          field: 'ndi-discovery.ifaces',
          label: ['Network interfaces', '网络接口'],
          hint: [
            'Names or IPv4 addresses separated by commas. NDI does not use IPv6. Default: all',
            '以逗号分隔的名称或 IPv4 地址，NDI 不使用 IPv6，默认：全部'
          ]
        }
      ]
    },
    {
      ...SETTINGS,
      name: 'output',
      title: ['NDI output', 'NDI 输出'],
      parts: [
        {
          field: 'channel.ndi-enable',
          label: ['New channels have an NDI output', '新建频道默认启用 NDI 输出'],
          hint: ['Existing channels do not change.', '已有频道不受影响。']
        }
      ]
    },
    {
      ...SETTINGS,
      name: 'hub-server',
      title: ['Discovery server of this hub', '本机发现服务器'],
      parts: [
        { field: 'hub-ndi-server.enable', label: ['Run a discovery server', '运行发现服务器'] },
        { field: 'hub-ndi-server.port', label: ['Port', '端口'] }
      ]
    },
    {
      ...STATE,
      name: 'hub-server-state',
      title: ['State of the discovery server', '发现服务器状态'],
      parts: [
        {
          fact: ['State', '状态'],
          value: 'server.state',
          states: {
            'not-enabled': ['off', ['Not enabled', '未启用']],
            starting: ['busy', ['Starting', '正在启动']],
            started: ['good', ['Started', '已启动']],
            retry: ['warn', ['Waiting for retry', '等待重试']],
            'not-installed': ['bad', ['Not installed', '未安装']]
          }
        },
        { fact: ['Last message', '最后的消息'], value: 'server.error' },
        { fact: ['Starts again in', '重新启动剩余时间'], value: 'server.retry-in-s', unit: 's' },
        { value: 'server.next-step', when: [{ of: 'server.next-step', not: [null] }] }
      ]
    }
  ]
}
