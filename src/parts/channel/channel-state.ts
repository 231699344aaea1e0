// Texts about a channel beside its verdict, for lists, tiles and pages.
import type { Channel } from '../../../contract/stream/channel.ts'
import { channelHealth, outputHealth } from '../../other-hubs.ts'
import { appointment } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'

const TEXT = {
  outputs: ['{0} of {1} outputs on air', '{0}/{1} 个输出播出中'],
  onAir: ['{0} of {1} on air', '{0}/{1} 个播出中'],
  noOutputs: ['No outputs', '无输出'],
  startsAt: ['Starts {0}', '{0} 启动'],
  stopsAt: ['Stops {0}', '{0} 停止']
} as const satisfies Record<string, Translation>

const ON_AIR: readonly string[] = ['on-air', 'degraded']

/** Whether viewers receive a channel. */
export const isOnAir = (channel: Channel): boolean => ON_AIR.includes(channelHealth(channel).verdict)

/**
 * '1 of 2 outputs on air': of the outputs that are switched on, those that send. Of all outputs if none is switched on.
 * @param isTitled without the word, which stands above
 */
export function outputsText(channel: Channel, isTitled?: boolean): string {
  const { list } = channel.outputs
  if (list.length === 0) return t(TEXT.noOutputs)
  const enabled = list.filter(({ enable }) => enable)
  const sending = enabled.filter((output) => ON_AIR.includes(outputHealth(channel, output).verdict))
  return t(isTitled ? TEXT.onAir : TEXT.outputs, number(sending.length), number(enabled.length || list.length))
}

/** 'Starts Sun 09:30': the next start or stop by the schedule; undefined if there is none. */
export function nextChangeText({ 'next-edge': next }: Channel): string | undefined {
  return next && t(next.enable ? TEXT.startsAt : TEXT.stopsAt, appointment(next.at * 1000))
}
