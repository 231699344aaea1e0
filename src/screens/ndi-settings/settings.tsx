// The page of the NDI settings: the state of NDI on the hub, discovery, NDI outputs of new channels, and the hub's
// discovery server.
import { NDI_EDIT } from '../../../contract/access/permissions.ts'
import type { NdiStatus, OutdatedNdiProcess } from '../../../contract/ndi/status.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { settingsOf } from '../../other-hubs.ts'
import { NOT_SET_UP, NotSetUp } from '../../parts/access-note.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { $ndiStatus } from '../../parts/source/ndi-status.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { DiscoveryForm } from './discovery-form.tsx'
import { ServerForm } from './server-form.tsx'
import { $settings, saveNdiSettings } from './store.ts'
import { ROLES, TEXT } from './text.ts'

export function NdiSettingsScreen() {
  const { value } = useStore($settings)
  const { value: status } = useStore($ndiStatus)
  const { 'ndi-discovery': discovery, channel, 'hub-ndi-server': server } = settingsOf(value)
  const isComplete = discovery !== undefined && channel !== undefined && server !== undefined && status !== undefined
  const settingsPlaceholder = usePlaceholder($settings, !value, null)
  const statusPlaceholder = usePlaceholder($ndiStatus, !status, null)
  if (!isComplete) return <>{settingsPlaceholder ?? statusPlaceholder}</>
  return (
    <div className="cards">
      <NotSetUp parts={[[t(TEXT.runtime), status.runtime]]} />
      <StatusCard status={status} />
      <DiscoveryForm settings={discovery} />
      <OutputForm enable={channel['ndi-enable']} />
      <ServerForm settings={server} status={status.server} />
    </div>
  )
}

function StatusCard({ status }: { status: NdiStatus }) {
  const { runtime, outdated, unusable, 'machine-name': machine, 'account-config': accountConfig } = status
  return (
    <Card title={t(TEXT.state)}>
      <DescriptionList
        items={[
          [
            t(TEXT.runtime),
            <StatusLabel
              key="runtime"
              tone={runtime.version ? 'good' : 'warn'}
              text={runtime.version ?? t(NOT_SET_UP)}
            />
          ],
          [t(TEXT.announcedAs), machine],
          [t(TEXT.accountConfig), accountConfig && t(accountConfig === 'merged' ? TEXT.merged : TEXT.invalidConfig)],
          [t(TEXT.unusable), unusable.join(', ')]
        ]}
      />
      {status['ipv6-only'] && (
        <p className="fault" role="alert">
          {t(TEXT.noIpv4)}
        </p>
      )}
      {machine !== undefined && <OutdatedProcesses processes={outdated} />}
    </Card>
  )
}

/** The processes that run with an earlier configuration. */
function OutdatedProcesses({ processes }: { processes: readonly OutdatedNdiProcess[] }) {
  if (processes.length === 0) return <p className="muted">{t(TEXT.allCurrent)}</p>
  return (
    <>
      <h3>{t(TEXT.outdated)}</h3>
      <ul>
        {processes.map(({ role, name }, index) => (
          <li key={`${index} ${name}`}>{t(ROLES[role], name)}</li>
        ))}
      </ul>
      <p className="muted">{t(TEXT.outdatedHint)}</p>
    </>
  )
}

/** Edits whether new channels have an NDI output. */
function OutputForm({ enable }: { enable: boolean }) {
  const form = useForm({}, { enable }, (values, options) =>
    saveNdiSettings({ channel: { 'ndi-enable': values.enable } }, options)
  )
  return (
    <SettingsForm title={t(TEXT.output)} form={form} saved={{ enable }} access={NDI_EDIT}>
      <SwitchField {...form.field('enable')} label={t(TEXT.byDefault)} hint={t(TEXT.byDefaultHint)} />
    </SettingsForm>
  )
}
