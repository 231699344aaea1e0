// Actions on channels, in the list and on the page of a channel.
import { type Channel, deleteChannels, enableChannel, setChannelInput } from '../../../contract/stream/channel.ts'
import { type AddOutputRequest, addOutput, type Output } from '../../../contract/stream/source.ts'
import type { Action } from '../../parts/actions.tsx'
import { OUTPUT_FORM } from '../../parts/source/output-form.ts'
import { SourceDialog } from '../../parts/source/source-dialog.tsx'
import { t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { openInputDialog } from './input-dialog.tsx'
import { SettingsDialog } from './settings-dialog.tsx'
import { addChannelOutput, enableChannels, removeChannels } from './store.ts'
import { TEXT } from './text.ts'

export const START: Action<Channel> = {
  call: enableChannel,
  icon: 'play',
  verb: TEXT.start,
  isApplicable: ({ config }) => !config.enable,
  run: (channels) => enableChannels(channels, true)
}
export const STOP: Action<Channel> = {
  call: enableChannel,
  icon: 'stop',
  verb: TEXT.stop,
  isApplicable: ({ config }) => config.enable,
  // Asks for confirmation only if clients are connected.
  confirmText: (channels) => (channels.some((channel) => channel['conn-num'] > 0) ? t(TEXT.stopText) : undefined),
  run: (channels) => enableChannels(channels, false)
}
export const REMOVE: Action<Channel> = {
  call: deleteChannels,
  icon: 'delete',
  verb: TEXT.remove,
  kind: 'danger',
  confirmText: () => t(TEXT.removeText),
  run: removeChannels
}

export const openOutputDialog = (channel: Channel) =>
  openDialog(SourceDialog<Output, AddOutputRequest>, {
    schema: OUTPUT_FORM,
    name: `${channel.name} ${channel.outputs.total + 1}`,
    title: t(TEXT.of, t(TEXT.addOutput), channel.name),
    submitLabel: t(TEXT.addOutput),
    save: (output, options) => addChannelOutput(channel.id, output, options)
  })

/** Actions on one channel that open a dialog. */
export const DIALOG_ACTIONS = [
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
    run: ([channel]) => openOutputDialog(channel as Channel)
  },
  {
    // Available to every user; the dialog is read-only without the permission to edit channels.
    call: { access: 'session' },
    icon: 'settings',
    verb: TEXT.settings,
    run: ([channel]) => openDialog(SettingsDialog, { channel: channel as Channel })
  }
] as const satisfies readonly Action<Channel>[]
