// Inputs and outputs: what is saved, where it comes from or goes to, which channels use it and how it runs there. One room for both,
// which differ by what is said of each.
import type { Call } from '../../../contract/call.ts'
import type { Channel, Leg } from '../../../contract/stream/channel.ts'
import { OUTPUT_PROTOCOL_NAMES, PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import {
  type AddInputRequest,
  type AddOutputRequest,
  deleteInputs,
  deleteOutputs,
  type InputSource,
  type Output
} from '../../../contract/stream/source.ts'
import type { Action } from '../../parts/actions.tsx'
import { ConnectDialog, keyedAddress, listens } from '../../parts/connect-dialog.tsx'
import { Rows } from '../../parts/resource-list.tsx'
import { SourceDialog } from '../../parts/source-dialog.tsx'
import { INPUT, OUTPUT, type Side } from '../../parts/source-fields.ts'
import { link } from '../../paths.ts'
import { $channels } from '../../state/channels.ts'
import type { LiveStore } from '../../state/live.ts'
import type { LiveList } from '../../state/live-list.ts'
import { $inputs, $outputs } from '../../state/sources.ts'
import { change, well } from '../../state/toasts.ts'
import { type Pair, t } from '../../text/language.ts'
import { legWord } from '../../text/states.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

/** What inputs and outputs have in common. */
interface Row {
  id: number
  name: string
  protocol: number
}

/** One of both sides, and what is said of it. */
interface Room<Saved extends Row, Request> extends Side<Saved, Request> {
  icon: 'input' | 'output'
  names: Readonly<Record<number, string>>
  title: Pair
  empty: Pair
  verb: Pair
  $saved: LiveStore<LiveList<Saved>>
  remove: Call<{ id: number[] }>
  /** Without secrets. */
  addressOf: (saved: Saved) => string
  /** With those that the user may know. */
  secretOf: (saved: Saved) => string
  /** The channels that use it: their ids by their names. */
  ownersOf: (saved: Saved) => [name: string, id: number | undefined][]
  /** What of a channel that is on may be one of them. */
  legsOf: (channel: Channel) => readonly (Leg | null)[]
}

const INPUTS: Room<InputSource, AddInputRequest> = {
  ...INPUT,
  icon: 'input',
  names: PROTOCOL_NAMES,
  title: TEXT.inputs,
  empty: TEXT.noInputs,
  verb: TEXT.addInput,
  $saved: $inputs,
  remove: deleteInputs,
  addressOf: (input) => input['masked-url'],
  secretOf: ({ config }) => config.url,
  ownersOf: (input) => input['owner-i']?.map((name, at) => [name, input['owner-i-d']?.[at]]) ?? [],
  legsOf: ({ input, backups = [] }) => [input, ...backups]
}

const OUTPUTS: Room<Output, AddOutputRequest> = {
  ...OUTPUT,
  icon: 'output',
  names: OUTPUT_PROTOCOL_NAMES,
  title: TEXT.outputs,
  empty: TEXT.noOutputs,
  verb: TEXT.addOutput,
  $saved: $outputs,
  remove: deleteOutputs,
  addressOf: ({ addr }) => addr,
  secretOf: keyedAddress,
  ownersOf: ({ 'owner-o': name, 'owner-o-d': id }) => (name === undefined ? [] : [[name, id]]),
  legsOf: ({ outputs }) => outputs.list.filter(({ enable }) => enable)
}

const nameOf = ({ name }: Row) => name

function SourceList<Saved extends Row, Request extends object>({ room }: { room: Room<Saved, Request> }) {
  const { icon, names, title, empty, verb, $saved, add, set, remove, addressOf, secretOf, ownersOf, legsOf } = room
  const channels = useStore($channels).items
  /** How it runs in the first of its channels that is on. */
  const legOf = ({ id }: Saved) =>
    channels
      .filter(({ config }) => config.enable)
      .flatMap(legsOf)
      .find((leg) => leg?.id === id)

  const open = (saved?: Saved) =>
    openDialog(SourceDialog<Saved, Request>, {
      side: room,
      saved,
      title: saved && t(TEXT.edit, saved.name),
      verb: saved ? undefined : t(verb)
    })

  const columns: readonly Column<Saved>[] = [
    { key: 'name', title: TEXT.name, text: nameOf },
    { key: 'protocol', title: TEXT.protocol, text: ({ protocol }) => names[protocol] ?? '' },
    { key: 'address', title: TEXT.address, text: addressOf, hide: 'xs' },
    {
      key: 'channels',
      title: TEXT.channels,
      cell: (row) =>
        ownersOf(row).map(([name, id]) => (
          <a key={id} href={`#${link('channelDetail', { channelId: String(id) })}`}>
            {name}{' '}
          </a>
        )),
      sort: (row) => ownersOf(row).join(),
      hide: 'xs'
    },
    {
      key: 'state',
      title: TEXT.state,
      cell(row) {
        const leg = legOf(row)
        return leg ? <State {...legWord(leg.state, leg['conn-state'])} tip={leg.reason} /> : '–'
      },
      sort: (row) => legOf(row)?.state ?? -1
    }
  ]

  const CONNECT: Action<Saved> = {
    call: { who: 'session' },
    icon: 'copy',
    verb: TEXT.connect,
    fits: (row) => listens(addressOf(row)),
    run: async ([row]) =>
      row !== undefined && openDialog(ConnectDialog, { address: secretOf(row), masked: addressOf(row) })
  }
  const EDIT: Action<Saved> = { call: set, icon: 'edit', verb: TEXT.edit, run: ([row]) => open(row) }
  const REMOVE: Action<Saved> = {
    call: remove,
    icon: 'delete',
    verb: TEXT.remove,
    kind: 'danger',
    // Of those in use the hub asks.
    ask: (some) => (some.some((row) => ownersOf(row).length > 0) ? undefined : t(TEXT.removeText)),
    run: (some) => well(change(remove, { id: some.map(({ id }) => id) }))
  }

  return (
    <Rows
      of={$saved}
      list={icon}
      title={title}
      columns={columns}
      sorting={{ key: 'name', order: 'ascending' }}
      says={(row) => [row.name, addressOf(row)]}
      adding={{ call: add, verb, onAct: () => open() }}
      none={{ icon, title: t(empty) }}
      acts={[CONNECT, EDIT, REMOVE]}
      bar={[REMOVE]}
    />
  )
}

export const InputListScreen = () => <SourceList room={INPUTS} />
export const OutputListScreen = () => <SourceList room={OUTPUTS} />
