// Firmware on a web server: releases with their notes, the download of one, and the address of the server.
import { SUCCESS } from '../../../contract/codes.ts'
import {
  cancelDownload,
  checkOnlineFirmware,
  downloadFirmware,
  type OnlineFirmware
} from '../../../contract/firmware.ts'
import { INSTALLATION_STATE } from '../../../contract/installation-state.ts'
import { startRollout } from '../../../contract/rollout.ts'
import { SETTING_RIGHTS } from '../../../contract/settings.ts'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { NotSetUp } from '../../parts/access-note.tsx'
import type { Action } from '../../parts/actions.tsx'
import {
  check,
  OnlineReleaseList,
  TEXT as RELEASES,
  ServerFault,
  VERSION_COLUMN
} from '../../parts/online-releases.tsx'
import { saveSettings } from '../../parts/settings/save-settings.ts'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { dateTime } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import { bytes } from '../../text/numbers.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { Column } from '../../ui/table/table.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { chooseDevices } from './files.tsx'
import { $online } from './store.ts'
import { TEXT } from './text.ts'

const nameOf = (release: OnlineFirmware) =>
  [release['product-name'], release['hardware-ver'], release.version].join(' ')

/** The message of a success. */
const done = (text: Translation, release?: OnlineFirmware) => ({
  success: { text, names: release ? [nameOf(release)] : [] }
})

const COLUMNS: readonly Column<OnlineFirmware>[] = [
  { key: 'product', title: TEXT.product, text: (release) => release['product-name'] },
  VERSION_COLUMN,
  { key: 'hardware', title: TEXT.hardware, text: (release) => release['hardware-ver'], hide: 'xs' },
  { key: 'state', title: TEXT.state, cell: ({ tone, text }) => <StatusLabel tone={tone} text={text} /> },
  {
    key: 'published',
    title: RELEASES.published,
    cell: ({ time }) => dateTime(time),
    sort: ({ time }) => time,
    hide: 'sm'
  },
  { key: 'size', title: RELEASES.size, cell: ({ size }) => bytes(size), sort: ({ size }) => size, hide: 'xs' }
]

const ACTIONS: readonly Action<OnlineFirmware>[] = [
  {
    call: downloadFirmware,
    icon: 'down',
    verb: RELEASES.download,
    kind: 'main',
    isApplicable: ({ state }) => state <= INSTALLATION_STATE.idle,
    run: ([release]) =>
      succeeded(sendMutation(downloadFirmware, { id: release?.id ?? '' }, done(OUTCOME.started, release)))
  },
  {
    call: cancelDownload,
    icon: 'close',
    verb: UI.cancel,
    isApplicable: ({ state }) => state === INSTALLATION_STATE.init || state === INSTALLATION_STATE.download,
    run: ([release]) => succeeded(sendMutation(cancelDownload, {}, done(OUTCOME.stopped, release)))
  },
  {
    call: startRollout,
    icon: 'devices',
    verb: TEXT.choose,
    kind: 'main',
    isApplicable: ({ state }) => state === INSTALLATION_STATE.done,
    run: async ([release]) => chooseDevices(release?.['firmware-id'])
  }
]

/** The address of the server, which is asked as soon as it is saved. */
function ServerForm({ saved }: { saved: { address: string } }) {
  const form = useForm({}, saved, async ({ address }, options) => {
    const reply = await saveSettings({ 'firmware-server': { address } }, options)
    if (reply.result === SUCCESS && address) void check(checkOnlineFirmware)
    return reply
  })
  return (
    <SettingsForm title={t(RELEASES.server)} form={form} saved={saved} access={SETTING_RIGHTS['firmware-server'].edit}>
      <TextField {...form.field('address')} label={t(RELEASES.address)} hint={t(TEXT.addressHint)} />
    </SettingsForm>
  )
}

export function OnlineReleases() {
  const { value } = useStore($online)
  const { address, date, fault, list = [] } = value ?? {}
  return (
    <>
      {fault && (address ? <ServerFault fault={fault} /> : <NotSetUp parts={[[t(RELEASES.online), fault]]} />)}
      {address !== '' && (
        <OnlineReleaseList
          store={$online}
          rows={list}
          settingsKey="online-firmware"
          columns={COLUMNS}
          nameOf={nameOf}
          checkCall={checkOnlineFirmware}
          date={date}
          actions={ACTIONS}
        />
      )}
      {value && <ServerForm saved={{ address: value.address }} />}
    </>
  )
}
