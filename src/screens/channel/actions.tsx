// Actions on channels, in the list and on the page of a channel.
import { startRecording, stopRecording } from '../../../contract/recording/recording.ts'
import { required } from '../../../contract/rules/rules.ts'
import {
  addChannelOutputs,
  type Channel,
  deleteChannels,
  enableChannel,
  setChannelInput
} from '../../../contract/stream/channel.ts'
import { duplicateChannel } from '../../../contract/stream/channel-actions.ts'
import { setChannelSecurity } from '../../../contract/stream/channel-security.ts'
import { addOutput } from '../../../contract/stream/source.ts'
import { asksBeforeOffAir } from '../../other-hubs.ts'
import { openAccess } from '../../parts/access/open-access.ts'
import * as ACCESS_TEXT from '../../parts/access/text.ts'
import type { Action } from '../../parts/actions.tsx'
import { limitReason } from '../../parts/license-limits.ts'
import { tagAction } from '../../parts/tag/tag-action.ts'
import { channelLink } from '../../paths.ts'
import { navigate } from '../../state/location.ts'
import { succeeded } from '../../state/mutations.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import * as RECORDING_TEXT from '../../text/recording.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { BulkEditDialog } from './bulk-edit-dialog.tsx'
import { DecoderDialog } from './decoder-dialog.tsx'
import { InputDialog } from './input-dialog.tsx'
import { OutputDialog } from './output-dialog.tsx'
import { changeInput, copyChannel, enableChannels, record, removeChannels, setBackups } from './store.ts'
import { SWITCH_ACTIONS } from './switch-actions.ts'
import * as TEXT from './text.ts'

export const START: Action<Channel> = {
  call: enableChannel,
  icon: 'play',
  verb: TEXT.start,
  isApplicable: ({ config }) => !config.enable,
  disabledReason: () => limitReason('max-live-count'),
  run: (channels) => enableChannels(channels, true)
}
export const STOP: Action<Channel> = {
  call: enableChannel,
  icon: 'stop',
  verb: TEXT.stop,
  isApplicable: ({ config }) => config.enable,
  confirmText: (channels) =>
    channels.some((channel) => channel['conn-num'] > 0 && !asksBeforeOffAir(channel)) ? t(TEXT.stopText) : undefined,
  run: (channels) => enableChannels(channels, false)
}
/** Another hub has no recordings. */
export const RECORD: Action<Channel> = {
  call: startRecording,
  icon: 'record',
  verb: RECORDING_TEXT.startRecording,
  isApplicable: (channel) => asksBeforeOffAir(channel) && !channel.recording,
  run: ([channel]) => record(startRecording, channel as Channel, OUTCOME.recordingStarted)
}
export const STOP_RECORDING: Action<Channel> = {
  call: stopRecording,
  icon: 'stop',
  verb: RECORDING_TEXT.stopRecording,
  isApplicable: ({ recording }) => recording !== undefined,
  run: ([channel]) => record(stopRecording, channel as Channel, OUTCOME.recordingStopped)
}
export const REMOVE: Action<Channel> = {
  call: deleteChannels,
  icon: 'delete',
  verb: TEXT.remove,
  kind: 'danger',
  // This hub asks before a channel goes off air, and a deletion can be undone.
  confirmText: (channels) => (channels.every(asksBeforeOffAir) ? undefined : t(TEXT.removeText)),
  run: removeChannels
}

export const openInputDialog = (channel: Channel) =>
  openDialog(InputDialog, {
    channel,
    verb: TEXT.setInput,
    // An input that the user has no access to cannot be selected either.
    initialInput: channel.input?.hidden ? 0 : channel.input?.id,
    save: (node) => changeInput(channel, node)
  })

export const openBackupDialog = (channel: Channel) =>
  openDialog(InputDialog, {
    channel,
    verb: TEXT.addBackup,
    rule: required,
    exclude: [channel.input?.id ?? 0, ...(channel.config.backups ?? [])],
    save: (node) => setBackups(channel, [...(channel.config.backups ?? []), node])
  })

export const openDecoderDialog = (channel: Channel) => openDialog(DecoderDialog, { channel })

export const openOutputDialog = (channel: Channel) => openDialog(OutputDialog, { channel })

/** Why the licence allows no further output of a channel. Outputs of a stopped channel do not count. */
export const outputLimitReason = ({ config }: Channel): string | undefined =>
  config.enable ? limitReason('max-output-count') : undefined

/** Edits who sees channels. */
export const ACCESS: Action<Channel> = {
  call: setChannelSecurity,
  icon: 'key',
  verb: ACCESS_TEXT.access,
  run: (channels) => openAccess({ of: 'channel', objects: channels })
}

/** Changes outputs and settings of selected channels. */
export const EDIT: Action<Channel> = {
  call: addChannelOutputs,
  icon: 'edit',
  verb: TEXT.edit,
  run: (channels) => openDialog(BulkEditDialog, { channels })
}

export const TAGS: Action<Channel> = tagAction('channel')

/** Actions on one channel, in its menu. */
export const DIALOG_ACTIONS: readonly Action<Channel>[] = [
  ...SWITCH_ACTIONS,
  {
    call: setChannelInput,
    icon: 'input',
    verb: TEXT.setInput,
    run: ([channel]) => openInputDialog(channel as Channel)
  },
  {
    call: addOutput,
    icon: 'output',
    verb: TEXT.addOutput,
    disabledReason: ([channel]) => outputLimitReason(channel as Channel),
    run: ([channel]) => openOutputDialog(channel as Channel)
  },
  {
    call: addChannelOutputs,
    icon: 'devices',
    verb: TEXT.sendToDecoder,
    disabledReason: ([channel]) => outputLimitReason(channel as Channel),
    run: ([channel]) => openDecoderDialog(channel as Channel)
  },
  {
    call: duplicateChannel,
    icon: 'copy',
    verb: TEXT.duplicate,
    single: true,
    disabledReason: () => limitReason('max-channel-count'),
    run: ([channel]) => succeeded(copyChannel(channel as Channel))
  },
  {
    // Available to every user; the tab is read-only without the permission to edit channels.
    call: { access: 'session' },
    icon: 'settings',
    verb: TEXT.settings,
    async run([channel]) {
      navigate(channelLink(channel?.id, { tab: 'settings' }))
      return false
    }
  },
  TAGS,
  ACCESS
]
