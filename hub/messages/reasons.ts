// Why a leg of a channel carries nothing, in words. The stream engine gives a reason by its key, with a value after a space where it has
// one: so it can be kept, and said in the language of whoever asks later.
import type { Reason, ReasonCode } from '../../contract/stream/reason.ts'
import { type Language, type Pair, say } from './language.ts'

const REASONS: Readonly<Record<ReasonCode, Pair>> = {
  // What ffmpeg itself said, which knows one language.
  said: ['{0}', '流程序提示：{0}'],
  'ended-silently': ['ended without a word', '已结束，无任何提示'],
  'not-started': ['could not be started: {0}', '无法启动：{0}'],
  'not-installed': ['{0} is not installed', '未安装 {0}'],
  'other-end': ['the other end has ended the connection', '对端已结束连接'],
  'no-answer': ['no answer', '没有应答'],
  'name-unknown': ['no address is known for {0}', '找不到 {0} 的地址'],
  'network-fails': ['the network does not carry it there', '网络无法到达对端'],
  'call-refused': ['the other end refuses the connection', '对端拒绝连接'],
  'stream-id-unknown': ['the other end does not know the stream ID', '对端不认识此流 ID'],
  'stream-id-busy': ['the other end has this stream already', '对端已有此流'],
  'other-end-full': ['the other end takes no more connections', '对端不再接受更多连接'],
  'wrong-direction': ['the stream ID is for the other direction', '此流 ID 用于另一方向'],
  'not-allowed': ['the other end does not allow it', '对端不允许'],
  'passphrase-refused': ['the other end has another passphrase', '对端的密码不同'],
  'login-refused': ['the other end does not accept user and password', '对端不接受该用户名和密码'],
  'server-error': ['the server answers with error {0}', '服务器返回错误 {0}'],
  'stream-refused': ['the server does not accept this stream', '服务器不接受此流'],
  'not-a-stream': ['what arrives is not a stream', '收到的内容不是媒体流'],
  'handshake-failed': ['no agreement on how to connect', '双方未能就连接方式达成一致'],
  'timed-out': ['timed out', '已超时'],
  'nothing-received': ['timed out: nothing was received', '已超时：未收到任何数据'],
  'wrong-passphrase': ['a caller came with a wrong passphrase', '有呼叫方使用了错误的密码'],
  'key-unknown': ['no running channel has this key', '没有运行中的频道使用此密钥'],
  'key-in-use': ['somebody sends with this key already', '已有发布者使用此密钥'],
  'key-other-way': ['the key is for the other direction', '此密钥用于另一方向'],
  'port-full': ['as many players as may come are there', '播放者数量已达上限'],
  'from-elsewhere': ['somebody came from an address that is not allowed', '有来自不允许地址的连接'],
  'no-data': ['no data', '没有数据'],
  'no-data-for': ['no data for {0} s', '已 {0} 秒没有数据'],
  'not-mpeg-ts': ['what arrives is not MPEG-TS', '收到的不是 MPEG-TS'],
  'device-offline': ['the device is offline', '设备已离线'],
  'device-refuses': ['the device refuses: {0}', '设备拒绝：{0}'],
  'codec-not-carried': ['the protocol cannot carry these codecs', '该协议无法承载这些编码'],
  'device-cannot-push': ['the device cannot send its stream to the hub', '设备无法将流发送到中枢'],
  'device-cannot-play': ['the device cannot play a stream of the hub', '设备无法播放中枢的流'],
  'firmware-too-old': ['the firmware of the device is too old for this', '设备固件版本过旧，不支持此功能'],
  'device-silent': ['the device does not send', '设备没有发送'],
  'device-not-calling': ['the device does not fetch the stream', '设备没有来获取流'],
  'input-silent': ['no data from the input', '输入没有数据'],
  'client-left': ['the client has left', '客户端已离开'],
  'install-with': ['a program is missing, which this installs: {0}', '缺少程序，可用此命令安装：{0}'],
  'not-veiled': [
    'this ffmpeg cannot be told its address in secret, so it was not told: install the one of the system, apt-get install -y ffmpeg',
    '此 ffmpeg 无法保密接收地址，因此未向其提供：请安装系统自带版本，apt-get install -y ffmpeg'
  ],
  'port-taken': ['port {0} is in use by another program', '端口 {0} 已被其他程序占用'],
  forbidden: ['streams may not go to this address', '不允许流使用此地址'],
  'no-one-there': ['nobody listens at the target port', '目标端口无人监听'],
  'ndi-missing': [
    'carrying NDI needs the NDI runtime, which this hub does not have',
    '传输 NDI 需要 NDI 运行库，而本中枢没有该库'
  ],
  'ndi-unusable': ['the NDI runtime of this hub cannot be used: {0}', '本中枢的 NDI 运行库无法使用：{0}'],
  'ndi-offline': ['the NDI source is not in the network', '网络中没有此 NDI 源'],
  'ndi-processor': ['the NDI runtime does not run on this processor', 'NDI 运行库不支持此处理器'],
  // Why a channel has on air what it has.
  'on-air-first': ['the first input carries', '主输入有媒体流'],
  'on-air-backup': [
    'backup {0} has taken over: no input before it carried',
    '备用输入 {0} 已接替：之前的输入均无媒体流'
  ],
  'on-air-back': ['back to the first input, which carries again', '主输入已恢复，已切换回主输入'],
  'on-air-slate': ['no input carries: the still picture is shown', '没有输入有媒体流：正在播出静态画面'],
  'on-air-none': ['no input carries', '没有输入有媒体流'],
  'target-stuck': ['the target takes no data', '目标不接收数据'],
  'target-stuck-for': ['took no data for {0} s', '目标已 {0} 秒未接收数据']
}

/** A reason in words. One that nobody knows is said as it is. */
export function reasonText(language: Language, reason: string): string {
  const [, key = '', value = ''] = /^([a-z-]+)(?: (.*))?$/s.exec(reason) ?? []
  return Object.hasOwn(REASONS, key) ? say(language, REASONS[key as ReasonCode], [value]) : reason
}

/** Stands before a reason at the end of a line's detail: 'Hall 1: #no-data-for 10'. */
const MARK = ': #'

/** What a log keeps of a leg that is down. */
export const withReason = (name: string, reason: Reason | undefined) => (reason ? name + MARK + reason : name)

/** The same in words. */
export function reasonSaid(language: Language, detail: string): string {
  const [, name, reason] = new RegExp(`^(.*?)${MARK}([a-z-]+(?: .*)?)$`, 's').exec(detail) ?? []
  return name === undefined || !reason ? detail : `${name}: ${reasonText(language, reason)}`
}
