import {
  ALREADY_EXISTS,
  BAD_ADDRESS,
  INVALID_ARG,
  NAME_EXISTS,
  NOT_EXIST,
  OBJECT_BUSY
} from '../../../contract/codes.ts'
import { CHANNEL_VIEW, holds, INPUT_OUTPUT_EDIT } from '../../../contract/permissions.ts'
import { parseNdiUrl } from '../../../contract/stream/ndi-url.ts'
import { DIR_INPUT, DIR_OUTPUT, INPUT_CUSTOM, OUTPUT_CUSTOM, RTMP } from '../../../contract/stream/protocols.ts'
import {
  type AddInputRequest,
  type AddOutputRequest,
  addInput,
  addOutput,
  deleteInputs,
  deleteOutputs,
  type InputSource,
  listInputs,
  listOutputs,
  type Output,
  type SourceListRequest,
  setInput,
  setOutput
} from '../../../contract/stream/source.ts'
import { isFault, parseSourceUrl } from '../../../contract/stream/source-url.ts'
import { isForbiddenHost } from '../../../engine/access/address-policy.ts'
import { sourceHost } from '../../../engine/inputs/origin.ts'
import type { WantedOutput } from '../../../engine/interfaces/channel.ts'
import { targetHost } from '../../../engine/outputs/output-command.ts'
import type { Hub } from '../../context.ts'
import { type Answer, answer, type Context, change, Refusal, signedIn } from '../../http/handler.ts'
import type { InputRow, OutputRow } from '../../store/sources.ts'
import { withinLicense } from '../license-limits.ts'
import { byText, pageOf } from '../list.ts'
import { outputAddress, portOf, shownConfig, storedConfig, targetOf } from './output-config.ts'
import { boundOf, demandFreePorts } from './ports-in-use.ts'
import { maskedUrl, normalInput } from './source-url.ts'

