// Handlers for the settings of the hub.

import {
  hasAnyBit,
  isPermitted,
  NDI_VIEW,
  SYSTEM_CONFIG_EDIT,
  SYSTEM_CONFIG_VIEW
} from '../../../contract/access/permissions.ts'
import { INVALID_ARG, NOT_PERMITTED, REAUTHENTICATION_REQUIRED } from '../../../contract/codes.ts'
import { HUB_SETTINGS, type HubSettingName, hubSetting } from '../../../contract/hub-settings.schema.ts'
import { ADMIN_SESSION_MAX, SESSION_NEVER } from '../../../contract/limits.ts'
import { NO_PASSWORD_RULES, type PasswordRules } from '../../../contract/rules/password.ts'
import {
  getSettings,
  isNdiSetting,
  type SettingPart,
  type SettingRights,
  type Settings,
  type SettingsRequest,
  setSettings,
  settingRights
} from '../../../contract/settings.ts'
import { RTMP, SRT } from '../../../contract/stream/protocols.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Certificates } from '../../../tls/certificates.ts'
import type { HostAllowList } from '../../../web-server/host-allow-list.ts'
import type { Caller, Gate } from '../../auth/gate.ts'
import type { Interruption } from '../../channels/off-air.ts'
import type { SharedPortName, SharedPorts } from '../../channels/shared-ports.ts'
import {
  CallError,
  type Context,
  type Handler,
  handle,
  handlePreparedChange,
  interrupting,
  requireCaller
} from '../../http/handler.ts'
import type { WebPorts } from '../../http/ports/web-ports.ts'
import type { Machine } from '../../machine/machine.ts'
import type { Store } from '../../store/store.ts'
import type { SyslogForwarder } from '../../syslog/forwarder.ts'
import { describeName } from '../machine/name.ts'
import { type NdiSettingsParts, readNdiSettings, storeNdiSettings } from '../ndi/settings.ts'
import { setHls } from './hls.ts'
import { prepareSharedPort, type SetSharedPortParts, startSharedTrial } from './set-shared-port.ts'
import { type PreparedWeb, prepareWeb, type SetWebParts, setWeb } from './set-web.ts'
import { describeWeb } from './web-settings.ts'

interface GetSettingsParts {
  store: Store
  engine: EngineClient
  machine: Machine
  webPorts: WebPorts
  certificates: Certificates
  hosts: HostAllowList
}

interface ReadSystemSettingsParts {
  store: Store
  webPorts: WebPorts
  certificates: Certificates
}

interface SetHostsParts {
  store: Store
  certificates: Certificates
  hosts: HostAllowList
}

interface SettingsParts {
  store: Store
  gate: Gate
  engine: EngineClient
  syslog: SyslogForwarder
  hosts: HostAllowList
  certificates: Certificates
  sharedPorts: SharedPorts
  sessionsEnded: () => void
  applyChannel: (id: number) => Promise<void>
}

/** @param isTried whether the port is only stored when it is confirmed */
function setSrt(
  { store, sharedPorts }: { store: Store; sharedPorts: SharedPorts },
  context: Context,
  request: Settings['srt'],
  isTried: boolean
): void {
  const { settings } = store
  const { 'pb-key-len': keyLength, passphrase: requested } = request
  const port = isTried ? settings.get('srt').port : request.port
  const passphrase = requested || settings.get('srt').passphrase
  if (keyLength !== 0 && passphrase === '')
    throw new CallError(INVALID_ARG, { field: 'srt.passphrase', fault: 'required' })
  settings.set('srt', { port, 'pb-key-len': keyLength, passphrase })
  // The port on trial is opened with them.
  if (!isTried) context.afterCommit(() => sharedPorts.settingChanged('srt'))
}

/** @param isTried whether the port is only stored when it is confirmed */
function setRtmp(
  { store, sharedPorts }: { store: Store; sharedPorts: SharedPorts },
  context: Context,
  request: Settings['rtmp'],
  isTried: boolean
): void {
  if (isTried) return
  store.settings.set('rtmp', request)
  context.afterCommit(() => sharedPorts.settingChanged('rtmp'))
}

/**
 * Returns the settings for which the caller has permission: SYSTEM_CONFIG_VIEW for the parts of the hub, NDI_VIEW for
 * those of NDI. Leaves out the invitation code and the SRT passphrase unless the caller has SYSTEM_CONFIG_EDIT.
 */
