// Dialog for the settings of a port that all channels share. It saves the settings of this port only.
import { passphrase, port, type RuleSet } from '../../../contract/rules/rules.ts'
import { SETTING_RIGHTS, type SrtSettings, setSettings } from '../../../contract/settings.ts'
import type { SharedPort } from '../../../contract/system.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { NumberField, PasswordField } from '../../form/text-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { RestrictedFields } from '../../parts/settings/settings-form.tsx'
import { FIELD_TEXT } from '../../parts/source/field-text.ts'
import { sendMutation } from '../../state/mutations.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import * as UI from '../../ui/text.ts'
import { TEXT } from './dialog-text.ts'
import { portLabel } from './text.ts'

export type PortName = 'srt' | 'rtmp'

/** Named as on the wire; all values are text. */
type Values = Record<keyof SrtSettings, string>

const NOT_ENCRYPTED = '0'

const RULES: RuleSet<Values> = {
  port,
  passphrase: (value, all) => (all['pb-key-len'] === NOT_ENCRYPTED ? undefined : passphrase(value))
}

interface PortDialogProps {
  name: PortName
  current: SharedPort & Partial<SrtSettings>
  onClose: () => void
}

export function PortDialog({ name, current, onClose }: PortDialogProps) {
  const form: Form<Values> = useForm(
    RULES,
    {
      port: String(current.port),
      'pb-key-len': String(current['pb-key-len'] ?? 0),
      passphrase: current.passphrase ?? ''
    },
    async ({ port, 'pb-key-len': keyLength, passphrase }) =>
      // A port that could not be opened has no connections, so no confirmation is needed.
      current.reason || (await confirm({ text: t(TEXT.renewText), confirmLabel: t(UI.save) }))
        ? sendMutation(
            setSettings,
            {
              [name]: {
                port: Number(port),
                // The hub keeps values that are left out.
                ...(name === 'srt' && {
                  'pb-key-len': Number(keyLength),
                  passphrase: keyLength === NOT_ENCRYPTED ? '' : passphrase
                })
              }
            },
            {
              isShownElsewhere: form.showsError,
              success: { text: OUTCOME.saved, names: [portLabel(name, Number(port))] }
            }
          )
        : undefined,
    { onSuccess: onClose }
  )
  const { field, values } = form
  return (
    <FormDialog form={form} title={portLabel(name)} onClose={onClose}>
      <NumberField {...field('port')} label={t(FIELD_TEXT.port)} />
      {name === 'srt' && (
        <RestrictedFields access={SETTING_RIGHTS['srt.passphrase'].edit}>
          <SelectField
            {...field('pb-key-len')}
            label={t(FIELD_TEXT.encryption)}
            options={[0, 16, 24, 32].map((bytes) => ({
              value: String(bytes),
              label: bytes ? `AES-${bytes * 8}` : t(FIELD_TEXT.disabled)
            }))}
          />
          {values['pb-key-len'] !== NOT_ENCRYPTED && (
            <PasswordField {...field('passphrase')} label={t(FIELD_TEXT.passphrase)} />
          )}
        </RestrictedFields>
      )}
    </FormDialog>
  )
}
