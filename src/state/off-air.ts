// The channels that an action takes off air, as the lines of a question.
import type { Envelope } from '../../contract/call.ts'
import type { OffAirChannel, OffAirEffect } from '../../contract/off-air.schema.ts'
import { type Translation, t } from '../text/language.ts'

const EFFECTS: Readonly<Record<OffAirEffect, Translation>> = {
  stops: ['{0} goes off air.', '{0} 将停止播出。'],
  restarts: ['{0} is interrupted, and continues.', '{0} 将短暂中断后恢复。'],
  outputs: ['{0} stays on air, but receivers are disconnected.', '{0} 继续播出，但接收端将断开。']
}
const TEXT = {
  outputs: ['Outputs: {0}.', '输出：{0}。'],
  viewers: ['Viewers: {0}.', '观看者：{0}。'],
  others: ['Channels of other users: {0}', '其他用户的频道：{0}']
} as const satisfies Record<string, Translation>

function itemOf({ name, effect, outputs, viewers }: OffAirChannel): string {
  return [
    t(EFFECTS[effect], name),
    outputs.length > 0 && t(TEXT.outputs, outputs.join(', ')),
    viewers > 0 && t(TEXT.viewers, viewers)
  ]
    .filter(Boolean)
    .join(' ')
}

/** A line for each channel with its outputs and viewers. Undefined if the response says nothing about channels. */
export function offAirItems({ 'off-air': channels = [], 'off-air-hidden': hidden }: Envelope): string[] | undefined {
  if (channels.length === 0 && !hidden) return undefined
  return [...channels.map(itemOf), ...(hidden ? [t(TEXT.others, hidden)] : [])]
}
