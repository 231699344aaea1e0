// The colour theme of the console, stored in the browser. The inline script of the page applies it before the first
// paint.
import { atom } from 'nanostores'
import { THEME_KEY } from '../../contract/limits.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** The user's choice; `system` follows the operating system. */
export const $theme = atom<Theme>(THEMES.find((theme) => theme === localStorage.getItem(THEME_KEY)) ?? 'system')

/** Changes the theme, and remembers the choice in this browser. */
export function setTheme(theme: Theme): void {
  $theme.set(theme)
  // Every colour of the style sheet is a `light-dark()`, which depends on this property alone.
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme
  if (theme === 'system') localStorage.removeItem(THEME_KEY)
  else localStorage.setItem(THEME_KEY, theme)
}
