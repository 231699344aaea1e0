// The firmware files that the hub keeps, and the way to more of them.
import { deleteFirmware, type Firmware, startRollout } from '../../../contract/firmware.ts'
import { versionText } from '../../../contract/mwf.ts'
import type { Action } from '../../parts/actions.tsx'
import { Rows } from '../../parts/resource-list.tsx'
import { link } from '../../paths.ts'
import { $firmware, firmwareName } from '../../state/firmware.ts'
import { navigate } from '../../state/location.ts'
import { change, well } from '../../state/toasts.ts'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { bytes } from '../../text/numbers.ts'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { TEXT } from './text.ts'
import { Upload } from './upload.tsx'

const COLUMNS: readonly Column<Firmware>[] = [
  { key: 'product', title: TEXT.product, text: (file) => file['product-name'] },
  {
    key: 'version',
    title: TEXT.version,
    cell: (file) => (
      <span className="row">
        {versionText(file)}
        {file['firmware-id'] > 0 && <State tone="warn" text={t(TEXT.test)} />}
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

const ACTIONS: readonly Action<Firmware>[] = [
  {
    call: startRollout,
    icon: 'devices',
    verb: TEXT.choose,
    async run([file]) {
      navigate(link('allDevices', { firmware: String(file?.id) }))
      return true
    }
  },
  {
    call: deleteFirmware,
    icon: 'delete',
    verb: TEXT.remove,
    kind: 'danger',
    ask: () => t(TEXT.kept),
    run: ([file]) => well(change(deleteFirmware, { id: file?.id ?? 0 }))
  }
]

export const Files = () => (
  <Rows
    of={$firmware}
    list="firmware"
    title={TEXT.files}
    columns={COLUMNS}
    nameOf={firmwareName}
    tools={<Upload />}
    none={{ title: t(TEXT.none) }}
    acts={ACTIONS}
  />
)
