// Ports of the hub that lead to ports of devices.
import { FORWARD_STATE, type PortForward, stopPortForward } from '../../../contract/port-forward.ts'
import type { Action } from '../../parts/actions.tsx'
import { Rows } from '../../parts/resource-list.tsx'
import { useQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { bytes } from '../../text/numbers.ts'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table/table.tsx'
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

export const PortForwardScreen = () => (
  <>
    <StartForm sn={useQuery().get('sn') ?? ''} />
    <Rows
      of={$forwards}
      list="port-forwards"
      title={TEXT.title}
      columns={COLUMNS}
      nameOf={nameOf}
      none={{ icon: 'output', title: t(TEXT.none) }}
      acts={[STOP]}
    />
  </>
)
