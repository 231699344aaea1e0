// Port forwarding: ports of the hub that are forwarded to ports of devices.
import { FORWARD_STATE, type PortForward, stopPortForward } from '../../../contract/port-forward.ts'
import type { Action } from '../../parts/actions.tsx'
import { ResourceList } from '../../parts/resource-list.tsx'
import { useQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { bytes } from '../../text/numbers.ts'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { StartForm } from './form.tsx'
import { $forwards, stopForwards } from './store.ts'
import { TEXT } from './text.ts'

const deviceOf = ({ name, sn }: PortForward) => name || sn

const COLUMNS: readonly Column<PortForward>[] = [
  { key: 'device', title: TEXT.device, text: deviceOf },
  {
    key: 'state',
    title: TEXT.state,
    cell: ({ state }) =>
      state === FORWARD_STATE.connected ? (
        <StatusLabel tone="good" text={t(TEXT.connected)} />
      ) : (
        <StatusLabel tone="off" text={t(TEXT.idle)} />
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
  // Asks for confirmation only if there are connections.
  confirmText: (forwards) => (forwards.some(({ connections }) => connections > 0) ? t(TEXT.stopText) : undefined),
  run: stopForwards
}

/** Name of a port forward: the device and its port. */
const nameOf = (forward: PortForward) => `${deviceOf(forward)}:${forward['remote-port']}`

export const PortForwardScreen = () => (
  <>
    <StartForm sn={useQuery().get('sn') ?? ''} />
    <ResourceList
      store={$forwards}
      settingsKey="port-forwards"
      title={TEXT.title}
      columns={COLUMNS}
      nameOf={nameOf}
      emptyState={{ icon: 'forward', title: t(TEXT.none) }}
      actions={[STOP]}
    />
  </>
)