function handleGetSettings(parts: GetSettingsParts): Handler {
  return handle(getSettings, async (context) => {
    const { permission } = requireCaller(context).user
    return {
      settings: {
        ...(hasAnyBit(permission, SYSTEM_CONFIG_VIEW) && {
          ...readSystemSettings(parts, context, permission),
          name: await describeName(parts, context.language)
        }),
        ...(hasAnyBit(permission, NDI_VIEW) && (await readNdiSettings(parts)))
      }
    }
  })
}

function readSystemSettings(parts: ReadSystemSettingsParts, { host }: Context, permission: number) {
  const { settings } = parts.store
  const canEdit = hasAnyBit(permission, SYSTEM_CONFIG_EDIT)
  const names = (Object.keys(HUB_SETTINGS) as HubSettingName[]).filter((name) => !isNdiSetting(name))
  const values = names.map((name) => {
    const { secret } = hubSetting(name) ?? {}
    const value = settings.get(name)
    if (!secret || canEdit) return [name, value]
    return [name, Object.fromEntries(Object.entries(value).filter(([member]) => member !== secret.member))]
  })
  return { ...(Object.fromEntries(values) as Partial<Settings>), web: describeWeb(parts, host) }
}

/** @throws CallError 7 if the hub would refuse the name in this request's URL */
function setHosts({ hosts, store, certificates }: SetHostsParts, context: Context, { names }: Settings['hosts']): void {
  const unique = [...new Set(names.map((name) => name.toLowerCase()))]
  if (context.host !== null && !hosts.allowsWith(context.host, unique))
    throw new CallError(INVALID_ARG, { field: 'hosts.names', fault: 'required' })
  context.detail = `hosts ${unique.join(' ')}`
  store.settings.set('hosts', { names: unique })
  context.afterCommit(() => {
    hosts.namesChanged()
    return certificates.check()
  })
}

/** @throws CallError 7 for a limit that would be taken away: there is none only where there never was one */
function setAdminSession({ store }: { store: Store }, context: Context, hours: number): void {
  if (hours === SESSION_NEVER && store.settings.get('admin-session') !== SESSION_NEVER)
    throw new CallError(INVALID_ARG, { field: 'admin-session', fault: 'range', min: 1, max: ADMIN_SESSION_MAX })
  context.detail = `admin-session ${hours}`
  store.settings.set('admin-session', hours)
}

function setPasswordRules({ store }: { store: Store }, context: Context, rules: PasswordRules): void {
  const active = Object.entries(rules).filter(([, count]) => count > 0)
  context.detail = ['pwd-rule', ...active.map(([name, count]) => `${name} ${count}`)].join(', ')
  store.settings.set('pwd-rule', rules)
}

/** Names of the members of a part that a request sets, as `SETTING_RIGHTS` counts them. */
function changedMembers({ settings }: Store, part: SettingPart, request: SettingsRequest): string[] {
  const value: unknown = request[part]
  if (typeof value !== 'object' || value === null) return []
  const stored = (part === 'web' ? {} : settings.get(part)) as Readonly<Record<string, unknown>>
  // The stored passphrase is kept.
  const isKept = (member: string, each: unknown) => part === 'srt' && member === 'passphrase' && each === ''
  return Object.entries(value)
    .filter(([member, each]) => each !== undefined && !isKept(member, each))
    .filter(([member, each]) => JSON.stringify(each) !== JSON.stringify(stored[member]))
    .map(([member]) => member)
}

/** The rights that a request needs: those of its part, and of the members that it changes. */
const rightsFor = (store: Store, part: SettingPart, request: SettingsRequest): SettingRights[] => [
  settingRights(part),
  ...changedMembers(store, part, request).map((member) => settingRights(part, member))
]

/**
 * Checks the rights of the part and its members. The permission of the call itself only requires that the caller may
 * change one of the parts.
 * @throws CallError 31, also for an access token where the password is asked for; 1100 if the caller has to prove it
 */
function requireRights(gate: Gate, caller: Caller, rights: readonly SettingRights[]): void {
  for (const { edit, reauthenticate } of rights) {
    const isAllowed = edit === 'admin' ? gate.isAdmin(caller) : isPermitted(edit, caller.user)
    if (!isAllowed || (reauthenticate && caller.byToken)) throw new CallError(NOT_PERMITTED)
  }
  if (rights.some(({ reauthenticate }) => reauthenticate) && gate.mustReauthenticate(caller))
    throw new CallError(REAUTHENTICATION_REQUIRED)
}

interface Prepared extends PreparedWeb {
  /** The shared port that moves, and is stored when that is confirmed. */
  moves?: SharedPortName
}

/**
 * Stores a part, and does what its change needs besides.
 * @param moves the shared port that is only stored when it is confirmed
 */
