// The settings that the search of the settings finds, by the labels that they have on their pages.
import { SYSTEM_CONFIG_EDIT } from '../../contract/access/permissions.ts'
import { setProfile } from '../../contract/access/profile.ts'
import { startSecondFactor } from '../../contract/access/second-factor.ts'
import { listSessions } from '../../contract/access/user.ts'
import type { Access } from '../../contract/call.ts'
import { getTime } from '../../contract/machine/time.ts'
import { listPorts } from '../../contract/web/ports.ts'
import { PASSWORD_TEXT } from '../parts/password/password-form.tsx'
import { PORTS, TEXT as PORTS_TEXT } from '../parts/ports/text.ts'
import { TEXT as SECOND_FACTOR } from '../parts/second-factor.tsx'
import { TEXT as SESSION_EXPIRY } from '../parts/settings/session-expiry.tsx'
import { linkTo, type RouteName } from '../paths.ts'
import { TEXT as BACKUP } from '../screens/backup/text.ts'
import { TEXT as CERTIFICATE } from '../screens/certificate/text.ts'
import { TEXT as FIREWALL } from '../screens/firewall/text.ts'
import { TEXT as GENERAL } from '../screens/general/text.ts'
import { TEXT as TIME } from '../screens/general/time-text.ts'
import { TEXT as LICENSE } from '../screens/license/text.ts'
import { TEXT as LOGS } from '../screens/log/text.ts'
import { TEXT as NDI } from '../screens/ndi-settings/text.ts'
import { TEXT as NETWORK } from '../screens/network/text.ts'
import { TEXT as PROFILE } from '../screens/profile/text.ts'
import { TEXT as TOKENS } from '../screens/token/text.ts'
import { TEXT as UPGRADE } from '../screens/upgrade/text.ts'
import { LABELS as PASSWORD_RULES } from '../screens/user/password-rules.tsx'
import { TEXT as USERS } from '../screens/user/text.ts'
import { type Translation, t } from '../text/language.ts'

/** A setting, or a section of a page with several. */
export interface Setting {
  /** Names the setting in a link. Unique on its page. */
  name: string
  label: Translation
  /** The section that it belongs to, if it is not one itself. Its label is shown while the setting is not. */
  section?: Setting
  /** The page with its menu entry, or with that of `entry`. */
  route: RouteName
  entry: RouteName
  tab?: string
  /** Permission to see the section, if that of the page is not enough. */
  access?: Access
}

interface Place extends Pick<Setting, 'access' | 'tab'> {
  route: RouteName
  entry?: RouteName
}

/**
 * A section and its settings.
 * @param label of its heading
 * @param fields the labels of its settings, by their names in links
 */
function section(
  { entry, ...place }: Place,
  name: string,
  label: Translation,
  fields: Readonly<Record<string, Translation>> = {}
): Setting[] {
  const common = { ...place, entry: entry ?? place.route }
  const heading: Setting = { ...common, name, label }
  const settings = Object.entries(fields).map(([field, text]) => ({
    ...common,
    name: field,
    label: text,
    section: heading
  }))
  return [heading, ...settings]
}

const GENERAL_PAGE: Place = { route: 'general' }
const TIME_PAGE: Place = { route: 'general', access: getTime.access }
const LICENSE_PAGE: Place = { route: 'license' }
const NDI_PAGE: Place = { route: 'ndiSettings' }
const LOG_SETTINGS: Place = { route: 'logs', tab: 'settings' }
const NETWORK_PAGE: Place = { route: 'network' }
const PORTS_CARD: Place = { route: 'network', access: listPorts.access }
const FIREWALL_PAGE: Place = { route: 'firewall', entry: 'network' }
const CERTIFICATE_PAGE: Place = { route: 'certificate' }
const RULES_TAB: Place = { route: 'users', tab: 'rules', access: SYSTEM_CONFIG_EDIT }
const PROFILE_PAGE: Place = { route: 'profile' }
const BACKUP_PAGE: Place = { route: 'backup' }