export function sourceAnswers(hub: Hub): Answer[] {
  const { store } = hub
  const { sources, channels } = store

  const mayEdit = (context: Context) => holds(signedIn(context).user.permission, INPUT_OUTPUT_EDIT)
  const seesChannels = (context: Context) => holds(signedIn(context).user.permission, CHANNEL_VIEW)

  function inputWire(context: Context, row: InputRow): InputSource {
    const owners = channels.byInput(row.id)
    const masked = maskedUrl(row.url)
    return {
      id: row.id,
      name: row.name,
      dir: DIR_INPUT,
      type: INPUT_CUSTOM,
      protocol: row.protocol,
      config: { type: 1, url: mayEdit(context) ? row.url : masked },
      'masked-url': masked,
      ...(seesChannels(context) && {
        'owner-i': owners.map((channel) => channel.name),
        'owner-i-d': owners.map((channel) => channel.id)
      })
    }
  }

  function outputWire(context: Context, row: OutputRow): Output {
    const owner = row.channel_id === null ? undefined : channels.byId(row.channel_id)
    return {
      id: row.id,
      name: row.name,
      dir: DIR_OUTPUT,
      type: OUTPUT_CUSTOM,
      protocol: row.protocol,
      config: shownConfig(row, mayEdit(context)),
      addr: outputAddress(row),
      ...(owner && seesChannels(context) && { 'owner-o': owner.name, 'owner-o-d': owner.id })
    }
  }

  function list<Row extends { id: number; name: string }, Item>(
    request: SourceListRequest,
    rows: Row[],
    wire: (row: Row) => Item
  ) {
    if (request.order && !request.sort) throw new Refusal(INVALID_ARG, { field: 'order' })
    const key = request.key?.toLowerCase()
    const matching = key ? rows.filter((row) => row.name.toLowerCase().includes(key)) : rows
    const sign = request.order === 'descending' ? -1 : 1
    if (request.sort && !key) matching.sort((a, b) => sign * byText(a.name, b.name))
    const page = pageOf(matching, request)
    return { ...page, list: page.list.map(wire), rev: store.changes.rev }
  }

  function freeName(row: { id: number } | undefined, id?: number): void {
    if (row && row.id !== id) throw new Refusal(NAME_EXISTS, { field: 'name' })
  }

  /** Two outputs at one target would mix their streams, or push each other out. */
  function freeTarget(row: Pick<OutputRow, 'protocol' | 'config'>, id: number | undefined): void {
    const mine = targetOf(row)
    if (mine && sources.outputs().some((other) => other.id !== id && targetOf(other)?.target === mine.target))
      throw new Refusal(ALREADY_EXISTS, { field: mine.field, exists: 'server' })
  }

  /** Addresses are judged before anything is stored; names when something is sent there, for they may come to mean others. */
  function reachable(host: string | undefined, field: string): void {
    if (host !== undefined && isForbiddenHost(host, store.settings.get('streams')['forbid-private']))
      throw new Refusal(BAD_ADDRESS, { field, forbidden: true })
  }

  /** What is stored of an output, when nothing stands against it. */
  function judged(context: Context, request: AddOutputRequest, before?: OutputRow): OutputRow['config'] {
    freeName(sources.outputByName(request.name), before?.id)
    const config = storedConfig(request, before)
    const row = { protocol: request.protocol, config }
    const listens = portOf(row)
    // What it has it keeps: it may be older than what stands against it now.
    if (listens && !(before && portOf(before)?.port === listens.port))
      demandFreePorts(hub, context, [listens.port], listens.field, { kind: 'output', id: before?.id })
    freeTarget(row, before?.id)
    reachable(
      targetHost({ id: 0, name: '', ...row } as WantedOutput),
      request.protocol === RTMP ? 'config.url' : 'config.dst-ip'
    )
    return config
  }

  /** The stored form of an input, when nothing stands against it. */
  function judgedInput(context: Context, request: AddInputRequest, id?: number): { protocol: number; url: string } {
    const normal = normalInput(request.config.url)
    const parsed = parseSourceUrl(normal.url)
    if (!isFault(parsed)) reachable(sourceHost({ id: 0, name: '', kind: 'url', url: parsed }), 'config.url')
    const { url } = normal
    const ndi = parseNdiUrl(url)
    if (!('fault' in ndi)) reachable(sourceHost({ id: 0, name: '', kind: 'ndi', source: ndi }), 'config.url')
    const bound = boundOf(url)
    const had = id === undefined ? undefined : boundOf(sources.input(id)?.url ?? '')
    if (bound && JSON.stringify(bound) !== JSON.stringify(had))
      demandFreePorts(hub, context, bound.ports, 'config.url', { kind: 'input', id, url })
    return normal
  }

  function known<Row>(context: Context, object: string, row: Row | undefined): Row {
    context.objects.push(object)
    if (row === undefined) throw new Refusal(NOT_EXIST)
    return row
  }

  function sourceChanged(context: Context, channelIds: readonly number[]): void {
    context.after(() => {
      store.changes.bump('source')
      for (const id of channelIds) hub.applyChannel(id)
    })
  }

  /** Puts another source in the place of an input, for all who use it. */
  function override(context: Context, id: number, request: AddInputRequest): number {
    known(context, `input:${id}`, sources.input(id))
    const { protocol, url } = judgedInput(context, request, id)
    context.detail = `${request.name} ${maskedUrl(url)}`
    freeName(sources.inputByName(request.name), id)
    const users = channels.byInput(id).map((channel) => channel.id)
    withinLicense(store, () => sources.setInput(id, request.name, protocol, url))
    sourceChanged(context, users)
    return id
  }

  const usersOf = (id: number) => channels.byInput(id).map((channel) => channel.name)
  const idsOf = (id: number | number[]) => [...new Set([id].flat())]

  return [
    answer(listInputs, (context, request) => {
      const { protocol } = request
      const rows = sources.inputs()
      const ofProtocol = protocol === undefined ? rows : rows.filter((row) => row.protocol === protocol)
      return list(request, ofProtocol, (row) => inputWire(context, row))
    }),
    change(addInput, (context, request) => {
      const before = sources.inputByName(request.name)
      if (before && request.force) return { id: override(context, before.id, request) }
      const { protocol, url } = judgedInput(context, request)
      context.detail = `${request.name} ${maskedUrl(url)}`
      if (before)
        throw new Refusal(NAME_EXISTS, { field: 'name', 'owner-i': seesChannels(context) ? usersOf(before.id) : [] })
      const id = sources.addInput(request.name, protocol, url)
      context.objects.push(`input:${id}`)
      sourceChanged(context, [])
      return { id }
    }),
    change(setInput, (context, request) => {
      override(context, request.id, request)
      return {}
    }),
    change(deleteInputs, (context, request) => {
      const rows = idsOf(request.id).map((id) => known(context, `input:${id}`, sources.input(id)))
      context.detail = rows.map((row) => row.name).join(', ')
      const users = rows.flatMap((row) => channels.byInput(row.id))
      if (users.length > 0 && !request.force)
        throw new Refusal(
          OBJECT_BUSY,
          seesChannels(context) ? { 'owner-i': [...new Set(users.map((channel) => channel.name))] } : {}
        )
      for (const row of rows) sources.removeInput(row.id)
      sourceChanged(
        context,
        users.map((channel) => channel.id)
      )
      return {}
    }),
    answer(listOutputs, (context, request) => list(request, sources.outputs(), (row) => outputWire(context, row))),
    change(addOutput, (context, request) => {
      context.detail = request.name
      const id = sources.addOutput(request.name, request.protocol, judged(context, request))
      context.objects.push(`output:${id}`)
      sourceChanged(context, [])
      return { id }
    }),
    change(setOutput, (context, request) => {
      const row = known(context, `output:${request.id}`, sources.output(request.id))
      context.detail = request.name
      const config = judged(context, request, row)
      withinLicense(store, () => sources.setOutput(request.id, request.name, request.protocol, config))
      sourceChanged(context, row.channel_id === null ? [] : [row.channel_id])
      return {}
    }),
    change(deleteOutputs, (context, request) => {
      const rows = idsOf(request.id).map((id) => known(context, `output:${id}`, sources.output(id)))
      context.detail = rows.map((row) => row.name).join(', ')
      const owners = rows.map((row) => row.channel_id).filter((id) => id !== null)
      if (owners.length > 0 && !request.force)
        throw new Refusal(
          OBJECT_BUSY,
          seesChannels(context) ? { 'owner-o': [...new Set(owners)].map((id) => channels.byId(id)?.name) } : {}
        )
      for (const row of rows) sources.removeOutput(row.id)
      sourceChanged(context, owners)
      return {}
    })
  ]
}
