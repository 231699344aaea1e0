// Handlers for input sources.
import { DEVICE_VIEW, isPermitted } from '../../../contract/access/permissions.ts'
import { INVALID_ARG, NAME_EXISTS, OBJECT_BUSY } from '../../../contract/codes.ts'
import { parseNdiUrl } from '../../../contract/ndi/url.ts'
import { DIR_INPUT, INPUT_CUSTOM, RTSP } from '../../../contract/stream/protocols.ts'
import {
  type AddInputRequest,
  addInput,
  deleteInputs,
  type InputSource,
  listInputs,
  setInput
} from '../../../contract/stream/source.ts'
import { isFault, parseSourceUrl } from '../../../contract/stream/source-url.ts'
import { ndiSearchHosts, sourceHost } from '../../../contract/stream/stream-hosts.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Gate } from '../../auth/gate.ts'
import type { AddressedDevices } from '../../devices/address/addressed-devices.ts'
import { CallError, type Context, type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import { type InputFields, type InputRow, inputSettings } from '../../store/sources.ts'
import type { Store } from '../../store/store.ts'
import { enforceLicense } from '../license-limits.ts'
import { tagFields } from '../tag-fields.ts'
import { deletionBy, markTrashChanged } from '../trashed.ts'
import { storedCertificateCheck } from './certificate-settings.ts'
import { boundPorts, type PortsInUse } from './ports-in-use.ts'
import { receivedPrograms } from './programs.ts'
import { channelOutputHosts, inputHost, requireOtherHosts } from './same-host.ts'
import {
  addCreator,
  applyChannels,
  canEdit,
  channelNames,
  requireAllowedHost,
  requireFreeName,
  requireSource,
  visibleOwners
} from './source-checks.ts'
import { listSources } from './source-list.ts'
import { maskUrl, normalizeInputUrl } from './source-url.ts'

interface StreamInputParts {
  store: Store
  addressedDevices: Pick<AddressedDevices, 'camerasOf'>
  gate: Gate
  engine: EngineClient
  portsInUse: PortsInUse
  applyChannel: (id: number) => Promise<void>
}

interface ReplaceInputParts {
  store: Store
  gate: Gate
  portsInUse: PortsInUse
  applyChannel: (id: number) => Promise<void>
}

interface AddOrReplaceInputParts {
  store: Store
  gate: Gate
  portsInUse: PortsInUse
  applyChannel: (id: number) => Promise<void>
}

interface RemoveInputsParts {
  store: Store
  gate: Gate
  applyChannel: (id: number) => Promise<void>
}

/** Serial number of the camera of an input; undefined if it has none that the caller may see. */
function visibleCamera(parts: StreamInputParts, context: Context, { protocol, url }: InputRow): string | undefined {
  const { store, gate, addressedDevices } = parts
  const caller = requireCaller(context)
  if (protocol !== RTSP || !isPermitted(DEVICE_VIEW, caller.user)) return undefined
  return addressedDevices.camerasOf(url).find((sn) => {
    const device = store.devices.bySerial(sn)
    return device && gate.canSeeDevice(caller, device)
  })
}

function serializeInput(parts: StreamInputParts, context: Context, row: InputRow): InputSource {
  const { store } = parts
  const programs = receivedPrograms(parts, row.id)
  const { channels, mayView, hasHidden } = visibleOwners(parts, context, store.channels.byInput(row.id))
  const maskedUrl = maskUrl(row.url)
  const camera = visibleCamera(parts, context, row)
  return {
    id: row.id,
    name: row.name,
    ...tagFields(store, 'source', row.id),
    dir: DIR_INPUT,
    type: INPUT_CUSTOM,
    protocol: row.protocol,
    config: {
      type: 1,
      ...inputSettings(row),
      ...(!canEdit(context) && { url: maskedUrl })
    },
    ...(programs && { programs }),
    ...(camera && { camera }),
    'masked-url': maskedUrl,
    ...(mayView && {
      'owner-i': channels.map((channel) => channel.name),
      'owner-i-d': channels.map((channel) => channel.id)
    }),
    ...(hasHidden && { 'owner-hidden': true })
  }
}

/** @throws CallError 32 with `forbidden` if the address policy does not allow a host of the URL of an input */
export function requireAllowedInput(parts: { store: Store }, url: string): void {
  const parsed = parseSourceUrl(url)
  if (!isFault(parsed)) requireAllowedHost(parts, sourceHost({ kind: 'url', url: parsed }), 'config.url')
  const ndi = parseNdiUrl(url)
  if (!('fault' in ndi))
    for (const host of [sourceHost({ kind: 'ndi', source: ndi }), ...ndiSearchHosts(ndi)])
      requireAllowedHost(parts, host, 'config.url')
}

/**
 * Checks an input, and returns it as it is stored.
 * @param id of an existing input that is changed
 * @throws CallError if the URL is not valid or encrypted without a passphrase, its host is forbidden, or its port is in
 * use
 */
function validateInput(
  parts: { store: Store; portsInUse: PortsInUse },
  context: Context,
  request: AddInputRequest,
  id?: number
): InputFields {
  const { url, protocol } = normalizeInputUrl(request.config.url)
  const parsed = parseSourceUrl(url)
  requireAllowedInput(parts, url)
  if (!isFault(parsed) && parsed.srt?.keyLength && !parsed.srt.passphrase)
    throw new CallError(INVALID_ARG, { field: 'config.url', fault: 'required' })
  const bound = boundPorts(url)
  const existing = id === undefined ? undefined : parts.store.sources.input(id)
  const previous = existing && boundPorts(existing.url)
  if (bound && JSON.stringify(bound) !== JSON.stringify(previous))
    parts.portsInUse.requireFree(context, bound.ports, 'config.url', { kind: 'input', id, url })
  const { type: _, 'certificate-check': __, 'trusted-certificates': ___, ...settings } = request.config
  const certificates = storedCertificateCheck(url, request.config, existing && inputSettings(existing))
  return { name: request.name, protocol, settings: { ...settings, url, ...certificates } }
}

/**
 * Replaces the name and URL of an input, for all channels that use it.
 * @throws CallError as `setInput`
 */
export function replaceInput(parts: ReplaceInputParts, context: Context, id: number, request: AddInputRequest): void {
  const { sources, channels } = parts.store
  const previous = requireSource(parts, context, 'input', id, sources.input(id))
  const fields = validateInput(parts, context, request, id)
  context.detail = `${request.name} ${maskUrl(fields.settings.url)}`
  requireFreeName(sources.inputByName(request.name), id)
  const channelIds = channels.byInput(id).map((channel) => channel.id)
  const host = inputHost(fields.settings.url)
  if (host !== inputHost(previous.url)) {
    const targets = channelIds.flatMap((channel) => channelOutputHosts(parts, channel))
    requireOtherHosts([host], targets, 'config.url', request.force)
  }
  enforceLicense(parts.store, () => sources.setInput(id, fields))
  applyChannels(parts, context, channelIds)
}

function handleListInputs(parts: StreamInputParts): Handler {
  return handle(listInputs, (context, request) => {
    const { protocol } = request
    const rows = parts.store.sources.inputs()
    const matching = protocol === undefined ? rows : rows.filter((row) => row.protocol === protocol)
    return listSources(parts, context, request, matching, (row) => serializeInput(parts, context, row))
  })
}

/**
 * Adds an input, or replaces the one with its name if the request has `force`.
 * @returns its id
 * @throws CallError as `addInput`
 */
export function addOrReplaceInput(parts: AddOrReplaceInputParts, context: Context, request: AddInputRequest): number {
  const { sources, channels } = parts.store
  const existing = sources.inputByName(request.name)
  const isVisible = existing && parts.gate.sourcesVisibleTo(requireCaller(context))(existing.id)
  if (isVisible && request.force) {
    replaceInput(parts, context, existing.id, request)
    return existing.id
  }
  const fields = validateInput(parts, context, request)
  context.detail = `${request.name} ${maskUrl(fields.settings.url)}`
  if (existing && !isVisible) throw new CallError(NAME_EXISTS, { field: 'name' })
  if (existing) {
    const owners = visibleOwners(parts, context, channels.byInput(existing.id))
    throw new CallError(NAME_EXISTS, {
      field: 'name',
      'owner-i': channelNames(owners.channels),
      ...(owners.hasHidden && { 'owner-hidden': true })
    })
  }
  const id = sources.addInput(fields)
  addCreator(parts, context, id)
  context.objects.push(`input:${id}`)
  applyChannels(parts, context, [])
  return id
}

function handleAddInput(parts: StreamInputParts): Handler {
  return handleChange(addInput, (context, request) => ({ id: addOrReplaceInput(parts, context, request) }))
}

function handleSetInput(parts: StreamInputParts): Handler {
  return handleChange(setInput, (context, request) => {
    replaceInput(parts, context, request.id, request)
    return {}
  })
}

/**
 * Deletes inputs, all or none.
 * @returns the IDs of their entries in the trash
 * @throws CallError as `deleteInputs`
 */
export function removeInputs(
  parts: RemoveInputsParts,
  context: Context,
  request: { id: number | number[]; force?: boolean }
): number[] {
  const { sources, channels } = parts.store
  const ids = [...new Set([request.id].flat())]
  const rows = ids.map((id) => requireSource(parts, context, 'input', id, sources.input(id)))
  context.detail = rows.map((row) => row.name).join(', ')
  const users = rows.flatMap((row) => channels.byInput(row.id))
  if (users.length > 0 && !request.force) {
    const owners = visibleOwners(parts, context, users)
    throw new CallError(OBJECT_BUSY, {
      ...(owners.mayView && { 'owner-i': channelNames(owners.channels) }),
      ...(owners.hasHidden && { 'owner-hidden': true })
    })
  }
  const deletion = deletionBy(context)
  const trash = rows.map((row) => parts.store.trash.putInput(row, deletion))
  for (const row of rows) sources.removeInput(row.id)
  const channelIds = users.map((channel) => channel.id)
  applyChannels(parts, context, channelIds)
  markTrashChanged(parts, context)
  return trash
}

function handleDeleteInputs(parts: StreamInputParts): Handler {
  return handleChange(deleteInputs, (context, request) => ({ trash: removeInputs(parts, context, request) }))
}

export function inputHandlers(parts: StreamInputParts): Handler[] {
  return [handleListInputs(parts), handleAddInput(parts), handleSetInput(parts), handleDeleteInputs(parts)]
}
