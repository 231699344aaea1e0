import { type ReactNode, useEffect } from 'react'
import type { Envelope } from '../../../../contract/call.ts'
import { setTime, type TimeSync } from '../../../../contract/machine/time.ts'
import type { RuleSet } from '../../../../contract/rules/rules.ts'
import { firstTimeServer, secondTimeServer } from '../../../../contract/rules/time.ts'
import { SwitchField } from '../../../form/switch-field.tsx'
import { TextField } from '../../../form/text-field.tsx'
import { useForm } from '../../../form/use-form.ts'
import { SettingsForm } from '../../../parts/settings/settings-form.tsx'
import { t } from '../../../text/language.ts'
import { saveTime } from './store.ts'
import { TEXT } from './text.ts'

interface Values {
  sync: boolean
  server1: string
  server2: string
}

const RULES: RuleSet<Values> = { server1: firstTimeServer, server2: secondTimeServer }

/** Edits whether the clock is synchronised, and with which servers. */
export function SyncForm({ sync, obstacle }: { sync: TimeSync; obstacle: ReactNode }) {
  const [server1 = '', server2 = ''] = sync.servers
  const initial: Values = { sync: sync.enabled ?? false, server1, server2 }
  const form = useForm<Values>(
    RULES,
    initial,
    (values): Promise<Envelope> => saveTime(values, { isShownElsewhere: form.showsError })
  )
  // New values from the hub replace the form's values.
  useEffect(() => form.setValues(initial), [initial.sync, server1, server2])
  return (
    <SettingsForm title={t(TEXT.setSync)} form={form} access={setTime.access} obstacle={obstacle}>
      <SwitchField {...form.field('sync')} label={t(TEXT.useServers)} hint={t(TEXT.offHint)} />
      <TextField {...form.field('server1')} label={t(TEXT.server1)} hint={t(TEXT.serverHint)} />
      <TextField {...form.field('server2')} label={t(TEXT.server2)} />
    </SettingsForm>
  )
}
