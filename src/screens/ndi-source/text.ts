import type { MissingReason, NdiSearchSettings } from '../../../contract/ndi/missing.ts'
import { type Translation, t } from '../../text/language.ts'

export const TEXT = {
  title: ['NDI sources', 'NDI 源'],
  sources: ['In the network', '网络中的源'],
  presets: ['Presets', '预设'],
  add: ['Add preset', '添加预设'],
  edit: ['Edit {0}', '编辑 {0}'],
  remove: ['Delete {0}', '删除 {0}'],
  removeText: ['This cannot be undone.', '此操作无法撤销。'],
  savePreset: ['Save {0} as a preset', '将 {0} 另存为预设'],
  save: ['Save as preset', '另存为预设'],
  use: ['Use {0} in a channel', '在频道中使用 {0}'],
  useShort: ['Use in channel', '用于频道'],
  channel: ['Channel', '频道'],
  choose: ['Choose a channel', '选择频道'],
  noInput: ['It has no input yet.', '该频道尚无输入。'],
  replaces: ['Its main input {0} is replaced.', '将替换其主输入 {0}。'],
  becomesPreset: ['The source is saved as a preset with this name.', '该源将以此名称保存为预设。'],
  name: ['Alias', '别名'],
  source: ['NDI name', 'NDI 名称'],
  state: ['State', '状态'],
  online: ['Found', '已发现'],
  offline: ['Not found, or does not answer', '未发现或无响应'],
  silent: ['Announced, does not answer', '有公告但无响应'],
  unknown: ['Not known', '未知'],
  usedBy: ['Used by', '使用者'],
  othersChannel: ['channel of other users', '其他用户的频道'],
  router: ['router {0}', '路由 {0}'],
  unused: ['Not used', '未使用'],
  formatUnknown: ['Format not known until a channel receives it', '频道接收后才能获知格式'],
  noPicture: ['No picture yet', '暂无画面'],
  needsRuntime: ['No picture without the NDI runtime', '缺少 NDI 运行库，无法显示画面'],
  dnsSd: [
    'These sources were found without the NDI runtime. They can be saved, but not received.',
    '以上源在没有 NDI 运行库的情况下发现，可以保存，但无法接收。'
  ],
  none: ['No NDI sources found', '未发现 NDI 源'],
  noneText: [
    'A source appears here when it is in the same network and its group is public. Other networks need extra addresses or a discovery server; firewalls must admit UDP 5353, and TCP and UDP from 5960 up.',
    '同一网段且属于公共分组的源会显示在此处。跨网段需要附加地址或发现服务器；防火墙须放行 UDP 5353 以及 TCP 与 UDP 5960 及以上端口。'
  ],
  noMatch: ['Nothing found', '未找到'],
  noPresets: ['No presets yet', '暂无预设'],
  noPresetsText: [
    'A preset is an NDI source with a name of your own. Channels receive it with its settings.',
    '预设是带有自定义名称的 NDI 源，频道将按其设置接收。'
  ],
  missing: ['Saved or routed, but not found', '已保存或已路由但未发现'],
  mayBe: ['Possible causes', '可能的原因'],
  count: ['{0} sources', '{0} 个源'],
  oneSource: ['1 source', '1 个源']
} as const satisfies Record<string, Translation>

const REASON_TEXT: Readonly<Record<MissingReason, Translation>> = {
  'ipv6-only': [
    'This hub has no IPv4 address, and NDI does not use IPv6. Set an IPv4 address on the network page.',
    '中控没有 IPv4 地址，而 NDI 不使用 IPv6。请在网络页面设置 IPv4 地址。'
  ],
  ended: [
    'Other sources of this machine are found: the source was stopped or renamed.',
    '该设备的其他源已被发现：此源可能已停止或改名。'
  ],
  'machine-off': ['The machine is off, disconnected or renamed.', '该设备已关机、断开连接或改名。'],
  settings: ['Parts of the NDI settings cannot be used.', 'NDI 设置中有部分内容无法使用。'],
  interface: [
    'The NDI settings leave out the network interface to its network.',
    'NDI 设置未包含通往其网络的网络接口。'
  ],
  subnet: [
    'It is in another network, which multicast does not reach. Save its address, or use a discovery server.',
    '它位于组播无法到达的其他网段。请保存其地址，或使用发现服务器。'
  ],
  group: [
    'It is in a group in which the hub does not search. Save the group in the preset.',
    '它所在的分组不在中控的搜索范围内。请在预设中填写该分组。'
  ],
  'discovery-server': [
    'It is registered with a discovery server that the hub does not use.',
    '它注册在中控未使用的发现服务器上。'
  ],
  runtime: [
    'Without the NDI runtime the hub finds neither sources of groups nor those of discovery servers.',
    '缺少 NDI 运行库时，中控无法发现其他分组或发现服务器上的源。'
  ],
  firewall: [
    'A firewall blocks multicast DNS (UDP 5353) or NDI (TCP and UDP from 5960 up).',
    '防火墙拦截了组播 DNS（UDP 5353）或 NDI（TCP 与 UDP 5960 及以上端口）。'
  ]
}

/** Facts of the NDI settings, which follow a reason. */
const SEARCH_TEXT = {
  unusable: ['Unknown, forbidden or missing: {0}.', '未知、被禁止或不存在：{0}。'],
  ifaces: ['Used: {0}.', '使用的接口：{0}。'],
  groups: ['The hub searches in: {0}.', '中控搜索的分组：{0}。'],
  servers: ['The hub uses: {0}.', '中控使用的服务器：{0}。'],
  noServers: ['The hub uses none.', '中控未使用任何发现服务器。']
} as const satisfies Record<string, Translation>

/** The part of the NDI settings that belongs to a reason; undefined if there is none. */
function settingText(reason: MissingReason, { groups, servers, ifaces, unusable }: NdiSearchSettings) {
  if (reason === 'settings') return t(SEARCH_TEXT.unusable, unusable.join(', '))
  if (reason === 'interface') return t(SEARCH_TEXT.ifaces, ifaces.join(', '))
  if (reason === 'group') return t(SEARCH_TEXT.groups, groups || 'Public')
  if (reason !== 'discovery-server') return undefined
  return servers.length > 0 ? t(SEARCH_TEXT.servers, servers.join(', ')) : t(SEARCH_TEXT.noServers)
}

/** @param search absent: the user may not see the NDI settings */
export const reasonText = (reason: MissingReason, search: NdiSearchSettings | undefined): string =>
  [t(REASON_TEXT[reason]), search && settingText(reason, search)].filter(Boolean).join(' ')
