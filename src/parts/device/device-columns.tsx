// What can be shown of devices, each as a column of their lists and as a line on the page of one. What the hub orders by has a key
// that it knows.
import type { Device } from '../../../contract/device/device.ts'
import { FAMILY_NAMES, shownSerial } from '../../../contract/device/products.ts'
import { link } from '../../paths.ts'
import { $catalogs } from '../../state/catalogs.ts'
import { ago, duration } from '../../text/dates.ts'
import type { Pair } from '../../text/language.ts'
import { Since } from '../../ui/since.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { directionOf, Presence, recordingOf, signalOf, streamingOf, Warnings } from './device-facts.tsx'
import { diskLines, inLine, portLines } from './device-lines.ts'
import { DeviceName } from './device-name.tsx'
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
  cell: (device) => <Presence device={device} />,
  sort: true
}
const LINK_IP: DeviceColumn = {
  key: 'connect-ip',
  title: ['Connects from', '连接地址'],
  text: (device) => device['connect-ip'] ?? '',
  sort: true,
  hide: 'xs'
}
const SUBMITTED: DeviceColumn = {
  key: 'time',
  title: ['Submitted', '提交时间'],
  cell: (device) => <Since at={device['apply-date']} say={ago} />,
  sort: true
}

/** What it said of itself when it registered. */
const IDENTITY: readonly DeviceColumn[] = [
  { key: 'sn', title: ['Serial number', '序列号'], text: ({ sn, module }) => shownSerial(sn, module), sort: true },
  { key: 'family', title: ['Family', '产品系列'], text: ({ module }) => FAMILY_NAMES[module] ?? '', hide: true },
  { key: 'module', title: ['Model', '型号'], text: (device) => device['module-name'], sort: true, hide: 'xs' },
  { key: 'hardware', title: ['Hardware', '硬件'], text: (device) => device['hardware-ver'], hide: true },
  { key: 'firmware-ver', title: ['Firmware', '固件'], text: (device) => device['firmware-ver'], sort: true, hide: 'sm' }
]

/** What it is, and what it is used for. */
export const FACTS: readonly DeviceColumn[] = [
  ...IDENTITY,
  {
    key: 'update',
    title: ['Firmware update', '固件更新'],
    cell: ({ update }) => update && <UpdateState update={update} />,
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
    // The hub tells them to who may view channels.
    cell: ({ 'owner-i': names = [] }) =>
      names.length > 0 && (
        <span className="row">
          {names.map((name) => (
            <a key={name} className="cut" href={`#${link('channels', { key: name })}`}>
              {name}
            </a>
          ))}
        </span>
      ),
    hide: 'md'
  }
]

type Address = 'eth' | 'wifi' | 'mobile' | 'softap' | 'rndis' | 'mac'

const address = (key: Address, title: Pair): DeviceColumn => ({
  key,
  title,
  text: ({ status }) => status?.[key] ?? '',
  hide: key === 'eth' ? 'sm' : true
})

/** Where it is in the network. */
export const NETWORK: readonly DeviceColumn[] = [
  { ...LINK_IP, hide: true },
  address('eth', ['Ethernet', '以太网']),
  address('wifi', ['Wi-Fi', 'Wi-Fi']),
  address('mobile', ['Mobile network', '移动网络']),
  address('softap', ['Own Wi-Fi network', '自建 Wi-Fi 热点']),
  address('rndis', ['USB network', 'USB 网络']),
  address('mac', ['MAC address', 'MAC 地址'])
]

/** Of devices that wait for a decision, or were refused. */
export const APPLICANTS: readonly DeviceColumn[] = [NAME, STATE, SUBMITTED, ...IDENTITY, LINK_IP]

/** The column that only those see who may see groups. */
export const GROUP: DeviceColumn = {
  key: 'group',
  title: ['Group', '分组'],
  cell: (device) => <GroupName id={device['catalog-id']} />,
  hide: 'md'
}

const ports = (key: 'inputs' | 'outputs', title: Pair, unnamed: Pair): DeviceColumn => ({
  key,
  title,
  text: ({ status }) => inLine(portLines(unnamed, status?.[key])),
  hide: true
})

/** Of accepted devices. */
export const ACCEPTED: readonly DeviceColumn[] = [
  NAME,
  STATE,
  { key: 'input', title: ['Input signal', '输入信号'], text: signalOf, hide: 'sm' },
  { key: 'warnings', title: ['Warnings', '告警'], cell: (device) => <Warnings device={device} /> },
  GROUP,
  ...FACTS,
  ...NETWORK,
  { key: 'recording', title: ['Recording', '录制'], text: recordingOf, hide: true },
  { key: 'streaming', title: ['Streaming', '推流'], text: streamingOf, hide: true },
  ports('inputs', ['Inputs', '输入'], ['Input', '输入']),
  ports('outputs', ['Outputs', '输出'], ['Output', '输出']),
  { key: 'disks', title: ['Storage', '存储'], text: ({ status }) => inLine(diskLines(status?.disks)), hide: true }
]
