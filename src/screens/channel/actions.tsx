// What can be done to channels, in their list and on the page of each.
import { type Channel, deleteChannels, enableChannel, setChannelInput } from '../../../contract/stream/channel.ts'
import { type AddOutputRequest, addOutput, type Output } from '../../../contract/stream/source.ts'
import type { Action } from '../../parts/actions.tsx'
import { SourceDialog } from '../../parts/source-dialog.tsx'
import { OUTPUT } from '../../parts/source-fields.ts'
import { t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { changeInput } from './input-dialog.tsx'
import { SettingsDialog } from './settings-dialog.tsx'
import { enable, giveOutput, removeChannels } from './store.ts'
import { TEXT } from './text.ts'

export const START: Action<Channel> = {
  call: enableChannel,
  icon: 'play',
  verb: TEXT.start,
  fits: ({ config }) => !config.enable,
  run: (channels) => enable(channels, true)
}
export const STOP: Action<Channel> = {
  call: enableChannel,
  icon: 'stop',
  verb: TEXT.stop,
  fits: ({ config }) => config.enable,
  // It takes the picture from people only where somebody is watching.
  ask: (channels) => (channels.some((channel) => channel['conn-num'] > 0) ? t(TEXT.stopText) : undefined),
  run: (channels) => enable(channels, false)
}
export const REMOVE: Action<Channel> = {
  call: deleteChannels,
  icon: 'delete',
  verb: TEXT.remove,
  kind: 'danger',
  ask: () => t(TEXT.removeText),
  run: removeChannels
}

export const addOutputTo = (channel: Channel) =>
  openDialog(SourceDialog<Output, AddOutputRequest>, {
    side: OUTPUT,
    name: `${channel.name} ${channel.outputs.total + 1}`,
    title: t(TEXT.of, t(TEXT.addOutput), channel.name),
    verb: t(TEXT.addOutput),
    save: (output, options) => giveOutput(channel.id, output, options)
  })

/** What is done to one channel, in a dialog. */
export const OPENS = [
  {
    call: setChannelInput,
    icon: 'input',
    verb: TEXT.setInput,
    run: ([channel]) => changeInput(channel as Channel)
  },
  {
    call: addOutput,
    icon: 'output',
    verb: TEXT.addOutput,
    run: ([channel]) => addOutputTo(channel as Channel)
  },
  {
    // To be seen by all; who may change it, it says itself.
    call: { who: 'session' },
    icon: 'settings',
    verb: TEXT.settings,
    run: ([channel]) => openDialog(SettingsDialog, { channel: channel as Channel })
  }
] as const satisfies readonly Action<Channel>[]
