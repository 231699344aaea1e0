// Fields of an NDI source in the forms of inputs and presets. They are the options of its URL.
import { NDI_MULTICAST } from '../../../contract/ndi/transport.ts'
import {
  hostWithPort,
  ndiDiscoveryServers,
  ndiExtraIps,
  ndiGroups,
  ndiSourceName
} from '../../../contract/rules/ndi.ts'
import { multicastAddress, subnetMask } from '../../../contract/rules/network.ts'
import { bufferDuration, multicastTtl } from '../../../contract/rules/number.ts'
import { optional } from '../../../contract/rules/rules.ts'
import type { Translation } from '../../text/language.ts'
import { FIELD_TEXT, NDI_TRANSPORT_OPTIONS } from './field-text.ts'
import { BUFFER } from './input-url.ts'
import type { SourceField, SourceValues } from './source-form.ts'

const TEXT = {
  addressHint: [
    'Only if discovery does not find the source, such as 192.0.2.9',
    '仅在发现功能找不到源时填写，例如 192.0.2.9'
  ],
  group: ['Groups', '分组'],
  groupHint: ['Separated by commas. Default: those of the hub', '以逗号分隔。默认：与中控相同'],
  byDefault: ['Default (automatic)', '默认（自动）'],
  multicastHint: [
    'Stored for other devices. The sender chooses the address, mask and time to live.',
    '为其他设备保存。实际地址、掩码和 TTL 由发送端决定。'
  ],
  extraIps: ['Extra addresses', '附加地址'],
  extraIpsHint: ['Machines on other networks, separated by commas', '其他网段的设备地址，以逗号分隔'],
  server: ['Discovery server', '发现服务器'],
  serverHint: [
    'One or two, separated by commas. Default: those of the hub',
    '一个或两个，以逗号分隔。默认：与中控相同'
  ],
  quality: ['Picture', '画面'],
  full: ['Full resolution', '全分辨率'],
  low: ['Preview with low bandwidth', '低带宽预览']
} as const satisfies Record<string, Translation>

const KINDS = ['ndi']
const isMulticast = (values: SourceValues) => values['transport-mode'] === String(NDI_MULTICAST)

export const NDI_FIELDS: readonly SourceField[] = [
  { wireName: 'name', title: FIELD_TEXT.ndiName, kinds: KINDS, rule: ndiSourceName },
  { wireName: 'url', title: FIELD_TEXT.address, hint: TEXT.addressHint, kinds: KINDS, rule: optional(hostWithPort) },
  { wireName: 'group', title: TEXT.group, hint: TEXT.groupHint, kinds: KINDS, rule: optional(ndiGroups) },
  {
    wireName: 'transport-mode',
    title: FIELD_TEXT.transport,
    kinds: KINDS,
    options: [['', TEXT.byDefault], ...NDI_TRANSPORT_OPTIONS]
  },
  {
    wireName: 'mcast-ip',
    title: FIELD_TEXT.multicast,
    hint: TEXT.multicastHint,
    kinds: KINDS,
    isOffered: isMulticast,
    rule: optional(multicastAddress)
  },
  {
    wireName: 'mcast-sub-mask',
    title: FIELD_TEXT.mask,
    kinds: KINDS,
    isOffered: isMulticast,
    rule: optional(subnetMask)
  },
  {
    wireName: 'mcast-time-to-live',
    title: FIELD_TEXT.ttl,
    kinds: KINDS,
    isOffered: isMulticast,
    rule: optional(multicastTtl),
    numeric: true
  },
  { wireName: 'extra-ips', title: TEXT.extraIps, hint: TEXT.extraIpsHint, kinds: KINDS, rule: optional(ndiExtraIps) },
  {
    wireName: 'discovery-server',
    title: TEXT.server,
    hint: TEXT.serverHint,
    kinds: KINDS,
    rule: optional(ndiDiscoveryServers)
  },
  {
    wireName: 'low-bw',
    title: TEXT.quality,
    kinds: KINDS,
    options: [
      ['', TEXT.full],
      ['1', TEXT.low]
    ]
  },
  { wireName: BUFFER, title: FIELD_TEXT.buffer, kinds: KINDS, rule: optional(bufferDuration), numeric: true }
]
