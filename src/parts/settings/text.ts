import type { Translation } from '../../text/language.ts'

export const readOnly: Translation = [
  'You can view these settings. To change them, ask an administrator.',
  '您可以查看这些设置。如需更改，请联系管理员。'
]
