// Settings of a channel other than its inputs, outputs and schedule. Read-only without the permission to edit channels.
import { NAME_EXISTS } from '../../../contract/codes.ts'
import { type Channel, setChannel } from '../../../contract/stream/channel.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { NumberField, PasswordField, TextField } from '../../form/text-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { isOnAir } from '../../parts/channel/channel-state.ts'
import { SaveBar, useUnsaved } from '../../parts/save-bar.tsx'
import { READ_ONLY } from '../../parts/settings/settings-form.tsx'
import { FIELD_TEXT } from '../../parts/source/field-text.ts'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './dialog-text.ts'
import { CONTENT_FIELDS, changedConfig, LABELS, VALUE_RULES, type Values, valuesOf } from './settings-values.ts'
import { $channel, saveConfig } from './store.ts'

export function SettingsTab({ channel }: { channel: Channel }) {
  const { config } = channel
  const mayEdit = useStore($isAllowed)(setChannel)
  const saved = valuesOf(channel)
  const form: Form<Values> = useForm(
    VALUE_RULES,
    saved,
    (values) => {
      const changed = Object.fromEntries(unsaved.map((field) => [field, values[field]]))
      return saveConfig(channel, changedConfig(config, changed, values), {
        newName: values.name,
        isShownElsewhere: form.showsError,
        onUndo: () => form.setValues(saved)
      })
    },
    {
      fieldOfCode: { [NAME_EXISTS]: 'name' },
      // As the hub has stored it: a key that was cleared is a new one.
      onSuccess() {
        const stored = $channel.get().value?.channel
        if (stored) form.setValues(valuesOf(stored))
      }
    }
  )
  const unsaved = useUnsaved(form, saved)
  const field = <Field extends keyof Values>(fieldName: Field) => ({
    ...form.field(fieldName),
    label: LABELS[fieldName]()
  })
  // Of a channel on air, the hints about what an interruption is stand out.
  const interrupting = isOnAir(channel) ? 'interrupting' : undefined
  return (
    <form noValidate onSubmit={form.submit}>
      {!mayEdit && <p className="muted">{t(READ_ONLY)}</p>}
      <fieldset className="field cards" disabled={!mayEdit}>
        <Card title={t(TEXT.general)}>
          <div className={saved.ndi ? interrupting : undefined}>
            <TextField {...field('name')} hint={saved.ndi ? t(TEXT.nameInterrupts) : undefined} />
          </div>
          <div className={interrupting}>
            <SwitchField {...field('ndi')} hint={t(TEXT.ndiInterrupts)} />
          </div>
        </Card>
        <Card title={t(TEXT.failover)}>
          <div className="fields">
            <NumberField {...field('switchAfter')} />
            <NumberField {...field('switchBack')} hint={t(TEXT.backHint)} />
          </div>
          <SwitchField {...field('switch-on-track-loss')} />
          <SwitchField {...field('hold-both')} hint={t(TEXT.holdBothHint)} />
          <div className={interrupting}>
            <SwitchField {...field('slate')} hint={t(TEXT.slateInterrupts)} />
          </div>
        </Card>
        <Card title={t(TEXT.keysTitle)}>
          <div className={interrupting}>
            {mayEdit && <PasswordField {...field('push-key')} hint={t(TEXT.pushInterrupts)} />}
            {mayEdit && <PasswordField {...field('play-key')} hint={t(TEXT.playInterrupts)} />}
            <SwitchField {...field('rtmp')} hint={t(TEXT.offInterrupts)} />
            <SwitchField {...field('srt')} hint={t(TEXT.offInterrupts)} />
            <TextField {...field('allow-ip')} hint={`${t(FIELD_TEXT.allowedHint)} ${t(TEXT.allowedInterrupts)}`} />
          </div>
          <SwitchField {...field('replace-publisher')} />
        </Card>
        <Card title={t(TEXT.bounds)}>
          <TextField {...field('loss')} />
          <NumberField {...field('discontinuities')} />
          {config.content &&
            CONTENT_FIELDS.map((name) => <NumberField key={name} {...field(name)} hint={t(TEXT.contentHint)} />)}
        </Card>
      </fieldset>
      <SaveBar
        busy={form.busy}
        unsaved={unsaved.map((changed) => LABELS[changed]())}
        onDiscard={() => form.setValues(saved)}
      />
    </form>
  )
}
