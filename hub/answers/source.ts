import { INVALID_ARG, NAME_EXISTS, NOT_EXIST, OBJECT_BUSY, PORT_OCCUPIED, UNSUPPORTED } from '../../contract/codes.ts'
import { formatNdiUrl, isNdiUrl, parseNdiUrl } from '../../contract/ndi-url.ts'
import { CHANNEL_VIEW, holds, INPUT_OUTPUT_EDIT } from '../../contract/permissions.ts'
import { DIR_INPUT, DIR_OUTPUT, INPUT_CUSTOM, NDI, OUTPUT_CUSTOM, RTMP, SRT } from '../../contract/protocols.ts'
import type { Fault } from '../../contract/rules.ts'
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
  type RtmpOutput,
  type SourceListRequest,
  type SrtOutput,
  setInput,
  setOutput
} from '../../contract/source.ts'
import { formatSourceUrl, isFault, parseSourceUrl, type SourceUrl } from '../../contract/source-url.ts'
import { type Answer, answer, type Context, change, Refusal, signedIn } from '../answer.ts'
import type { Hub } from '../parts.ts'
import type { InputRow, OutputRow } from '../store/sources.ts'
import { withinLicense } from './license-limits.ts'
import { byText, pageOf } from './list.ts'

/** What stands for a secret where it may not be read. */
export const MASK = '****'

/** The stored form of a source URL: parsed and written anew, so that only what the allow-list knows is kept. */
function normalUrl(text: string, field: string): { protocol: number; url: string } {
  const parsed = parseSourceUrl(text)
  if (isFault(parsed)) throw wrong(field, parsed)
  return { protocol: parsed.protocol, url: formatSourceUrl(parsed) }
}

/** The same for what an input may be besides. */
function normalInput({ config: { url } }: AddInputRequest): { protocol: number; url: string } {
  if (!isNdiUrl(url)) return normalUrl(url, 'config.url')
  const parsed = parseNdiUrl(url)
  if ('fault' in parsed) throw wrong('config.url', parsed.fault)
  return { protocol: NDI, url: formatNdiUrl(parsed) }
}

function wrong(field: string, { name: fault, ...numbers }: Fault): Refusal {
  return new Refusal(INVALID_ARG, { field, fault, ...numbers })
}

/**
 * A path with its query, without what may be a secret: behind the application of an RTMP path stands the key, in the others whatever
 * is given a value (cameras take logins that way), and in a query all values, since signed and tokened URLs keep theirs there.
 */
function maskedPath({ protocol, path: whole }: SourceUrl): string {
  const [path = '', query] = whole.split(/\?(.*)/s)
  const shown = protocol === RTMP ? path.replace(/^(\/[^/]+\/).+/, `$1${MASK}`) : path.replace(/=[^/&;,]+/g, `=${MASK}`)
  if (!query) return shown
  return `${shown}?${query
    .split('&')
    .map((option) => option.slice(0, option.indexOf('=') + 1) + MASK)
    .join('&')}`
}

/** A stored URL without its secrets. */
export function maskedUrl(url: string): string {
  if (isNdiUrl(url)) return url
  const parsed = parseSourceUrl(url)
  if (isFault(parsed)) return ''
  const srt = parsed.srt && { ...parsed.srt, streamId: parsed.srt.streamId && MASK }
  return formatSourceUrl({ ...parsed, path: maskedPath(parsed), ...(srt && { srt }) }, MASK)
}

/** Where an output goes, without secrets: of one that listens the port alone. */
export function outputAddress(row: Pick<OutputRow, 'protocol' | 'config'>): string {
  if (row.protocol !== SRT) return maskedUrl((row.config as RtmpOutput).url)
  const config = row.config as SrtOutput
  return config.mode === 'listener'
    ? `srt://:${config['bind-port']}`
    : `srt://${config['dst-ip']}:${config['dst-port']}`
}

