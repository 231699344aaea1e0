// All pages with described cards, by the routes of the console (`src/paths.ts`).
import type { DeclaredPage } from '../declaration.schema.ts'
import type { FORM_PAGES } from '../form.ts'
import { BACKUP_PAGE } from './backup.schema.ts'
import { GENERAL_PAGE } from './general.schema.ts'
import { LOG_PAGE } from './log.schema.ts'
import { NDI_PAGE } from './ndi.schema.ts'
import { NOTIFICATION_PAGE } from './notifications.schema.ts'

export const FORMS: Readonly<Record<(typeof FORM_PAGES)[number], DeclaredPage>> = {
  logs: LOG_PAGE,
  ndiSettings: NDI_PAGE,
  backup: BACKUP_PAGE,
  general: GENERAL_PAGE,
  notifications: NOTIFICATION_PAGE
}
