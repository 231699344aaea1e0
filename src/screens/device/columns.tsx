// What a list of devices can show of them. What the hub orders by has a key that it knows.
import type { Device } from '../../../contract/device.ts'
import { FAMILY_NAMES, shownSerial } from '../../../contract/products.ts'
import {
  directionOf,
  disksText,
  Presence,
  portsText,
  recordingOf,
  signalOf,
  streamingOf,
  Warnings
} from '../../parts/device-facts.tsx'
import { DeviceName } from '../../parts/device-name.tsx'
import { $catalogs } from '../../state/catalogs.ts'
import { ago, duration } from '../../text/dates.ts'
import { Since } from '../../ui/since.tsx'
import type { Column } from '../../ui/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

export function GroupName({ id }: { id: number }) {
  const { items } = useStore($catalogs)
  return (
    <span className="cut" data-tip="">
      {items.find((catalog) => catalog.id === id)?.name}
    </span>
  )
}

const NAME: Column<Device> = {
  key: 'name',
  title: TEXT.name,
  cell: (device) => (
    <span className="cut" data-tip="">
      <DeviceName device={device} />
    </span>
  ),
  sort: true
}
const STATE: Column<Device> = {
  key: 'online-state',
  title: TEXT.state,
  cell: (device) => <Presence device={device} />,
  sort: true
}
const SERIAL: Column<Device> = {
  key: 'sn',
  title: TEXT.sn,
  text: ({ sn, module }) => shownSerial(sn, module),
  sort: true
}
const MODEL: Column<Device> = { key: 'module', title: TEXT.model, text: (device) => device['module-name'], sort: true }
const FAMILY: Column<Device> = {
  key: 'family',
  title: TEXT.family,
  text: ({ module }) => FAMILY_NAMES[module] ?? '',
  hide: true
}
const LINK_IP: Column<Device> = {
  key: 'connect-ip',
  title: TEXT.linkIp,
  text: (device) => device['connect-ip'] ?? '',
  sort: true,
  hide: 'xs'
}
const FIRMWARE: Column<Device> = {
  key: 'firmware-ver',
  title: TEXT.firmware,
  text: (device) => device['firmware-ver'],
  sort: true,
  hide: 'sm'
}
const HARDWARE: Column<Device> = {
  key: 'hardware',
  title: TEXT.hardware,
  text: (device) => device['hardware-ver'],
  hide: true
}
const SUBMITTED: Column<Device> = {
  key: 'time',
  title: TEXT.applied,
  cell: (device) => <Since at={device['apply-date']} say={ago} />,
  sort: true
}

/** Of devices that wait for a decision, or were refused. */
export const APPLICANTS: readonly Column<Device>[] = [
  NAME,
  SERIAL,
  MODEL,
  FAMILY,
  LINK_IP,
  FIRMWARE,
  HARDWARE,
  STATE,
  SUBMITTED
]

/** The column that only those see who may see groups. */
export const GROUP: Column<Device> = {
  key: 'group',
  title: TEXT.group,
  cell: (device) => <GroupName id={device['catalog-id']} />,
  hide: 'md'
}

/** Of accepted devices. */
export const ACCEPTED: readonly Column<Device>[] = [
  NAME,
  STATE,
  { ...SERIAL, hide: 'xs' },
  MODEL,
  FAMILY,
  { key: 'input', title: TEXT.signal, text: signalOf, hide: 'sm' },
  { key: 'warnings', title: TEXT.warnings, cell: (device) => <Warnings device={device} /> },
  GROUP,
  { key: 'recording', title: TEXT.recording, text: recordingOf, hide: true },
  { key: 'streaming', title: TEXT.streaming, text: streamingOf, hide: true },
  { key: 'channels', title: TEXT.channels, text: (device) => device['owner-i']?.join(', ') ?? '', hide: 'md' },
  { key: 'direction', title: TEXT.direction, text: directionOf, hide: true },
  { key: 'ip', title: TEXT.ip, text: ({ status }) => status?.eth ?? '', hide: 'sm' },
  { key: 'wifi', title: TEXT.wifi, text: ({ status }) => status?.wifi ?? '', hide: true },
  {
    key: 'other-ip',
    title: TEXT.otherIp,
    text: ({ status: { mobile, softap, rndis } = {} }) => [mobile, softap, rndis].filter(Boolean).join(', '),
    hide: true
  },
  { ...LINK_IP, hide: true },
  FIRMWARE,
  HARDWARE,
  {
    key: 'up-time',
    title: TEXT.upTime,
    text: ({ status }) => (status?.['up-time'] === undefined ? '' : duration(status['up-time'])),
    hide: true
  },
  { key: 'inputs', title: TEXT.inputs, text: ({ status }) => portsText(status?.inputs), hide: true },
  { key: 'outputs', title: TEXT.outputs, text: ({ status }) => portsText(status?.outputs), hide: true },
  { key: 'disks', title: TEXT.disks, text: ({ status }) => disksText(status?.disks), hide: true },
  { ...SUBMITTED, hide: true }
]
