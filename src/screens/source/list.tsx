// Lists of inputs and outputs: name, protocol, address, the channels that use them, and their state. Both screens share
// one component.
import { useEffect } from 'react'
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
import { addressWithKey, ConnectDialog, isListenAddress } from '../../parts/connect-dialog.tsx'
import { ResourceList } from '../../parts/resource-list.tsx'
import { INPUT_FORM } from '../../parts/source/input-form.ts'
import { OUTPUT_FORM } from '../../parts/source/output-form.ts'
import { SourceDialog } from '../../parts/source/source-dialog.tsx'
import type { SourceForm } from '../../parts/source/source-form.ts'
import { linkTo } from '../../paths.ts'
import { $channels } from '../../state/channels.ts'
import type { LiveListState } from '../../state/live-list.ts'
import type { LiveStore } from '../../state/live-store.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { $isAllowed } from '../../state/session.ts'
import { $inputs, $outputs } from '../../state/sources.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { legLabel } from '../../text/states.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

/** Fields that inputs and outputs have in common. */
interface Row {
  id: number
  name: string
  protocol: number
  'owner-hidden'?: true
}

/** Differences between the list of inputs and the list of outputs. */
interface SourceListConfig<Source extends Row, Request> extends SourceForm<Source, Request> {
  icon: 'input' | 'output'
  protocolNames: Readonly<Record<number, string>>
  title: Translation
  empty: Translation
  verb: Translation
  $sources: LiveStore<LiveListState<Source>>
  remove: Call<{ id: number[] }>
  /** The address with its secrets masked. */
  addressOf: (source: Source) => string
  /** The address with the secrets that the hub sends to this user. */
  fullAddressOf: (source: Source) => string
  /** Names and ids of the channels that use the source. */
  ownersOf: (source: Source) => [name: string, id: number | undefined][]
  /** Legs of a channel that can belong to such a source. */
  legsOf: (channel: Channel) => readonly (Leg | null)[]
}

const INPUTS: SourceListConfig<InputSource, AddInputRequest> = {
  ...INPUT_FORM,
  icon: 'input',
  protocolNames: PROTOCOL_NAMES,
  title: TEXT.inputs,
  empty: TEXT.noInputs,
  verb: TEXT.addInput,
  $sources: $inputs,
  remove: deleteInputs,
  addressOf: (input) => input['masked-url'],
  fullAddressOf: ({ config }) => config.url,
  ownersOf: (input) => input['owner-i']?.map((name, index) => [name, input['owner-i-d']?.[index]]) ?? [],
  legsOf: ({ input, backups = [] }) => [input, ...backups]
}

const OUTPUTS: SourceListConfig<Output, AddOutputRequest> = {
  ...OUTPUT_FORM,
  icon: 'output',
  protocolNames: OUTPUT_PROTOCOL_NAMES,
  title: TEXT.outputs,
  empty: TEXT.noOutputs,
  verb: TEXT.addOutput,
  $sources: $outputs,
  remove: deleteOutputs,
  addressOf: ({ addr }) => addr,
  fullAddressOf: addressWithKey,
  ownersOf: ({ 'owner-o': name, 'owner-o-d': id }) => (name === undefined ? [] : [[name, id]]),
  legsOf: ({ outputs }) => outputs.list.filter(({ enable }) => enable)
}

const nameOf = ({ name }: Row) => name

function openSourceDialog<Source extends Row, Request extends object>(
  list: SourceListConfig<Source, Request>,
  source?: Source
): Promise<boolean> {
  return openDialog(SourceDialog<Source, Request>, {
    schema: list,
    source,
    title: source && t(TEXT.edit, source.name),
    submitLabel: source ? undefined : t(list.verb)
  })
}

