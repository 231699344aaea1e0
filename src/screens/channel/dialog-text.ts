// Sentences of the dialogs of channels and of the cards below the signal path, which the console loads later.
import type { TransportError } from '../../../contract/stream/transport.ts'
import type { Translation } from '../../text/language.ts'

export const TEXT = {
  tabs: ['Pages of the channel', '频道页面'],
  path: ['Path', '信号路径'],
  history: ['History', '历史'],
  source: ['Source', '信号源'],
  waits: ['Wait for an encoder', '等待编码器推流'],
  waitsHint: ['The page of the channel shows the addresses for the encoder.', '频道页面会显示编码器的推流地址。'],
  destination: ['Destination', '目标'],
  decoder: ['Decoder', '解码器'],
  noDecoder: ['No decoder. Accept a device that can play streams first.', '没有解码器。请先接受可播放码流的设备。'],
  existing: ['Device or input', '设备或输入'],
  found: ['NDI · {0} (found)', 'NDI · {0}（已发现）'],
  outputPort: ['SRT output port', 'SRT 输出端口'],
  optional: ['Optional', '可选'],
  startNow: ['Start the channel', '启动频道'],
  startNowHint: [
    'Without it, the channel stays stopped until you start it in the list.',
    '不选则频道保持停止，可在列表中启动。'
  ],
  staysStopped: ['The channel stays stopped. {0}', '频道将保持停止。{0}'],
  keysTitle: ['Ingest and playback', '推流与拉流地址'],
  push: ['Ingest', '推流'],
  pushKey: ['Ingest key', '推流密钥'],
  play: ['Playback', '拉流'],
  playKey: ['Playback key', '拉流密钥'],
  renew: ['New key', '更换密钥'],
  renewText: ['Current connections will be dropped.', '现有连接将被断开。'],
  clients: ['Connected', '已连接'],
  drop: ['Disconnect', '断开'],
  onAir: ['{0} (on air)', '{0}（播出中）'],
  average: ['Average', '平均'],
  peak: ['Peak', '峰值'],
  roundTrip: ['Round trip', '往返时间'],
  lost: ['Lost', '丢失'],
  dropped: ['Dropped', '丢弃'],
  sentAgain: ['Retransmitted', '重传'],
  recovered: ['Recovered', '已恢复'],
  gaps: ['Discontinuities', '中断次数'],
  transportErrors: ['TR 101 290 errors', 'TR 101 290 错误'],
  pcrJitter: ['PCR jitter with network', 'PCR 抖动（含网络）'],
  since: ['Since', '统计起点'],
  reset: ['Reset statistics', '重置统计'],
  period: ['Period', '时段'],
  instant: ['Real time', '实时'],
  hour: ['Past 60 minutes', '过去 60 分钟'],
  after: ['Fail over after (s)', '主备切换等待（秒）'],
  lossBound: ['Degraded if packet loss exceeds (%)', '丢包率超过此值即异常（%）'],
  discontinuityBound: ['Degraded if discontinuities in 10 s exceed', '10 秒内中断超过此次数即异常'],
  black: ['Degraded if black for (s)', '黑场超过此时长即异常（秒）'],
  frozen: ['Degraded if frozen for (s)', '静帧超过此时长即异常（秒）'],
  silent: ['Degraded if silent for (s)', '静音超过此时长即异常（秒）'],
  contentHint: ['Leave empty to turn this check off.', '留空则不检测。'],
  back: ['Return to main after (s)', '恢复主用等待（秒）'],
  backHint: ['Leave empty to stay on the backup.', '留空则停留在备用输入。'],
  trackLoss: ['Fail over when video, audio or input signal is lost', '视频、音频或输入信号中断时切换'],
  holdBoth: ['Fail over without lost pictures', '无丢帧切换'],
  holdBothHint: [
    'Keeps up to 16 MB of each backup. It takes over at the first lost picture; if its stream differs, at the key frame before.',
    '每个备用输入最多缓存 16 MB，从首个丢失画面接替；码流不同时从其前的关键帧开始。'
  ],
  ndi: ['NDI output', 'NDI 输出'],
  general: ['General', '常规'],
  failover: ['Failover', '主备切换'],
  bounds: ['Degraded state', '异常判定'],
  nameInterrupts: ['A new name disconnects the receivers of the NDI output.', '更改名称会断开 NDI 输出的接收端。'],
  ndiInterrupts: ['Its receivers are disconnected when it is turned off.', '关闭后接收端将断开。'],
  slateInterrupts: [
    'While the slate is shown, turning it off takes the channel off air.',
    '正在播出垫片时，关闭将停止播出。'
  ],
  pushInterrupts: [
    'A new key interrupts the channel: the publisher is disconnected.',
    '更换密钥会中断频道：推流端将断开。'
  ],
  playInterrupts: ['A new key disconnects players.', '更换密钥会断开播放端。'],
  offInterrupts: ['Players are disconnected when it is turned off.', '关闭后播放端将断开。'],
  allowedInterrupts: ['Clients at other addresses are disconnected.', '其他地址的客户端将断开。'],
  slate: ['Show slate when input is lost', '输入中断时播出垫片'],
  schedule: ['Schedule', '定时计划'],
  addTimes: ['Add time slot', '添加定时'],
  addEvent: ['Add date', '添加日期'],
  startField: ['Start', '启动'],
  wholeDay: ['Runs for 24 hours', '持续 24 小时'],
  nextDay: ['On the next day', '次日'],
  stopField: ['Stop', '停止'],
  past: ['Past', '已过期'],
  zone: ['Time zone', '时区'],
  replacePublisher: ['A new publisher replaces the current one', '新的发布者取代当前发布者'],
  log: ['Logs', '日志'],
  events: ['Events of this channel', '此频道的事件'],
  wholeLog: ['All entries', '全部记录'],
  offline: ['Offline', '离线']
} as const satisfies Record<string, Translation>

/** Names of the kinds of inputs. */
export const INPUT_KIND_NAMES = {
  device: ['Device', '设备'],
  ndi: ['NDI source', 'NDI 源'],
  address: ['Address', '地址']
} as const satisfies Record<string, Translation>

/** Indicators of ETSI TR 101 290. */
export const TRANSPORT_ERROR_NAMES: Readonly<Record<TransportError, Translation>> = {
  'sync-loss': ['Sync loss', '同步丢失'],
  'sync-byte': ['Sync byte', '同步字节'],
  pat: ['PAT', 'PAT'],
  pmt: ['PMT', 'PMT'],
  continuity: ['Continuity', '连续计数'],
  pid: ['PID', 'PID'],
  transport: ['Transport', '传输'],
  crc: ['CRC', 'CRC'],
  'pcr-repetition': ['PCR repetition', 'PCR 间隔'],
  'pcr-discontinuity': ['PCR discontinuity', 'PCR 不连续'],
  pts: ['PTS', 'PTS']
}
