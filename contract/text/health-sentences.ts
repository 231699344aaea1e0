// Sentences for the codes of verdicts: the console uses them for the health that a hub sends or that it computes
// itself, the hub for its messages and problems.
import type { HealthNumbers, HealthReason, NextStep } from '../health.ts'
import { CAUSES } from '../health-causes.ts'
import type { Translation } from './language.ts'

/** What to do. */
export const NEXT_STEP_SENTENCES: Readonly<Record<NextStep, Translation>> = {
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
  'encode-audio': ['Set the audio of the output to AAC.', '请将该输出的音频设为 AAC。'],
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
    // A hub of a later version has reasons that are not known here.
    if (!code || !CAUSES[code]) return []
    const areAllDown = code === 'outputs-failed' && failed === outputs
    return [[areAllDown ? ALL_OUTPUTS_FAILED : CAUSES[code][0], values]]
  })
}
