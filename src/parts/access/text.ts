// Imported as `* as ACCESS_TEXT`, so that the bundle contains no names of sentences.
import type { Translation } from '../../text/language.ts'

export const access: Translation = ['Access', '可见范围']
export const deviceDefault: Translation = ['Default access to devices', '设备默认可见范围']
