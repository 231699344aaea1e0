// Inputs of channels, for the list and the page of a channel.
import type { Channel, ChannelInput } from '../../../contract/stream/channel.ts'
import { isOnAir } from '../../parts/channel/channel-state.ts'
import { t } from '../../text/language.ts'
import * as TEXT from './text.ts'

/** The input on air, otherwise the main input. */
export const activeInput = ({ input, backups, 'on-air': onAir }: Channel): ChannelInput | null =>
  backups?.find(({ id }) => id === onAir?.input) ?? input

export const inputName = (input: ChannelInput | null): string =>
  input?.hidden ? t(TEXT.hiddenInput) : input?.name || t(TEXT.none)

/**
 * Text for a change after which the channel combines several inputs, or no longer does: its outputs continue with another stream then.
 * @param others number of the other backups, and the slate, that the channel has besides the change
 * @returns undefined if nothing is interrupted
 */
export const restartNotice = (channel: Channel, others: number): string | undefined =>
  isOnAir(channel) && others === 0 ? t(TEXT.outputsRestart) : undefined

/** Number of backups, and the slate, of a channel. */
export const countFallbacks = ({ config }: Channel): number =>
  (config.backups?.length ?? 0) + Number(config.slate === true)
