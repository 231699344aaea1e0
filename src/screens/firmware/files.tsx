// Firmware files stored on the hub, with the upload button.
import { deleteFirmware, type Firmware, startUpload } from '../../../contract/firmware.ts'
import { formatVersion } from '../../../contract/mwf.ts'
import { startRollout } from '../../../contract/rollout.ts'
import type { Action } from '../../parts/actions.tsx'
import { FirstStep } from '../../parts/first-step.tsx'
import { ResourceList } from '../../parts/resource-list.tsx'
import { linkTo } from '../../paths.ts'
import { $firmware, firmwareName } from '../../state/firmware.ts'
import { navigate } from '../../state/location.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { bytes } from '../../text/numbers.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'
import { FirmwareUpload } from './upload.tsx'

const COLUMNS: readonly Column<Firmware>[] = [
  { key: 'product', title: TEXT.product, text: (file) => file['product-name'] },
  {
    key: 'version',
    title: TEXT.version,
    cell: (file) => (
      <span className="row">
        {formatVersion(file)}
        {file['firmware-id'] > 0 && <StatusLabel tone="warn" text={t(TEXT.test)} />}
      </span>
    )
  },
  { key: 'hardware', title: TEXT.hardware, text: (file) => file['hardware-ver'], hide: 'xs' },
  {
    key: 'uploaded',
    title: TEXT.uploaded,
    cell: (file) => dateTime(file['upload-date'] * 1000),
    sort: (file) => file['upload-date'],
    hide: 'sm'
  },
  {
    key: 'size',
    title: TEXT.size,
    cell: (file) => bytes(file['file-size']),
    sort: (file) => file['file-size'],
    hide: 'xs'
  },
  { key: 'file', title: TEXT.file, text: (file) => file['file-path'], hide: 'md' }
]

/** Opens the list of the devices that a file fits. */
export function chooseDevices(id: number | undefined): true {
  navigate(linkTo('allDevices', { firmware: String(id) }))
  return true
}

const ACTIONS: readonly Action<Firmware>[] = [
  {
    call: startRollout,
    icon: 'devices',
    verb: TEXT.choose,
    kind: 'main',
    run: async ([file]) => chooseDevices(file?.id)
  },
  {
    call: deleteFirmware,
    icon: 'delete',
    verb: TEXT.remove,
    kind: 'danger',
    confirmText: () => t(TEXT.kept),
    run: ([file]) =>
      succeeded(
        sendMutation(
          deleteFirmware,
          { id: file?.id ?? 0 },
          { success: { text: OUTCOME.deleted, names: file ? [firmwareName(file)] : [] } }
        )
      )
  }
]

/** The button is above the list, or in the empty list. */
export const FirmwareFiles = () => (
  <ResourceList
    store={$firmware}
    settingsKey="firmware"
    title={TEXT.files}
    columns={COLUMNS}
    nameOf={firmwareName}
    toolbar={useStore($firmware).items.length > 0 && <FirmwareUpload />}
    emptyState={{
      title: t(TEXT.none),
      text: t(TEXT.noneText),
      children: (
        <FirstStep call={startUpload}>
          <FirmwareUpload />
        </FirstStep>
      )
    }}
    actions={ACTIONS}
  />
)
