import type { NdiServerState } from '../../../contract/ndi/settings.ts'
import type { OutdatedNdiProcess } from '../../../contract/ndi/status.ts'
import type { Translation } from '../../text/language.ts'
import type { Tone } from '../../text/states.ts'

export const TEXT = {
  newProcesses: [
    'Changes apply to NDI connections that start from now on. Streams on air keep their configuration.',
    '更改仅对此后启动的 NDI 连接生效，正在播出的流保持原有配置。'
  ],

  state: ['NDI on this hub', '本机 NDI'],
  runtime: ['NDI runtime', 'NDI 运行库'],
  announcedAs: ['Announced as', '对外名称'],
  accountConfig: ['NDI configuration of the account', '系统账户的 NDI 配置'],
  merged: ['Merged; the settings here take precedence', '已合并，以此处设置为准'],
  invalidConfig: ['Not valid JSON, ignored', '不是有效的 JSON，已忽略'],
  unusable: ['Not used: unknown, forbidden or missing', '未使用：未知、被禁止或不存在'],
  noIpv4: [
    'This hub has no IPv4 address, and NDI does not use IPv6. Set an IPv4 address on the network page.',
    '中控没有 IPv4 地址，而 NDI 不使用 IPv6。请在网络页面设置 IPv4 地址。'
  ],
  outdated: ['Still with the earlier configuration', '仍使用旧配置'],
  outdatedHint: ['They use the new one as soon as they start again.', '重新启动后即使用新配置。'],
  allCurrent: ['All running connections use these settings', '所有运行中的连接均使用当前设置'],

  discovery: ['Discovery', '发现'],
  useServers: ['Use discovery servers', '使用发现服务器'],
  useServersHint: [
    'The sources of this hub are then announced to these servers only, not by mDNS.',
    '启用后，本机的源仅在这些服务器上发布，不再通过 mDNS 发布。'
  ],
  server: ['Server {0}', '服务器 {0}'],
  serverHint: ['Address, or address:port. Default port 5959', '地址或 地址:端口，默认端口 5959'],
  extraIps: ['Further machines', '其他主机'],
  extraIpsHint: [
    'IPv4 addresses or names separated by commas, for networks that mDNS does not reach',
    '以逗号分隔的 IPv4 地址或主机名，用于 mDNS 无法到达的网络'
  ],
  sendGroups: ['Groups of the sources of this hub', '本机源所属的组'],
  recvGroups: ['Groups in which sources are found', '查找源的组'],
  groupsHint: ['Separated by commas. Default: Public', '以逗号分隔，默认：Public'],
  machine: ['Machine name', '主机名称'],
  machineHint: ['Must be unique on the network. Default: the host name', '在网络中必须唯一，默认：主机名'],
  ifaces: ['Network interfaces', '网络接口'],
  ifacesHint: [
    'Names or IPv4 addresses separated by commas. NDI does not use IPv6. Default: all',
    '以逗号分隔的名称或 IPv4 地址，NDI 不使用 IPv6，默认：全部'
  ],

  output: ['NDI output', 'NDI 输出'],
  byDefault: ['New channels have an NDI output', '新建频道默认启用 NDI 输出'],
  byDefaultHint: ['Existing channels do not change.', '已有频道不受影响。'],

  hubServer: ['Discovery server of this hub', '本机发现服务器'],
  enable: ['Run a discovery server', '运行发现服务器'],
  port: ['Port', '端口'],
  status: ['State', '状态'],
  lastError: ['Last message', '最后的消息'],
  retryIn: ['Starts again in {0} s', '{0} 秒后重新启动']
} as const satisfies Record<string, Translation>

export const SERVER_STATES: Readonly<Record<NdiServerState, readonly [tone: Tone, label: Translation]>> = {
  'not-enabled': ['off', ['Not enabled', '未启用']],
  starting: ['busy', ['Starting', '正在启动']],
  started: ['good', ['Started', '已启动']],
  retry: ['warn', ['Waiting for retry', '等待重试']],
  'not-installed': ['bad', ['Not installed', '未安装']]
}

export const ROLES: Readonly<Record<OutdatedNdiProcess['role'], Translation>> = {
  find: ['Search for sources', '查找源'],
  receive: ['Input {0}', '输入 {0}'],
  send: ['Output {0}', '输出 {0}'],
  route: ['Router {0}', '路由 {0}']
}
