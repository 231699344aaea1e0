// The devices that a firmware is for, of which some are chosen to be updated.
import { useLayoutEffect, useState } from 'react'
import type { Device } from '../../../contract/device.ts'
import { type Firmware, startRollout } from '../../../contract/firmware.ts'
import { shownSerial } from '../../../contract/products.ts'
import { type Action, Actions } from '../../parts/actions.tsx'
import { Presence } from '../../parts/device-facts.tsx'
import { DeviceName } from '../../parts/device-name.tsx'
import { useInstead } from '../../parts/loaded.tsx'
import { UpdateState } from '../../parts/update-state.tsx'
import { UpgradeDialog } from '../../parts/upgrade-dialog.tsx'
import { link } from '../../paths.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { Empty } from '../../ui/condition.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { nameOf } from './files.tsx'
import { $targets, ask } from './store.ts'
import { TEXT } from './text.ts'

const COLUMNS: readonly Column<Device>[] = [
  { key: 'name', title: TEXT.name, cell: (device) => <DeviceName device={device} />, sort: ({ name }) => name },
  {
    key: 'state',
    title: TEXT.state,
    cell: (device) => <Presence device={device} />,
    sort: (device) => (device['online-date'] > 0 ? 0 : 1)
  },
  { key: 'sn', title: TEXT.sn, text: (device) => shownSerial(device.sn, device.module), hide: 'xs' },
  { key: 'now', title: TEXT.now, text: (device) => device['firmware-ver'] },
  {
    key: 'update',
    title: TEXT.updateOne,
    cell: ({ update }) => update && <UpdateState update={update} />,
    sort: ({ update }) => update?.state ?? 0,
    hide: 'xs'
  }
]

/** @param sn the device that is meant; empty = any */
export function Targets({ file, sn }: { file: Firmware; sn: string }) {
  useLayoutEffect(() => ask('targets', { firmware: file.id, sort: 'name', order: 'ascending' }))
  const { items, phase } = useStore($targets)
  const [chosen, setChosen] = useState<readonly Device[]>()
  const key = useQuery().get('key') ?? ''
  // Those of the file before are still there.
  const present = phase === 'loading' ? [] : items
  const found = ({ name, sn: serial }: Device) => `${name}\n${serial}`.toLowerCase().includes(key.toLowerCase())
  const rows = present.filter((device) => found(device) && (!sn || device.sn === sn))
  const update: Action<Device> = {
    call: startRollout,
    icon: 'chip',
    one: TEXT.updateOne,
    many: TEXT.updateMany,
    run: async (devices) => {
      setChosen(devices)
      return false
    }
  }
  return (
    <>
      <Table
        list="firmware-devices"
        label={t(TEXT.fits, nameOf(file))}
        columns={COLUMNS}
        rows={rows}
        keyOf={(device) => device.sn}
        nameOf={({ name }) => name}
        sorting={{ key: 'name', order: 'ascending' }}
        tools={
          <>
            <a className="button" href={`#${link('firmware', { sn })}`}>
              {t(TEXT.back)}
            </a>
            <strong>{t(TEXT.fits, nameOf(file))}</strong>
            <SearchBox label={t(TEXT.searchDevice)} value={key} onSearch={(text) => setQuery({ key: text })} />
          </>
        }
        actions={(some) => (
          <Actions actions={[update]} rows={some} nameOf={({ name }) => name} these={TEXT.theseDevices} />
        )}
        rowActions={(device) => <Actions actions={[update]} rows={[device]} nameOf={({ name }) => name} />}
        instead={useInstead($targets, rows.length === 0, <Empty icon="devices" title={t(TEXT.noDevices)} />)}
      />
      {chosen && <UpgradeDialog devices={chosen} file={file} onClose={() => setChosen(undefined)} />}
    </>
  )
}
