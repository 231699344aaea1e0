// Switching by an operator: puts an input or the slate on air, whatever the failover rule would choose.
import type { Channel } from '../../../contract/stream/channel.ts'
import { switchChannelInput } from '../../../contract/stream/channel-actions.ts'
import { isConnected } from '../../../contract/stream/channel-health.ts'
import type { Action } from '../../parts/actions.tsx'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { type Translation, t } from '../../text/language.ts'
import { channelSuccess } from './store.ts'

const TEXT = {
  toBackup: ['Switch to backup now', '立即切换至备用输入'],
  toMain: ['Return to main now', '立即恢复主输入'],
  toSlate: ['Show slate now', '立即播出垫片'],
  toAutomatic: ['Return to automatic failover', '恢复自动切换'],
  backupSilent: ['No backup has data', '备用输入均无媒体流'],
  mainSilent: ['The main input has no data', '主输入没有媒体流'],
  onBackup: ['{0}: backup on air', '{0}：正在播出备用输入'],
  onMain: ['{0}: main input on air', '{0}：正在播出主输入'],
  onSlate: ['{0}: slate on air', '{0}：正在播出垫片'],
  automatic: ['{0}: automatic failover', '{0}：自动切换']
} as const satisfies Record<string, Translation>

type Target = number | 'slate' | 'auto'

/** Puts an input (node ID), the slate, or what the failover rule chooses on air. @returns whether it succeeded */
export function switchInput(channel: Channel, input: Target): Promise<boolean> {
  const { id, backups = [] } = channel
  const isBackup = backups.some((backup) => backup.id === input)
  const byName: Readonly<Record<string, Translation>> = { slate: TEXT.onSlate, auto: TEXT.automatic }
  const text = byName[input] ?? (isBackup ? TEXT.onBackup : TEXT.onMain)
  return succeeded(sendMutation(switchChannelInput, { id, input }, { success: channelSuccess(text, [channel]) }))
}

/** The backup that an operator would choose: the first one with media that is not on air. */
const nextBackup = ({ backups, 'on-air': onAir }: Channel) =>
  backups?.find((backup) => isConnected(backup) && (backup.id !== onAir?.input || onAir.slate))

/** Whether the main input is on air. */
export const isOnMain = ({ input, 'on-air': onAir }: Channel) => !onAir?.slate && onAir?.input === input?.id

const switchAction = (
  verb: Translation,
  isApplicable: (channel: Channel) => boolean,
  target: (channel: Channel) => Target,
  disabledReason?: (channel: Channel) => string | undefined
): Action<Channel> => ({
  call: switchChannelInput,
  icon: 'input',
  verb,
  single: true,
  isApplicable: (channel) => channel['on-air'] !== undefined && isApplicable(channel),
  disabledReason: ([channel]) => channel && disabledReason?.(channel),
  run: async ([channel]) => channel !== undefined && switchInput(channel, target(channel))
})

/** Actions on one running channel, for its menu. */
export const SWITCH_ACTIONS: readonly Action<Channel>[] = [
  switchAction(
    TEXT.toBackup,
    (channel) => channel.backups?.length !== 0 && isOnMain(channel),
    (channel) => nextBackup(channel)?.id ?? 0,
    (channel) => (nextBackup(channel) ? undefined : t(TEXT.backupSilent))
  ),
  switchAction(
    TEXT.toMain,
    (channel) => !isOnMain(channel) && (channel.backups?.length !== 0 || channel.config.slate === true),
    ({ input }) => input?.id ?? 0,
    ({ input }) => (isConnected(input) ? undefined : t(TEXT.mainSilent))
  ),
  switchAction(
    TEXT.toSlate,
    ({ config, 'on-air': onAir }) => config.slate === true && !(onAir?.slate && onAir.manual),
    () => 'slate'
  ),
  switchAction(
    TEXT.toAutomatic,
    ({ 'on-air': onAir }) => onAir?.manual === true,
    () => 'auto'
  )
]
