// Language and theme of this browser.
import { SelectField } from '../../form/select-field.tsx'
import { $theme, setTheme, THEMES } from '../../state/theme.ts'
import { notify } from '../../state/toasts.ts'
import { NO_LANGUAGE_PACK } from '../../text/codes.ts'
import { $language, LANGUAGES, languageName, setLanguage, t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

const THEME_NAMES = { system: TEXT.system, light: TEXT.light, dark: TEXT.dark }

export function AppearanceCard() {
  const language = useStore($language)
  const theme = useStore($theme)
  return (
    <Card title={t(TEXT.appearance)}>
      <SelectField
        name="language"
        value={language}
        label={t(TEXT.language)}
        options={LANGUAGES.map((name) => ({ value: name, label: languageName(name) }))}
        onValueChange={(name) => void setLanguage(name).catch(() => notify(NO_LANGUAGE_PACK))}
        onBlur={() => {}}
      />
      <SelectField
        name="theme"
        value={theme}
        label={t(TEXT.theme)}
        options={THEMES.map((name) => ({ value: name, label: t(THEME_NAMES[name]) }))}
        onValueChange={setTheme}
        onBlur={() => {}}
      />
      <p className="muted">{t(TEXT.appearanceHint)}</p>
    </Card>
  )
}
