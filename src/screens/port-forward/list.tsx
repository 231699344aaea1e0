// Ports of the hub that lead to ports of devices.
import { useState } from 'react'
import { FORWARD_STATE, type PortForward, startPortForward, stopPortForward } from '../../../contract/port-forward.ts'
import { ActButton, type Action, Actions } from '../../parts/actions.tsx'
import { useInstead } from '../../parts/loaded.tsx'
import { link } from '../../paths.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { bytes, number } from '../../text/numbers.ts'
import { Empty } from '../../ui/condition.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { StartDialog } from './start-dialog.tsx'
import { $forwards, stop } from './store.ts'
import { TEXT } from './text.ts'

/** Where it is reached: on the hub's address, as the browser knows it. */
const addressOf = (forward: PortForward) => `${location.hostname}:${forward['local-port']}`

/** What it is called: the device, and its port. */
const nameOf = ({ name, sn, 'remote-port': port }: PortForward) => `${name || sn}:${port}`

const COLUMNS: readonly Column<PortForward>[] = [
  {
    key: 'device',
    title: TEXT.device,
    cell: ({ name, sn }) => (
      <a className="cut" href={`#${link('deviceDetail', { sn, catalog: '0' })}`}>
        {name || sn}
      </a>
    ),
    sort: nameOf
  },
  {
    key: 'address',
    title: TEXT.address,
    cell: (forward) => (
      <span className="address">
        <code>{addressOf(forward)}</code>
        <CopyButton text={addressOf(forward)} label={t(TEXT.copy)} />
      </span>
    ),
    sort: (forward) => forward['local-port']
  },
  {
    key: 'remote',
    title: TEXT.remote,
    cell: (forward) => forward['remote-port'],
    sort: (forward) => forward['remote-port'],
    align: 'end',
    hide: 'xs'
  },
  {
    key: 'state',
    title: TEXT.state,
    cell: ({ state }) => (
      <State
        tone={state === FORWARD_STATE.connected ? 'good' : 'off'}
        text={t(state === FORWARD_STATE.connected ? TEXT.connected : TEXT.idle)}
      />
    ),
    sort: ({ state }) => -state
  },
  {
    key: 'traffic',
    title: TEXT.traffic,
    cell: ({ 'bytes-in': to, 'bytes-out': from }) => (
      <span className="num" data-tip={t(TEXT.trafficText, bytes(to), bytes(from))}>
        {`↑ ${bytes(to)}  ↓ ${bytes(from)}`}
      </span>
    ),
    sort: ({ 'bytes-in': to, 'bytes-out': from }) => to + from,
    hide: 'xs'
  },
  {
    key: 'connections',
    title: TEXT.connections,
    cell: ({ connections }) => number(connections),
    sort: ({ connections }) => connections,
    align: 'end',
    hide: 'sm'
  },
  { key: 'by', title: TEXT.by, text: ({ user }) => user, hide: 'sm' },
  {
    key: 'since',
    title: TEXT.since,
    cell: ({ since }) => <Since at={since} />,
    sort: ({ since }) => -since,
    hide: 'sm'
  }
]

const STOP: Action<PortForward> = {
  call: stopPortForward,
  icon: 'stop',
  one: TEXT.stop,
  many: TEXT.stopMany,
  kind: 'danger',
  // Nobody is interrupted where nobody is connected.
  asks: (forwards) => forwards.some(({ connections }) => connections > 0),
  ask: { title: TEXT.stopTitle, text: TEXT.stopText },
  run: stop
}

export function PortForwardScreen() {
  const { items } = useStore($forwards)
  const sn = useQuery().get('sn') ?? ''
  const [starting, setStarting] = useState(sn !== '')
  const close = () => {
    setStarting(false)
    setQuery({ sn: '' })
  }
  const start = () => (
    <ActButton call={startPortForward} kind="main" icon="plus" label={t(TEXT.start)} onAct={() => setStarting(true)} />
  )
  const nothing = (
    <Empty icon="output" title={t(TEXT.none)} text={t(TEXT.noneText)}>
      {start()}
    </Empty>
  )
  return (
    <>
      <Table
        list="port-forwards"
        label={t(TEXT.title)}
        columns={COLUMNS}
        rows={items}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        sorting={{ key: 'device', order: 'ascending' }}
        tools={start()}
        actions={(chosen, clear) => (
          <Actions actions={[STOP]} rows={chosen} nameOf={nameOf} these={TEXT.these} onDone={clear} />
        )}
        rowActions={(forward) => <Actions actions={[STOP]} rows={[forward]} nameOf={nameOf} />}
        instead={useInstead($forwards, items.length === 0, nothing)}
      />
      {starting && <StartDialog sn={sn} onClose={close} />}
    </>
  )
}
