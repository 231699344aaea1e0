import { NDI_EDIT } from '../../../contract/access/permissions.ts'
import type { NdiServerSettings } from '../../../contract/ndi/settings.ts'
import type { NdiServerStatus } from '../../../contract/ndi/status.ts'
import { port, type RuleSet } from '../../../contract/rules/rules.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { NumberField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { t } from '../../text/language.ts'
import { DescriptionList } from '../../ui/description-list.tsx'
import { StateLabel } from '../../ui/state-label.tsx'
import { saveNdiSettings } from './store.ts'
import { SERVER_STATES, TEXT } from './text.ts'

interface Values {
  enable: boolean
  port: string
}

const RULES: RuleSet<Values> = { port }

function ServerState({ status }: { status: NdiServerStatus }) {
  const { state, error, 'retry-in-s': retryIn, 'next-step': step } = status
  if (state === undefined) return null
  return (
    <div role="status">
      <DescriptionList
        items={[
          [t(TEXT.status), <StateLabel key="state" state={SERVER_STATES[state]} />],
          [t(TEXT.lastError), error]
        ]}
      />
      {retryIn !== undefined && <p className="muted">{t(TEXT.retryIn, retryIn)}</p>}
      {step && <p>{step}</p>}
    </div>
  )
}

/** Edits the discovery server of the hub, and shows its state. */
export function ServerForm({ settings, status }: { settings: NdiServerSettings; status: NdiServerStatus }) {
  const initial: Values = { enable: settings.enable, port: String(settings.port) }
  const form = useForm<Values>(RULES, initial, (values, options) =>
    saveNdiSettings({ 'hub-ndi-server': { enable: values.enable, port: Number(values.port) } }, options)
  )
  return (
    <SettingsForm title={t(TEXT.hubServer)} form={form} saved={initial} access={NDI_EDIT}>
      <ServerState status={status} />
      <SwitchField {...form.field('enable')} label={t(TEXT.enable)} />
      <NumberField {...form.field('port')} label={t(TEXT.port)} />
    </SettingsForm>
  )
}