/** All settings, in the order of the menu. */
export const SETTINGS: readonly Setting[] = [
  ...section(GENERAL_PAGE, 'name', GENERAL.name, { 'hub-name': GENERAL.hubName, 'host-name': GENERAL.hostName }),
  ...section(GENERAL_PAGE, 'registration', GENERAL.registration, {
    'require-code': GENERAL.requireCode,
    code: GENERAL.code
  }),
  ...section(GENERAL_PAGE, 'addresses', GENERAL.addresses, { 'allow-private': GENERAL.allowPrivate }),
  ...section(GENERAL_PAGE, 'previews', GENERAL.previews, { 'data-saver': GENERAL.dataSaver }),
  ...section(TIME_PAGE, 'time', TIME.time, {
    zone: TIME.zone,
    'set-zone': TIME.setZone,
    'set-sync': TIME.setSync,
    'use-servers': TIME.useServers,
    'server-1': TIME.server1,
    'server-2': TIME.server2,
    'set-clock': TIME.setClock
  }),
  ...section(GENERAL_PAGE, 'power', GENERAL.power, { reboot: GENERAL.reboot, reset: GENERAL.reset }),
  ...section(LICENSE_PAGE, 'license', LICENSE.license, {
    serial: LICENSE.serial,
    expires: LICENSE.expires,
    'support-end': LICENSE.supportEnd,
    machine: LICENSE.machine,
    upload: LICENSE.upload
  }),
  ...section(LICENSE_PAGE, 'limits', LICENSE.limits),
  ...section(NDI_PAGE, 'state', NDI.state, { runtime: NDI.runtime }),
  ...section(NDI_PAGE, 'discovery', NDI.discovery, {
    'use-servers': NDI.useServers,
    'extra-ips': NDI.extraIps,
    'send-groups': NDI.sendGroups,
    'recv-groups': NDI.recvGroups,
    machine: NDI.machine,
    ifaces: NDI.ifaces
  }),
  ...section(NDI_PAGE, 'output', NDI.output, { 'by-default': NDI.byDefault }),
  ...section(NDI_PAGE, 'hub-server', NDI.hubServer, { enable: NDI.enable, port: NDI.port }),
  ...section(LOG_SETTINGS, 'keep', LOGS.keep, { lines: LOGS.lines, days: LOGS.days }),
  ...section(LOG_SETTINGS, 'syslog', LOGS.syslog),
  ...section(NETWORK_PAGE, 'network', NETWORK.network, {
    address: NETWORK.address,
    addressing: NETWORK.addressing,
    gateway: NETWORK.gateway,
    dns: NETWORK.dns,
    routes: NETWORK.routes,
    ipv6: NETWORK.ipv6,
    mtu: NETWORK.mtu,
    mac: NETWORK.mac,
    'add-vlan': NETWORK.addVlan,
    wifi: NETWORK.wifi,
    connectivity: NETWORK.connectivity
  }),
  ...section(PORTS_CARD, 'port', PORTS_TEXT.title, {
    'port-http': PORTS.http,
    'port-https': PORTS.https,
    'port-link': PORTS.link,
    'port-files': PORTS.files,
    'port-srt': PORTS.srt,
    'port-rtmp': PORTS.rtmp,
    'port-serve-hls': PORTS_TEXT.serveHls
  }),
  ...section(FIREWALL_PAGE, 'firewall', FIREWALL.firewall, {
    mode: FIREWALL.mode,
    rules: FIREWALL.rules,
    effect: FIREWALL.effect
  }),
  ...section(CERTIFICATE_PAGE, 'https', GENERAL.https, {
    serve: CERTIFICATE.serve,
    redirect: CERTIFICATE.redirect,
    hsts: CERTIFICATE.hsts
  }),
  ...section(CERTIFICATE_PAGE, 'certificate', CERTIFICATE.certificate, {
    install: CERTIFICATE.install,
    fingerprint: CERTIFICATE.fingerprint,
    until: CERTIFICATE.until
  }),
  ...section({ route: 'users' }, 'users', USERS.users, { add: USERS.add }),
  ...section({ route: 'users', tab: 'groups' }, 'groups', USERS.groups),
  ...section({ route: 'users', tab: 'sessions', access: listSessions.access }, 'sessions', USERS.sessions, {
    'add-display': USERS.addDisplay
  }),
  ...section({ route: 'users', tab: 'access', access: 'admin' }, 'default-access', USERS.defaultAccess),
  ...section(RULES_TAB, 'rules', USERS.rules, {
    length: PASSWORD_RULES.length,
    lowercase: PASSWORD_RULES.lowercase,
    uppercase: PASSWORD_RULES.uppercase,
    number: PASSWORD_RULES.number,
    special: PASSWORD_RULES.special
  }),
  ...section(RULES_TAB, 'session', SESSION_EXPIRY.title, {
    'session-ends': SESSION_EXPIRY.ends,
    'session-minutes': SESSION_EXPIRY.minutes
  }),
  ...section(RULES_TAB, 'session-admin', SESSION_EXPIRY.adminTitle, { 'session-hours': SESSION_EXPIRY.hours }),
  ...section({ route: 'accessTokens' }, 'add', TOKENS.add),
  ...section({ ...PROFILE_PAGE, access: setProfile.access }, 'nick', PROFILE.nick),
  ...section(PROFILE_PAGE, 'password', PASSWORD_TEXT.title),
  ...section({ ...PROFILE_PAGE, access: startSecondFactor.access }, 'second-factor', SECOND_FACTOR.title),
  ...section(PROFILE_PAGE, 'appearance', PROFILE.appearance, { language: PROFILE.language, theme: PROFILE.theme }),
  ...section({ ...PROFILE_PAGE, access: listSessions.access }, 'sessions', PROFILE.sessions),
  ...section(BACKUP_PAGE, 'run', BACKUP.run),
  ...section(BACKUP_PAGE, 'schedule', BACKUP.schedule, {
    enable: BACKUP.enable,
    time: BACKUP.time,
    keep: BACKUP.keep,
    'seal-backups': BACKUP.sealBackups,
    target: BACKUP.target
  }),
  ...section(BACKUP_PAGE, 'export', BACKUP.export, { 'with-secrets': BACKUP.withSecrets, download: BACKUP.download }),
  ...section(BACKUP_PAGE, 'import', BACKUP.import, { 'open-import': BACKUP.openImport }),
  ...section({ route: 'upgrade' }, 'upload', UPGRADE.upload),
  ...section({ route: 'upgrade' }, 'keys', UPGRADE.keys)
]

export const linkToSetting = ({ route, tab, name }: Setting): string =>
  linkTo(route, { ...(tab && { tab }), setting: name } as object)

/** Settings that the user sees, on pages of these entries. */
export const visibleSettings = (
  entries: readonly RouteName[],
  isAllowed: (of: { access: Access }) => boolean
): Setting[] =>
  SETTINGS.filter(({ entry, access }) => entries.includes(entry) && (access === undefined || isAllowed({ access })))

/**
 * Settings with all words of a text in label or section, in this order: labels that begin with the text, labels that
 * contain it, others.
 */
export function findSettings(
  settings: readonly Setting[],
  text: string,
  titleOf: (setting: Setting) => string
): Setting[] {
  const query = text.trim().toLowerCase()
  const words = query.split(/\s+/)
  const rank = (label: string) => (label.startsWith(query) ? 0 : label.includes(query) ? 1 : 2)
  return settings
    .map((setting) => {
      const label = t(setting.label).toLowerCase()
      const all = `${label} ${setting.section ? t(setting.section.label) : ''} ${titleOf(setting)}`.toLowerCase()
      return { setting, rank: words.every((word) => all.includes(word)) ? rank(label) : undefined }
    })
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ setting }) => setting)
}
