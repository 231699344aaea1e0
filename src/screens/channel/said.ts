// What is said of a channel in its list and on its page.
import type { Channel } from '../../../contract/channel.ts'
import { CONNECTION, SOURCE } from '../../../contract/protocols.ts'
import { t } from '../../text/language.ts'
import { legWord, type StateWord } from '../../text/states.ts'
import { TEXT } from './text.ts'

/** The state of a channel that is stopped, and of its outputs. */
export const stopped = (): StateWord => ({ tone: 'off', text: t(TEXT.stopped) })

/** The channel's state in a word: stopped, without input, or what its input says. */
export function wordOf({ config, input }: Channel): StateWord {
  if (!config.enable) return stopped()
  return input ? legWord(input.state, input['conn-state']) : { tone: 'warn', text: t(TEXT.noInput) }
}

/** Whether it carries media. */
export const isLive = (channel: Channel) =>
  channel.config.enable && channel.input?.['conn-state'] === CONNECTION.connected && channel.state === SOURCE.running

export const inputName = ({ input }: Channel): string =>
  input?.hidden ? t(TEXT.hiddenInput) : (input?.name ?? t(TEXT.none))
