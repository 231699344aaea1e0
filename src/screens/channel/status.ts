// What is said of a channel in its list and on its page.
import type { Channel, ChannelInput } from '../../../contract/stream/channel.ts'
import { CONNECTION, SOURCE } from '../../../contract/stream/protocols.ts'
import { t } from '../../text/language.ts'
import { legWord, type StateWord } from '../../text/states.ts'
import { TEXT } from './text.ts'

/** The state of a channel that is stopped, and of its inputs and outputs. */
export const stopped = (): StateWord => ({ tone: 'off', text: t(TEXT.stopped) })

/** The input that is on air, else the first. */
const onAirOf = ({ input, backups, 'on-air': onAir }: Channel) =>
  backups?.find(({ id }) => id === onAir?.input) ?? input

const isConnected = (leg?: ChannelInput | null) => leg?.['conn-state'] === CONNECTION.connected

/** The channel's state in a word: stopped, what the input on air says, or that it waits for who has its push key. */
export function wordOf(channel: Channel): StateWord {
  if (!channel.config.enable) return stopped()
  const leg = onAirOf(channel)
  return leg && (leg.id || leg['conn-state'])
    ? legWord(leg.state, leg['conn-state'])
    : { tone: 'busy', text: t(TEXT.awaitsPush) }
}

/** The state of one of its inputs in a word: that it is on air, or what it says itself. */
export function inputWord(channel: Channel, leg: ChannelInput): StateWord {
  if (!channel.config.enable) return stopped()
  return channel['on-air']?.input === leg.id && isConnected(leg)
    ? { tone: 'good', text: t(TEXT.onAir) }
    : legWord(leg.state, leg['conn-state'])
}

/** Whether it carries media. */
export const isLive = (channel: Channel) =>
  channel.config.enable && isConnected(onAirOf(channel)) && channel.state === SOURCE.running

export const inputName = (input: ChannelInput | null): string =>
  input?.hidden ? t(TEXT.hiddenInput) : input?.name || t(TEXT.none)
