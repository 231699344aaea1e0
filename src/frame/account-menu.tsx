import { $session } from '../state/session.ts'
import { $theme, setTheme, THEMES } from '../state/theme.ts'
import { t } from '../text/language.ts'
import { MenuButton, type MenuItem } from '../ui/menu-button.tsx'
import { useStore } from '../ui/use-store.ts'
import { openPasswordDialog, signOutAndNotify } from './account-dialogs.tsx'
import * as TEXT from './text.ts'

const THEME_ICONS = { system: 'screen', light: 'sun', dark: 'moon' } as const

/** The item that opens the dialog for the own password. */
export const passwordItem = (): MenuItem => ({ label: t(TEXT.password), icon: 'key', onSelect: openPasswordDialog })

/**
 * The menu of the signed-in user.
 * @param items before those for the theme and for signing out
 */
export function AccountMenu({ items }: { items: readonly MenuItem[] }) {
  const user = useStore($session)
  const currentTheme = useStore($theme)
  if (!user) return null
  return (
    <MenuButton
      icon="user"
      label={user.nick ?? user.name}
      items={[
        ...items,
        ...THEMES.map((theme) => ({
          label: t(TEXT.themes[theme]),
          icon: THEME_ICONS[theme],
          checked: theme === currentTheme,
          onSelect: () => setTheme(theme)
        })),
        { label: t(TEXT.signOut), icon: 'output', onSelect: () => void signOutAndNotify() }
      ]}
    />
  )
}
