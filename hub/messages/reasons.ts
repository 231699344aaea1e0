// Sentences for the reason codes of the stream engine (contract/stream/reason.ts). Reasons are stored as codes and
// translated into the language of each request.
import type { DeviceApi } from '../../contract/device/action.ts'
import type { Reason, ReasonCode } from '../../contract/stream/reason.ts'
import { deviceCodeLines } from './device-results.ts'
import { type Language, type Translation, translate } from './language.ts'

const REASONS: Readonly<Record<ReasonCode, Translation>> = {
  // An error message of ffmpeg, in English only.
  said: ['{0}', '流程序提示：{0}'],
  'said-hidden': [
    'ended with a message that is hidden because it contains a short key or password',
    '已退出，错误信息含有较短的密钥或密码，未予显示'
  ],
  'ended-silently': ['ended without an error message', '已退出，未给出错误信息'],
  'program-ended': ['a stream program of the hub ended unexpectedly ({0})', '中控的流程序意外退出（{0}）'],
  'program-stuck': ['a stream program of the hub is not responding', '中控的流程序没有响应'],
  'storage-full': ['the disk of the hub is full', '中控的磁盘已满'],
  'disk-too-slow': ['the disk takes the recording too slowly', '磁盘写入录制内容过慢'],
  'recording-disk-full': ['not recording: too little free space', '未在录制：磁盘剩余空间不足'],
  // A system error code.
  'recording-disk-failed': ['not recording: the disk reports {0}', '未在录制：磁盘报告 {0}'],
  'memory-full': ['the hub is out of memory', '中控内存不足'],
  'not-started': ['failed to start: {0}', '启动失败：{0}'],
  'not-installed': ['{0} is not installed', '未安装 {0}'],
  'other-end': ['the peer closed the connection', '对端已关闭连接'],
  'no-answer': ['no response', '没有响应'],
  'name-unknown': ['{0} cannot be resolved', '无法解析 {0}'],
  'network-fails': ['the network is unreachable', '网络不可达'],
  'call-refused': ['the peer refused the connection', '对端拒绝连接'],
  'stream-id-unknown': ['stream ID unknown to the peer', '对端没有此流 ID'],
  'stream-id-busy': ['stream ID already in use at the peer', '此流 ID 在对端已被占用'],
  'other-end-full': ['connection limit of the peer reached', '对端连接数已达上限'],
  'wrong-direction': ['the stream ID is for the other direction', '此流 ID 用于另一方向'],
  'not-allowed': ['the peer denied access', '对端拒绝访问'],
  'passphrase-refused': ['the peer has a different passphrase', '对端的密码短语不一致'],
  'login-refused': ['the peer refused user name or password', '对端拒绝了用户名或密码'],
  'server-error': ['the server responded with error {0}', '服务器返回错误 {0}'],
  'stream-refused': ['the server refused this stream', '服务器拒绝此流'],
  'not-a-stream': ['the received data is not a stream', '收到的内容不是媒体流'],
  'handshake-failed': ['the handshake failed', '握手失败'],
  'certificate-wrong-name': ['the server certificate is for another name', '服务器证书的名称与地址不符'],
  'certificate-expired': ['the server certificate has expired', '服务器证书已过期'],
  'certificate-not-yet-valid': ['the server certificate is not yet valid', '服务器证书尚未生效'],
  'certificate-issuer-unknown': ['the issuer of the server certificate is not trusted', '服务器证书的颁发者不受信任'],
  'certificate-invalid': ['the server certificate is invalid', '服务器证书无效'],
  'timed-out': ['timed out', '已超时'],
  'nothing-received': ['timed out: no data received', '已超时：未收到任何数据'],
  'wrong-passphrase': ['a caller used a wrong passphrase', '有呼叫方使用了错误的密码短语'],
  // The stream ID; the first characters of the key.
  'stream-id-refused': ['a caller with the stream ID {0} was refused', '已拒绝流 ID 为 {0} 的呼叫方'],
  'stream-id-absent': ['a caller without a stream ID was refused', '已拒绝没有流 ID 的呼叫方'],
  'key-refused': ['a caller with an unknown key ({0}) was refused', '已拒绝使用未知密钥（{0}）的呼叫方'],
  'key-unknown': ['no running channel uses this key', '没有运行中的频道使用此密钥'],
  'key-in-use': ['key already in use by another publisher', '此密钥正由其他发布者使用'],
  'key-other-way': ['the key is for the other direction', '此密钥用于另一方向'],
  'port-full': ['player limit reached', '播放者数量已达上限'],
  'from-elsewhere': ['client refused: address not on the allow list', '客户端被拒绝：地址不在允许列表中'],
  'no-data': ['no data', '没有数据'],
  'no-data-for': ['no data for {0} s', '已 {0} 秒没有数据'],
  'not-mpeg-ts': [
    'the received data is not MPEG-TS with valid PAT and PMT',
    '收到的不是带有有效 PAT 和 PMT 的 MPEG-TS'
  ],
  // Of an input that has media. The number of the audio track; the codecs before and after.
  'video-lost': ['no video received', '未收到视频'],
  'audio-lost': ['no audio received', '未收到音频'],
  'audio-track-lost': ['audio track {0} not received', '未收到音轨 {0}'],
  'codecs-changed': ['codecs changed: {0}', '编码已改变：{0}'],
  black: ['the picture is black', '画面全黑'],
  frozen: ['the picture is frozen', '画面静止'],
  silent: ['the audio is silent', '音频静音'],
  'unexpected-format': ['the format is not the expected one: {0}', '格式与预期不符：{0}'],
  'phase-inverted': ['the phase of the audio is inverted', '音频反相'],
  clipped: ['the audio is clipped', '音频削波'],
  loud: ['the audio is too loud', '音量过大'],
  quiet: ['the audio is too quiet', '音量过小'],
  'tracks-changed': ['tracks {0}', '轨道 {0}'],
  'device-offline': ['the device is offline', '设备已离线'],
  'device-updating': ['the firmware of the device is being updated', '正在更新设备固件'],
  'device-login': ['the device refuses the login', '设备拒绝登录'],
  'device-certificate': ['the certificate of the device has changed', '设备的证书已变更'],
  'device-refuses': ['the device refused: {0}', '设备拒绝：{0}'],
  'codec-not-carried': ['the protocol does not support these codecs', '该协议不支持这些编码'],
  'codec-unsupported': ['the protocol does not support {0}', '该协议不支持 {0}'],
  'audio-unsupported': ['the protocol does not support audio in {0}', '该协议不支持 {0} 音频'],
  'encoder-failed': ['the audio cannot be encoded', '无法编码音频'],
  'encoder-waits': [
    'the audio encoder does not start because the processor is overloaded',
    '处理器过载，音频编码器未启动'
  ],
  'device-cannot-push': ['the device cannot send its stream to the hub', '设备无法将流发送到中控'],
  'device-cannot-play': ['the device cannot play a stream of the hub', '设备无法播放中控的流'],
  'firmware-too-old': ['the firmware of the device is too old for this', '设备固件版本过旧，不支持此功能'],
  'device-silent': ['the device sends no data', '设备没有发送数据'],
  'device-not-calling': ['the device has not connected to receive the stream', '设备未连接以接收流'],
  'input-silent': ['no data from the input', '输入没有数据'],
  'client-left': ['the client disconnected', '客户端已断开连接'],
  'install-with': ['a program is missing; install it with: {0}', '缺少程序，可用此命令安装：{0}'],
  'not-veiled': [
    'this ffmpeg cannot hide its arguments from the process list and was stopped: install the system package with apt-get install -y ffmpeg',
    '此 ffmpeg 无法在进程列表中隐藏参数，已停止：请用 apt-get install -y ffmpeg 安装系统软件包'
  ],
  'port-taken': ['port {0} is in use by another program', '端口 {0} 已被其他程序占用'],
  'port-privileged': ['the stream engine has no right to open port {0}', '流引擎无权打开端口 {0}'],
  'interface-missing': [
    'the hub has no network interface {0} with an address',
    '中控没有网络接口 {0}，或该接口没有地址'
  ],
  forbidden: ['streams may not use this address', '不允许流使用此地址'],
  'no-one-there': ['no program listens on the target port', '没有程序监听目标端口'],
  'ndi-missing': [
    'NDI requires the NDI runtime, which is not installed on this hub',
    'NDI 需要 NDI 运行库，本中控未安装'
  ],
  'ndi-unusable': ['the NDI runtime of this hub cannot be used: {0}', '本中控的 NDI 运行库无法使用：{0}'],
  'ndi-silent': ['the NDI runtime of this hub is not responding', '本中控的 NDI 运行库没有响应'],
  'ndi-offline': ['the NDI source was not found on the network', '网络中未找到此 NDI 源'],
  'ndi-processor': ['the NDI runtime does not support this processor', 'NDI 运行库不支持此处理器'],
  // Why the current input of a channel is on air.
  'on-air-first': ['main input on air', '主输入正在播出'],
  'on-air-backup': ['switched to backup {0}: main input lost', '已切换到备用输入 {0}：主输入中断'],
  'on-air-no-video': ['switched to backup {0}: video lost', '已切换到备用输入 {0}：视频中断'],
  'on-air-no-audio': ['switched to backup {0}: audio lost', '已切换到备用输入 {0}：音频中断'],
  'on-air-no-signal': ['switched to backup {0}: no input signal at the device', '已切换到备用输入 {0}：设备无输入信号'],
  'on-air-bad-content': ['switched to backup {0}: fault in picture or sound', '已切换到备用输入 {0}：主输入内容异常'],
  'on-air-back': ['main input restored and on air again', '主输入已恢复，已切换回主输入'],
  'on-air-slate': ['no input: slate on air', '无输入：正在播出垫片'],
  'on-air-none': ['no input', '无输入'],
  'on-air-held-first': ['main input put on air manually', '已手动切换到主输入'],
  'on-air-held-backup': ['backup {0} put on air manually', '已手动切换到备用输入 {0}'],
  'on-air-held-slate': ['slate put on air manually', '已手动切换到垫片'],
  'target-slow': ['target accepts data too slowly, packets were dropped', '目标接收数据过慢，已丢弃数据包'],
  'target-silent': ['the receiver is not responding', '接收端没有响应'],
  'target-stuck': ['target not accepting data', '目标不接收数据'],
  'target-stuck-for': ['target not accepting data for {0} s', '目标已 {0} 秒未接收数据'],
  'engine-away': ['the stream engine of the hub is not responding', '中控的流引擎没有响应']
}

