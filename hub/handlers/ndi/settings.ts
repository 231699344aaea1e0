// The parts about NDI of the settings of the hub.
import { INVALID_ARG } from '../../../contract/codes.ts'
import { NDI_MACHINE_BYTES, NDI_NAME_BYTES } from '../../../contract/limits.ts'
import type { NdiDiscoverySettings, NdiServerSettings } from '../../../contract/ndi/settings.ts'
import { announcedName, utf8Length } from '../../../contract/ndi-name-length.ts'
import { NDI_SETTINGS, type Settings, type SettingsRequest } from '../../../contract/settings.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import { wantedNdi } from '../../channels/wanted-ndi.ts'
import { CallError, type Context } from '../../http/handler.ts'
import { defaultNdiMachineName } from '../../ndi/machine-name.ts'
import type { Store } from '../../store/store.ts'
import { announcedNames } from '../ndi-names.ts'
import type { PortsInUse } from '../stream/ports-in-use.ts'

export interface NdiSettingsParts {
  store: Store
  engine: EngineClient
  portsInUse: PortsInUse
}

export async function readNdiSettings({ store: { settings }, engine }: { store: Store; engine: EngineClient }) {
  const state = (await engine.observeNdi())?.server.state
  const parts = NDI_SETTINGS.map((part) => [part, settings.get(part)])
  return {
    ...(Object.fromEntries(parts) as Pick<Settings, (typeof NDI_SETTINGS)[number]>),
    'hub-ndi-server': { ...settings.get('hub-ndi-server'), ...(state && { state }) }
  }
}

/**
 * @param own name of the settings; empty: the engine uses another one
 * @throws CallError 7 if the hub could not announce one of its NDI sources under this machine name
 */
function requireShortMachineName({ store, engine }: { store: Store; engine: EngineClient }, own: string): void {
  const longest = Math.max(0, ...announcedNames(store).map((name) => utf8Length(announcedName('', name))))
  const rest = NDI_NAME_BYTES - longest
  const max = Math.min(NDI_MACHINE_BYTES, rest)
  if (utf8Length((own || defaultNdiMachineName({ engine })).toUpperCase()) > (own ? max : rest))
    throw new CallError(INVALID_ARG, { field: 'ndi-discovery.machine-name', fault: 'bytes', min: 1, max })
}

function describeDiscovery({ enable, servers, ...rest }: NdiDiscoverySettings): string {
  const { 'extra-ips': extra, 'machine-name': machine, ifaces, 'send-groups': send, 'recv-groups': recv } = rest
  const parts = {
    servers: enable ? servers.map(({ address, port }) => `${address}:${port}`).join(' ') : '',
    extra: extra.join(' '),
    machine,
    ifaces: ifaces.join(' '),
    'groups sent': send,
    'groups found': recv
  }
  const used = Object.entries(parts).filter(([, text]) => text !== '')
  return ['ndi-discovery', ...used.map(([name, text]) => `${name} ${text}`)].join(', ')
}

function setDiscovery(
  parts: { store: Store; engine: EngineClient },
  context: Context,
  discovery: NdiDiscoverySettings
): void {
  context.detail = describeDiscovery(discovery)
  requireShortMachineName(parts, discovery['machine-name'])
  parts.store.settings.set('ndi-discovery', discovery)
}

function setServer(
  { portsInUse, store }: { store: Store; portsInUse: PortsInUse },
  context: Context,
  server: NdiServerSettings
): void {
  context.detail = `hub-ndi-server ${server.enable ? server.port : 'off'}`
  if (server.enable) portsInUse.requireFree(context, [server.port], 'hub-ndi-server.port', { kind: 'ndi-server' })
  store.settings.set('hub-ndi-server', server)
}

/** Stores the part about NDI of a request, if it has one. Applied to NDI processes that start afterwards. */
export function storeNdiSettings(parts: NdiSettingsParts, context: Context, request: SettingsRequest): void {
  const { store, engine } = parts
  const { 'ndi-discovery': discovery, channel, 'hub-ndi-server': server } = request
  if (!discovery && !channel && !server) return
  if (discovery) setDiscovery(parts, context, discovery)
  if (server) setServer(parts, context, server)
  if (channel) store.settings.set('channel', channel)
  context.afterCommit(() => {
    store.changes.markChanged('ndi')
    if (!channel) return engine.configureNdi(wantedNdi(store))
  })
}
