// The options of the palette: pages, objects that the search finds, and actions, if the user may open or run them.
import { addChannel, type Channel, channelDashboard } from '../../contract/stream/channel.ts'
import { createNameMatcher } from '../../contract/text/name-match.ts'
import { type Action, verbText } from '../parts/actions.tsx'
import { limitReason } from '../parts/license-limits.ts'
import { linkTo, matchRoute, ROUTES, type RouteName } from '../paths.ts'
import { DIALOG_ACTIONS, START, STOP } from '../screens/channel/actions.tsx'
import { AddChannelDialog } from '../screens/channel/add-dialog.tsx'
import { SWITCH_ACTIONS } from '../screens/channel/switch-actions.ts'
import * as CHANNEL_TEXT from '../screens/channel/text.ts'
import { type FoundKind, useFoundKinds } from '../screens/search/results.tsx'
import { $channels } from '../state/channels.ts'
import { $freshness } from '../state/freshness.ts'
import { currentLink, navigate } from '../state/location.ts'
import { $isAllowed } from '../state/session.ts'
import { $theme, setTheme, THEMES } from '../state/theme.ts'
import { notify } from '../state/toasts.ts'
import { useAllowed } from '../state/use-allowed.ts'
import { NO_LANGUAGE_PACK } from '../text/codes.ts'
import { $language, LANGUAGES, languageName, setLanguage, type Translation, t } from '../text/language.ts'
import { confirm } from '../ui/dialog/confirm.tsx'
import { openDialog } from '../ui/dialog/dialog-host.tsx'
import type { IconName } from '../ui/icon.tsx'
import * as UI from '../ui/text.ts'
import { useStore } from '../ui/use-store.ts'
import { openPasswordDialog, signOutAndNotify } from './account-dialogs.tsx'
import { SEARCH_ACCESS } from './header-search.tsx'
import type { Place } from './menu.ts'
import { addRecentPage, recentPages } from './recent-pages.ts'
import { isScreenRoute, routeTo } from './routes.tsx'
import * as FRAME_TEXT from './text.ts'
import { useMenu } from './use-menu.ts'

const TEXT = {
  recent: ['Recent', '最近打开'],
  goTo: ['Go to', '前往'],
  actions: ['Actions', '操作'],
  results: ['All results for “{0}”', '“{0}”的全部结果'],
  restart: ['Restart or shut down the hub', '重启或关闭中控']
} as const

export interface PaletteOption {
  id: string
  icon: IconName
  label: string
  /** An address, a place, or why the option is disabled. */
  note?: string | undefined
  isDisabled?: boolean
  /** The label in English, by which it is found in any language. */
  english?: string
  run: () => unknown
}

export interface PaletteSection {
  title: string
  options: readonly PaletteOption[]
}

/** Objects shown of each kind, and actions shown. */
const FOUND_MAX = 5
const ACTIONS_MAX = 12

/** Gives the English sentence of a pair. Empty while the sentences are not loaded. */
export type ToEnglish = (pair: Translation) => string

const pageOption = (path: string, icon: IconName, name: string, note?: string, english = ''): PaletteOption => ({
  id: path,
  icon,
  label: name,
  note,
  english,
  run() {
    addRecentPage({ path, icon, name })
    navigate(path)
  }
})

/** Pages that have no entry in the menu, with the page that leads to them. */
const FURTHER_PAGES: readonly [RouteName, IconName, Translation, RouteName][] = [
  ['firewall', 'lock', FRAME_TEXT.firewall, 'network'],
  ['importSettings', 'input', FRAME_TEXT.importSettings, 'backup'],
  ['reboot', 'retry', TEXT.restart, 'general']
]

function pagesOf(places: readonly Place[], toEnglish: ToEnglish): PaletteOption[] {
  const entries = places.flatMap((place) =>
    place.entries
      .filter(({ isElsewhere, route }) => !isElsewhere && route !== 'groupDevices')
      .map((entry) => ({ ...entry, place: place.title }))
  )
  const further = FURTHER_PAGES.flatMap(([route, icon, title, parent]) => {
    const entry = entries.find((each) => each.route === parent)
    return entry ? [{ route, icon, title, place: entry.place }] : []
  })
  return [...entries, ...further].map(({ route, icon, title, place }) =>
    pageOption(ROUTES[route], icon, t(title), t(place), `${toEnglish(place)} ${toEnglish(title)}`)
  )
}

/** The pages that were opened last and that the user may still open, without the current one. */
function useRecent(): PaletteOption[] {
  const isAllowed = useStore($isAllowed)
  return recentPages().flatMap(({ path, icon, name }) => {
    const { routeName = '' } = matchRoute(path.replace(/\?.*/s, ''))
    const access = isScreenRoute(routeName) ? routeTo(routeName).permissions : undefined
    const canOpen = access === undefined || isAllowed({ access })
    return canOpen && path !== currentLink() ? [{ ...pageOption(path, icon, name), id: `recent ${path}` }] : []
  })
}

const foundSection = ({ title, icon, items }: FoundKind): PaletteSection => ({
  title: t(title),
  options: items.map(({ path, name, note }) => pageOption(path, icon, name, note))
})

/** Actions that take effect at once, without a dialog: the palette asks before them. */
const IMMEDIATE: readonly Action<Channel>[] = [START, ...SWITCH_ACTIONS]

