// Makes an NDI source the main input of a channel. A source that is no preset yet becomes one.
import { useRef } from 'react'
import type { Envelope } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { addNdiPreset } from '../../../contract/ndi/preset.ts'
import { required, streamName } from '../../../contract/rules/rules.ts'
import { setChannelInput } from '../../../contract/stream/channel.ts'
import type { NdiSource } from '../../../contract/stream/ndi.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { send } from '../../link/send.ts'
import { linkTo } from '../../paths.ts'
import { $channels } from '../../state/channels.ts'
import { confirmAndRetry, mutate } from '../../state/mutations.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

interface Values {
  channel: string
  alias: string
}

interface UseSourceDialogProps {
  source: Pick<NdiSource, 'name' | 'presets'>
  /** Proposed name of the preset. */
  alias: string
  onClose: (succeeded?: boolean) => void
}

export function UseSourceDialog({ source: { name, presets }, alias: proposed, onClose }: UseSourceDialogProps) {
  const channels = useStore($channels).items
  // A second attempt uses the preset that the first one has added.
  const preset = useRef(presets[0])
  const isNew = presets.length === 0

  async function setInput({ channel, alias }: Values): Promise<Envelope> {
    if (preset.current === undefined) {
      const added = await send(addNdiPreset, { name: alias, ndi: { name } })
      if (added.result !== SUCCESS) return added
      preset.current = added.id
    }
    const input = preset.current
    return confirmAndRetry((force) => send(setChannelInput, { id: Number(channel), input, ...force }))
  }

  const form = useForm<Values>(
    { channel: required, ...(isNew && { alias: streamName }) },
    { channel: '', alias: proposed },
    (values, options) => {
      const names = channels.filter(({ id }) => String(id) === values.channel).map((channel) => channel.name)
      const path = linkTo('channelDetail', { channelId: values.channel })
      return mutate(setInput(values), { ...options, success: { text: OUTCOME.saved, names, path } })
    },
    { fieldOfWireName: { name: 'alias', id: 'channel', input: 'channel' }, onSuccess: () => onClose(true) }
  )
  const current = channels.find(({ id }) => String(id) === form.values.channel)
  const hint = current && (current.input ? t(TEXT.replaces, current.input.name) : t(TEXT.noInput))
  return (
    <FormDialog form={form} title={t(TEXT.use, name)} submitLabel={t(TEXT.useShort)} onClose={onClose}>
      <SelectField
        {...form.field('channel')}
        label={t(TEXT.channel)}
        placeholder={t(TEXT.choose)}
        hint={hint}
        options={channels.map((channel) => ({ value: String(channel.id), label: channel.name }))}
      />
      {isNew && <TextField {...form.field('alias')} label={t(TEXT.name)} hint={t(TEXT.becomesPreset)} />}
    </FormDialog>
  )
}
