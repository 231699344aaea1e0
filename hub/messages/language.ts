// How the sentences of the hub are translated: as those of every server.
export type { Language, Translation } from '../../contract/text/language.ts'
export { findKeysByText, loadTranslations, requestLanguage, translate } from '../../web-server/language.ts'