async function runOnChannel(action: Action<Channel>, channel: Channel, label: string): Promise<void> {
  const text = action.confirmText?.([channel])
  const isAsked = text !== undefined || IMMEDIATE.includes(action)
  const question = { ...(text && { text }), confirmLabel: label }
  if (!isAsked || (await confirm(question))) await action.run([channel])
}

/** The actions on a channel that the user may run now. The hub asks before one takes the channel off air. */
function channelOptions(
  channel: Channel,
  isAllowed: (call: Action<Channel>['call']) => boolean,
  toEnglish: ToEnglish
): PaletteOption[] {
  return [START, STOP, ...DIALOG_ACTIONS]
    .filter(({ call, isApplicable }) => isAllowed(call) && (isApplicable?.(channel) ?? true))
    .map((action) => {
      const verb = verbText(action.verb, channel.name)
      const label = verb.includes(channel.name) ? verb : t(FRAME_TEXT.inPlace, verb, channel.name)
      const reason = action.disabledReason?.([channel])
      return {
        id: `${channel.id} ${label}`,
        icon: action.icon,
        label,
        note: reason,
        isDisabled: reason !== undefined,
        english: toEnglish(action.verb),
        run: () => runOnChannel(action, channel, label)
      }
    })
}

async function askAndSignOut(): Promise<void> {
  const label = t(FRAME_TEXT.signOut)
  if (await confirm({ confirmLabel: label })) await signOutAndNotify()
}

/** Actions that concern no object. */
function useGeneralOptions(toEnglish: ToEnglish): PaletteOption[] {
  const isAllowed = useStore($isAllowed)
  const theme = useStore($theme)
  const language = useStore($language)
  const option = (title: Translation, icon: IconName, run: () => unknown, reason?: string): PaletteOption => ({
    id: t(title),
    icon,
    label: t(title),
    note: reason,
    isDisabled: reason !== undefined,
    english: toEnglish(title),
    run
  })
  const add = option(CHANNEL_TEXT.add, 'plus', () => openDialog(AddChannelDialog), limitReason('max-channel-count'))
  return [
    ...(isAllowed(addChannel) ? [add] : []),
    option(FRAME_TEXT.password, 'key', openPasswordDialog),
    ...THEMES.filter((each) => each !== theme).map((each) =>
      option(FRAME_TEXT.themes[each], each === 'light' ? 'sun' : 'moon', () => setTheme(each))
    ),
    ...LANGUAGES.filter((name) => name !== language).map((name) => ({
      id: name,
      icon: 'language' as const,
      label: languageName(name),
      english: new Intl.DisplayNames('en', { type: 'language' }).of(name) ?? name,
      run: () => setLanguage(name).catch(() => notify(NO_LANGUAGE_PACK))
    })),
    option(FRAME_TEXT.signOut, 'output', askAndSignOut)
  ]
}

/** Options that contain each word of the text; those that begin with it come first. */
function filterOptions(options: readonly PaletteOption[], text: string): PaletteOption[] {
  const matchers = text.split(/\s+/).map(createNameMatcher)
  const begins = createNameMatcher(text)
  const rankOf = ({ label }: PaletteOption) => (begins(label.slice(0, text.length)) ? 0 : 1)
  return options
    .filter(({ label, note = '', english = '' }) =>
      matchers.every((matches) => [label, note, english].some((each) => matches(each)))
    )
    .sort((a, b) => rankOf(a) - rankOf(b))
}

/**
 * The options for a text. Without one: recent pages, all pages, and the actions that concern no object.
 * @param key the text for the hub's search, which follows the text after a pause
 */
export function usePaletteSections(text: string, key: string, toEnglish: ToEnglish): PaletteSection[] {
  const isAllowed = useStore($isAllowed)
  const { stale } = useStore($freshness)
  const recent = useRecent()
  const pages = pagesOf(useMenu(undefined).places, toEnglish)
  const general = useGeneralOptions(toEnglish)
  const found = useFoundKinds(key, key !== '')
  const { items: channels = [] } = useAllowed(channelDashboard, $channels)
  const actions = { title: t(TEXT.actions), options: general }
  const goTo = { title: t(TEXT.goTo), options: pages }
  if (!text) return [{ title: t(TEXT.recent), options: recent }, goTo, actions].filter(({ options }) => options.length)
  const ofChannels = channels.flatMap((channel) => channelOptions(channel, isAllowed, toEnglish))
  // Without the hub nothing can be changed.
  const reachable = stale
    ? ofChannels.map((each) => ({ ...each, isDisabled: true, note: t(UI.unreachable) }))
    : ofChannels
  const all = linkTo('search', { for: text })
  const results = isAllowed({ access: SEARCH_ACCESS }) ? [pageOption(all, 'search', t(TEXT.results, text))] : []
  return [
    { ...goTo, options: filterOptions(pages, text) },
    ...found
      .map(foundSection)
      .map((section) => ({ ...section, options: filterOptions(section.options, text).slice(0, FOUND_MAX) })),
    { ...actions, options: filterOptions([...general, ...reachable], text).slice(0, ACTIONS_MAX) },
    { title: t(FRAME_TEXT.search), options: results }
  ].filter(({ options }) => options.length)
}
