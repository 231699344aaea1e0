// Sentences of the console in the language that is asked for, which the hub's take as their first word.
import { setLanguage } from '../../../src/text/language.ts'

/** What `say` says while the console has a language; afterwards it has English. */
export const shown =
  <Said>(say: () => Said) =>
  (language: string): Said => {
    setLanguage(language)
    try {
      return say()
    } finally {
      setLanguage('en')
    }
  }
