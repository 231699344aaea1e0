import type { Place } from '../paths.ts'
import { $saver, toggleSaver } from '../state/previews.ts'
import { $session, signOut } from '../state/session.ts'
import { tell } from '../state/toasts.ts'
import { $language, LANGUAGE_NAMES, type Language, setLanguage, t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { useStore } from '../ui/use-store.ts'
import { openPasswordDialog } from './account-dialogs.tsx'
import { Freshness } from './freshness.tsx'
import { HeaderSearch } from './header-search.tsx'
import { TEXT } from './text.ts'

interface TopBarProps {
  menuOpen: boolean
  onMenu: () => void
  /** The place whose menu entry is highlighted. */
  current: Place | undefined
}

export function TopBar({ menuOpen, onMenu, current }: TopBarProps) {
  const user = useStore($session)
  const saver = useStore($saver)
  return (
    <header className="top">
      <Button bare icon="menu" label={t(menuOpen ? TEXT.fold : TEXT.unfold)} onClick={onMenu} />
      <span className="brand">Headend</span>
      <HeaderSearch current={current} />
      <Freshness />
      <LanguageMenu />
      {user && (
        <MenuButton
          icon="user"
          label={user.name}
          items={[
            { label: t(TEXT.password), icon: 'key', onSelect: openPasswordDialog },
            { label: t(TEXT.saver), icon: 'eye', several: true, chosen: saver === 1, onSelect: toggleSaver },
            { label: t(TEXT.signOut), icon: 'output', onSelect: () => void leave() }
          ]}
        />
      )}
    </header>
  )
}

/** The choice of language, also on the login page. */
export function LanguageMenu() {
  const language = useStore($language)
  const names = Object.entries(LANGUAGE_NAMES) as [Language, string][]
  return (
    <MenuButton
      icon="language"
      label={LANGUAGE_NAMES[language]}
      items={names.map(([key, label]) => ({ label, chosen: key === language, onSelect: () => setLanguage(key) }))}
    />
  )
}

async function leave(): Promise<void> {
  const result = await signOut()
  if (result !== 0) tell(result)
}
