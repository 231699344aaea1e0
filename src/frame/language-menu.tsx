import { notify } from '../state/toasts.ts'
import { NO_LANGUAGE_PACK } from '../text/codes.ts'
import { $language, LANGUAGES, languageName, setLanguage } from '../text/language.ts'
import { MenuButton } from '../ui/menu-button.tsx'
import { useStore } from '../ui/use-store.ts'

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
