// States of channels and of their inputs, for the list and the page of a channel.
import type { Channel, ChannelInput } from '../../../contract/stream/channel.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../../contract/stream/protocols.ts'
import { t } from '../../text/language.ts'
import { legLabel, type StateLabel } from '../../text/states.ts'
import { TEXT } from './text.ts'

/** The state of a stopped channel and of its inputs and outputs. */
export const stoppedState = (): StateLabel => ({ tone: 'off', text: t(TEXT.stopped) })

/** The input on air, otherwise the main input. */
const activeInput = ({ input, backups, 'on-air': onAir }: Channel) =>
  backups?.find(({ id }) => id === onAir?.input) ?? input

const isConnected = (leg?: ChannelInput | null) => leg?.['conn-state'] === CONNECTION_STATE.connected

/** The state of a channel: stopped, the state of its input on air, or waiting for a publisher if it has no input. */
export function channelState(channel: Channel): StateLabel {
  if (!channel.config.enable) return stoppedState()
  const leg = activeInput(channel)
  return leg && (leg.id || leg['conn-state'])
    ? legLabel(leg.state, leg['conn-state'])
    : { tone: 'busy', text: t(TEXT.awaitsPush) }
}

/** The state of an input of a channel: on air, otherwise the state of its connection. */
export function inputState(channel: Channel, leg: ChannelInput): StateLabel {
  if (!channel.config.enable) return stoppedState()
  return channel['on-air']?.input === leg.id && isConnected(leg)
    ? { tone: 'good', text: t(TEXT.onAir) }
    : legLabel(leg.state, leg['conn-state'])
}

/** Whether a channel carries media. */
export const isLive = (channel: Channel) =>
  channel.config.enable && isConnected(activeInput(channel)) && channel.state === SOURCE_STATE.running

export const inputName = (input: ChannelInput | null): string =>
  input?.hidden ? t(TEXT.hiddenInput) : input?.name || t(TEXT.none)
