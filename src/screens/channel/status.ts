// States of channels and of their inputs, for the list and the page of a channel.
import type { Channel, ChannelInput } from '../../../contract/stream/channel.ts'
import { channelHealth, hasMedia, inputHealth } from '../../../contract/stream/channel-health.ts'
import { appointment } from '../../text/dates.ts'
import { type HealthLabel, healthLabel, healthSentence } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import * as TEXT from './text.ts'

/** The input on air, otherwise the main input. */
export const activeInput = ({ input, backups, 'on-air': onAir }: Channel): ChannelInput | null =>
  backups?.find(({ id }) => id === onAir?.input) ?? input

/** The verdict on a channel, with its cause as a tooltip. */
export function channelState(channel: Channel): HealthLabel & { tooltip: string } {
  const health = channelHealth(channel)
  return { ...healthLabel(health), tooltip: healthSentence(health).why }
}

/** The verdict on an input of a channel. */
export const inputState = (channel: Channel, input: ChannelInput): HealthLabel =>
  healthLabel(inputHealth(channel, input))

/** Whether a channel is down or degraded. */
export function isInTrouble(channel: Channel): boolean {
  const { verdict } = channelHealth(channel)
  return verdict === 'down' || verdict === 'degraded'
}

/** 'Starts Sun 09:30': the next start or stop by the schedule; undefined if there is none. */
export function nextChangeText({ 'next-edge': next }: Channel): string | undefined {
  return next && t(next.enable ? TEXT.startsAt : TEXT.stopsAt, appointment(next.at * 1000))
}

/** Whether a channel carries media. */
export const isLive = (channel: Channel) => channel.config.enable && hasMedia(channel)

export const inputName = (input: ChannelInput | null): string =>
  input?.hidden ? t(TEXT.hiddenInput) : input?.name || t(TEXT.none)
