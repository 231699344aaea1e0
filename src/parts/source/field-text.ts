// Labels of the fields in the forms of inputs and outputs.
import type { Translation } from '../../text/language.ts'
import { SUB_STREAM } from './sub-stream.ts'

/** Labels and hints of the fields. */
export const FIELD_TEXT = {
  address: ['Address', '地址'],
  pasted: ['Or paste a whole URL', '也可粘贴完整 URL'],
  port: ['Port', '端口'],
  localPort: ['Local port', '本地端口'],
  localPortHint: ['The port of the hub. Empty: the port above', '中控的端口，留空则与上面的端口相同'],
  portHint: ['Players connect to this port', '播放器连接到此端口'],
  program: ['Program', '节目'],
  programHint: ['Default: all', '默认：全部'],
  path: ['Path', '路径'],
  user: ['User name', '用户名'],
  password: ['Password', '密码'],
  streamId: ['Stream ID', 'Stream ID'],
  latency: ['Latency (ms)', '延迟（毫秒）'],
  overhead: ['Bandwidth overhead (%)', '带宽开销（%）'],
  clients: ['Max connections', '最大连接数'],
  encryption: ['Encryption', '加密'],
  disabled: ['Disabled', '禁用'],
  passphrase: ['Passphrase', '密码短语'],
  key: ['Stream key', '推流密钥'],
  mainKey: ['Main stream key', '主码流密钥'],
  subStream: SUB_STREAM,
  // The numbers are `SUB_STREAM` in contract/limits.ts.
  subStreamOn: ['At most 640 × 360, about 600 kbps', '最大 640 × 360，约 600 kbps'],
  subKey: ['Sub stream key', '子码流密钥'],
  audio: ['Audio', '音频'],
  asIs: ['As it is', '保持原样'],
  mono: ['AAC, mono', 'AAC 单声道'],
  optional: ['Optional', '可选'],
  transport: ['Transport', '传输方式'],
  transportHint: ['Receivers that do not permit it use TCP', '不允许该方式的接收端使用 TCP'],
  tcpFirst: ['TCP first', '优先 TCP'],
  iface: ['Network interface', '网络接口'],
  sender: ['Sender address', '发送端地址'],
  mtu: ['MTU (bytes)', 'MTU（字节）'],
  ttl: ['Multicast TTL', '组播 TTL'],
  segments: ['Segments', '分片数'],
  seconds: ['Segment duration (s)', '分片时长（秒）'],
  ndiName: ['NDI name', 'NDI 名称'],
  group: ['Group', '分组'],
  multicast: ['Multicast address', '组播地址'],
  mask: ['Subnet mask', '子网掩码'],
  buffer: ['Buffer (ms)', '缓冲（毫秒）'],
  check: ['Certificate check', '证书校验'],
  verify: ['By the authorities that the hub trusts', '由中控信任的颁发机构校验'],
  ownCa: ['By an own CA', '由自有 CA 校验'],
  acceptAny: ['Accept any certificate: not secure', '接受任何证书：不安全'],
  checkHint: [
    'Without a check, anybody between the hub and the server can take the stream and its key.',
    '不校验时，中控与服务器之间的任何人都能获取流及其密钥。'
  ],
  trusted: ['CA certificate (PEM)', 'CA 证书（PEM）'],
  trustedHint: ['Also the certificate of the server itself', '也可以是服务器自身的证书'],
  allowed: ['Allowed addresses', '允许的地址'],
  allowedHint: ['At most 32: 192.0.2.7, 10.0.0.0/8', '最多 32 个：192.0.2.7, 10.0.0.0/8']
} as const satisfies Record<string, Translation>

/** Values of `transport-mode` (`contract/ndi/transport.ts`) with their labels. */
export const NDI_TRANSPORT_OPTIONS: readonly (readonly [value: string, label: string | Translation])[] = [
  ['5', ['Automatic', '自动']],
  ['0', ['UDP unicast', 'UDP 单播']],
  ['1', ['UDP multicast', 'UDP 组播']],
  ['2', ['RUDP unicast', 'RUDP 单播']],
  ['4', ['TCP, single connection', 'TCP 单连接']],
  ['3', ['TCP, multiple connections', 'TCP 多连接']]
]
