// What one of the ports is set to that all channels share. Each is a part of the hub's settings, which are written by part.
import { passphrase, port, type RuleSet } from '../../../contract/rules/rules.ts'
import { type SrtSettings, setSettings } from '../../../contract/settings.ts'
import type { SharedPort } from '../../../contract/system.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { NumberField } from '../../form/number-field.tsx'
import { PasswordField } from '../../form/password-field.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { ASK } from '../../parts/actions.tsx'
import { TEXT as FIELD } from '../../parts/source-fields.ts'
import { change } from '../../state/toasts.ts'
import { t } from '../../text/language.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import * as UI from '../../ui/text.ts'
import { TEXT } from './text.ts'

export type PortName = 'srt' | 'rtmp'

/** As on the wire, all as text. */
type Values = Record<keyof SrtSettings, string>

const NOT_ENCRYPTED = '0'

const RULES: RuleSet<Values> = {
  port,
  passphrase: (value, all) => (all['pb-key-len'] === NOT_ENCRYPTED ? undefined : passphrase(value))
}

/** A port with where it is, else with what is behind the button. */
export const settingsOf = (name: PortName, at?: number): string =>
  t(TEXT.of, name.toUpperCase(), at ?? t(TEXT.settings))

interface PortDialogProps {
  name: PortName
  now: SharedPort & Partial<SrtSettings>
  onClose: () => void
}

export function PortDialog({ name, now, onClose }: PortDialogProps) {
  const form: Form<Values> = useForm(
    RULES,
    {
      port: String(now.port),
      'pb-key-len': String(now['pb-key-len'] ?? 0),
      passphrase: now.passphrase ?? ''
    },
    async ({ port, 'pb-key-len': length, passphrase }) =>
      // Where it is not open, nobody is connected.
      now.reason || (await confirm({ title: t(ASK, t(UI.save)), text: t(TEXT.renewText), verb: t(UI.save) }))
        ? change(
            setSettings,
            {
              [name]: {
                port: Number(port),
                // What is not shown is not sent: the hub keeps it.
                ...(name === 'srt' && {
                  'pb-key-len': Number(length),
                  passphrase: length === NOT_ENCRYPTED ? '' : passphrase
                })
              }
            },
            { quiet: form.takes }
          )
        : undefined,
    { done: onClose }
  )
  const { field, values } = form
  return (
    <FormDialog form={form} title={settingsOf(name)} onClose={onClose}>
      <NumberField {...field('port')} label={t(FIELD.port)} />
      {name === 'srt' && (
        <SelectField
          {...field('pb-key-len')}
          label={t(FIELD.encryption)}
          options={[0, 16, 24, 32].map((bytes) => ({
            value: String(bytes),
            label: bytes ? `AES-${bytes * 8}` : t(FIELD.none)
          }))}
        />
      )}
      {values['pb-key-len'] !== NOT_ENCRYPTED && <PasswordField {...field('passphrase')} label={t(FIELD.passphrase)} />}
    </FormDialog>
  )
}
