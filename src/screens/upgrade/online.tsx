// Releases of the hub on a web server: list with notes, download, and how the hub looks for them.
import { SUCCESS } from '../../../contract/codes.ts'
import {
  cancelUpdate,
  checkUpdate,
  type OnlineRelease,
  type OnlineStatus,
  setUpdate,
  startUpdate,
  UPDATE_STATE
} from '../../../contract/update.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { type Action, CallButton } from '../../parts/actions.tsx'
import {
  check,
  OnlineReleaseList,
  TEXT as RELEASES,
  ServerFault,
  VERSION_COLUMN
} from '../../parts/online-releases.tsx'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { bytes, percent } from '../../text/numbers.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import type { Column } from '../../ui/table/table.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { $update, discardUpdate } from './store.ts'
import { TEXT } from './text.ts'

const COLUMNS: readonly Column<OnlineRelease>[] = [
  VERSION_COLUMN,
  { key: 'published', title: RELEASES.published, cell: ({ time }) => dateTime(time), hide: 'xs' },
  { key: 'size', title: RELEASES.size, cell: ({ size }) => bytes(size), hide: 'xs' }
]

const ACTIONS: readonly Action<OnlineRelease>[] = [
  {
    call: startUpdate,
    icon: 'down',
    verb: RELEASES.download,
    kind: 'main',
    run: ([release]) =>
      succeeded(
        sendMutation(
          startUpdate,
          { id: release?.id ?? '' },
          { success: { text: OUTCOME.started, names: [release?.version ?? ''] } }
        )
      )
  }
]

function ServerForm({ online }: { online: OnlineStatus }) {
  const saved = {
    address: online.address ?? '',
    // Without an address nothing is checked; with one, the hub checks unless somebody has turned that off.
    enable: !online.address || online.enable === true,
    'enable-expr': online['enable-expr'] ?? false
  }
  const form = useForm({}, saved, async (values, options) => {
    const reply = await sendMutation(setUpdate, values, { ...options, success: { text: OUTCOME.settingsSaved } })
    if (reply.result === SUCCESS && values.address) void check(checkUpdate)
    return reply
  })
  return (
    <SettingsForm title={t(RELEASES.server)} form={form} saved={saved} access={setUpdate.access}>
      <TextField {...form.field('address')} label={t(RELEASES.address)} />
      <SwitchField {...form.field('enable')} label={t(TEXT.daily)} />
      <SwitchField {...form.field('enable-expr')} checkbox label={t(TEXT.preReleases)} hint={t(TEXT.disclaimer)} />
    </SettingsForm>
  )
}

export function OnlineUpdates() {
  const { value } = useStore($update)
  const { state = 0, progress = 0, 'online-status': online } = value ?? {}
  // A hub with the documented calls only.
  if (online?.address === undefined) return null
  const { address, date, fault, versions } = online
  return (
    <>
      {fault && <ServerFault fault={fault} />}
      {address && (
        <OnlineReleaseList
          store={$update}
          rows={versions?.list ?? []}
          settingsKey="online-updates"
          columns={COLUMNS}
          nameOf={({ version }) => version}
          checkCall={checkUpdate}
          date={date}
          progress={
            state & (UPDATE_STATE.pulling | UPDATE_STATE.cancelling) ? (
              <>
                <span role="status">{percent(progress)}</span>
                <CallButton call={cancelUpdate} icon="close" label={t(UI.cancel)} onClick={discardUpdate} />
              </>
            ) : undefined
          }
          actions={ACTIONS}
        />
      )}
      <ServerForm online={online} />
    </>
  )
}