const SERVERS_FULL: Translation = ['all of its 16 streaming servers are set up', '其 16 个流媒体服务器均已设置']

/** The sentence of a reason; an unknown reason is returned unchanged. */
export function reasonText(language: Language, reason: string): string {
  const [, key = '', value = ''] = /^([a-z-]+)(?: (.*))?$/s.exec(reason) ?? []
  if (!Object.hasOwn(REASONS, key)) return reason
  const shown = key === 'device-refuses' ? refusalText(language, value) : value
  return translate(language, REASONS[key as ReasonCode], [shown])
}

/** Why a device refused: the sentence of its result code, if the value is the generation of the device and the code. */
function refusalText(language: Language, value: string): string {
  if (value === 'servers-full') return translate(language, SERVERS_FULL)
  const [, api, code] = /^(usapi|mwapi|api) (-?\d+)$/.exec(value) ?? []
  if (api === undefined) return value
  return `${deviceCodeLines(language, api as DeviceApi, Number(code))[0] ?? ''} (${code})`
}

/** Separates name and reason in the detail of a log entry: 'Hall 1: #no-data-for 10'. */
const REASON_MARKER = ': #'

/** The detail of a log entry: a name with an optional reason. */
export const appendReason = (name: string, reason: Reason | undefined) =>
  reason ? name + REASON_MARKER + reason : name

const NAME_AND_REASON: Translation = ['{0}: {1}', '{0}：{1}']

/** Translates the reason in a detail that `appendReason` made. */
export function translateReasonInDetail(language: Language, detail: string): string {
  const [, name, reason] = new RegExp(`^(.*?)${REASON_MARKER}([a-z-]+(?: .*)?)$`, 's').exec(detail) ?? []
  return name === undefined || !reason
    ? detail
    : translate(language, NAME_AND_REASON, [name, reasonText(language, reason)])
}
