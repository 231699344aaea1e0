// Runs sentence functions of the console in a given language, like those of the hub, which take the language as a
// parameter.
import { setLanguage } from '../../../src/text/language.ts'

/** Returns a function that calls `create` in a language and switches back to English. */
export const inGivenLanguage =
  <T>(create: () => T) =>
  (language: string): T => {
    setLanguage(language)
    try {
      return create()
    } finally {
      setLanguage('en')
    }
  }
