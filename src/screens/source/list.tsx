import type { Call } from '../../../contract/call.ts'
import { CHANNEL_VERDICTS, type Health } from '../../../contract/health.ts'
import { acceptsAnyCertificate } from '../../../contract/stream/certificate-check.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { OUTPUT_PROTOCOL_NAMES, PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import {
  type AddInputRequest,
  type AddOutputRequest,
  addOutput,
  deleteInputs,
  deleteOutputs,
  type InputSource,
  type Output
} from '../../../contract/stream/source.ts'
import { inputHealth, outputHealth } from '../../other-hubs.ts'
import type { Action } from '../../parts/actions.tsx'
import { ChannelLink } from '../../parts/channel/channel-link.tsx'
import { addressWithKey, ConnectDialog, isListenAddress, subStreamAddress } from '../../parts/connect-dialog.tsx'
import { HealthState } from '../../parts/health-state.tsx'
import { useQueryRequest } from '../../parts/query-request.ts'
import { ResourceList } from '../../parts/resource-list.tsx'
import { CAMERA } from '../../parts/source/camera-action.ts'
import { CertificateNote } from '../../parts/source/certificate-note.tsx'
import { INPUT_FORM } from '../../parts/source/input-form.ts'
import { OUTPUT_FORM } from '../../parts/source/output-form.ts'
import { presetValues } from '../../parts/source/preset-field.tsx'
import { SERVICES } from '../../parts/source/services.ts'
import { openSourceDialog } from '../../parts/source/source-dialog.tsx'
import type { SourceForm } from '../../parts/source/source-form.ts'
import { tagAction } from '../../parts/tag/tag-action.ts'
import { useTagColumn, useTagFilter } from '../../parts/tag/tags.tsx'
import { $channels } from '../../state/channels.ts'
import type { LiveListState } from '../../state/live-list.ts'
import type { LiveStore } from '../../state/live-store.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { $isAllowed } from '../../state/session.ts'
import { $inputs, $outputs, $presets } from '../../state/sources.ts'
import { deletionOf, hasTrash } from '../../state/trash.ts'
import type { Verdict } from '../../text/health.ts'
import { type Translation, t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'

const TEXT = {
  inputs: ['Inputs', '输入'],
  outputs: ['Outputs', '输出'],
  name: ['Name', '名称'],
  protocol: ['Protocol', '协议'],
  address: ['Address', '地址'],
  channels: ['Channels', '频道'],
  othersChannel: ['Channel of other users', '其他用户的频道'],
  state: ['State', '状态'],
  edit: ['Edit {0}', '编辑 {0}'],
  remove: ['Delete {0}', '删除 {0}'],
  removeText: ['This cannot be undone.', '此操作无法撤销。'],
  noInputs: ['No inputs yet', '暂无输入'],
  noOutputs: ['No outputs yet', '暂无输出'],
  connect: ['URL for the remote end', '对端 URL']
} as const

/** Fields that inputs and outputs have in common. */
interface Row {
  id: number
  name: string
  protocol: number
  config: object
  'owner-hidden'?: true
  tags?: number[]
}

/** Differences between the list of inputs and the list of outputs. */
interface SourceListConfig<Source extends Row, Request> extends SourceForm<Source, Request> {
  icon: 'input' | 'output'
  protocolNames: Readonly<Record<number, string>>
  title: Translation
  empty: Translation
  $sources: LiveStore<LiveListState<Source>>
  remove: Call<{ id: number[] }, { trash: number[] }>
  /** Actions on its rows, besides those that both lists have. */
  actions: readonly Action<Source>[]
  /** The address with its secrets masked. */
  addressOf: (source: Source) => string
  /** The address with the secrets that the hub sends to this user. */
  fullAddressOf: (source: Source) => string
  /** The address of its sub stream, likewise. */
  subAddressOf?: (source: Source) => string | undefined
  /** Names and ids of the channels that use the source. */
  ownersOf: (source: Source) => [name: string, id: number | undefined][]
  /** The health of a source in a channel; undefined if the channel does not use it. */
  healthIn: (channel: Channel, id: number) => Health<Verdict> | undefined
}

const INPUTS: SourceListConfig<InputSource, AddInputRequest> = {
  ...INPUT_FORM,
  icon: 'input',
  protocolNames: PROTOCOL_NAMES,
  title: TEXT.inputs,
  empty: TEXT.noInputs,
  $sources: $inputs,
  remove: deleteInputs,
  actions: [CAMERA],
  addressOf: (input) => input['masked-url'],
  fullAddressOf: ({ config }) => config.url,
  ownersOf: (input) => input['owner-i']?.map((name, index) => [name, input['owner-i-d']?.[index]]) ?? [],
  healthIn(channel, id) {
    const input = [channel.input, ...(channel.backups ?? [])].find((leg) => leg?.id === id)
    return input ? inputHealth(channel, input) : undefined
  }
}

const OUTPUTS: SourceListConfig<Output, AddOutputRequest> = {
  ...OUTPUT_FORM,
  icon: 'output',
  protocolNames: OUTPUT_PROTOCOL_NAMES,
  title: TEXT.outputs,
  empty: TEXT.noOutputs,
  $sources: $outputs,
  remove: deleteOutputs,
  actions: [],
  addressOf: ({ addr }) => addr,
  fullAddressOf: addressWithKey,
  subAddressOf: subStreamAddress,
  ownersOf: ({ 'owner-o': name, 'owner-o-d': id }) => (name === undefined ? [] : [[name, id]]),
  healthIn(channel, id) {
    const output = channel.outputs.list.find((leg) => leg.id === id)
    return output && outputHealth(channel, output)
  }
}

const nameOf = ({ name }: Row) => name

const RANKS: readonly string[] = [...CHANNEL_VERDICTS, 'standby']

/** The worst first; a source without a verdict last. */
const rankOf = (health?: Health<Verdict>) => (health ? RANKS.indexOf(health.verdict) : RANKS.length)

/** @param healthOf the worst health of a source in the channels that use it; undefined if none uses it */
function columnsOf<Source extends Row, Request>(
  { protocolNames, addressOf, ownersOf }: SourceListConfig<Source, Request>,
  healthOf: (source: Source) => Health<Verdict> | undefined
): readonly Column<Source>[] {
  return [
    { key: 'name', title: TEXT.name, text: nameOf },
    {
      key: 'protocol',
      title: TEXT.protocol,
      cell: ({ protocol, config }) => (
        <>
          {protocolNames[protocol]} {acceptsAnyCertificate(config) && <CertificateNote />}
        </>
      ),
      sort: ({ protocol }) => protocolNames[protocol] ?? '',
      hide: 'xxs'
    },
    { key: 'address', title: TEXT.address, text: addressOf, hide: 'xs' },
    {
      key: 'channels',
      title: TEXT.channels,
      cell: (row) => (
        <>
          {ownersOf(row).map(([name, id]) => (
            <span key={id}>
              <ChannelLink id={id} name={name} />{' '}
            </span>
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
        const health = healthOf(row)
        return health ? <HealthState health={health} /> : '–'
      },
      sort: (row) => rankOf(healthOf(row))
    }
  ]
}

function actionsOf<Source extends Row, Request extends object>(
  list: SourceListConfig<Source, Request>
): Record<'connect' | 'edit' | 'remove', Action<Source>> {
  const { addressOf, fullAddressOf, subAddressOf, ownersOf } = list
  return {
    connect: {
      call: { access: 'session' },
      icon: 'copy',
      verb: TEXT.connect,
      isApplicable: (row) => isListenAddress(addressOf(row)),
      run: async ([row]) =>
        row !== undefined &&
        openDialog(ConnectDialog, {
          address: fullAddressOf(row),
          maskedAddress: addressOf(row),
          subAddress: subAddressOf?.(row)
        })
    },
    edit: { call: list.set, icon: 'edit', verb: TEXT.edit, run: ([row]) => openSourceDialog(list, { source: row }) },
    remove: {
      call: list.remove,
      icon: 'delete',
      verb: TEXT.remove,
      kind: 'danger',
      // For sources in use, the hub asks for confirmation itself.
      confirmText: (rows) =>
        hasTrash() || rows.some((row) => ownersOf(row).length > 0) ? undefined : t(TEXT.removeText),
      run: (rows) => succeeded(sendMutation(list.remove, { id: rows.map(({ id }) => id) }, deletionOf(rows)))
    }
  }
}

function SourceList<Source extends Row, Request extends object>({ list }: { list: SourceListConfig<Source, Request> }) {
  const { icon, addLabel, addressOf, healthIn } = list
  const channels = useStore($channels).items
  const healthOf = ({ id }: Source) =>
    channels.flatMap((channel) => healthIn(channel, id) ?? []).sort((a, b) => rankOf(a) - rankOf(b))[0]
  const { items } = useStore(list.$sources)
  const { connect, edit, remove } = actionsOf(list)
  const tags = tagAction<Source>('source')
  const isAllowed = useStore($isAllowed)
  useQueryRequest(
    'edit',
    (requested) => isAllowed(list.set) && items.find(({ id }) => String(id) === requested),
    (source) => void openSourceDialog(list, { source })
  )
  return (
    <ResourceList
      store={list.$sources}
      settingsKey={icon}
      title={list.title}
      columns={useTagColumn(columnsOf(list, healthOf), items)}
      filters={useTagFilter(items)}
      sorting={{ key: 'name', order: 'ascending' }}
      searchTexts={(row) => [row.name, addressOf(row)]}
      addAction={{ call: list.add, verb: addLabel, onClick: () => openSourceDialog(list) }}
      emptyState={{ icon, title: t(list.empty) }}
      trash={icon}
      actions={[...list.actions, connect, edit, remove]}
      menuActions={[tags]}
      bulkActions={[tags, remove]}
    />
  )
}

export const InputListScreen = () => <SourceList list={INPUTS} />
export function OutputListScreen() {
  const isAllowed = useStore($isAllowed)
  const presets = useStore($presets).items
  // A new output with a preset.
  useQueryRequest(
    'preset',
    (requested) => isAllowed(addOutput) && [...SERVICES, ...presets].find(({ id }) => String(id) === requested),
    ({ id }) => void openSourceDialog(OUTPUT_FORM, { proposed: presetValues(String(id), presets) })
  )
  return <SourceList list={OUTPUTS} />
}