function storePart(
  parts: SettingsParts & SetWebParts & NdiSettingsParts,
  context: Context,
  part: SettingPart,
  request: SettingsRequest,
  moves: SharedPortName | undefined
): void {
  const { settings } = parts.store
  const { web, security, srt, rtmp, hls, hosts, 'pwd-rule': passwordRules, 'admin-session': hours } = request
  if (web) setWeb(parts, context, web)
  else if (security)
    settings.set('security', { 'enable-code': security['enable-code'], 'code-value': security['code-value'] ?? '' })
  else if (srt) setSrt(parts, context, srt, moves === 'srt')
  else if (rtmp) setRtmp(parts, context, rtmp, moves === 'rtmp')
  else if (hls) setHls(parts, context, hls)
  else if (hosts) setHosts(parts, context, hosts)
  else if (passwordRules) setPasswordRules(parts, context, { ...NO_PASSWORD_RULES, ...passwordRules })
  else if (hours !== undefined) setAdminSession(parts, context, hours)
  else if (isNdiSetting(part)) storeNdiSettings(parts, context, request)
  else settings.set(part as HubSettingName, request[part] as never)
  if (request.streams) context.afterCommit(() => parts.engine.recheckAddresses())
  if (request.syslog) context.afterCommit(() => parts.syslog.settingChanged())
}

/**
 * How a change of settings interrupts streams: a new number or passphrase closes a shared port and opens it again, and
 * a stricter address policy ends the streams that it forbids.
 */
function interruptionBy(
  { store }: { store: Store },
  { srt, rtmp, streams }: Pick<SettingsRequest, 'srt' | 'rtmp' | 'streams'>
): Interruption | undefined {
  if (streams?.['forbid-private'] && !store.settings.get('streams')['forbid-private'])
    return { kind: 'private-addresses' }
  const before = store.settings.get('srt')
  const isOther = (next: Settings['srt']) =>
    next.port !== before.port ||
    next['pb-key-len'] !== before['pb-key-len'] ||
    (next.passphrase || before.passphrase) !== before.passphrase
  if (srt && isOther(srt)) return { kind: 'shared-port', protocol: SRT }
  if (rtmp && rtmp.port !== store.settings.get('rtmp').port) return { kind: 'shared-port', protocol: RTMP }
  return undefined
}

function handleSetSettings(parts: SettingsParts & SetWebParts & SetSharedPortParts & NdiSettingsParts): Handler {
  const { store, gate } = parts
  function requirePart(context: Context, request: SettingsRequest): SettingPart {
    const [part] = Object.keys(request).filter((name) => name !== 'force') as [SettingPart]
    context.detail = part
    requireRights(gate, requireCaller(context), rightsFor(store, part, request))
    return part
  }

  const prepare = async (context: Context, request: SettingsRequest): Promise<Prepared> => {
    requirePart(context, request)
    if (request.web) return prepareWeb(parts, context, request.web)
    const { srt, rtmp, force } = request
    if (srt && (await prepareSharedPort(parts, context, 'srt', { port: srt.port, force }))) return { moves: 'srt' }
    if (rtmp && (await prepareSharedPort(parts, context, 'rtmp', { ...rtmp, force }))) return { moves: 'rtmp' }
    return {}
  }

  const handler = handlePreparedChange(setSettings, prepare, (context, request, { trial: webTrial, moves }) => {
    const part = requirePart(context, request)
    const port = moves && request[moves]?.port
    const trial = moves && port !== undefined ? startSharedTrial(parts, context, moves, port) : webTrial
    storePart(parts, context, part, request, moves)
    context.afterCommit(() => {
      parts.sessionsEnded()
      // Consoles show the settings about accounts with the users, and the rules at each new password.
      const isAboutAccounts = ['pwd-rule', 'expired-time', 'admin-session'].includes(part)
      if (isAboutAccounts) for (const topic of ['user', 'session'] as const) store.changes.markChanged(topic)
      // And the others on the page of the general settings, which follows the status.
      store.changes.markChanged('status')
    })
    return trial ? { trial } : {}
  })
  return interrupting(setSettings, handler, {
    find: (_context, request) => interruptionBy(parts, request),
    // Ports of the console are opened while the change is prepared; streams have other ones.
    isAlone: ({ web }) => web !== undefined
  })
}

export function settingsHandlers(
  parts: GetSettingsParts & SettingsParts & SetWebParts & SetSharedPortParts & NdiSettingsParts
): Handler[] {
  return [handleGetSettings(parts), handleSetSettings(parts)]
}
