// Ports of the hub that lead to ports of devices.
import { FORWARD_STATE, type PortForward, stopPortForward } from '../../../contract/port-forward.ts'
import { type Action, Actions } from '../../parts/actions.tsx'
import { useInstead } from '../../parts/loaded.tsx'
import { useQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { bytes } from '../../text/numbers.ts'
import { Empty } from '../../ui/condition.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { StartForm } from './form.tsx'
import { $forwards, stop } from './store.ts'
import { TEXT } from './text.ts'

const deviceOf = ({ name, sn }: PortForward) => name || sn

const COLUMNS: readonly Column<PortForward>[] = [
  { key: 'device', title: TEXT.device, text: deviceOf },
  {
    key: 'state',
    title: TEXT.state,
    cell: ({ state }) =>
      state === FORWARD_STATE.connected ? (
        <State tone="good" text={t(TEXT.connected)} />
      ) : (
        <State tone="off" text={t(TEXT.idle)} />
      )
  },
  { key: 'local', title: TEXT.local, text: (forward) => `${forward['local-port']}` },
  { key: 'remote', title: TEXT.remote, text: (forward) => `${forward['remote-port']}` },
  { key: 'sent', title: TEXT.sent, cell: (forward) => bytes(forward['bytes-in']), hide: 'xs' },
  { key: 'received', title: TEXT.received, cell: (forward) => bytes(forward['bytes-out']), hide: 'xs' },
  { key: 'user', title: TEXT.user, text: ({ user }) => user, hide: 'xs' }
]

const STOP: Action<PortForward> = {
  call: stopPortForward,
  icon: 'stop',
  verb: TEXT.stop,
  // Nobody is interrupted where nobody is connected.
  ask: (forwards) => (forwards.some(({ connections }) => connections > 0) ? t(TEXT.stopText) : undefined),
  run: stop
}

/** What it is called: the device, and its port. */
const nameOf = (forward: PortForward) => `${deviceOf(forward)}:${forward['remote-port']}`

export function PortForwardScreen() {
  const { items } = useStore($forwards)
  return (
    <>
      <StartForm sn={useQuery().get('sn') ?? ''} />
      <Table
        list="port-forwards"
        label={t(TEXT.title)}
        columns={COLUMNS}
        rows={items}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        rowActions={(forward) => <Actions actions={[STOP]} rows={[forward]} nameOf={nameOf} />}
        instead={useInstead($forwards, items.length === 0, <Empty icon="output" title={t(TEXT.none)} />)}
      />
    </>
  )
}
