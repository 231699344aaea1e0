// Port forwarding: ports of the hub that are forwarded to ports of devices.
import type { PortForward } from '../../../contract/port-forward.ts'
import { FORWARD_PREFIX } from '../../../contract/relay.ts'
import { transport } from '../../link/fetch-json.ts'
import { deviceOf, ForwardState, forwardName, STOP } from '../../parts/port-forward/forward.tsx'
import { $forwards } from '../../parts/port-forward/store.ts'
import { TEXT } from '../../parts/port-forward/text.ts'
import { ResourceList } from '../../parts/resource-list.tsx'
import { useQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { bytes } from '../../text/numbers.ts'
import type { Column } from '../../ui/table/table.tsx'
import { StartForm } from './form.tsx'

/** In the cloud, where the port of the hub cannot be reached, a link to the origin at which the cloud serves it. */
const LocalPort = ({ port }: { port: number }) =>
  transport.relayedHub ? (
    <a href={`${FORWARD_PREFIX}${port}/`} target="_blank" rel="noopener">
      {port}
    </a>
  ) : (
    <>{port}</>
  )

const COLUMNS: readonly Column<PortForward>[] = [
  { key: 'device', title: TEXT.device, text: deviceOf },
  {
    key: 'state',
    title: TEXT.state,
    cell: (forward) => <ForwardState forward={forward} />
  },
  { key: 'local', title: TEXT.local, cell: (forward) => <LocalPort port={forward['local-port']} /> },
  { key: 'remote', title: TEXT.remote, text: (forward) => `${forward['remote-port']}` },
  { key: 'sent', title: TEXT.sent, cell: (forward) => bytes(forward['bytes-in']), hide: 'xs' },
  { key: 'received', title: TEXT.received, cell: (forward) => bytes(forward['bytes-out']), hide: 'xs' },
  { key: 'user', title: TEXT.user, text: ({ user }) => user, hide: 'xs' }
]

export const PortForwardScreen = () => (
  <>
    <StartForm sn={useQuery().get('sn') ?? ''} />
    <ResourceList
      store={$forwards}
      settingsKey="port-forwards"
      title={TEXT.title}
      columns={COLUMNS}
      nameOf={forwardName}
      emptyState={{ icon: 'forward', title: t(TEXT.none), text: t(TEXT.noneText) }}
      actions={[STOP]}
    />
  </>
)
