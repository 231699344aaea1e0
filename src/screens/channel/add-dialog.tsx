import { useEffect } from 'react'
import { NAME_EXISTS, PORT_OCCUPIED } from '../../../contract/codes.ts'
import { channelName, optional, port, type RuleSet } from '../../../contract/rules/rules.ts'
import { enableChannel } from '../../../contract/stream/channel.ts'
import { proposePort } from '../../../contract/stream/source.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { NumberField, TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { send } from '../../link/send.ts'
import { $limitReasons } from '../../parts/license-limits.ts'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './dialog-text.ts'
import { InputField } from './input-field.tsx'
import { createChannel } from './store.ts'
import * as CHANNEL_TEXT from './text.ts'

const RULES: RuleSet<{ name: string; node: string; port: string; start: boolean }> = {
  name: channelName,
  port: optional(port)
}

/** Adds a channel with its input, and optionally with an SRT output, and starts it unless the user wants it stopped. */
export function AddChannelDialog({ onClose }: { onClose: () => void }) {
  const mayStart = useStore($isAllowed)(enableChannel)
  const limit = useStore($limitReasons)('max-live-count')
  const canStart = mayStart && limit === undefined
  const initial = {
    name: '',
    node: '',
    /** Port of the SRT listener; empty = no output. */
    port: '',
    start: true
  }
  const form = useForm(
    RULES,
    initial,
    ({ name, node, port, start }) => createChannel(name, Number(node), Number(port), canStart && start),
    {
      fieldOfWireName: { 'config.bind-port': 'port', input: 'node' },
      fieldOfCode: { [NAME_EXISTS]: 'name', [PORT_OCCUPIED]: 'port' },
      onSuccess: onClose
    }
  )
  useEffect(() => {
    void send(proposePort, {}).then(({ port }) => port && form.setValues({ port: String(port) }))
  }, [])
  return (
    <FormDialog form={form} submitLabel={t(CHANNEL_TEXT.add)} onClose={onClose}>
      <TextField {...form.field('name')} label={t(CHANNEL_TEXT.name)} autoFocus />
      <InputField {...form.field('node')} />
      <NumberField {...form.field('port')} label={t(TEXT.outputPort)} hint={t(TEXT.optional)} />
      {canStart && (
        <SwitchField {...form.field('start')} label={t(TEXT.startNow)} hint={t(TEXT.startNowHint)} checkbox />
      )}
      {mayStart && limit && <p className="muted">{t(TEXT.staysStopped, limit)}</p>}
    </FormDialog>
  )
}
