// The settings that the search of the settings finds, by the labels that they have on their pages.
import { SYSTEM_CONFIG_EDIT } from '../../contract/access/permissions.ts'
import { setProfile } from '../../contract/access/profile.ts'
import { startSecondFactor } from '../../contract/access/second-factor.ts'
import { listSessions } from '../../contract/access/user.ts'
import type { Access } from '../../contract/call.ts'
import type { FormEntry } from '../../contract/form/form.ts'
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
import { TEXT as NETWORK } from '../screens/network/text.ts'
import { TEXT as PROFILE } from '../screens/profile/text.ts'
import { TEXT as TOKENS } from '../screens/token/text.ts'
import { TEXT as UPGRADE } from '../screens/upgrade/text.ts'
import { LABELS as PASSWORD_RULES } from '../screens/user/password-rules.tsx'
import { TEXT as USERS } from '../screens/user/text.ts'
import { type Translation, t } from '../text/language.ts'

/** A sentence of the console, or one of the hub in the language of the console. */
type Label = Translation | string

export const labelText = (label: Label): string => (typeof label === 'string' ? label : t(label))

/** A setting, or a section of a page with several. */
export interface Setting {
  /** Names the section in a link. Unique on its page. */
  name: string
  label: Label
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
 * @param labels of its settings
 */
function section({ entry, ...place }: Place, name: string, label: Label, labels: readonly Label[] = []): Setting[] {
  const heading: Setting = { ...place, entry: entry ?? place.route, name, label }
  return [heading, ...labels.map((text) => ({ ...heading, label: text, section: heading }))]
}

const GENERAL_PAGE: Place = { route: 'general' }
const TIME_PAGE: Place = { route: 'general', access: getTime.access }
const LICENSE_PAGE: Place = { route: 'license' }
const NETWORK_PAGE: Place = { route: 'network' }
const PORTS_CARD: Place = { route: 'network', access: listPorts.access }
const FIREWALL_PAGE: Place = { route: 'firewall', entry: 'network' }
const CERTIFICATE_PAGE: Place = { route: 'certificate' }
const RULES_TAB: Place = { route: 'users', tab: 'rules', access: SYSTEM_CONFIG_EDIT }
const PROFILE_PAGE: Place = { route: 'profile' }
const BACKUP_PAGE: Place = { route: 'backup' }

/** The settings that the console itself knows, in the order of the menu. */
const SETTINGS: readonly Setting[] = [
  ...section(GENERAL_PAGE, 'name', GENERAL.name, [GENERAL.hubName, GENERAL.hostName]),
  ...section(GENERAL_PAGE, 'registration', GENERAL.registration, [GENERAL.requireCode, GENERAL.code]),
  ...section(GENERAL_PAGE, 'addresses', GENERAL.addresses, [GENERAL.allowPrivate]),
  ...section(GENERAL_PAGE, 'previews', GENERAL.previews, [GENERAL.dataSaver]),
  ...section(TIME_PAGE, 'time', TIME.time, [
    TIME.zone,
    TIME.setZone,
    TIME.setSync,
    TIME.useServers,
    TIME.server1,
    TIME.server2,
    TIME.setClock
  ]),
  ...section(GENERAL_PAGE, 'power', GENERAL.power, [GENERAL.reboot, GENERAL.reset]),
  ...section(LICENSE_PAGE, 'license', LICENSE.license, [
    LICENSE.serial,
    LICENSE.expires,
    LICENSE.supportEnd,
    LICENSE.machine,
    LICENSE.upload
  ]),
  ...section(LICENSE_PAGE, 'limits', LICENSE.limits),
  ...section(NETWORK_PAGE, 'network', NETWORK.network, [
    NETWORK.address,
    NETWORK.addressing,
    NETWORK.gateway,
    NETWORK.dns,
    NETWORK.routes,
    NETWORK.ipv6,
    NETWORK.mtu,
    NETWORK.mac,
    NETWORK.addVlan,
    NETWORK.wifi,
    NETWORK.connectivity
  ]),
  ...section(PORTS_CARD, 'port', PORTS_TEXT.title, [
    PORTS.http,
    PORTS.https,
    PORTS.link,
    PORTS.files,
    PORTS.srt,
    PORTS.rtmp,
    PORTS_TEXT.serveHls
  ]),
  ...section(FIREWALL_PAGE, 'firewall', FIREWALL.firewall, [FIREWALL.mode, FIREWALL.rules, FIREWALL.effect]),
  ...section(CERTIFICATE_PAGE, 'https', GENERAL.https, [CERTIFICATE.serve, CERTIFICATE.redirect, CERTIFICATE.hsts]),
  ...section(CERTIFICATE_PAGE, 'certificate', CERTIFICATE.certificate, [
    CERTIFICATE.install,
    CERTIFICATE.fingerprint,
    CERTIFICATE.until
  ]),
  ...section({ route: 'users' }, 'users', USERS.users, [USERS.add]),
  ...section({ route: 'users', tab: 'groups' }, 'groups', USERS.groups),
  ...section({ route: 'users', tab: 'sessions', access: listSessions.access }, 'sessions', USERS.sessions, [
    USERS.addDisplay
  ]),
  ...section({ route: 'users', tab: 'access', access: 'admin' }, 'default-access', USERS.defaultAccess),
  ...section(RULES_TAB, 'rules', USERS.rules, [
    PASSWORD_RULES.length,
    PASSWORD_RULES.lowercase,
    PASSWORD_RULES.uppercase,
    PASSWORD_RULES.number,
    PASSWORD_RULES.special
  ]),
  ...section(RULES_TAB, 'session', SESSION_EXPIRY.title, [SESSION_EXPIRY.ends, SESSION_EXPIRY.minutes]),
  ...section(RULES_TAB, 'session-admin', SESSION_EXPIRY.adminTitle, [SESSION_EXPIRY.hours]),
  ...section({ route: 'accessTokens' }, 'add', TOKENS.add),
  ...section({ ...PROFILE_PAGE, access: setProfile.access }, 'nick', PROFILE.nick),
  ...section(PROFILE_PAGE, 'password', PASSWORD_TEXT.title),
  ...section({ ...PROFILE_PAGE, access: startSecondFactor.access }, 'second-factor', SECOND_FACTOR.title),
  ...section(PROFILE_PAGE, 'appearance', PROFILE.appearance, [PROFILE.language, PROFILE.theme]),
  ...section({ ...PROFILE_PAGE, access: listSessions.access }, 'sessions', PROFILE.sessions),
  ...section(BACKUP_PAGE, 'run', BACKUP.run),
  ...section(BACKUP_PAGE, 'export', BACKUP.export, [BACKUP.withSecrets, BACKUP.download]),
  ...section(BACKUP_PAGE, 'import', BACKUP.import, [BACKUP.openImport]),
  ...section({ route: 'upgrade' }, 'upload', UPGRADE.upload),
  ...section({ route: 'upgrade' }, 'keys', UPGRADE.keys)
]

/** All settings. @param described those on cards that the hub describes */
export const allSettings = (described: readonly FormEntry[] = []): Setting[] => [
  ...SETTINGS,
  ...described.flatMap(({ route, tab, name, title, labels }) =>
    section({ route, ...(tab && { tab }) }, name, title, labels)
  )
]

/** A setting is named by its section and its label; in another language, the link leads to the section. */
export const linkToSetting = ({ route, tab, name, label, section }: Setting): string =>
  linkTo(route, { ...(tab && { tab }), setting: section ? `${name}/${labelText(label)}` : name } as object)

/** The setting that a link names on a page. */
export function settingOfLink(all: readonly Setting[], page: RouteName, link: string): Setting | undefined {
  const [, name, text] = /^([^/]*)\/?(.*)$/.exec(link) ?? []
  const settings = all.filter((each) => each.route === page && each.name === name)
  return settings.find(({ section, label }) => section && labelText(label) === text) ?? settings[0]
}

/** Settings that the user sees, on pages of these entries. */
export const visibleSettings = (
  all: readonly Setting[],
  entries: readonly RouteName[],
  isAllowed: (of: { access: Access }) => boolean
): Setting[] =>
  all.filter(({ entry, access }) => entries.includes(entry) && (access === undefined || isAllowed({ access })))

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
      const label = labelText(setting.label).toLowerCase()
      const all =
        `${label} ${setting.section ? labelText(setting.section.label) : ''} ${titleOf(setting)}`.toLowerCase()
      return { setting, rank: words.every((word) => all.includes(word)) ? rank(label) : undefined }
    })
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ setting }) => setting)
}
