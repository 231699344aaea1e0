// Next steps for a leg without media: by its reason if there is a step for it, else by its states.
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { Reason, ReasonCode } from '../../contract/stream/reason.ts'
import { NEXT_STEP_SENTENCES } from '../../contract/text/health-sentences.ts'
import { type Language, type Translation, translate } from './language.ts'

/** Next step when the port for HLS and downloads is in use. */
const FILES_PORT_STEP: Translation = [
  'Stop the program that uses it, or choose another port for HLS and downloads in the network settings.',
  '请停止占用该端口的程序，或在网络设置中为 HLS 与下载选择其他端口。'
]

/** The next step if the port for files cannot be opened. */
export const filesPortStep = (language: Language): string => translate(language, FILES_PORT_STEP)

const INSTALL_NDI_SERVER: Translation = [
  'Install the NDI discovery server (ndi-discovery-server of the NDI SDK for Linux, from ndi.video) in a folder of PATH. The hub then detects it automatically.',
  '请从 ndi.video 下载 Linux 版 NDI SDK，将其中的 ndi-discovery-server 安装到 PATH 中的目录。中控会自动检测到。'
]

/** How to install the program of the NDI discovery server, which may not be shipped. */
export const ndiServerStep = (language: Language): string => translate(language, INSTALL_NDI_SERVER)

/** State of a leg: `SOURCE_STATE`, `CONNECTION_STATE` (contract/stream/protocols.ts) and reason. */
export interface LegState {
  state: number
  connState: number
  reason?: Reason
  /** A caller that was refused. */
  refusal?: { address?: string }
}

const CHECK_RECEIVER = NEXT_STEP_SENTENCES['check-receiver']

const STEP_BY_REASON: Readonly<Partial<Record<ReasonCode, Translation>>> = {
  // The package name is the program name.
  'not-installed': ['Install it on the hub: apt-get install -y {0}', '请在中控上安装：apt-get install -y {0}'],
  'not-veiled': ['Install it on the hub.', '请在中控上安装。'],
  'device-offline': ['Check its power and network.', '请检查其电源和网络。'],
  'device-updating': NEXT_STEP_SENTENCES.wait,
  'device-login': NEXT_STEP_SENTENCES['check-credentials'],
  'device-certificate': ['Compare it on the page of the device.', '请在设备页面上核对证书。'],
  'device-refuses': ['Open the web page of the device.', '请打开设备的网页。'],
  'device-cannot-push': ['Add its stream as an input with a URL.', '请用 URL 将该设备的流添加为输入。'],
  'device-cannot-play': ['Add an output to which the device can connect.', '请添加设备可以连接的输出。'],
  'firmware-too-old': ['Update its firmware.', '请更新设备固件。'],
  'device-silent': [
    'Check its signal, and that firewalls allow UDP from the device to the hub.',
    '请检查设备的信号，以及防火墙是否允许其向中控发送 UDP。'
  ],
  'device-not-calling': [
    'Check that firewalls allow UDP from the device to the hub.',
    '请检查防火墙是否允许设备向中控发送 UDP。'
  ],
  'ndi-missing': [
    'Install it on the hub from ndi.video. The hub then detects it automatically.',
    '请在中控上从 ndi.video 安装，安装后会自动识别。'
  ],
  'ndi-unusable': ['Install the latest version from ndi.video.', '请从 ndi.video 安装最新版本。'],
  'ndi-silent': ['Install the latest version from ndi.video.', '请从 ndi.video 安装最新版本。'],
  'ndi-offline': [
    'Check that the source is sending, that its name is correct, and that it is on the same network as the hub. The connection is made automatically.',
    '请检查信号源是否在发送、名称是否正确，以及与中控是否在同一网络。出现后将自动连接。'
  ],
  'ndi-processor': ['Run the hub on a machine that NDI supports.', '请在 NDI 支持的机器上运行中控。'],
  'install-with': ['Install it on the hub.', '请在中控上安装。'],
  'no-data': ['Check that the peer is still sending.', '请检查对端是否仍在发送。'],
  'not-mpeg-ts': ['Configure the peer to send MPEG-TS.', '请让对端发送 MPEG-TS。'],
  'wrong-passphrase': ['Set the same passphrase at the caller.', '请在呼叫方设置相同的密码短语。'],
  'stream-id-refused': [
    'Set the stream ID of this input or output at the caller.',
    '请在呼叫方设置此输入或输出的流 ID。'
  ],
  'stream-id-absent': [
    'Set the stream ID of this input or output at the caller.',
    '请在呼叫方设置此输入或输出的流 ID。'
  ],
  'key-refused': ['Set the ingest key of this channel at the encoder.', '请在编码器上设置此频道的推流密钥。'],
  'key-other-way': ['Set the ingest key of this channel at the encoder.', '请在编码器上设置此频道的推流密钥。'],
  'from-elsewhere': ['Check the client and the allow list.', '请检查客户端和允许列表。'],
  'passphrase-refused': ['Set the same passphrase at both ends.', '请在两端设置相同的密码短语。'],
  'stream-id-unknown': ['Check the stream ID.', '请检查流 ID。'],
  'wrong-direction': ['Check the stream ID.', '请检查流 ID。'],
  'stream-id-busy': ['Stop the other sender, or use another stream ID.', '请停止另一发送方，或使用其他流 ID。'],
  'other-end-full': [
    'Disconnect another client of the peer, or raise its limit.',
    '请断开其他连接，或提高对端的上限。'
  ],
  'input-silent': ['Check the input.', '请检查输入。'],
  'port-taken': ['Choose another port, or stop the program that uses it.', '请选择其他端口，或停止占用该端口的程序。'],
  'port-privileged': ['Choose a port from 1024 up.', '请选择 1024 或以上的端口。'],
  forbidden: [
    'Choose another address. Private addresses can be allowed in the settings, cloud metadata addresses cannot.',
    '请选择其他地址。私有地址可在设置中允许，云平台元数据地址不可。'
  ],
  'target-slow': ['Lower the bit rate, or check the network to the target.', '请降低码率，或检查到目标的网络。'],
  'target-silent': CHECK_RECEIVER,
  'target-stuck': CHECK_RECEIVER,
  'target-stuck-for': CHECK_RECEIVER,
  'program-ended': NEXT_STEP_SENTENCES.wait,
  'program-stuck': NEXT_STEP_SENTENCES.wait,
  'not-started': NEXT_STEP_SENTENCES.wait,
  'engine-away': NEXT_STEP_SENTENCES.wait,
  'certificate-wrong-name': NEXT_STEP_SENTENCES['check-name'],
  'certificate-expired': NEXT_STEP_SENTENCES['renew-certificate'],
  'certificate-not-yet-valid': NEXT_STEP_SENTENCES['check-clock'],
  'certificate-issuer-unknown': NEXT_STEP_SENTENCES['trust-issuer'],
  'certificate-invalid': NEXT_STEP_SENTENCES['renew-certificate'],
  'interface-missing': NEXT_STEP_SENTENCES['check-interface'],
  'storage-full': NEXT_STEP_SENTENCES['free-space'],
  'memory-full': NEXT_STEP_SENTENCES['free-memory'],
  'audio-unsupported': NEXT_STEP_SENTENCES['encode-audio'],
  'encoder-failed': NEXT_STEP_SENTENCES['check-format'],
  'encoder-waits': NEXT_STEP_SENTENCES['reduce-load']
}

