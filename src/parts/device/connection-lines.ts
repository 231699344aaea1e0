// Texts of the connection configuration: the protocol of the streams between a device and the hub.
import type { InputConfig, OutputConfig } from '../../../contract/device/config.ts'
import type { Device } from '../../../contract/device/device.ts'
import { LATENCY_DEFAULT } from '../../../contract/limits.ts'
import { DIR_INPUT, DIR_OUTPUT, RTMP, SRT } from '../../../contract/stream/protocols.ts'
import { type Translation, t } from '../../text/language.ts'
import type { DescriptionItem } from '../../ui/description-list.tsx'

export const CONNECTION_TEXT = {
  title: ['Connection', '连接配置'],
  input: ['From the device', '设备到中控'],
  output: ['To the device', '中控到设备'],
  global: ['Global default', '全局默认'],
  defaultProtocol: ['Default protocol', '默认协议'],
  stream: ['Stream', '码流'],
  main: ['Main stream', '主码流'],
  sub: ['Sub stream', '子码流'],
  latency: ['Latency (ms)', '延迟（毫秒）'],
  latencyOf: ['latency {0} ms', '延迟 {0} 毫秒'],
  buffer: ['Buffer (ms)', '缓冲（毫秒）'],
  bufferOf: ['buffer {0} ms', '缓冲 {0} 毫秒'],
  afterwards: ['afterwards {0}', '之后恢复 {0}']
} as const satisfies Record<string, Translation>

const PROTOCOLS: Readonly<Record<number, string>> = { [RTMP]: 'RTMP', [SRT]: 'SRT' }

const protocolText = ({ protocol }: { protocol: number }) => PROTOCOLS[protocol] ?? t(CONNECTION_TEXT.defaultProtocol)

const latencyText = ({ protocol, latency = LATENCY_DEFAULT }: { protocol: number; latency?: number }) =>
  protocol !== RTMP && t(CONNECTION_TEXT.latencyOf, latency)

const sentence = (facts: readonly (string | false | undefined)[]) => facts.filter(Boolean).join(', ')

const inputText = (input: InputConfig) =>
  sentence([
    protocolText(input),
    t(input['stream-index'] ? CONNECTION_TEXT.sub : CONNECTION_TEXT.main),
    latencyText(input)
  ])

function outputText(output: OutputConfig): string {
  const buffer = output['buffer-ms']
  return sentence([
    protocolText(output),
    latencyText(output),
    buffer !== undefined && t(CONNECTION_TEXT.bufferOf, buffer)
  ])
}

/** One line for each direction of a device: 'From the device: SRT, Main stream, latency 120 ms'. */
export const connectionLines = (device: Device): DescriptionItem[] => {
  const { dir, config: { input, output } = {}, 'sends-over': sendsOver, 'plays-before': before } = device
  return [
    [
      t(CONNECTION_TEXT.input),
      (dir & DIR_INPUT) > 0 && (sendsOver ?? (input ? inputText(input) : t(CONNECTION_TEXT.global)))
    ],
    [
      t(CONNECTION_TEXT.output),
      (dir & DIR_OUTPUT) > 0 &&
        sentence([
          output ? outputText(output) : t(CONNECTION_TEXT.global),
          before && t(CONNECTION_TEXT.afterwards, before)
        ])
    ]
  ]
}
