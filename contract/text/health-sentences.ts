// Sentences for the codes of verdicts: the console uses them for the health that a hub sends or that it computes
// itself, the hub for its messages and problems.
import type { HealthNumbers, HealthReason, NextStep } from '../health.ts'
import type { Translation } from './language.ts'

type Sentences<Code extends string> = Readonly<Record<Code, Translation>>

/**
 * Causes. `{backup}`, `{failed}`, `{outputs}`, `{loss}`, `{count}`, `{track}` and `{seconds}` are the numbers of the
 * verdict.
 */
export const REASON_SENTENCES: Sentences<HealthReason> = {
  'no-input': ['No input.', '无输入。'],
  'input-lost': ['Input lost.', '输入中断。'],
  'on-backup': ['Running on backup {backup}: main input lost.', '正在使用备用输入 {backup}：主输入中断。'],
  'main-video-lost': [
    'Running on backup {backup}: main input has lost its video.',
    '正在使用备用输入 {backup}：主输入的视频中断。'
  ],
  'main-audio-lost': [
    'Running on backup {backup}: main input has lost its audio.',
    '正在使用备用输入 {backup}：主输入的音频中断。'
  ],
  'main-no-signal': [
    'Running on backup {backup}: main input has no input signal.',
    '正在使用备用输入 {backup}：主输入无输入信号。'
  ],
  'main-back': ['Running on backup {backup}: main input is back.', '正在使用备用输入 {backup}：主输入已恢复。'],
  'main-returns': [
    'Running on backup {backup}: main input is back and returns in {seconds} s.',
    '正在使用备用输入 {backup}：主输入已恢复，{seconds} 秒后切回。'
  ],
  'on-slate': ['No input: slate on air.', '无输入：正在播出垫片。'],
  'manual-backup': ['Backup {backup} was put on air manually.', '已手动切换到备用输入 {backup}。'],
  'manual-slate': ['The slate was put on air manually.', '已手动切换到垫片。'],
  'outputs-failed': ['{failed} of {outputs} outputs failed.', '{outputs} 个输出中有 {failed} 个失败。'],
  'packet-loss': ['{loss} % packet loss in the last 10 s.', '最近 10 秒丢包率 {loss}%。'],
  discontinuities: ['Discontinuities in the last 10 s: {count}.', '最近 10 秒码流中断 {count} 次。'],
  'awaits-publisher': ['Nothing has been received yet.', '尚未收到流。'],
  'awaits-player': ['No player is connected.', '没有播放端连接。'],
  'no-signal': ['The device has no input signal.', '设备无输入信号。'],
  'video-lost': ['No video received.', '未收到视频。'],
  'audio-lost': ['No audio received.', '未收到音频。'],
  'audio-track-lost': ['Audio track {track} not received.', '未收到音轨 {track}。'],
  'codecs-changed': ['The codecs of the source have changed.', '信号源的编码已改变。'],
  'no-data': ['No data received.', '未收到数据。'],
  disconnected: ['The connection was lost.', '连接已断开。'],
  unreachable: ['The address cannot be reached.', '无法连接到该地址。'],
  refused: ['The peer refused the connection.', '对端拒绝连接。'],
  'not-authorized': ['Credentials refused.', '认证失败。'],
  'wrong-format': ['The format is not supported.', '不支持该格式。'],
  'not-media': ['What is received is not a readable stream.', '收到的数据不是可识别的媒体流。'],
  'peer-wrong-name': ['The certificate of the server is for another name.', '服务器证书的名称与地址不符。'],
  'peer-expired': ['The certificate of the server has expired.', '服务器证书已过期。'],
  'peer-not-yet-valid': ['The certificate of the server is not yet valid.', '服务器证书尚未生效。'],
  'peer-issuer-unknown': ['The issuer of the server certificate is not trusted.', '服务器证书的颁发者不受信任。'],
  'peer-certificate': ['The certificate of the server is invalid.', '服务器证书无效。'],
  'too-slow': ['The target accepts data too slowly.', '目标接收数据过慢。'],
  'target-silent': ['The receiver accepts no data.', '接收端不再接收数据。'],
  'address-in-use': ['The address is already in use.', '该地址已被占用。'],
  'not-installed': ['A program is missing on the hub.', '中控缺少所需程序。'],
  'input-silent': ['The input has no data.', '输入没有数据。'],
  'hls-off': ['HLS is turned off on this hub.', '此中控已关闭 HLS。'],
  failed: ['Failed.', '失败。'],
  'device-offline': ['The device is offline.', '设备离线。'],
  'device-warning': ['The device reports a warning.', '设备报告告警。'],
  'engine-away': ['The stream engine of the hub is not responding.', '中控的流引擎没有响应。'],
  'engine-restarted': [
    'The stream engine of the hub was restarted. Streams are connecting again.',
    '中控的流引擎已重启，流正在重新连接。'
  ],
  'not-reconnected': [
    'The stream engine of the hub was restarted, and the source has not connected again.',
    '中控的流引擎已重启，信号源尚未重新连接。'
  ],
  'program-failed': ['A stream program of the hub failed.', '中控的流程序发生故障。'],
  'program-stuck': ['A stream program of the hub is not responding.', '中控的流程序没有响应。'],
  'hub-busy': ['The processor of the hub is overloaded.', '中控的处理器过载。'],
  'memory-low': ['The hub is short of memory.', '中控内存不足。'],
  'port-closed': ['The port could not be opened.', '端口无法打开。'],
  'interface-missing': [
    'A network interface of the hub is missing or has no address.',
    '中控的网络接口不存在或没有地址。'
  ],
  'disk-full': ['The disk is almost full.', '磁盘空间即将用尽。'],
  'storage-fault': ['Changes cannot be stored.', '无法保存更改。'],
  'certificate-expiring': ['The HTTPS certificate expires in less than 30 days.', 'HTTPS 证书将在 30 天内过期。'],
  'certificate-expired': ['The HTTPS certificate has expired.', 'HTTPS 证书已过期。'],
  'certificate-damaged': [
    'The HTTPS certificate cannot be read. Another one is in use.',
    'HTTPS 证书无法读取，已改用其他证书。'
  ],
  'backup-failed': ['The last scheduled backup failed.', '最近一次定时备份失败。']
}

