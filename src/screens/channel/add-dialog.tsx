// Adds a channel in one flow: name, source, destination, start. It ends on the page of the channel, with its picture.
import { useRef, useState } from 'react'
import { NAME_EXISTS, PORT_OCCUPIED } from '../../../contract/codes.ts'
import { channelName, required } from '../../../contract/rules/rules.ts'
import { enableChannel } from '../../../contract/stream/channel.ts'
import { addOutput } from '../../../contract/stream/source.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { $limitReasons } from '../../parts/license-limits.ts'
import { SourceFields } from '../../parts/source/source-dialog.tsx'
import type { SourceValues } from '../../parts/source/source-form.ts'
import { channelLink } from '../../paths.ts'
import { $outputDevices } from '../../state/channel-devices.ts'
import { navigate } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { $presets } from '../../state/sources.ts'
import { t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'
import {
  DECODER,
  destinationFields,
  destinationRules,
  destinationsWith,
  destinationValues,
  outputOf
} from './destination.ts'
import { DestinationPicker } from './destination-picker.tsx'
import { TEXT } from './dialog-text.ts'
import { SourcePicker, sourceRule } from './source-picker.tsx'
import { createChannel } from './store.ts'
import * as CHANNEL_TEXT from './text.ts'

const RULES = {
  ...destinationRules,
  name: channelName,
  node: sourceRule,
  decoder: (value: string, { destination }: SourceValues) => (destination === DECODER ? required(value) : undefined)
}

export function AddChannelDialog({ onClose }: { onClose: () => void }) {
  const isAllowed = useStore($isAllowed)
  const mayStart = isAllowed(enableChannel)
  const limit = useStore($limitReasons)('max-live-count')
  const canStart = mayStart && limit === undefined
  const [isStarted, setStarted] = useState(true)
  const added = useRef(0)
  const initial: SourceValues = {
    ...destinationValues(isAllowed(addOutput) ? 'listener' : '', []),
    name: '',
    source: '',
    /** Node id of the input; empty = none. */
    node: '',
    decoder: ''
  }
  const form: Form<SourceValues> = useForm<SourceValues>(
    RULES,
    initial,
    async (values) => {
      const { name = '', node, destination, decoder } = values
      const output = destination === DECODER ? Number(decoder) : outputOf(values)
      const reply = await createChannel(name, Number(node), output, canStart && isStarted)
      added.current = reply.id ?? 0
      return reply
    },
    {
      fieldOfWireName: { input: 'node' },
      fieldOfCode: { [NAME_EXISTS]: 'name', [PORT_OCCUPIED]: 'bind-port' },
      onSuccess() {
        onClose()
        navigate(channelLink(added.current))
      }
    }
  )
  return (
    <FormDialog form={form} submitLabel={t(CHANNEL_TEXT.add)} onClose={onClose}>
      <TextField {...form.field('name')} label={t(CHANNEL_TEXT.name)} autoFocus />
      <SourcePicker form={form} />
      <DestinationFields form={form} />
      {canStart && (
        <SwitchField
          name="start"
          value={isStarted}
          onValueChange={setStarted}
          label={t(TEXT.startNow)}
          hint={t(TEXT.startNowHint)}
          checkbox
        />
      )}
      {mayStart && limit && <p className="muted">{t(TEXT.staysStopped, limit)}</p>}
    </FormDialog>
  )
}

interface FormProps {
  form: Form<SourceValues>
}

/** Where the channel sends its stream: a tile for each destination, and the fields of the chosen one. */
function DestinationFields({ form }: FormProps) {
  const isAllowed = useStore($isAllowed)
  return isAllowed(addOutput) ? <DestinationTiles form={form} /> : null
}

function DestinationTiles({ form }: FormProps) {
  const { values } = form
  const fields = destinationFields(values).map((field) =>
    field.wireName === 'bind-port' ? { ...field, title: TEXT.outputPort, hint: TEXT.optional } : field
  )
  return (
    <DestinationPicker form={form} destinations={destinationsWith(useStore($presets).items)}>
      <SourceFields form={form} fields={fields} />
      {values.destination === DECODER && <DecoderField form={form} />}
    </DestinationPicker>
  )
}

/** Selects a device that can play the channel and plays none. */
function DecoderField({ form }: FormProps) {
  const devices = useStore($outputDevices).items.filter((device) => !device['owner-o'] && !device['owner-hidden'])
  return (
    <SelectField
      {...form.field('decoder')}
      label={t(TEXT.decoder)}
      hint={devices.length === 0 ? t(TEXT.noDecoder) : undefined}
      placeholder={t(CHANNEL_TEXT.none)}
      options={devices.map(({ id, name }) => ({ value: String(id), label: name }))}
    />
  )
}