const isSrt = (row: {
  protocol: number
  config: RtmpOutput | SrtOutput
}): row is { protocol: number; config: SrtOutput } => row.protocol === SRT

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
    const config = { ...row.config }
    delete (config as SrtOutput).passphrase
    if (!mayEdit(context)) {
      delete (config as RtmpOutput).key
      delete (config as RtmpOutput).password
      delete (config as SrtOutput)['stream-id']
      // A login may stand in the URL, too.
      if (!isSrt(row)) (config as RtmpOutput).url = maskedUrl((config as RtmpOutput).url)
    }
    return {
      id: row.id,
      name: row.name,
      dir: DIR_OUTPUT,
      type: OUTPUT_CUSTOM,
      protocol: row.protocol,
      addr: outputAddress(row),
      config,
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

  /** A listener needs a port of its own: among the outputs, and beside the hub's own ports. */
  function freePort(config: RtmpOutput | SrtOutput, protocol: number, id?: number): void {
    const port = (config as SrtOutput)['bind-port']
    if (protocol !== SRT || (config as SrtOutput).mode !== 'listener' || port === undefined) return
    const taken = sources
      .outputs()
      .some((row) => row.id !== id && isSrt(row) && row.config.mode === 'listener' && row.config['bind-port'] === port)
    if (taken || hub.ownPorts().includes(port)) throw new Refusal(PORT_OCCUPIED, { field: 'config.bind-port', port })
  }

  /** What is stored: secrets that a write leaves out stay as they are, those that no longer apply go. */
  function storedOutput(request: AddOutputRequest, before?: OutputRow): RtmpOutput | SrtOutput {
    const old = before?.protocol === request.protocol ? before.config : undefined
    if (request.protocol === RTMP) {
      const config = request.config as RtmpOutput
      const kept = old as RtmpOutput | undefined
      const url = normalUrl(config.url, 'config.url').url
      const key = config.key ?? kept?.key
      if (!config['enable-auth']) return { url, ...(key && { key }) }
      const password = config.password ?? kept?.password
      if (!config.username) throw new Refusal(INVALID_ARG, { field: 'config.username', fault: 'required' })
      if (!password) throw new Refusal(INVALID_ARG, { field: 'config.password', fault: 'required' })
      return { url, ...(key && { key }), 'enable-auth': true, username: config.username, password }
    }
    const config = request.config as SrtOutput
    if (!config.enc || config.enc === 'disable') {
      const { passphrase: _, ...open } = config
      return open
    }
    const passphrase = config.passphrase || (old as SrtOutput | undefined)?.passphrase
    if (!passphrase) throw new Refusal(INVALID_ARG, { field: 'config.passphrase', fault: 'required' })
    return { ...config, passphrase }
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
    const { protocol, url } = normalInput(request)
    context.detail = `${request.name} ${maskedUrl(url)}`
    freeName(sources.inputByName(request.name), id)
    const users = channels.byInput(id).map((channel) => channel.id)
    if (protocol === NDI && users.length > 0) throw new Refusal(UNSUPPORTED, { field: 'config.url' })
    withinLicense(store, () => sources.setInput(id, request.name, protocol, url))
    sourceChanged(context, users)
    return id
  }

  const idsOf = (id: number | number[]) => [...new Set([id].flat())]

  return [
    answer(listInputs, (context, request) => {
      const { protocol } = request
      const rows = sources.inputs()
      const ofProtocol = protocol === undefined ? rows : rows.filter((row) => row.protocol === protocol)
      return list(request, ofProtocol, (row) => inputWire(context, row))
    }),
    change(addInput, (context, request) => {
      const before = request.force ? sources.inputByName(request.name) : undefined
      if (before) return { id: override(context, before.id, request) }
      const { protocol, url } = normalInput(request)
      context.detail = `${request.name} ${maskedUrl(url)}`
      freeName(sources.inputByName(request.name))
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
        throw new Refusal(OBJECT_BUSY, seesChannels(context) ? { 'owner-i': users.map((channel) => channel.name) } : {})
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
      freeName(sources.outputByName(request.name))
      freePort(request.config, request.protocol)
      const id = sources.addOutput(request.name, request.protocol, storedOutput(request))
      context.objects.push(`output:${id}`)
      sourceChanged(context, [])
      return { id }
    }),
    change(setOutput, (context, request) => {
      const row = known(context, `output:${request.id}`, sources.output(request.id))
      context.detail = request.name
      freeName(sources.outputByName(request.name), request.id)
      freePort(request.config, request.protocol, request.id)
      withinLicense(store, () =>
        sources.setOutput(request.id, request.name, request.protocol, storedOutput(request, row))
      )
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
          seesChannels(context) ? { 'owner-o': owners.map((id) => channels.byId(id)?.name) } : {}
        )
      for (const row of rows) sources.removeOutput(row.id)
      sourceChanged(context, owners)
      return {}
    })
  ]
}