/** What to do. */
export const NEXT_STEP_SENTENCES: Sentences<NextStep> = {
  'choose-input': ['Choose an input.', '请选择输入。'],
  publish: ['Start the encoder, and check its address and ingest key.', '请启动编码器，并检查推流地址和推流密钥。'],
  'check-source': ['Check that the source is sending, and its network.', '请检查信号源是否在发送及其网络。'],
  'check-signal': ['Check the source and its cable.', '请检查信号源及其线缆。'],
  'check-tracks': [
    'Check the picture and sound at the source. If the source is meant to be like this, stop and start the channel.',
    '请检查信号源的画面和声音。如果信号源本应如此，请停止并重新启动频道。'
  ],
  'check-main-input': ['Check the main input.', '请检查主输入。'],
  'switch-to-main': ['Switch to the main input.', '请切换到主输入。'],
  'end-manual': ['Return to automatic failover when done.', '完成后请恢复自动切换。'],
  'check-address': [
    'Check the address and port, and that the peer is running.',
    '请检查地址和端口，以及对端是否运行。'
  ],
  'check-credentials': ['Check user name, password, key or passphrase.', '请检查用户名、密码、密钥或密码短语。'],
  'check-format': ['Check the codecs and the format of the source.', '请检查信号源的编码和格式。'],
  'check-name': [
    'Check the host name in the address, or have the server certificate issued for it.',
    '请检查地址中的主机名，或让服务器证书包含该名称。'
  ],
  'renew-certificate': ['Renew the certificate on the server.', '请在服务器上更新证书。'],
  'check-clock': ['Check the clocks of the hub and of the server.', '请检查中控和服务器的时钟。'],
  'trust-issuer': [
    'Check the address. For a private server, set Certificate check to own CA.',
    '请检查地址。若为自建服务器，请将“证书校验”设为自有 CA。'
  ],
  'check-network': ['Check the network, or lower the bit rate.', '请检查网络，或降低码率。'],
  'check-device': ['Check the device, its power and network.', '请检查设备及其电源和网络。'],
  'check-outputs': ['Check the failed outputs.', '请检查失败的输出。'],
  'check-receiver': [
    'Check that the receiver is running and not frozen, and the network to it.',
    '请检查接收端是否在运行、是否卡死，以及到接收端的网络。'
  ],
  'choose-port': ['Choose another port, or stop the program that uses it.', '请更换端口，或停止占用该端口的程序。'],
  'check-interface': [
    'Check the network settings and cables of the hub, or choose another interface.',
    '请检查中控的网络设置和网线，或选择其他网络接口。'
  ],
  'enable-hls': ['Turn HLS on in the card Ports, on the page Certificate.', '请在“证书”页面的“端口”卡片中开启 HLS。'],
  'free-space': ['Delete files that are no longer needed.', '请删除不需要的文件。'],
  'reduce-load': [
    'Stop channels that are not needed and other programs on the hub, or use a faster machine.',
    '请停止不需要的频道和中控上的其他程序，或使用更快的机器。'
  ],
  'free-memory': [
    'Stop channels that are not needed and other programs on the hub, or add memory.',
    '请停止不需要的频道和中控上的其他程序，或增加内存。'
  ],
  install: ['Install it on the hub.', '请在中控上安装。'],
  'install-certificate': ['Install a certificate.', '请安装证书。'],
  'check-backup': ['Check the backup settings, then back up now.', '请检查备份设置，然后立即备份。'],
  wait: ['Recovery is automatic.', '系统会自动恢复。']
}

/** All outputs of a channel are down. */
const ALL_OUTPUTS_FAILED: Translation = ['All outputs failed.', '所有输出均失败。']

/** A sentence with the values of its placeholders. */
export type HealthSentence = readonly [sentence: Translation, values: Readonly<Record<string, number>>]

/** The sentences of a verdict's causes, the worst first. Failed outputs are named also if something else is worse. */
export function causeSentences(health: HealthNumbers & { reason?: HealthReason }): HealthSentence[] {
  const { reason, backup = 0, outputs = 0, 'outputs-failed': failed = 0, discontinuities: count = 0 } = health
  const values = {
    backup,
    outputs,
    failed,
    count,
    track: health['audio-track'] ?? 0,
    loss: health['loss-percent'] ?? 0,
    seconds: health['returns-in-s'] ?? 0
  }
  // Failed outputs are a more exact cause than the general one.
  const reasons: (HealthReason | undefined)[] = failed && reason === 'failed' ? [] : [reason]
  if (failed && reason !== 'outputs-failed') reasons.push('outputs-failed')
  return reasons.flatMap((code) => {
    if (!code) return []
    const areAllDown = code === 'outputs-failed' && failed === outputs
    return [[areAllDown ? ALL_OUTPUTS_FAILED : REASON_SENTENCES[code], values]]
  })
}
