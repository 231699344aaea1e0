// The firmware files that the hub keeps, and the way to more of them.
import { deleteFirmware, type Firmware, startRollout } from '../../../contract/firmware.ts'
import { versionText } from '../../../contract/mwf.ts'
import { type Action, Actions } from '../../parts/actions.tsx'
import { useInstead } from '../../parts/loaded.tsx'
import { link } from '../../paths.ts'
import { $firmware, firmwareName } from '../../state/firmware.ts'
import { navigate } from '../../state/location.ts'
import { change, well } from '../../state/toasts.ts'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { bytes } from '../../text/numbers.ts'
import { Empty } from '../../ui/condition.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useStore } from '../../ui/use-store.ts'
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

export function Files() {
  const { items } = useStore($firmware)
  return (
    <Table
      list="firmware"
      label={t(TEXT.files)}
      columns={COLUMNS}
      rows={items}
      keyOf={({ id }) => id}
      nameOf={firmwareName}
      tools={<Upload />}
      rowActions={(file) => <Actions actions={ACTIONS} rows={[file]} nameOf={firmwareName} />}
      instead={useInstead($firmware, items.length === 0, <Empty title={t(TEXT.none)} />)}
    />
  )
}