const UNSUPPORTED: Translation = [
  'Choose another protocol, or other codecs at the source.',
  '请选择其他协议，或更换源端的编码。'
]

const STEP_BY_STATE: Readonly<Record<number, Translation>> = {
  [CONNECTION_STATE.failed]: [
    'Check that the peer is running, and its address and port.',
    '请检查对端是否运行，以及其地址和端口。'
  ],
  [CONNECTION_STATE.disconnected]: [
    'Check the peer and the network. Retries are automatic.',
    '请检查对端和网络。系统会自动重试。'
  ],
  [CONNECTION_STATE.refused]: ['Start the server there, or check the port.', '请启动对端服务器，或检查端口。'],
  [CONNECTION_STATE.nameNotFound]: [
    'Check the name, and the DNS servers of the hub.',
    '请检查域名和中控的 DNS 服务器。'
  ],
  [CONNECTION_STATE.tcpPortFailed]: [
    'Check the port and the firewalls between hub and peer.',
    '请检查端口以及中控与对端之间的防火墙。'
  ],
  [CONNECTION_STATE.handshakeFailed]: [
    'Check that both ends use the same protocol and encryption.',
    '请检查两端使用的协议和加密是否一致。'
  ],
  [CONNECTION_STATE.streamFailed]: ['Check the path and the key.', '请检查路径和密钥。'],
  [CONNECTION_STATE.notAuthorized]: [
    'Check user, password, key or passphrase.',
    '请检查用户名、密码、密钥或密码短语。'
  ],
  [CONNECTION_STATE.creationFailed]: ['Check the settings of this input or output.', '请检查此输入或输出的设置。']
}

/** The next step; undefined if there is no problem. */
export function nextStep(language: Language, { state, connState, reason }: LegState): string | undefined {
  const [key, value = ''] = (reason?.split(' ', 2) ?? []) as [ReasonCode?, string?]
  const pair =
    (key && Object.hasOwn(STEP_BY_REASON, key) ? STEP_BY_REASON[key] : undefined) ??
    (state === SOURCE_STATE.unsupported ? UNSUPPORTED : STEP_BY_STATE[connState])
  return pair && translate(language, pair, [value])
}
