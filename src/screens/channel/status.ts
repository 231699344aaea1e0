// Inputs of channels, for the list and the page of a channel.
import type { Channel, ChannelInput } from '../../../contract/stream/channel.ts'
import { t } from '../../text/language.ts'
import * as TEXT from './text.ts'

/** The input on air, otherwise the main input. */
export const activeInput = ({ input, backups, 'on-air': onAir }: Channel): ChannelInput | null =>
  backups?.find(({ id }) => id === onAir?.input) ?? input

export const inputName = (input: ChannelInput | null): string =>
  input?.hidden ? t(TEXT.hiddenInput) : input?.name || t(TEXT.none)
