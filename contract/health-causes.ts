// The causes of verdicts on channels, devices and the hub (docs/wire.md, "Health"): a sentence for each, and what to do
// about it.
import type { HealthReason, NextStep } from './health.ts'
import type { Translation } from './text/language.ts'

/**
 * Causes. `{backup}`, `{failed}`, `{outputs}`, `{loss}`, `{count}`, `{track}` and `{seconds}` are the numbers of the
 * verdict.
 */
export const CAUSES: Readonly<Record<HealthReason, readonly [sentence: Translation, nextStep?: NextStep]>> = {
  'no-input': [['No input.', '无输入。'], 'check-source'],
  'input-lost': [['Input lost.', '输入中断。'], 'check-source'],
  'on-backup': [
    ['Running on backup {backup}: main input lost.', '正在使用备用输入 {backup}：主输入中断。'],
    'check-main-input'
  ],
  'main-video-lost': [
    ['Running on backup {backup}: main input has lost its video.', '正在使用备用输入 {backup}：主输入的视频中断。'],
    'check-main-input'
  ],
  'main-audio-lost': [
    ['Running on backup {backup}: main input has lost its audio.', '正在使用备用输入 {backup}：主输入的音频中断。'],
    'check-main-input'
  ],
  'main-no-signal': [
    ['Running on backup {backup}: main input has no input signal.', '正在使用备用输入 {backup}：主输入无输入信号。'],
    'check-signal'
  ],
  'main-bad-content': [
    [
      'Running on backup {backup}: main input has a fault in picture or sound.',
      '正在使用备用输入 {backup}：主输入内容异常。'
    ],
    'check-main-input'
  ],
  'main-back': [
    ['Running on backup {backup}: main input is back.', '正在使用备用输入 {backup}：主输入已恢复。'],
    'switch-to-main'
  ],
  'main-returns': [
    [
      'Running on backup {backup}: main input is back and returns in {seconds} s.',
      '正在使用备用输入 {backup}：主输入已恢复，{seconds} 秒后切回。'
    ],
    'wait'
  ],
  'on-slate': [['No input: slate on air.', '无输入：正在播出垫片。'], 'check-source'],
  'manual-backup': [['Backup {backup} was put on air manually.', '已手动切换到备用输入 {backup}。'], 'end-manual'],
  'manual-slate': [['The slate was put on air manually.', '已手动切换到垫片。'], 'end-manual'],
  'outputs-failed': [
    ['{failed} of {outputs} outputs failed.', '{outputs} 个输出中有 {failed} 个失败。'],
    'check-outputs'
  ],
  'packet-loss': [['{loss} % packet loss in the last 10 s.', '最近 10 秒丢包率 {loss}%。'], 'check-network'],
  discontinuities: [['Discontinuities in the last 10 s: {count}.', '最近 10 秒码流中断 {count} 次。'], 'check-network'],
  'awaits-publisher': [['Nothing has been received yet.', '尚未收到流。'], 'publish'],
  'awaits-player': [['No player is connected.', '没有播放端连接。']],
  'no-signal': [['The device has no input signal.', '设备无输入信号。'], 'check-signal'],
  'video-lost': [['No video received.', '未收到视频。'], 'check-tracks'],
  'audio-lost': [['No audio received.', '未收到音频。'], 'check-tracks'],
  'audio-track-lost': [['Audio track {track} not received.', '未收到音轨 {track}。'], 'check-tracks'],
  'codecs-changed': [['The codecs of the source have changed.', '信号源的编码已改变。'], 'check-format'],
  black: [['The picture is black.', '画面全黑。'], 'check-signal'],
  frozen: [['The picture is frozen.', '画面静止。'], 'check-signal'],
  silent: [['The audio is silent.', '音频静音。'], 'check-signal'],
  'unexpected-format': [['The format is not the expected one.', '格式与预期不符。'], 'check-format'],
  'phase-inverted': [['The phase of the audio is inverted.', '音频反相。'], 'check-signal'],
  clipped: [['The audio is clipped.', '音频削波。'], 'check-signal'],
  loud: [['The audio is too loud.', '音量过大。'], 'check-signal'],
  quiet: [['The audio is too quiet.', '音量过小。'], 'check-signal'],
  'no-data': [['No data received.', '未收到数据。'], 'check-source'],
  disconnected: [['The connection was lost.', '连接已断开。'], 'check-address'],
  unreachable: [['The address cannot be reached.', '无法连接到该地址。'], 'check-address'],
  refused: [['The peer refused the connection.', '对端拒绝连接。'], 'check-address'],
  'not-authorized': [['Credentials refused.', '认证失败。'], 'check-credentials'],
  'wrong-format': [['The format is not supported.', '不支持该格式。'], 'check-format'],
  'wrong-audio': [['The format is not supported.', '不支持该格式。'], 'encode-audio'],
  'not-media': [['What is received is not a readable stream.', '收到的数据不是可识别的媒体流。'], 'check-format'],
  'peer-wrong-name': [
    ['The certificate of the server is for another name.', '服务器证书的名称与地址不符。'],
    'check-name'
  ],
  'peer-expired': [['The certificate of the server has expired.', '服务器证书已过期。'], 'renew-certificate'],
  'peer-not-yet-valid': [['The certificate of the server is not yet valid.', '服务器证书尚未生效。'], 'check-clock'],
  'peer-issuer-unknown': [
    ['The issuer of the server certificate is not trusted.', '服务器证书的颁发者不受信任。'],
    'trust-issuer'
  ],
  'peer-certificate': [['The certificate of the server is invalid.', '服务器证书无效。'], 'renew-certificate'],
  'too-slow': [['The target accepts data too slowly.', '目标接收数据过慢。'], 'check-network'],
  'target-silent': [['The receiver accepts no data.', '接收端不再接收数据。'], 'check-receiver'],
  'address-in-use': [['The address is already in use.', '该地址已被占用。'], 'choose-port'],
  'not-installed': [['A program is missing on the hub.', '中控缺少所需程序。'], 'install'],
  'input-silent': [['The input has no data.', '输入没有数据。'], 'check-source'],
  'hls-off': [['HLS is turned off on this hub.', '此中控已关闭 HLS。'], 'enable-hls'],
  failed: [['Failed.', '失败。'], 'check-address'],
  'device-offline': [['The device is offline.', '设备离线。'], 'check-device'],
  'device-certificate': [['The certificate of the device has changed.', '设备的证书已变更。']],
  'device-updating': [['The firmware of the device is being updated.', '正在更新设备固件。'], 'wait'],
  'device-warning': [['The device reports a warning.', '设备报告告警。'], 'check-device'],
  'engine-away': [['The stream engine of the hub is not responding.', '中控的流引擎没有响应。'], 'wait'],
  'engine-restarted': [
    [
      'The stream engine of the hub was restarted. Streams are connecting again.',
      '中控的流引擎已重启，流正在重新连接。'
    ],
    'wait'
  ],
  'not-reconnected': [
    [
      'The stream engine of the hub was restarted, and the source has not connected again.',
      '中控的流引擎已重启，信号源尚未重新连接。'
    ],
    'publish'
  ],
  'program-failed': [['A stream program of the hub failed.', '中控的流程序发生故障。'], 'wait'],
  'program-stuck': [['A stream program of the hub is not responding.', '中控的流程序没有响应。'], 'wait'],
  'hub-busy': [['The processor of the hub is overloaded.', '中控的处理器过载。'], 'reduce-load'],
  'memory-low': [['The hub is short of memory.', '中控内存不足。'], 'free-memory'],
  'port-closed': [['The port could not be opened.', '端口无法打开。'], 'choose-port'],
  'interface-missing': [
    ['A network interface of the hub is missing or has no address.', '中控的网络接口不存在或没有地址。'],
    'check-interface'
  ],
  'recording-failed': [['Not being recorded.', '未在录制。']],
  'disk-full': [['The disk is almost full.', '磁盘空间即将用尽。'], 'free-space'],
  'storage-fault': [['Changes cannot be stored.', '无法保存更改。']],
  'certificate-expiring': [
    ['The HTTPS certificate expires in less than 30 days.', 'HTTPS 证书将在 30 天内过期。'],
    'install-certificate'
  ],
  'certificate-expired': [['The HTTPS certificate has expired.', 'HTTPS 证书已过期。'], 'install-certificate'],
  'certificate-damaged': [
    ['The HTTPS certificate cannot be read. Another one is in use.', 'HTTPS 证书无法读取，已改用其他证书。'],
    'install-certificate'
  ],
  'backup-failed': [['The last scheduled backup failed.', '最近一次定时备份失败。'], 'check-backup'],
  'checks-slowed': [['Content checks run less often.', '内容检测已减慢。'], 'reduce-load']
}