/** @param legOf the leg in the first started channel that uses a source */
function columnsOf<Source extends Row, Request>(
  { protocolNames, addressOf, ownersOf }: SourceListConfig<Source, Request>,
  legOf: (source: Source) => Leg | null | undefined
): readonly Column<Source>[] {
  return [
    { key: 'name', title: TEXT.name, text: nameOf },
    { key: 'protocol', title: TEXT.protocol, text: ({ protocol }) => protocolNames[protocol] ?? '' },
    { key: 'address', title: TEXT.address, text: addressOf, hide: 'xs' },
    {
      key: 'channels',
      title: TEXT.channels,
      cell: (row) => (
        <>
          {ownersOf(row).map(([name, id]) => (
            <a key={id} href={`#${linkTo('channelDetail', { channelId: String(id) })}`}>
              {name}{' '}
            </a>
          ))}
          {row['owner-hidden'] && <span className="muted">{t(TEXT.othersChannel)}</span>}
        </>
      ),
      sort: (row) => ownersOf(row).join(),
      hide: 'xs'
    },
    {
      key: 'state',
      title: TEXT.state,
      cell(row) {
        const leg = legOf(row)
        return leg ? <StatusLabel {...legLabel(leg.state, leg['conn-state'])} tooltip={leg.reason} /> : '–'
      },
      sort: (row) => legOf(row)?.state ?? -1
    }
  ]
}

function actionsOf<Source extends Row, Request extends object>(
  list: SourceListConfig<Source, Request>
): Record<'connect' | 'edit' | 'remove', Action<Source>> {
  const { addressOf, fullAddressOf, ownersOf } = list
  return {
    connect: {
      call: { access: 'session' },
      icon: 'copy',
      verb: TEXT.connect,
      isApplicable: (row) => isListenAddress(addressOf(row)),
      run: async ([row]) =>
        row !== undefined && openDialog(ConnectDialog, { address: fullAddressOf(row), maskedAddress: addressOf(row) })
    },
    edit: { call: list.set, icon: 'edit', verb: TEXT.edit, run: ([row]) => openSourceDialog(list, row) },
    remove: {
      call: list.remove,
      icon: 'delete',
      verb: TEXT.remove,
      kind: 'danger',
      // For sources in use, the hub asks for confirmation itself.
      confirmText: (rows) => (rows.some((row) => ownersOf(row).length > 0) ? undefined : t(TEXT.removeText)),
      run: (rows) =>
        succeeded(
          sendMutation(
            list.remove,
            { id: rows.map(({ id }) => id) },
            { success: { text: OUTCOME.deleted, names: rows.map(({ name }) => name) } }
          )
        )
    }
  }
}

/** Opens the dialog of the source that `edit` in the URL names, once. */
function useRequestedDialog<Source extends Row, Request extends object>(list: SourceListConfig<Source, Request>): void {
  const requested = Number(useQuery().get('edit'))
  const isAllowed = useStore($isAllowed)(list.set)
  const source = useStore(list.$sources).items.find(({ id }) => id === requested)
  useEffect(() => {
    if (!source || !isAllowed) return
    setQuery({ edit: undefined })
    void openSourceDialog(list, source)
  }, [source?.id])
}

function SourceList<Source extends Row, Request extends object>({ list }: { list: SourceListConfig<Source, Request> }) {
  const { icon, verb, addressOf, legsOf } = list
  const channels = useStore($channels).items
  const legOf = ({ id }: Source) =>
    channels
      .filter(({ config }) => config.enable)
      .flatMap(legsOf)
      .find((leg) => leg?.id === id)
  const { connect, edit, remove } = actionsOf(list)
  useRequestedDialog(list)
  return (
    <ResourceList
      store={list.$sources}
      settingsKey={icon}
      title={list.title}
      columns={columnsOf(list, legOf)}
      sorting={{ key: 'name', order: 'ascending' }}
      searchTexts={(row) => [row.name, addressOf(row)]}
      addAction={{ call: list.add, verb, onClick: () => openSourceDialog(list) }}
      emptyState={{ icon, title: t(list.empty) }}
      actions={[connect, edit, remove]}
      bulkActions={[remove]}
    />
  )
}

export const InputListScreen = () => <SourceList list={INPUTS} />
export const OutputListScreen = () => <SourceList list={OUTPUTS} />
