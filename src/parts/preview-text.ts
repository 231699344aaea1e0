import type { Translation } from '../text/language.ts'

/** The button that shows what changes, before anything is written. */
export const PREVIEW: Translation = ['Preview changes', '预览更改']
