import type { Translation } from '../../text/language.ts'

/** Title of the list, also in the menu. */
export const UPDATES: Translation = ['Updates', '更新']
