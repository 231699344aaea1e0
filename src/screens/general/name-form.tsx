import { useEffect } from 'react'
import type { Envelope } from '../../../contract/call.ts'
import { type HubName, hostNameFor, setDeviceName } from '../../../contract/machine/name.ts'
import { hubName } from '../../../contract/rules/hub.ts'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { AccessNote } from '../../parts/access-note.tsx'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { t } from '../../text/language.ts'
import { DescriptionList } from '../../ui/description-list.tsx'
import { saveName } from './store.ts'
import { TEXT } from './text.ts'

/** Edits the name of the hub, with which its machine gets its host name. */
export function NameForm({ current }: { current: HubName }) {
  const { 'device-name': stored, 'host-name': hostName, access } = current
  const form = useForm(
    { name: hubName },
    { name: stored },
    ({ name }): Promise<Envelope> => saveName(name, { isShownElsewhere: form.showsError })
  )
  // A new name from the hub replaces the form's.
  useEffect(() => form.setValues({ name: stored }), [stored])
  const nextHostName = hostNameFor(form.values.name)
  return (
    <SettingsForm title={t(TEXT.name)} form={form} access={setDeviceName.access}>
      <TextField {...form.field('name')} label={t(TEXT.hubName)} />
      <DescriptionList items={[[t(TEXT.hostName), hostName]]} />
      {access.reason ? (
        <AccessNote access={access} />
      ) : (
        <>
          {nextHostName !== hostName && <p>{t(TEXT.alsoHostName, nextHostName)}</p>}
          <p className="muted">{t(TEXT.ndiName)}</p>
        </>
      )}
    </SettingsForm>
  )
}
