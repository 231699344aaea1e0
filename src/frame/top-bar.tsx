import { linkTo, type RouteName } from '../paths.ts'
import { $freshness } from '../state/freshness.ts'
import { navigate } from '../state/location.ts'
import { $dataSaver, toggleDataSaver } from '../state/previews.ts'
import { $session } from '../state/session.ts'
import { $theme, setTheme, THEMES } from '../state/theme.ts'
import { notify } from '../state/toasts.ts'
import { NO_LANGUAGE_PACK } from '../text/codes.ts'
import { duration } from '../text/dates.ts'
import { $language, LANGUAGES, languageName, setLanguage, t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { $now } from '../ui/clock.ts'
import { MenuButton } from '../ui/menu-button.tsx'
import { StatusLabel } from '../ui/status-label.tsx'
import { useStore } from '../ui/use-store.ts'
import { openPasswordDialog, signOutAndNotify } from './account-dialogs.tsx'
import { HeaderSearch } from './header-search.tsx'
import { PaletteButton } from './palette-button.tsx'
import * as TEXT from './text.ts'

const THEME_ICONS = { system: 'screen', light: 'sun', dark: 'moon' } as const

interface TopBarProps {
  menuOpen: boolean
  onMenu: () => void
  /** The route whose menu entry is highlighted. */
  highlighted: RouteName | undefined
}

export function TopBar({ menuOpen, onMenu, highlighted }: TopBarProps) {
  const user = useStore($session)
  const dataSaver = useStore($dataSaver)
  const currentTheme = useStore($theme)
  return (
    <header className="top">
      <Button iconOnly icon="menu" label={t(menuOpen ? TEXT.fold : TEXT.unfold)} onClick={onMenu} />
      <span className="brand">Headend</span>
      <HeaderSearch highlighted={highlighted} />
      <PaletteButton />
      <Freshness />
      <LanguageMenu />
      {user && (
        <MenuButton
          icon="user"
          label={user.nick ?? user.name}
          items={[
            { label: t(TEXT.profile), icon: 'user', onSelect: () => navigate(linkTo('profile')) },
            { label: t(TEXT.password), icon: 'key', onSelect: openPasswordDialog },
            {
              label: t(TEXT.dataSaver),
              icon: 'eye',
              multiSelect: true,
              checked: dataSaver,
              onSelect: toggleDataSaver
            },
            ...THEMES.map((theme) => ({
              label: t(TEXT.themes[theme]),
              icon: THEME_ICONS[theme],
              checked: theme === currentTheme,
              onSelect: () => setTheme(theme)
            })),
            { label: t(TEXT.signOut), icon: 'output', onSelect: () => void signOutAndNotify() }
          ]}
        />
      )}
    </header>
  )
}

/** The language menu, also shown on the login page. */
export function LanguageMenu() {
  const language = useStore($language)
  const items = LANGUAGES.map((name) => ({
    label: languageName(name),
    checked: name === language,
    onSelect: () => void setLanguage(name).catch(() => notify(NO_LANGUAGE_PACK))
  }))
  return <MenuButton icon="language" label={languageName(language)} items={items} />
}

/**
 * Shows whether the data on the page is live, and if not, since when it is stale. The style sheet dims the content of
 * `[data-stale]`.
 */
function Freshness() {
  const { stale, since } = useStore($freshness)
  return (
    <span role="status" className="push">
      {stale ? <StaleFor since={since} /> : <StatusLabel pill tone="good" text={t(TEXT.connected)} />}
    </span>
  )
}

function StaleFor({ since }: { since: number }) {
  const seconds = Math.max(0, (useStore($now) - since) / 1000)
  return <StatusLabel pill tone="bad" text={t(TEXT.stale, duration(seconds))} />
}
