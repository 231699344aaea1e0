// What to do about a leg that carries nothing: by its reason where that says enough, else by its states.
import { CONNECTION, SOURCE } from '../../contract/stream/protocols.ts'
import type { Reason, ReasonCode } from '../../contract/stream/reason.ts'
import { type Language, type Pair, say } from './language.ts'

/** What is known of a leg: its codes are those of `contract/stream/protocols.ts`. */
export interface Trouble {
  state: number
  connState: number
  reason?: Reason
}

const BY_REASON: Readonly<Partial<Record<ReasonCode, Pair>>> = {
  // The package has the program's name.
  'not-installed': ['Install it on the hub: apt-get install -y {0}', '请在中枢上安装：apt-get install -y {0}'],
  'not-veiled': ['Install it on the hub.', '请在中枢上安装。'],
  'device-offline': ['Check its power and its network.', '请检查设备的电源和网络。'],
  'device-refuses': ['Look at the page of the device.', '请查看设备页面。'],
  'device-cannot-push': ['Take its stream as a source with a URL.', '请以 URL 输入源的方式接入该设备的流。'],
  'device-cannot-play': ['Add an output that it can fetch by itself.', '请添加可由设备自行获取的输出。'],
  'firmware-too-old': ['Update its firmware.', '请更新设备固件。'],
  'device-silent': [
    'Check its signal, and that a firewall lets UDP from it to the hub.',
    '请检查设备的信号，以及防火墙是否允许其向中枢发送 UDP。'
  ],
  'device-not-calling': [
    'Check that a firewall lets UDP from it to the hub.',
    '请检查防火墙是否允许设备向中枢发送 UDP。'
  ],
  'ndi-missing': [
    'Install it from ndi.video on the hub. It is then found by itself.',
    '请在中枢上从 ndi.video 安装，安装后会自动识别。'
  ],
  'ndi-unusable': ['Install a current one from ndi.video.', '请从 ndi.video 安装最新版本。'],
  'ndi-offline': [
    'Check that it sends, its name, and that both are in one network. The hub takes it when it comes.',
    '请检查其是否在发送、名称是否正确，以及两端是否在同一网络。出现后中枢会自动接收。'
  ],
  'ndi-processor': ['Run the hub on a machine that NDI supports.', '请在 NDI 支持的机器上运行中枢。'],
  'install-with': ['Install it on the hub.', '请在中枢上安装。'],
  'no-data': ['Check that the other end still sends.', '请检查对端是否仍在发送。'],
  'not-mpeg-ts': ['Have the other end send MPEG-TS.', '请让对端发送 MPEG-TS。'],
  'wrong-passphrase': ['Give the caller the passphrase that is set here.', '请为呼叫方配置此处设置的密码。'],
  'from-elsewhere': ['Check who it is, and the allowed addresses.', '请检查对方身份和允许的地址。'],
  'passphrase-refused': ['Set the same passphrase at both ends.', '请在两端设置相同的密码。'],
  'stream-id-unknown': ['Check the stream ID.', '请检查流 ID。'],
  'wrong-direction': ['Check the stream ID.', '请检查流 ID。'],
  'stream-id-busy': ['End the other sender, or use another stream ID.', '请停止另一发送方，或使用其他流 ID。'],
  'other-end-full': ['Disconnect somebody there, or raise its limit.', '请断开其他连接，或提高对端的上限。'],
  'input-silent': ['Look at the input.', '请查看输入。'],
  'port-taken': ['Choose another port, or end what uses it.', '请选择其他端口，或停止占用该端口的程序。'],
  forbidden: [
    'Choose another address. The settings can allow private ones, but none where clouds keep secrets.',
    '请选择其他地址。私有地址可在设置中允许，云平台元数据地址不可。'
  ],
  'target-stuck': ['Lower the bit rate, or check the line to the target.', '请降低码率，或检查到目标的线路。'],
  'target-stuck-for': ['Lower the bit rate, or check the line to the target.', '请降低码率，或检查到目标的线路。']
}

const UNSUPPORTED: Pair = [
  'Choose another protocol, or other codecs at the source.',
  '请选择其他协议，或更换源端的编码。'
]

const BY_STATE: Readonly<Record<number, Pair>> = {
  [CONNECTION.failed]: [
    'Check that the other end runs, and its address and port.',
    '请检查对端是否运行，以及其地址和端口。'
  ],
  [CONNECTION.disconnected]: [
    'The hub tries again by itself. Check the other end and the network.',
    '中枢会自动重试。请检查对端和网络。'
  ],
  [CONNECTION.refused]: ['Start the server there, or check the port.', '请启动对端服务器，或检查端口。'],
  [CONNECTION.nameNotFound]: ['Check the name, and the DNS servers of the hub.', '请检查域名和中枢的 DNS 服务器。'],
  [CONNECTION.tcpPortFailed]: ['Check the port, and firewalls on the way.', '请检查端口以及沿途的防火墙。'],
  [CONNECTION.handshakeFailed]: [
    'Check that both ends use the same protocol and encryption.',
    '请检查两端使用的协议和加密是否一致。'
  ],
  [CONNECTION.streamFailed]: ['Check the path and the key.', '请检查路径和密钥。'],
  [CONNECTION.notAuthorized]: ['Check user, password, key or passphrase.', '请检查用户名、密码、密钥或密码短语。'],
  [CONNECTION.creationFailed]: ['Check the settings of this leg.', '请检查此输入或输出的设置。']
}

/** What to do next; undefined where nothing is wrong. */
export function nextStep(language: Language, { state, connState, reason }: Trouble): string | undefined {
  const [key, value = ''] = (reason?.split(' ', 2) ?? []) as [ReasonCode?, string?]
  const pair =
    (key && Object.hasOwn(BY_REASON, key) ? BY_REASON[key] : undefined) ??
    (state === SOURCE.unsupported ? UNSUPPORTED : BY_STATE[connState])
  return pair && say(language, pair, [value])
}
