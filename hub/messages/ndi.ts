// Sentences about NDI.
import type { MissingReason, NdiSearchSettings } from '../../contract/ndi/missing.ts'
import type { OutdatedNdiProcess } from '../../contract/ndi/status.ts'
import { type Language, type Translation, translate } from './language.ts'

const PROCESSES: Readonly<Record<OutdatedNdiProcess['role'], Translation>> = {
  find: ['Search for sources', '查找源'],
  receive: ['Input {0}', '输入 {0}'],
  send: ['Output {0}', '输出 {0}'],
  route: ['Router {0}', '路由 {0}']
}

/** What an NDI process does, with the name of its source. */
export const ndiProcessText = (language: Language, { role, name }: Omit<OutdatedNdiProcess, 'text'>): string =>
  translate(language, PROCESSES[role], [name])

/** Possible reasons why a source is not found. */
const MISSING: Readonly<Record<MissingReason, Translation>> = {
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
function settingText(
  language: Language,
  reason: MissingReason,
  { groups, servers, ifaces, unusable }: NdiSearchSettings
) {
  if (reason === 'settings') return translate(language, SEARCH_TEXT.unusable, [unusable.join(', ')])
  if (reason === 'interface') return translate(language, SEARCH_TEXT.ifaces, [ifaces.join(', ')])
  if (reason === 'group') return translate(language, SEARCH_TEXT.groups, [groups || 'Public'])
  if (reason !== 'discovery-server') return undefined
  return servers.length > 0
    ? translate(language, SEARCH_TEXT.servers, [servers.join(', ')])
    : translate(language, SEARCH_TEXT.noServers)
}

/** Why a source may not be found. @param search absent: the caller may not see the NDI settings */
export const missingReasonText = (
  language: Language,
  reason: MissingReason,
  search: NdiSearchSettings | undefined
): string =>
  [translate(language, MISSING[reason]), search && settingText(language, reason, search)].filter(Boolean).join(' ')
