// Columns of the device lists; the device page shows the same columns as lines. The hub sorts the lists: the key of a
// sortable column is the key that the hub sorts by.
import type { Device } from '../../../contract/device/device.ts'
import { displaySerial, findFamily } from '../../../contract/device/products.ts'
import { linkTo } from '../../paths.ts'
import { $catalogs } from '../../state/catalogs.ts'
import { ago, duration } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import {
  DeviceName,
  DeviceState,
  DeviceWarnings,
  directionOf,
  FamilyPicture,
  recordingOf,
  signalOf,
  streamingOf
} from './device-facts.tsx'
import { diskLines, joinLines, portLines } from './device-lines.ts'
import { UpdateState } from './update-state.tsx'

type DeviceColumn = Column<Device>

function GroupName({ id }: { id: number }) {
  const { items } = useStore($catalogs)
  return (
    <span className="cut" data-tip="">
      {items.find((catalog) => catalog.id === id)?.name}
    </span>
  )
}

const NAME: DeviceColumn = {
  key: 'name',
  title: ['Name', '名称'],
  cell: (device) => (
    <span className="cut" data-tip="">
      <DeviceName device={device} />
    </span>
  ),
  sort: true
}
const STATE: DeviceColumn = {
  key: 'online-state',
  title: ['State', '状态'],
  cell: (device) => <DeviceState device={device} />,
  sort: true
}
const LINK_IP: DeviceColumn = {
  key: 'connect-ip',
  title: ['Connected from', '来源地址'],
  text: (device) => device['connect-ip'] ?? '',
  sort: true,
  hide: 'xs'
}
const SUBMITTED: DeviceColumn = {
  key: 'time',
  title: ['Submitted', '提交时间'],
  cell: (device) => <ElapsedTime since={device['apply-date']} format={ago} />,
  sort: true,
  hide: 'xxs'
}

const RACK: Translation = ['Rack', '机架']

const AVAILABLE: Translation = ['{0} available', '可更新至 {0}']

/** Columns for the data of the registration. */
const IDENTITY: readonly DeviceColumn[] = [
  {
    key: 'sn',
    title: ['Serial number', '序列号'],
    text: ({ sn, module }) => displaySerial(sn, module),
    sort: true,
    hide: 'xxs'
  },
  { key: 'family', title: ['Family', '产品系列'], text: ({ module }) => findFamily(module)?.name ?? '', hide: true },
  {
    key: 'module',
    title: ['Model', '型号'],
    cell: (device) => (
      <span className="row">
        <FamilyPicture module={device.module} />
        <span className="cut" data-tip="">
          {device['module-name']}
        </span>
      </span>
    ),
    sort: true,
    hide: 'xs'
  },
  { key: 'hardware', title: ['Hardware', '硬件'], text: (device) => device['hardware-ver'], hide: true },
  {
    key: 'firmware-ver',
    title: ['Firmware', '固件'],
    cell: (device) =>
      device['firmware-ver'] && (
        <span className="row">
          {device['firmware-ver']}
          {device['firmware-update'] && !device.update && (
            <StatusLabel tone="busy" text={t(AVAILABLE, device['firmware-update'])} />
          )}
        </span>
      ),
    sort: true,
    hide: 'sm'
  }
]

/** Columns for identity, firmware and use of a device. */
export const FACT_COLUMNS: readonly DeviceColumn[] = [
  ...IDENTITY,
  {
    key: 'update',
    title: ['Firmware update', '固件更新'],
    cell: ({ update }) => update && <UpdateState update={update} />,
    hide: true
  },
  {
    key: 'rack',
    title: ['Mounting', '安装方式'],
    text: ({ module }) => (findFamily(module)?.hasRack ? t(RACK) : ''),
    hide: true
  },
  { key: 'direction', title: ['Direction', '方向'], text: directionOf, hide: true },
  { ...SUBMITTED, hide: true },
  {
    key: 'up-time',
    title: ['Up time', '运行时间'],
    text: ({ status }) => (status?.['up-time'] === undefined ? '' : duration(status['up-time'])),
    hide: true
  },
  {
    key: 'channels',
    title: ['Channels', '频道'],
    // The hub sends the channels only to users with the permission to view channels.
    cell: ({ 'owner-i': names = [] }) =>
      names.length > 0 && (
        <span className="row">
          {names.map((name) => (
            <a key={name} className="cut" href={`#${linkTo('channels', { key: name })}`}>
              {name}
            </a>
          ))}
        </span>
      ),
    hide: true
  }
]

type Address = 'eth' | 'wifi' | 'mobile' | 'softap' | 'rndis' | 'mac'

const address = (key: Address, title: Translation): DeviceColumn => ({
  key,
  title,
  text: ({ status }) => status?.[key] ?? '',
  hide: true
})

/** Columns for the network addresses of a device. */
export const NETWORK_COLUMNS: readonly DeviceColumn[] = [
  { ...LINK_IP, hide: true },
  address('eth', ['Ethernet', '以太网']),
  address('wifi', ['Wi-Fi', 'Wi-Fi']),
  address('mobile', ['Mobile network', '移动网络']),
  address('softap', ['Wi-Fi hotspot', 'Wi-Fi 热点']),
  address('rndis', ['USB network', 'USB 网络']),
  address('mac', ['MAC address', 'MAC 地址'])
]

/** Columns of the lists of pending and rejected devices. */
export const REGISTRATION_COLUMNS: readonly DeviceColumn[] = [
  NAME,
  // The title of the page says it.
  { ...STATE, hide: 'xxs' },
  SUBMITTED,
  // Beside the wide buttons there is no room for the firmware.
  ...IDENTITY.map((column) => (column.key === 'firmware-ver' ? { ...column, hide: true as const } : column)),
  LINK_IP
]

/**
 * Offered only to users with the permission to view device groups. The menu has the groups, so the lists need not have
 * the column.
 */
export const GROUP_COLUMN: DeviceColumn = {
  key: 'group',
  title: ['Group', '分组'],
  cell: (device) => <GroupName id={device['catalog-id']} />,
  hide: true
}

const ports = (key: 'inputs' | 'outputs', title: Translation, unnamed: Translation): DeviceColumn => ({
  key,
  title,
  text: ({ status }) => joinLines(portLines(unnamed, status?.[key])),
  hide: true
})

/** Columns of the lists of accepted devices. */
export const ACCEPTED_COLUMNS: readonly DeviceColumn[] = [
  NAME,
  STATE,
  { key: 'input', title: ['Input signal', '输入信号'], text: signalOf, hide: 'sm' },
  { key: 'warnings', title: ['Warnings', '告警'], cell: (device) => <DeviceWarnings device={device} /> },
  GROUP_COLUMN,
  ...FACT_COLUMNS,
  ...NETWORK_COLUMNS,
  { key: 'recording', title: ['Recording', '录制'], text: recordingOf, hide: true },
  { key: 'streaming', title: ['Streaming', '推流'], text: streamingOf, hide: true },
  ports('inputs', ['Inputs', '输入'], ['Input', '输入']),
  ports('outputs', ['Outputs', '输出'], ['Output', '输出']),
  { key: 'disks', title: ['Storage', '存储'], text: ({ status }) => joinLines(diskLines(status?.disks)), hide: true }
]
